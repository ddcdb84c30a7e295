-- title: R and dan from game to game
-- group: rating
-- answers: How did a player's R and dan change, game by game?
-- numerator: R before and after each game, the change by Tenhou's formula, the dan held before it
-- denominator: none, this is a list of the player's rated games; n is how many there are
-- param: name player = NULL | Only this player's games, as with --player.
-- param: rows count = 1000 | How many games are listed: the last games of each player.
-- compares: players; the filter player selects rows, and the comparison is still with all players
-- source: as rating; missing: the next game begins with a different R, so games between them are
--   not in the lake; dan_change: up or down if the next game begins with a different dan; played_at
--   is UTC
-- example: paifu stats rating_history --lake games.lake --player "name"
WITH games_of AS (
    SELECT
        *,
        greatest(1 - 0.002 * coalesce(games_before, 400), 0.2) * step AS change,
        lead(rate) OVER turns AS next_rate,
        lead(dan) OVER turns AS next_dan,
        row_number() OVER turns AS shown,
        count(*) OVER (turns ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS n
    FROM rated_games
    WHERE getvariable('name') IS NULL OR player = getvariable('name')
    WINDOW turns AS (PARTITION BY player, players ORDER BY nth)
)
SELECT
    player,
    players,
    nth AS game,
    n,
    games_of.played_at,
    games_of.room,
    dan_name AS dan,
    CASE WHEN next_dan > dan THEN 'up' WHEN next_dan < dan THEN 'down' END AS dan_change,
    rate AS r,
    change,
    rate + change AS r_after,
    abs(rate + change - next_rate)
        > CASE WHEN games_before < 400 THEN 0.02 + 0.006 * abs(step) ELSE 0.02 END
        AS missing,
    order_known,
    coalesce(log_id, game_id::VARCHAR) AS log
FROM games_of
JOIN (SELECT game_id, log_id FROM games) AS games USING (game_id)
WHERE n - shown < coalesce(getvariable('rows'), 1000)
ORDER BY players DESC, player, game;
