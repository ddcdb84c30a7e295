-- title: Deal-ins by turn
-- group: deal-in
-- answers: How often does a discard at each turn deal in?
-- numerator: rounds in which the seat dealt in with its discard of that turn
-- denominator: rounds in which the seat made a discard at that turn (n)
-- source: 巡目別放銃率; own turns; a robbed kan or north does not count as a discard
-- example: paifu stats deal_in_by_turn --lake games.lake
WITH lengths AS (
    SELECT players, discards, count(*) AS seats FROM round_seats WHERE discards > 0 GROUP BY ALL
),
discards_at AS (
    SELECT players, turn, sum(seats)::BIGINT AS n
    FROM (SELECT players, seats, unnest(range(1, discards + 1)) AS turn FROM lengths)
    GROUP BY ALL
),
dealt AS (
    SELECT players, deal_in_turn AS turn, count(*) AS rounds, avg(deal_in_points) AS cost
    FROM round_seats
    WHERE deal_ins > 0 AND deal_in_turn <= discards
    GROUP BY ALL
)
SELECT
    players,
    turn,
    coalesce(rounds, 0) AS deal_in_rounds,
    n,
    coalesce(rounds, 0) / n AS rate,
    rate_low(coalesce(rounds, 0), n) AS low,
    rate_high(coalesce(rounds, 0), n) AS high,
    cost AS average_cost
FROM discards_at
LEFT JOIN dealt USING (players, turn)
ORDER BY players DESC, turn;
