-- title: Placement
-- group: placement
-- answers: How often does each player finish in each place, and what is the average place?
-- numerator: games ended at each placement
-- denominator: the player's complete games with a placement (n); those with known points
--   (n_points), with a known result (n_results)
-- param: min_games int = 1 | Players with fewer games are left out.
-- param: results text = recorded (recorded, computed) | Final results as recorded, or as paifu
--   rescore computed them.
-- param: ruleset ruleset = NULL | Name of the rule set for the computed results; implies
--   results=computed. NULL: the rule set that each game's record names.
-- param: custom bool = false | Points and results also count games of lobbies and rooms with their
--   own settings (rule sets tenhou-custom, majsoul-custom), which may begin with other points;
--   placements always count them.
-- source: average placement, 連対率 (top-2 rate) and 飛び率 (final points below zero) as amae-koromo
--   defines them (playerDetails.tsx); anonymous seats are not players
-- example: paifu stats placement --lake games.lake --param min_games=100
WITH ended AS (
    SELECT game_id, player, anonymous, placement, final_points AS points, result
    FROM seats
    WHERE coalesce(getvariable('results'), 'recorded') = 'recorded'
        AND getvariable('ruleset') IS NULL
    UNION ALL
    SELECT game_id, player, anonymous, c.placement, points, c.result
    FROM computed_results AS c
    JOIN games USING (game_id)
    JOIN seats USING (game_id, seat)
    WHERE c.ruleset = coalesce(getvariable('ruleset'), games.ruleset)
        AND (getvariable('results') = 'computed' OR getvariable('ruleset') IS NOT NULL)
),
played AS (
    SELECT
        *, coalesce(getvariable('custom'), false) OR NOT contains(ruleset, '-custom') AS counts
    FROM games
)
SELECT
    player,
    played.players,
    count(*) AS n,
    avg(placement) AS average_placement,
    1.959964 * stddev_samp(placement) / sqrt(count(*)) AS placement_plus_minus,
    avg((placement = 1)::INTEGER) AS first_rate,
    rate_low(count(*) FILTER (placement = 1), count(*)) AS first_low,
    rate_high(count(*) FILTER (placement = 1), count(*)) AS first_high,
    avg((placement = 2)::INTEGER) AS second_rate,
    avg((placement = 3)::INTEGER) AS third_rate,
    CASE played.players WHEN 4 THEN avg((placement = 4)::INTEGER) END AS fourth_rate,
    avg((placement <= 2)::INTEGER) AS top_two_rate,
    count(points) FILTER (counts) AS n_points,
    avg((points < 0)::INTEGER) FILTER (counts) AS bust_rate,
    avg(points) FILTER (counts) AS average_points,
    count(result) FILTER (counts) AS n_results,
    avg(result) FILTER (counts) AS average_result
FROM ended
JOIN played USING (game_id)
WHERE NOT anonymous AND player IS NOT NULL AND placement IS NOT NULL
    AND (complete OR detail = 'result')
GROUP BY player, played.players
HAVING count(*) >= coalesce(getvariable('min_games'), 1)
ORDER BY players DESC, n DESC, average_placement, player;
