-- title: Change of rating
-- group: rating
-- answers: How would each game move a player's R, by Tenhou's formula, and where does R stand?
-- numerator: sum of the changes of R
-- denominator: the player's complete games of the ranked rooms with a rating at every seat (n)
-- param: min_games int = 1 | Players with fewer games are left out.
-- param: games_before int = NULL | How many games the player had played before the first game of
--   the lake, if you know it better than R itself shows. The correction is 1 - 0.002 games below
--   400 games, and 0.2 from 400 games on.
-- compares: players; the filter player selects rows, and the comparison is still with all players
-- source: tenhou.net/man: correction (result + (table average - own) / 40), result +30 +10 -10 -30,
--   with three players +30 0 -30; games of private lobbies do not change R. The order of games
--   within an hour, and the number of games a player had played, follow from R from game to game.
--   n_order_unknown: games whose order within their hour does not follow from R; first_r, last_r
--   and r_after are NULL if they depend on it. n_assumed: games for which 400 or more earlier games
--   are assumed, because the number is not known. r_after is R after the last game
-- example: paifu stats rating --lake games.lake --param min_games=100
WITH numbered AS (
    SELECT
        *,
        coalesce(getvariable('games_before') - 1 + nth, games_before) AS before
    FROM rated_games
),
changes AS (
    SELECT
        player, players, nth, rate, order_known, before,
        greatest(1 - 0.002 * coalesce(before, 400), 0.2) * step AS change
    FROM numbered
),
summed AS (
    SELECT
        player,
        players,
        count(*) AS n,
        count(*) FILTER (NOT order_known) AS n_order_unknown,
        count(*) FILTER (before IS NULL) AS n_assumed,
        arg_min({rate: rate, order_known: order_known}, nth) AS first,
        arg_max({rate: rate, change: change, order_known: order_known}, nth) AS last,
        avg(change) AS average_change,
        1.959964 * stddev_samp(change) / sqrt(count(*)) AS plus_minus,
        sum(change) AS total_change
    FROM changes
    GROUP BY player, players
    HAVING count(*) >= coalesce(getvariable('min_games'), 1)
)
SELECT
    player,
    players,
    n,
    n_order_unknown,
    n_assumed,
    CASE WHEN first.order_known THEN first.rate END AS first_r,
    CASE WHEN last.order_known THEN last.rate END AS last_r,
    CASE WHEN last.order_known THEN last.rate + last.change END AS r_after,
    average_change,
    plus_minus,
    total_change
FROM summed
ORDER BY players DESC, r_after DESC NULLS LAST, player;
