-- title: Stable dan
-- group: rating
-- answers: At which dan would a player's dan points neither rise nor fall in the long run?
-- numerator: dan points won by first and second places
-- denominator: last places of the player in that room (n_last); n is the player's complete games
--   without those of private lobbies, which do not change the dan
-- param: min_games int = 100 | Players with fewer games in the room are left out.
-- source: 安定段位: houou (6 r1 + 3 r2) / r4 - 2, tokujou (5 r1 + 2 r2) / r4 - 2, joukyuu (4 r1 + r2) /
--   r4 - 2, ippan (2 r1 + r2) / r4 - 2, and 3 r1 / r4 - 2 before 2017-10-24; three players: r1
--   times the dan points of a first place over 10 r3, minus 2, so houou 9 r1 / r3 - 2; interval by
--   the delta method (95 %), NULL without a last place; it is noisy below 2,000 games; if the day
--   of a game is not known, today's table is used
-- example: paifu stats stable_dan --lake games.lake --param min_games=1000
WITH prizes (room, players, first, second) AS (
    VALUES
        ('houou', 4, 6.0, 3.0), ('tokujou', 4, 5.0, 2.0), ('joukyuu', 4, 4.0, 1.0),
        ('ippan', 4, 2.0, 1.0), ('old ippan', 4, 3.0, 0.0), ('houou', 3, 9.0, 0.0),
        ('tokujou', 3, 7.0, 0.0), ('joukyuu', 3, 5.0, 0.0), ('ippan', 3, 3.0, 0.0)
),
placed AS (
    SELECT
        player, games.players, games.room, placement, placement = games.players AS is_last,
        CASE placement WHEN 1 THEN first WHEN 2 THEN second ELSE 0 END AS prize
    FROM seats
    JOIN games USING (game_id)
    JOIN prizes
        ON prizes.players = games.players
        AND prizes.room = CASE
            WHEN games.room = 'ippan' AND games.players = 4
                AND played_at < TIMESTAMP '2017-10-23 15:00:00' THEN 'old ippan' -- Japan's midnight
            ELSE games.room
        END
    WHERE NOT anonymous AND player IS NOT NULL AND placement IS NOT NULL
        AND (complete OR detail = 'result')
        AND ruleset IN ('tenhou-4p', 'tenhou-3p') AND coalesce(lobby, '0') = '0'
),
rates AS (
    SELECT
        player,
        players,
        room,
        count(*) AS n,
        count(*) FILTER (is_last) AS n_last,
        avg((placement = 1)::INTEGER) AS r1,
        avg((placement = 2)::INTEGER) AS r2,
        avg(is_last::INTEGER) AS r_last,
        avg(prize)::DOUBLE / nullif(r_last, 0) AS ratio,
        avg(prize * prize)::DOUBLE AS second_moment
    FROM placed
    GROUP BY player, players, room
    HAVING count(*) >= coalesce(getvariable('min_games'), 100)
),
spread AS (
    -- variance of (prize - ratio * last) over n games
    SELECT
        *,
        sqrt((second_moment + ratio * ratio * r_last) / n) / nullif(r_last, 0) AS error
    FROM rates
)
SELECT
    player,
    players,
    room,
    n,
    n_last,
    r1 AS first_rate,
    r2 AS second_rate,
    r_last AS last_rate,
    ratio - 2 AS stable_dan,
    ratio - 2 - 1.959964 * error AS low,
    ratio - 2 + 1.959964 * error AS high
FROM spread
ORDER BY players DESC, room, stable_dan DESC NULLS LAST, n DESC, player;
