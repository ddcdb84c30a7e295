-- title: Busts
-- group: placement
-- answers: How often does a game end with a seat below zero, and by what event?
-- numerator: games in which the seat ended below zero; how the last round of these games went for
--   the seat
-- denominator: complete games by seat (n)
-- source: 飛び率 (final points below zero)
-- example: paifu stats busts --lake games.lake
WITH final AS (
    SELECT
        games.players,
        coalesce(outcome, 'all') AS last_round,
        game_id & 255 AS part,
        count(*) FILTER (final_points < 0) AS busts,
        sum(count(*)) OVER (PARTITION BY games.players, part, grouping(outcome)) AS n
    FROM seats
    JOIN games USING (game_id)
    JOIN round_seats USING (game_id, seat)
    WHERE complete AND final_points IS NOT NULL AND round_index = rounds - 1
    GROUP BY GROUPING SETS ((games.players, part), (games.players, outcome, part))
),
parts AS (
    -- a part in which no seat ended below zero counts too
    SELECT players, last_round, part, coalesce(busts, 0) AS busts, n
    FROM (SELECT players, part, n FROM final WHERE last_round = 'all') AS played
    JOIN (SELECT DISTINCT players, last_round FROM final) AS ends USING (players)
    LEFT JOIN (SELECT players, last_round, part, busts FROM final) AS ended
        USING (players, last_round, part)
)
SELECT
    players,
    last_round,
    sum(busts)::BIGINT AS busts,
    sum(n)::BIGINT AS n,
    sum(busts) / sum(n) AS rate,
    clustered_low(busts, n) AS low,
    clustered_high(busts, n) AS high
FROM parts
GROUP BY players, last_round
ORDER BY players DESC, last_round = 'all' DESC, busts DESC, last_round;
