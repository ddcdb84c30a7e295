-- title: Dan points
-- group: rating
-- answers: How many dan points does a game bring players of each dan in each room?
-- numerator: sum of the dan points of the games, by Tenhou's table on the day of the game
-- denominator: complete games of seats with that dan in that room (n), without private lobbies
-- source: 段位戦の配分 since 2017-10-24; before that day ippan with four players gave 45 to the first (30
--   in an east game) and nothing to the second; if the day of a game is not known, today's table is
--   used; from 1-dan on (code 10 is 1-dan), fourth (third with three players) costs 15 (dan + 2) in
--   a south game and 10 (dan + 2) in an east game; kyu are left out
-- example: paifu stats dan_points --lake games.lake
WITH prizes (room, players, length, first, second) AS (
    VALUES
        ('old ippan', 4, 'south', 45, 0), ('old ippan', 4, 'east', 30, 0),
        ('houou', 4, 'south', 90, 45), ('tokujou', 4, 'south', 75, 30),
        ('joukyuu', 4, 'south', 60, 15), ('ippan', 4, 'south', 30, 15),
        ('houou', 4, 'east', 60, 30), ('tokujou', 4, 'east', 50, 20),
        ('joukyuu', 4, 'east', 40, 10), ('ippan', 4, 'east', 20, 10),
        ('houou', 3, 'south', 135, 0), ('tokujou', 3, 'south', 105, 0),
        ('joukyuu', 3, 'south', 75, 0), ('ippan', 3, 'south', 45, 0),
        ('houou', 3, 'east', 90, 0), ('tokujou', 3, 'east', 70, 0),
        ('joukyuu', 3, 'east', 50, 0), ('ippan', 3, 'east', 30, 0)
),
won AS (
    SELECT
        games.players, games.room, games.length, dan, dan_name, game_id & 255 AS part,
        CASE
            WHEN placement = 1 THEN first
            WHEN placement = games.players
                THEN -(CASE games.length WHEN 'south' THEN 15 ELSE 10 END) * (dan - 9 + 2)
            WHEN placement = 2 THEN second
            ELSE 0
        END AS dan_points
    FROM seats
    JOIN games USING (game_id)
    JOIN prizes
        ON prizes.players = games.players
        AND prizes.length = games.length
        AND prizes.room = CASE
            WHEN games.room = 'ippan' AND games.players = 4
                AND played_at < TIMESTAMP '2017-10-23 15:00:00' THEN 'old ippan' -- Japan's midnight
            ELSE games.room
        END
    WHERE ruleset IN ('tenhou-4p', 'tenhou-3p') AND coalesce(lobby, '0') = '0'
        AND dan BETWEEN 10 AND 19 AND placement IS NOT NULL
        AND (complete OR detail = 'result')
)
SELECT
    players,
    room,
    length,
    dan_name AS dan,
    sum(n)::BIGINT AS n,
    sum(dan_points) / sum(n) AS average_dan_points,
    clustered_plus_minus(dan_points, n) AS plus_minus
FROM (
    SELECT
        players, room, length, dan AS code, dan_name, part,
        count(*) AS n, sum(dan_points)::BIGINT AS dan_points
    FROM won
    GROUP BY ALL
)
GROUP BY players, room, length, code, dan_name
ORDER BY players DESC, room, length DESC, code;
