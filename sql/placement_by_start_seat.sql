-- title: Placement by starting seat
-- group: placement
-- answers: Is one starting seat better than another?
-- numerator: games that this seat ended at each placement
-- denominator: complete games of this seat (n); those with known points (n_points)
-- param: results text = recorded (recorded, computed) | Final results as recorded, or as paifu
--   rescore computed them.
-- param: ruleset ruleset = NULL | Name of the rule set for the computed results; implies
--   results=computed. NULL: the rule set that each game's record names.
-- param: custom bool = false | Points also count games of lobbies and rooms with their own settings
--   (rule sets tenhou-custom, majsoul-custom), which may begin with other points; placements always
--   count them.
-- source: 起家別順位; seat 0 is the first dealer
-- example: paifu stats placement_by_start_seat --lake games.lake
WITH ended AS (
    SELECT game_id, seat, placement, final_points AS points
    FROM seats
    WHERE coalesce(getvariable('results'), 'recorded') = 'recorded'
        AND getvariable('ruleset') IS NULL
    UNION ALL
    SELECT game_id, seat, c.placement, points
    FROM computed_results AS c
    JOIN games USING (game_id)
    WHERE c.ruleset = coalesce(getvariable('ruleset'), games.ruleset)
        AND (getvariable('results') = 'computed' OR getvariable('ruleset') IS NOT NULL)
),
played AS (
    SELECT
        *, coalesce(getvariable('custom'), false) OR NOT contains(ruleset, '-custom') AS counts
    FROM games
)
SELECT
    played.players,
    seat,
    count(*) AS n,
    avg(placement) AS average_placement,
    avg((placement = 1)::INTEGER) AS first_rate,
    rate_low(count(*) FILTER (placement = 1), count(*)) AS first_low,
    rate_high(count(*) FILTER (placement = 1), count(*)) AS first_high,
    avg((placement = 2)::INTEGER) AS second_rate,
    avg((placement = 3)::INTEGER) AS third_rate,
    CASE played.players WHEN 4 THEN avg((placement = 4)::INTEGER) END AS fourth_rate,
    count(points) FILTER (counts) AS n_points,
    avg(points) FILTER (counts) AS average_points
FROM ended
JOIN played USING (game_id)
WHERE complete AND placement IS NOT NULL
GROUP BY played.players, seat
ORDER BY players DESC, seat;
