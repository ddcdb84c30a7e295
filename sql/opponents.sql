-- title: Games with the same players
-- group: players
-- answers: Whom does a player often play against, and who places higher?
-- numerator: games in which the player placed higher than the opponent
-- denominator: complete games that both played in (n)
-- param: name player = NULL | Only this player's opponents, as with --player.
-- param: min_games int = 2 | Pairs with fewer games together are left out.
-- compares: players; the filter player selects rows, and the comparison is still with all players
-- source: 同じ卓の対戦 (amae-koromo: games with the same players)
-- example: paifu stats opponents --lake games.lake --param name="name"
WITH placed AS (
    SELECT game_id, players, player, placement, result
    FROM seats
    JOIN games USING (game_id)
    WHERE NOT anonymous AND player IS NOT NULL AND placement IS NOT NULL
        AND (complete OR detail = 'result')
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
WHERE getvariable('name') IS NULL OR own.player = getvariable('name')
GROUP BY own.player, own.players, other.player
HAVING count(*) >= coalesce(getvariable('min_games'), 2)
ORDER BY players DESC, n DESC, own.player, opponent
LIMIT 10000;
