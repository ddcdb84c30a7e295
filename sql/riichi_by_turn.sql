-- title: Riichi by turn and wait
-- group: riichi
-- answers: How often does a riichi at each turn win with a good wait and with a bad one?
-- numerator: riichis that won
-- denominator: accepted riichis declared at that turn with that kind of wait (n)
-- param: wait text = quality (quality, kind) | Good and bad waits, or each kind of wait.
-- source: みーにん's tables; good is six or more live tiles, as in amae-koromo's 立直好型2
-- example: paifu stats riichi_by_turn --lake games.lake
SELECT
    players,
    riichi_turn AS turn,
    CASE
        WHEN coalesce(getvariable('wait'), 'quality') = 'kind' THEN riichi_wait_kind
        WHEN riichi_live >= 6 THEN 'good'
        WHEN riichi_live < 6 THEN 'bad'
    END AS wait,
    CASE WHEN riichi_order = 1 THEN 'first' ELSE 'chasing' END AS riichi,
    count(*) AS n,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM round_seats
WHERE riichi_accepted
GROUP BY ALL
ORDER BY players DESC, turn, wait DESC, riichi DESC;
