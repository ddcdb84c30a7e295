-- title: Dan points
-- group: rating
-- answers: How many dan points does a game bring players of each dan in each room?
-- numerator: sum of the dan points of the games, by Tenhou's table of 2017-10-24
-- denominator: complete games of seats with that dan in that room (n)
-- source: 段位戦の配分; fourth (third with three players) costs 15 (dan + 2) in a south game, 10 (dan + 2)
--   in an east game, from 1-dan on (code 10 is 1-dan); kyu are left out
-- example: paifu stats dan_points --lake games.lake
WITH prizes (room, players, length, first, second) AS (
    VALUES
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
        games.players, games.room, games.length, dan, dan_name,
        CASE
            WHEN placement = 1 THEN first
            WHEN placement = games.players
                THEN -(CASE games.length WHEN 'south' THEN 15 ELSE 10 END) * (dan - 9 + 2)
            WHEN placement = 2 THEN second
            ELSE 0
        END AS dan_points
    FROM seats
    JOIN games USING (game_id)
    JOIN prizes USING (room, players, length)
    WHERE platform = 'tenhou' AND dan BETWEEN 10 AND 19 AND placement IS NOT NULL
        AND (complete OR detail = 'result')
)
SELECT
    players,
    room,
    length,
    dan_name AS dan,
    count(*) AS n,
    avg(dan_points) AS average_dan_points,
    1.959964 * stddev_samp(dan_points) / sqrt(count(*)) AS plus_minus
FROM won
GROUP BY players, room, length, won.dan, dan_name
ORDER BY players DESC, room, length DESC, won.dan;
