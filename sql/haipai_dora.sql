-- title: Haipai by dora
-- group: haipai
-- answers: What is each dora in the first 13 tiles worth?
-- numerator: rounds that ended in each way
-- denominator: rounds dealt with that many dora and red fives (n)
-- source: own
-- example: paifu stats haipai_dora --lake games.lake
WITH parts AS (
    SELECT
        players,
        haipai_dora AS dora,
        game_id & 255 AS part,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        sum(win_points) FILTER (won) AS points,
        count(win_points) FILTER (won) AS n_points,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE haipai_shanten IS NOT NULL -- NULL: the log hides the tiles
    GROUP BY ALL
)
SELECT
    players,
    dora,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(wins) / sum(n) AS win_rate,
    clustered_low(wins, n) AS low,
    clustered_high(wins, n) AS high,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, dora
ORDER BY players DESC, dora;
