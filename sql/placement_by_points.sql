-- title: Placement by points and round
-- group: placement
-- answers: With so many points at the start of a round, how does the game end?
-- numerator: games the seat ended at each placement
-- denominator: rounds begun by a seat with such points in such a round of complete games (n)
-- param: measure text = points (points, gap) | Points held, or the gap to the first seat.
-- param: step count = 5000 | Width of a row in points.
-- param: min_n int = 1 | Rows seen less often are left out.
-- source: 順位確率表, by points and round or by score gap (amae-koromo #92)
-- example: paifu stats placement_by_points --lake games.lake --param step=10000
SELECT
    round_seats.players,
    ['E', 'S', 'W', 'N'][wind + 1] || number AS round,
    (CASE coalesce(getvariable('measure'), 'points') WHEN 'gap' THEN gap_to_first ELSE points_start END
        // coalesce(getvariable('step'), 5000) * coalesce(getvariable('step'), 5000))
        ::INTEGER AS from_points,
    count(*) AS n,
    avg(placement) AS average_placement,
    avg((placement = 1)::INTEGER) AS first_rate,
    rate_low(count(*) FILTER (placement = 1), count(*)) AS first_low,
    rate_high(count(*) FILTER (placement = 1), count(*)) AS first_high,
    avg((placement = 2)::INTEGER) AS second_rate,
    avg((placement = 3)::INTEGER) AS third_rate,
    CASE round_seats.players WHEN 4 THEN avg((placement = 4)::INTEGER) END AS fourth_rate
FROM round_seats
JOIN rounds USING (game_id, round_index)
JOIN games USING (game_id)
JOIN seats USING (game_id, seat)
WHERE complete AND placement IS NOT NULL
GROUP BY round_seats.players, wind, number, from_points
HAVING count(*) >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, wind, number, from_points;
