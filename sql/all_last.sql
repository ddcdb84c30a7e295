-- title: All last
-- group: placement
-- answers: Who keeps the place held at the start of the last round, who climbs, who falls?
-- numerator: games ended at, above and below the rank held at the start of the last round
-- denominator: complete games that reached the last scheduled round (n)
-- source: オーラス (zyr17): keep first, climb, avoid last; the first time the round is reached counts
-- example: paifu stats all_last --lake games.lake
WITH first_all_last AS (
    SELECT game_id, min(round_index) AS round_index FROM rounds WHERE is_all_last GROUP BY game_id
)
SELECT
    round_seats.players,
    rank_start AS rank,
    is_dealer,
    count(*) AS n,
    avg((placement = rank_start)::INTEGER) AS keep_rate,
    rate_low(count(*) FILTER (placement = rank_start), count(*)) AS keep_low,
    rate_high(count(*) FILTER (placement = rank_start), count(*)) AS keep_high,
    avg((placement < rank_start)::INTEGER) AS climb_rate,
    avg((placement > rank_start)::INTEGER) AS fall_rate,
    avg((placement = round_seats.players)::INTEGER) AS last_rate,
    avg(gap_to_next) AS average_gap_to_next
FROM round_seats
JOIN first_all_last USING (game_id, round_index)
JOIN games USING (game_id)
JOIN seats USING (game_id, seat)
WHERE complete AND placement IS NOT NULL
GROUP BY round_seats.players, rank_start, is_dealer
ORDER BY players DESC, rank, is_dealer DESC;
