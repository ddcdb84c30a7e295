-- title: Placement by points and round
-- group: placement
-- answers: How does the game end for a seat that has these points at the start of a round?
-- numerator: games that the seat ended at each placement
-- denominator: starts of that round in complete games at which a seat had points in that range (n)
-- param: measure text = points (points, gap) | Points held, or the gap to the first seat.
-- param: step count = 5000 | Width of a row in points.
-- param: min_n int = 1 | Rows with a smaller n are left out.
-- param: results text = recorded (recorded, computed) | Final results as recorded, or as paifu
--   rescore computed them.
-- param: ruleset ruleset = NULL | Name of the rule set for the computed results; implies
--   results=computed. NULL: the rule set that each game's record names.
-- source: 順位確率表, by points and round or by score gap (amae-koromo #92)
-- example: paifu stats placement_by_points --lake games.lake --param step=10000
WITH ended AS (
    SELECT game_id, seat, placement
    FROM seats
    WHERE coalesce(getvariable('results'), 'recorded') = 'recorded'
        AND getvariable('ruleset') IS NULL
    UNION ALL
    SELECT game_id, seat, c.placement
    FROM computed_results AS c
    JOIN games USING (game_id)
    WHERE c.ruleset = coalesce(getvariable('ruleset'), games.ruleset)
        AND (getvariable('results') = 'computed' OR getvariable('ruleset') IS NOT NULL)
),
placed AS (
    SELECT game_id, seat, placement
    FROM ended
    JOIN games USING (game_id)
    WHERE complete AND placement IS NOT NULL
),
begun AS (
    SELECT
        round_seats.players,
        round_wind AS wind,
        1 + (seat - seat_wind + round_seats.players) % round_seats.players AS number,
        floor(  -- // would put -1 to -4999 points into the row that starts at 0
            CASE coalesce(getvariable('measure'), 'points')
                WHEN 'gap' THEN gap_to_first ELSE points_start
            END / coalesce(getvariable('step'), 5000)
        ) AS band,
        game_id & 255 AS part,
        count(*) AS games,
        sum(placement) AS places,
        count(*) FILTER (placement = 1) AS firsts,
        count(*) FILTER (placement = 2) AS seconds,
        count(*) FILTER (placement = 3) AS thirds,
        count(*) FILTER (placement = 4) AS fourths
    FROM round_seats
    JOIN placed USING (game_id, seat)
    GROUP BY ALL
)
SELECT
    players,
    ['E', 'S', 'W', 'N'][wind + 1] || number AS round,
    (band * coalesce(getvariable('step'), 5000))::INTEGER AS from_points,
    sum(games)::BIGINT AS n,
    sum(places) / sum(games) AS average_placement,
    sum(firsts) / sum(games) AS first_rate,
    clustered_low(firsts, games) AS first_low,
    clustered_high(firsts, games) AS first_high,
    sum(seconds) / sum(games) AS second_rate,
    sum(thirds) / sum(games) AS third_rate,
    CASE players WHEN 4 THEN sum(fourths) / sum(games) END AS fourth_rate
FROM begun
GROUP BY players, wind, number, band
HAVING sum(games) >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, wind, number, from_points;
