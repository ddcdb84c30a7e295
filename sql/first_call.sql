-- title: First call by turn
-- group: calls
-- answers: When do seats first call, and how do the rounds end?
-- numerator: rounds that ended so
-- denominator: rounds in which the seat first called at that turn (n)
-- source: 初副露巡目
-- example: paifu stats first_call --lake games.lake
SELECT
    players,
    first_call_turn AS turn,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM round_seats
WHERE first_call_turn IS NOT NULL
GROUP BY players, first_call_turn
ORDER BY players DESC, turn;
