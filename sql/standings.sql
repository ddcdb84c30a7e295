-- title: Standings
-- group: placement
-- answers: Who leads a season, by results with uma and oka?
-- numerator: sum of the results, as paifu rescore computed them, or else as recorded; of other games
--   that have no result, the points
-- denominator: the player's games with a result (n), without those of a score sheet whose points do
--   not add up (flags points_sum, sum_differs, final_differs; n_left_out); a player without other
--   games has no place
-- param: seasons text = all (all, year, month) | One table for all games, or one for each year or month
--   of Japan time.
-- param: ruleset ruleset = NULL | Name of a rule set under which games were re-scored, for its uma,
--   oka, rounding and ties; only these games count then. NULL: that of each game's record.
-- param: min_games int = 1 | Players with fewer games in a season are left out. If none of a player's
--   games counts, those left out are counted instead.
-- source: league tables (M.League, clubs): players are ordered by the sum of their results;
--   a run is of games in the order of their hours, and within an hour of their ids
-- example: paifu stats standings --lake games.lake --param seasons=year --param ruleset=mleague
WITH ended AS (
    SELECT
        s.player, g.players, g.played_at, coalesce(g.log_id, g.game_id::VARCHAR) AS log,
        CASE coalesce(getvariable('seasons'), 'all')
            WHEN 'year' THEN strftime(g.played_at + INTERVAL 9 HOUR, '%Y')
            WHEN 'month' THEN strftime(g.played_at + INTERVAL 9 HOUR, '%Y-%m')
            ELSE 'all'
        END AS season,
        CASE WHEN c.result IS NOT NULL THEN c.placement ELSE s.placement END AS placement,
        coalesce(
            c.result,
            CASE WHEN g.game IS NOT NULL THEN c.points END,
            CASE WHEN getvariable('ruleset') IS NULL
                THEN coalesce(s.result, CASE WHEN g.game IS NOT NULL THEN s.final_points END)
            END
        ) AS result,
        CASE WHEN c.result IS NOT NULL THEN c.points ELSE s.final_points END AS points,
        sums_are_wrong(g.platform, g.flags) AS is_wrong
    FROM seats AS s
    JOIN games AS g USING (game_id)
    LEFT JOIN computed_results AS c
        ON c.game_id = s.game_id AND c.seat = s.seat
        AND c.ruleset = coalesce(getvariable('ruleset'), g.ruleset)
    WHERE NOT s.anonymous AND s.player IS NOT NULL AND (g.complete OR g.detail = 'result')
),
runs AS (
    -- games in a row without last place: those between two last places have the same number
    SELECT
        *,
        count(*) FILTER (placement = players) OVER (
            PARTITION BY season, player, players ORDER BY played_at, log
        ) AS lasts,
        count(*) FILTER (placement > 1) OVER (
            PARTITION BY season, player, players ORDER BY played_at, log
        ) AS lost
    FROM ended
    WHERE season IS NOT NULL AND result IS NOT NULL AND NOT is_wrong
),
wrong AS (
    SELECT season, player, players, count(*) AS n_left_out
    FROM ended
    WHERE season IS NOT NULL AND result IS NOT NULL AND is_wrong
    GROUP BY ALL
),
longest AS (
    SELECT season, player, players, max(without_last) AS without_last, max(tops) AS tops
    FROM (
        SELECT
            season, player, players,
            count(*) FILTER (placement < players)
                OVER (PARTITION BY season, player, players, lasts) AS without_last,
            count(*) FILTER (placement = 1)
                OVER (PARTITION BY season, player, players, lost) AS tops
        FROM runs
    )
    GROUP BY ALL
)
SELECT
    season,
    CASE WHEN count(result) > 0
        THEN rank() OVER (PARTITION BY season, players ORDER BY round(sum(result), 3) DESC NULLS LAST)
    END AS place,
    player,
    players,
    count(result) AS n,
    sum(result) AS total_result,
    avg(result) AS average_result,
    1.959964 * stddev_samp(result) / sqrt(count(result)) AS result_plus_minus,
    count(*) FILTER (placement = 1) AS n_first,
    count(*) FILTER (placement = 2) AS n_second,
    count(*) FILTER (placement = 3) AS n_third,
    CASE players WHEN 4 THEN count(*) FILTER (placement = 4) END AS n_fourth,
    avg(placement) AS average_placement,
    max(result) AS best_result,
    min(result) AS worst_result,
    max(points) AS most_points,
    any_value(tops) AS longest_run_of_firsts,
    any_value(without_last) AS longest_run_without_last,
    coalesce(any_value(n_left_out), 0) AS n_left_out
FROM runs
JOIN longest USING (season, player, players)
FULL JOIN wrong USING (season, player, players)
GROUP BY season, player, players
HAVING CASE WHEN count(result) > 0 THEN count(result) ELSE any_value(n_left_out) END
    >= coalesce(getvariable('min_games'), 1)
ORDER BY season, players DESC, place NULLS LAST, player;
