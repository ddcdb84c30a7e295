-- title: Stable dan
-- group: rating
-- answers: At which dan would a player's dan points neither rise nor fall in the long run?
-- numerator: dan points won by first and second places
-- denominator: last places of the player in that room (n_last); n is its complete games
-- param: min_games int = 100 | Players with fewer games in the room are left out.
-- source: 安定段位: houou (6 r1 + 3 r2) / r4 - 2, tokujou (5 r1 + 2 r2) / r4 - 2, joukyuu (4 r1 + r2)
--   / r4 - 2, ippan (2 r1 + r2) / r4 - 2; three players: 30 r1 parts of each room's prize, houou
--   9 r1 / r3 - 2; interval by the delta method (95 %), NULL without a last place; it is noisy below
--   2,000 games
-- example: paifu stats stable_dan --lake games.lake --param min_games=1000
WITH prizes (room, players, first, second) AS (
    VALUES
        ('houou', 4, 6.0, 3.0), ('tokujou', 4, 5.0, 2.0), ('joukyuu', 4, 4.0, 1.0),
        ('ippan', 4, 2.0, 1.0), ('houou', 3, 9.0, 0.0), ('tokujou', 3, 7.0, 0.0),
        ('joukyuu', 3, 5.0, 0.0), ('ippan', 3, 3.0, 0.0)
),
rates AS (
    SELECT
        player,
        games.players,
        games.room,
        count(*) AS n,
        count(*) FILTER (placement = games.players) AS n_last,
        avg((placement = 1)::INTEGER) AS r1,
        avg((placement = 2)::INTEGER) AS r2,
        avg((placement = games.players)::INTEGER) AS r_last
    FROM seats
    JOIN games USING (game_id)
    WHERE NOT anonymous AND player IS NOT NULL AND placement IS NOT NULL
        AND (complete OR detail = 'result') AND platform = 'tenhou'
    GROUP BY ALL
    HAVING count(*) >= coalesce(getvariable('min_games'), 100)
),
estimated AS (
    SELECT
        *,
        (first * r1 + second * r2) / nullif(r_last, 0) AS ratio,
        first * first * r1 + second * second * r2 AS second_moment
    FROM rates
    JOIN prizes USING (room, players)
),
spread AS (
    -- the variance of (a - ratio * last) over n games, a the prize and last the last places
    SELECT
        *,
        sqrt((second_moment + ratio * ratio * r_last) / n) / nullif(r_last, 0) AS error
    FROM estimated
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
