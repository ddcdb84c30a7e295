-- title: Play in the last round
-- group: placement
-- answers: How do seats play the last round, by place and by gap in points, and how does the game
--   end?
-- numerator: rounds in which the seat declared riichi, called, folded, won, dealt in; games in
--   which it kept its place or climbed
-- denominator: seats of complete games at the start of the last round, when it is first reached, by
--   rank and gap (n)
-- param: step count = 4000 | Width of a row in points.
-- param: dealer text = all (all, dealer, other) | Only the dealer, or only the others.
-- param: min_n int = 1 | Rows with a smaller n are left out.
-- source: オーラスの打ち方: gap is the lead of the first over the second, and for the others the distance
--   to the seat above; from_points is where the row's gap begins; folded: the seat faced a riichi,
--   did not declare riichi itself, and every discard against a riichi was genbutsu (of n_facing)
-- example: paifu stats all_last_play --lake games.lake --param step=8000
WITH last_rounds AS (
    SELECT game_id, min(round_index) AS round_index FROM rounds WHERE is_all_last GROUP BY game_id
),
begun AS (
    SELECT
        game_id, round_index,
        list_reverse_sort(scores_start)[1] - list_reverse_sort(scores_start)[2] AS lead
    FROM rounds
    JOIN last_rounds USING (game_id, round_index)
),
seated AS (
    SELECT
        round_seats.*,
        placement,
        floor(
            CASE rank_start WHEN 1 THEN lead ELSE gap_to_next END
            / coalesce(getvariable('step'), 4000)
        ) AS band
    FROM round_seats
    JOIN begun USING (game_id, round_index)
    JOIN (
        SELECT game_id, seat, placement
        FROM seats
        JOIN games USING (game_id)
        WHERE complete AND placement IS NOT NULL
    ) AS placed USING (game_id, seat)
    WHERE coalesce(getvariable('dealer'), 'all')
        IN ('all', CASE WHEN is_dealer THEN 'dealer' ELSE 'other' END)
)
SELECT
    players,
    rank_start AS rank,
    (band * coalesce(getvariable('step'), 4000))::INTEGER AS from_points,
    count(*) AS n,
    avg((riichi_turn IS NOT NULL)::INTEGER) AS riichi_rate,
    avg((calls > 0)::INTEGER) AS call_rate,
    count(*) FILTER (facing_riichi > 0 AND riichi_turn IS NULL) AS n_facing,
    avg((facing_riichi_safe = facing_riichi)::INTEGER)
        FILTER (facing_riichi > 0 AND riichi_turn IS NULL) AS fold_rate,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS win_low,
    rate_high(count(*) FILTER (won), count(*)) AS win_high,
    avg(win_points) FILTER (won) AS average_points,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg((placement = rank_start)::INTEGER) AS keep_rate,
    rate_low(count(*) FILTER (placement = rank_start), count(*)) AS keep_low,
    rate_high(count(*) FILTER (placement = rank_start), count(*)) AS keep_high,
    avg((placement < rank_start)::INTEGER) AS climb_rate,
    avg((placement > rank_start)::INTEGER) AS fall_rate
FROM seated
GROUP BY players, rank_start, band
HAVING count(*) >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, rank, from_points;
