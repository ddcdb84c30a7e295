-- title: Outcomes of rounds
-- group: rounds and games
-- answers: How do rounds end, how long do they last, and how often does each abortive draw occur?
-- numerator: rounds with that outcome
-- denominator: rounds of complete games (n)
-- source: 流局の内訳 (九種九牌, 四風連打, 四家立直, 四槓散了, 三家和了), double ron rate (statistics of events)
-- example: paifu stats rounds_by_outcome --lake games.lake
SELECT
    games.players,
    outcome,
    count(*) AS rounds,
    sum(count(*)) OVER (PARTITION BY games.players)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY games.players) AS rate,
    rate_low(count(*), sum(count(*)) OVER (PARTITION BY games.players)) AS low,
    rate_high(count(*), sum(count(*)) OVER (PARTITION BY games.players)) AS high,
    avg(turns) AS average_discards,
    avg(kans) AS average_kans,
    avg(riichis) AS average_riichis
FROM rounds
JOIN games USING (game_id)
WHERE complete
GROUP BY games.players, outcome
ORDER BY players DESC, rounds DESC;
