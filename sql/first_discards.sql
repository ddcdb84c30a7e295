-- title: First discards
-- group: haipai
-- answers: Which tiles are discarded first, and how do those rounds end?
-- numerator: first discards of that class; rounds that ended so
-- denominator: seats that made a discard at that turn (n_all); the rates are over that class (n)
-- param: turn int = 1 (1, 2, 3, 4, 5, 6) | Which discard: 1 is the seat's first.
-- source: 第一打; value winds are the round's and the seat's own
-- example: paifu stats first_discards --lake games.lake --param turn=2
WITH made AS MATERIALIZED (
    -- by tile first: what a tile is, is asked of a few thousand rows only
    SELECT
        players,
        substr(first_discards, 2 * coalesce(getvariable('turn'), 1) - 1, 2) AS tile,
        round_wind,
        seat_wind,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        count(tenpai_turn) AS tenpai,
        sum(tenpai_turn) AS tenpai_turns,
        sum(win_points) AS points,
        sum(delta) AS delta
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
)
SELECT
    players,
    class,
    sum(n)::BIGINT AS n,
    sum(sum(n)) OVER (PARTITION BY players)::BIGINT AS n_all,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(wins) / sum(n) AS win_rate,
    rate_low(sum(wins), sum(n)) AS low,
    rate_high(sum(wins), sum(n)) AS high,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    sum(tenpai_turns) / nullif(sum(tenpai), 0) AS average_tenpai_turn,
    sum(points) / nullif(sum(wins), 0) AS average_points,
    sum(delta) / sum(n) AS balance
FROM classes
GROUP BY players, class
ORDER BY players DESC, n DESC, class;
