-- title: Shanten by turn
-- group: haipai
-- answers: How near to tenpai are hands at each turn?
-- numerator: hands at that shanten after their discard of that turn
-- denominator: discards made at that turn whose hand is known (n)
-- source: 巡目別向聴数; own turns; a round counts only until it ends
-- example: paifu stats shanten_by_turn --lake games.lake
SELECT
    players,
    turn,
    shanten,
    count(*) AS hands,
    sum(count(*)) OVER (PARTITION BY players, turn)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players, turn) AS rate
FROM actions
WHERE shanten >= 0 -- only discards have one; -1 is a win
GROUP BY players, turn, shanten
ORDER BY players DESC, turn, shanten;
