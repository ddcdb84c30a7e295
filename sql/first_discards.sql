-- title: First discards
-- group: haipai
-- answers: Which tiles are discarded first, and how do those rounds end?
-- numerator: first discards of that class; rounds that ended in each way
-- denominator: seats that made a discard at that turn (n_all); for the rates of how rounds end, the
--   discards of that class (n)
-- param: turn int = 1 (1, 2, 3, 4, 5, 6) | Which discard: 1 is the seat's first.
-- source: 第一打; value winds are the round's and the seat's own
-- example: paifu stats first_discards --lake games.lake --param turn=2
WITH made AS MATERIALIZED (
    -- group by tile first, so that the class of each tile is looked up once
    SELECT
        players,
        game_id & 255 AS part,
        substr(first_discards, 2 * coalesce(getvariable('turn'), 1) - 1, 2) AS tile,
        round_wind,
        seat_wind,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        count(tenpai_turn) AS tenpai,
        sum(tenpai_turn) AS tenpai_turns,
        sum(win_points) FILTER (won) AS points,
        count(win_points) FILTER (won) AS n_points,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE discards >= coalesce(getvariable('turn'), 1)
    GROUP BY ALL
),
classes AS (
    SELECT
        *,
        CASE
            WHEN tile[2] <> 'z' THEN
                CASE
                    WHEN tile[1] IN ('1', '9') THEN '1 9'
                    WHEN tile[1] IN ('2', '8') THEN '2 8'
                    WHEN tile[1] IN ('3', '7') THEN '3 7'
                    ELSE '4 5 6'
                END
            WHEN tile[1] > '4' THEN 'dragon'
            WHEN tile[1]::INTEGER - 1 IN (round_wind, seat_wind) THEN 'value wind'
            ELSE 'guest wind'
        END AS class
    FROM made
),
parts AS (
    SELECT
        players,
        class,
        part,
        sum(n)::BIGINT AS n,
        sum(wins)::BIGINT AS wins,
        sum(deal_ins) AS deal_ins,
        sum(tenpai) AS tenpai,
        sum(tenpai_turns) AS tenpai_turns,
        sum(points) AS points,
        sum(n_points) AS n_points,
        sum(delta) AS delta,
        sum(n_delta) AS n_delta
    FROM classes
    GROUP BY ALL
)
SELECT
    players,
    class,
    sum(n)::BIGINT AS n,
    sum(sum(n)) OVER (PARTITION BY players)::BIGINT AS n_all,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(wins) / sum(n) AS win_rate,
    clustered_low(wins, n) AS low,
    clustered_high(wins, n) AS high,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    sum(tenpai_turns) / nullif(sum(tenpai), 0) AS average_tenpai_turn,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, class
ORDER BY players DESC, n DESC, class;
