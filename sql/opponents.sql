-- title: Games with the same players
-- group: players
-- answers: Whom does a player often play against, and who places higher?
-- numerator: games in which the player placed higher than the opponent
-- denominator: complete games that both played in (n), without those of a score sheet whose points
--   do not add up (flags points_sum, sum_differs, final_differs)
-- param: name player = NULL | Only this player's opponents, as with --player.
-- param: min_games int = 2 | Pairs with fewer games together are left out.
-- param: ruleset ruleset = NULL | Name of a rule set under which games were re-scored, for its places
--   and results. NULL: as recorded, and else as computed under that of each game's record.
-- compares: players; the filter player selects rows, and the comparison is still with all players
-- source: 同じ卓の対戦 (amae-koromo: games with the same players)
-- example: paifu stats opponents --lake games.lake --param name="name"
WITH placed AS (
    SELECT
        s.game_id, g.players, s.player,
        CASE WHEN getvariable('ruleset') IS NULL THEN coalesce(s.placement, c.placement)
            ELSE c.placement END AS placement,
        CASE WHEN getvariable('ruleset') IS NULL THEN coalesce(s.result, c.result)
            ELSE c.result END AS result
    FROM seats AS s
    JOIN games AS g USING (game_id)
    LEFT JOIN computed_results AS c
        ON c.game_id = s.game_id AND c.seat = s.seat
        AND c.ruleset = coalesce(getvariable('ruleset'), g.ruleset)
    WHERE NOT s.anonymous AND s.player IS NOT NULL AND (g.complete OR g.detail = 'result')
        AND NOT sums_are_wrong(g.platform, g.flags)
)
SELECT
    own.player,
    own.players,
    other.player AS opponent,
    count(*) AS n,
    avg((own.placement < other.placement)::INTEGER) AS ahead_rate,
    rate_low(count(*) FILTER (own.placement < other.placement), count(*)) AS low,
    rate_high(count(*) FILTER (own.placement < other.placement), count(*)) AS high,
    avg(own.placement) AS average_placement,
    avg(other.placement) AS their_placement,
    sum(own.result) AS total_result
FROM placed AS own
JOIN placed AS other ON other.game_id = own.game_id AND other.player <> own.player
WHERE own.placement IS NOT NULL AND other.placement IS NOT NULL
    AND (getvariable('name') IS NULL OR own.player = getvariable('name'))
GROUP BY own.player, own.players, other.player
HAVING count(*) >= coalesce(getvariable('min_games'), 2)
ORDER BY players DESC, n DESC, own.player, opponent
LIMIT 10000;
