-- title: Luck of waits
-- group: luck
-- answers: How many of the live winning tiles were really in the wall, and how near were they?
-- numerator: winning tiles left in the live wall
-- denominator: winning tiles that the seat had not seen (n_live); n is the number of waits whose
--   wall is known
-- param: moment text = riichi (riichi, tenpai) | At the declaration, or at first tenpai.
-- source: own; walls regenerated from the SHUFFLE seed by paifu rescore; next_draw counts the draws
--   of all seats to the next winning tile; own_draw counts the seat's own draws, if nobody had
--   called
-- example: paifu stats luck_waits --lake games.lake --param moment=tenpai
WITH waits AS (
    SELECT
        players, won,
        CASE coalesce(getvariable('moment'), 'riichi')
            WHEN 'tenpai' THEN tenpai_live ELSE riichi_live
        END AS live,
        CASE coalesce(getvariable('moment'), 'riichi')
            WHEN 'tenpai' THEN tenpai_in_wall ELSE riichi_in_wall
        END AS in_wall,
        CASE coalesce(getvariable('moment'), 'riichi')
            WHEN 'tenpai' THEN tenpai_next_draw ELSE riichi_next_draw
        END AS next_draw,
        CASE coalesce(getvariable('moment'), 'riichi')
            WHEN 'tenpai' THEN tenpai_own_draw ELSE riichi_own_draw
        END AS own_draw
    FROM luck
    JOIN round_seats USING (game_id, round_index, seat)
)
SELECT
    players,
    live,
    count(*) AS n,
    sum(live)::BIGINT AS n_live,
    avg(in_wall) AS average_in_wall,
    sum(in_wall) / nullif(sum(live), 0) AS in_wall_share,
    avg((in_wall = 0)::INTEGER) AS none_left_rate,
    median(next_draw) AS median_next_draw,
    median(own_draw) AS median_own_draw,
    avg(won::INTEGER) AS win_rate,
    avg(won::INTEGER) FILTER (in_wall > 0) AS win_rate_if_any_left
FROM waits
WHERE in_wall IS NOT NULL
GROUP BY players, live
ORDER BY players DESC, live;
