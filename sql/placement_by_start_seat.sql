-- title: Placement by starting seat
-- group: placement
-- answers: Is there a better seat to begin in?
-- numerator: games of that seat ended at each placement
-- denominator: complete games of that seat (n)
-- source: 起家別順位; seat 0 deals first
-- example: paifu stats placement_by_start_seat --lake games.lake
SELECT
    games.players,
    seat,
    count(*) AS n,
    avg(placement) AS average_placement,
    avg((placement = 1)::INTEGER) AS first_rate,
    rate_low(count(*) FILTER (placement = 1), count(*)) AS first_low,
    rate_high(count(*) FILTER (placement = 1), count(*)) AS first_high,
    avg((placement = 2)::INTEGER) AS second_rate,
    avg((placement = 3)::INTEGER) AS third_rate,
    CASE games.players WHEN 4 THEN avg((placement = 4)::INTEGER) END AS fourth_rate,
    avg(final_points) AS average_points
FROM seats
JOIN games USING (game_id)
WHERE complete AND placement IS NOT NULL
GROUP BY games.players, seat
ORDER BY players DESC, seat;
