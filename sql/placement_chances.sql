-- title: Chances of the places by points and round
-- group: placement
-- answers: With these points at the start of this round, what are the chances to end first to last?
-- numerator: sum of the chances by the placement model
-- denominator: starts of that round at which a seat had points in that range (n)
-- param: step count = 5000 | Width of a row in points.
-- param: min_n int = 1 | Rows with a smaller n are left out.
-- source: the placement model of docs/models.md, for the games that paifu value has valued. The
--   chances of a row are means over positions of these games: the points of the others differ.
--   placement_by_points has how games really ended
-- example: paifu stats placement_chances --lake games.lake --length south --param step=10000
SELECT
    players,
    length,
    ['E', 'S', 'W', 'N'][round_wind + 1] || number AS round,
    (band * coalesce(getvariable('step'), 5000))::INTEGER AS from_points,
    count(*) AS n,
    avg(place_1 + 2 * place_2 + 3 * place_3 + coalesce(4 * place_4, 0)) AS average_placement,
    avg(place_1) AS first_chance,
    avg(place_2) AS second_chance,
    avg(place_3) AS third_chance,
    avg(place_4) AS fourth_chance
FROM (
    SELECT
        v.*,
        r.players,
        length,
        round_wind,
        1 + (r.seat - seat_wind + r.players) % r.players AS number,
        floor(points_start / coalesce(getvariable('step'), 5000)) AS band
    FROM round_values AS v
    SEMI JOIN (SELECT model_id FROM placement_models WHERE current) AS m USING (model_id)
    JOIN round_seats AS r USING (game_id, round_index, seat)
    JOIN games USING (game_id)
)
GROUP BY players, length, round_wind, number, band
HAVING count(*) >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, length DESC, round_wind, number, band;
