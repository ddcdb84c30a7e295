-- title: Stable level
-- group: rating
-- answers: At which rank of Mahjong Soul would a player's points neither rise nor fall in the long
--   run?
-- numerator: points of the player's games in that room, without the penalty of the rank for last
--   places
-- denominator: last places (n_last); n is the player's complete games in that room
-- param: min_games int = 100 | Players with fewer games in the room are left out.
-- source: amae-koromo: E / (15 r4) - 10 in a south game of four, E the mean points without the
--   penalty: the rank of which the penalty costs what the other places bring. Level 1 is 雀豪★1, 4
--   is 雀聖★1, 7 is 魂天; below 1 are 雀傑. Between two ranks, and beyond the last, the penalty is
--   taken to grow evenly: by 15 a rank, 10 in an east game, 25 and 15 with three players (the last
--   step of the east game is 20). Points are those of dan_points. Interval by the delta method
--   (95 %), NULL without a last place
-- example: paifu stats stable_level --lake games.lake --param min_games=1000
WITH prizes (players, room, length, first, second, third, last) AS (
    VALUES
        (4, 'gold', 'south', 95, 45, -5, -15), (4, 'gold', 'east', 55, 25, -5, -15),
        (4, 'jade', 'south', 125, 60, -5, -15), (4, 'jade', 'east', 70, 35, -5, -15),
        (4, 'throne', 'south', 135, 65, -5, -15), (4, 'throne', 'east', 75, 35, -5, -15),
        (3, 'gold', 'south', 120, 0, -15, NULL), (3, 'gold', 'east', 70, 0, -15, NULL),
        (3, 'jade', 'south', 175, 0, -15, NULL), (3, 'jade', 'east', 90, 0, -15, NULL),
        (3, 'throne', 'south', 255, 0, -15, NULL), (3, 'throne', 'east', 135, 0, -15, NULL)
),
penalties (players, length, start_points, of_level_0, per_level) AS (
    VALUES
        (4, 'south', 25000, 150, 15), (4, 'east', 25000, 70, 10),
        (3, 'south', 35000, 140, 25), (3, 'east', 35000, 65, 15)
),
placed AS (
    SELECT
        player, games.players, games.room, games.length, of_level_0, per_level,
        placement, placement = games.players AS is_last,
        [first, second, third, last][placement]
            + ceil((final_points - start_points) / 1000) AS points
    FROM seats
    JOIN games USING (game_id)
    JOIN prizes
        ON prizes.players = games.players
        AND prizes.room = games.room
        AND prizes.length = games.length
    JOIN penalties ON penalties.players = games.players AND penalties.length = games.length
    WHERE NOT anonymous AND player IS NOT NULL AND placement IS NOT NULL
        AND final_points IS NOT NULL AND (complete OR detail = 'result')
        AND ruleset IN ('majsoul-4p', 'majsoul-3p')
),
rates AS (
    SELECT
        player,
        players,
        room,
        length,
        count(*) AS n,
        count(*) FILTER (is_last) AS n_last,
        avg((placement = 1)::INTEGER) AS first_rate,
        avg((placement = 2)::INTEGER) AS second_rate,
        avg(is_last::INTEGER) AS last_rate,
        avg(points) AS average_points,
        avg(points) / nullif(last_rate, 0) AS ratio,
        -- variance of (points - ratio * last) over n games
        sqrt(
            (
                avg(points * points) - 2 * ratio * avg(points) FILTER (is_last) * last_rate
                + ratio * ratio * last_rate
            ) / n
        ) / nullif(last_rate, 0) AS error,
        any_value(of_level_0) AS of_level_0,
        any_value(per_level) AS per_level
    FROM placed
    GROUP BY player, players, room, length
    HAVING count(*) >= coalesce(getvariable('min_games'), 100)
)
SELECT
    player,
    players,
    room,
    length,
    n,
    n_last,
    first_rate,
    second_rate,
    last_rate,
    average_points,
    (ratio - of_level_0) / per_level AS stable_level,
    (ratio - 1.959964 * error - of_level_0) / per_level AS low,
    (ratio + 1.959964 * error - of_level_0) / per_level AS high
FROM rates
ORDER BY players DESC, room, length DESC, stable_level DESC NULLS LAST, n DESC, player;
