-- title: Dan points
-- group: rating
-- answers: How many dan points does a game bring players of each dan in each room?
-- numerator: sum of the dan points of the games, by the platform's table on the day of the game
-- denominator: complete games of seats with that dan in that room (n), without private lobbies
-- source: Tenhou's 段位戦の配分 since 2017-10-24; before that day ippan with four players gave 45 to
--   the first (30 in an east game) and nothing to the second; if the day of a game is not known,
--   today's table is used; from 1-dan on (code 10 is 1-dan), fourth (third with three players)
--   costs 15 (dan + 2) in a south game and 10 (dan + 2) in an east game; kyu are left out. Mahjong
--   Soul (constants of amae-koromo): bonus of the room, 15/5/-5/-15 (15/0/-15), a point for each
--   1,000 points won, rounded up, and the penalty of the rank for the last place; rooms gold, jade
--   and throne, 雀傑 to 雀聖
-- example: paifu stats dan_points --lake games.lake
WITH prizes (ruleset, room, length, first, second, third) AS (
    VALUES
        ('tenhou-4p', 'old ippan', 'south', 45, 0, 0), ('tenhou-4p', 'old ippan', 'east', 30, 0, 0),
        ('tenhou-4p', 'houou', 'south', 90, 45, 0), ('tenhou-4p', 'tokujou', 'south', 75, 30, 0),
        ('tenhou-4p', 'joukyuu', 'south', 60, 15, 0), ('tenhou-4p', 'ippan', 'south', 30, 15, 0),
        ('tenhou-4p', 'houou', 'east', 60, 30, 0), ('tenhou-4p', 'tokujou', 'east', 50, 20, 0),
        ('tenhou-4p', 'joukyuu', 'east', 40, 10, 0), ('tenhou-4p', 'ippan', 'east', 20, 10, 0),
        ('tenhou-3p', 'houou', 'south', 135, 0, 0), ('tenhou-3p', 'tokujou', 'south', 105, 0, 0),
        ('tenhou-3p', 'joukyuu', 'south', 75, 0, 0), ('tenhou-3p', 'ippan', 'south', 45, 0, 0),
        ('tenhou-3p', 'houou', 'east', 90, 0, 0), ('tenhou-3p', 'tokujou', 'east', 70, 0, 0),
        ('tenhou-3p', 'joukyuu', 'east', 50, 0, 0), ('tenhou-3p', 'ippan', 'east', 30, 0, 0),
        ('majsoul-4p', 'gold', 'south', 95, 45, -5), ('majsoul-4p', 'gold', 'east', 55, 25, -5),
        ('majsoul-4p', 'jade', 'south', 125, 60, -5), ('majsoul-4p', 'jade', 'east', 70, 35, -5),
        ('majsoul-4p', 'throne', 'south', 135, 65, -5),
        ('majsoul-4p', 'throne', 'east', 75, 35, -5),
        ('majsoul-3p', 'gold', 'south', 120, 0, 0), ('majsoul-3p', 'gold', 'east', 70, 0, 0),
        ('majsoul-3p', 'jade', 'south', 175, 0, 0), ('majsoul-3p', 'jade', 'east', 90, 0, 0),
        ('majsoul-3p', 'throne', 'south', 255, 0, 0), ('majsoul-3p', 'throne', 'east', 135, 0, 0)
),
penalties (ruleset, length, start_points, by_rank) AS (
    -- 雀傑★1 to 雀聖★3
    VALUES
        ('majsoul-4p', 'south', 25000, [80, 100, 120, 165, 180, 195, 210, 225, 240]),
        ('majsoul-4p', 'east', 25000, [40, 50, 60, 80, 90, 100, 110, 120, 130]),
        ('majsoul-3p', 'south', 35000, [80, 100, 120, 165, 190, 215, 240, 265, 290]),
        ('majsoul-3p', 'east', 35000, [40, 50, 60, 80, 95, 110, 125, 140, 160])
),
placed AS (
    SELECT
        games.players, games.ruleset, games.length, dan, dan_name, placement, final_points,
        placement = games.players AS is_last,
        game_id & 255 AS part,
        games.room,
        CASE
            WHEN games.room = 'ippan' AND games.players = 4
                AND played_at < TIMESTAMP '2017-10-23 15:00:00' THEN 'old ippan' -- Japan's midnight
            ELSE games.room
        END AS prize_room
    FROM seats
    JOIN games USING (game_id)
    WHERE coalesce(lobby, '0') = '0' AND placement IS NOT NULL AND (complete OR detail = 'result')
),
won AS (
    SELECT
        players, placed.room, placed.length, dan, dan_name, part,
        CASE
            WHEN penalties.ruleset IS NOT NULL THEN
                ceil((final_points - start_points) / 1000)
                - CASE WHEN is_last THEN 15 + by_rank[(dan // 100 % 10 - 3) * 3 + dan % 100] ELSE 0 END
            WHEN is_last THEN -(CASE placed.length WHEN 'south' THEN 15 ELSE 10 END) * (dan - 9 + 2)
            ELSE 0
        END + CASE WHEN is_last THEN 0 ELSE [first, second, third][placement] END AS dan_points
    FROM placed
    JOIN prizes
        ON prizes.ruleset = placed.ruleset
        AND prizes.length = placed.length
        AND prizes.room = prize_room
    LEFT JOIN penalties
        ON penalties.ruleset = placed.ruleset AND penalties.length = placed.length
    WHERE CASE
        WHEN penalties.ruleset IS NULL THEN dan BETWEEN 10 AND 19
        ELSE dan // 100 % 10 BETWEEN 3 AND 5 AND dan // 1000 % 10 = 0
            AND dan % 100 BETWEEN 1 AND 3 AND final_points IS NOT NULL
    END
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
