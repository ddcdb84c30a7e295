-- title: Change of rating
-- group: rating
-- answers: How would each game move a player's R, by Tenhou's formula?
-- numerator: sum of the changes of R
-- denominator: the player's complete games with a rating at every seat (n)
-- param: min_games int = 1 | Players with fewer games are left out.
-- param: games_before int = 400 | Games played before the first of the lake: the correction is
--   1 - 0.002 games below 400 games, 0.2 from then on.
-- compares: players; the filter player picks rows and leaves the others to compare with
-- source: tenhou.net/man: correction (result + (table average - own) / 40), result +30 +10 -10 -30, with
--   three players +30 0 -30
-- example: paifu stats rating --lake games.lake --param min_games=100
WITH tables AS (
    SELECT
        seats.*,
        games.players,
        played_at,
        avg(rate) OVER (PARTITION BY game_id) AS table_rate,
        count(rate) OVER (PARTITION BY game_id) AS rated
    FROM seats
    JOIN games USING (game_id)
    WHERE platform = 'tenhou' AND complete AND placement IS NOT NULL
),
numbered AS (
    SELECT
        *,
        coalesce(getvariable('games_before'), 400) - 1 + row_number()
            OVER (PARTITION BY player, players ORDER BY played_at, game_id) AS games_before
    FROM tables
    WHERE rated = players AND NOT anonymous AND player IS NOT NULL
),
changes AS (
    SELECT
        player,
        players,
        rate,
        played_at,
        greatest(1 - 0.002 * games_before, 0.2) * (
            CASE players
                WHEN 4 THEN [30, 10, -10, -30][placement] ELSE [30, 0, -30][placement]
            END + (table_rate - rate) / 40
        ) AS change
    FROM numbered
)
SELECT
    player,
    players,
    count(*) AS n,
    arg_min(rate, played_at) AS first_r,
    arg_max(rate, played_at) AS last_r,
    avg(change) AS average_change,
    1.959964 * stddev_samp(change) / sqrt(count(*)) AS plus_minus,
    sum(change) AS total_change
FROM changes
GROUP BY player, players
HAVING count(*) >= coalesce(getvariable('min_games'), 1)
ORDER BY players DESC, last_r DESC NULLS LAST, player;
