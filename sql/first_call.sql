-- title: First call by turn
-- group: calls
-- answers: When do seats first call, and how do the rounds end?
-- numerator: rounds that ended in each way
-- denominator: rounds in which the seat first called at that turn (n)
-- source: 初副露巡目
-- example: paifu stats first_call --lake games.lake
WITH parts AS (
    SELECT
        players,
        first_call_turn AS turn,
        game_id & 255 AS part,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        sum(win_points) FILTER (won) AS points,
        count(win_points) FILTER (won) AS n_points,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE first_call_turn IS NOT NULL
    GROUP BY ALL
)
SELECT
    players,
    turn,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(wins) / sum(n) AS win_rate,
    clustered_low(wins, n) AS low,
    clustered_high(wins, n) AS high,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, turn
ORDER BY players DESC, turn;
