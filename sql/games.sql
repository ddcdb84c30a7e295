-- title: Games
-- group: rounds and games
-- answers: How long are games, how do they end, and how often does someone drop out?
-- numerator: games that ended so
-- denominator: complete games of that kind (n)
-- source: 一局あたりの局数; rounds per game 10.71 in the Phoenix south games of 2016 (kobalab)
-- example: paifu stats games --lake games.lake
WITH dropped AS (
    SELECT game_id, bool_or(disconnected) AS disconnected FROM seats GROUP BY game_id
)
SELECT
    players,
    length,
    room,
    count(*) AS n,
    avg(games.rounds) AS average_rounds,
    max(games.rounds) AS most_rounds,
    avg((ended_by = 'bust')::INTEGER) AS bust_rate,
    avg((ended_by IN ('agari_yame', 'tenpai_yame'))::INTEGER) AS dealer_stopped_rate,
    avg((ended_by = 'sudden_death')::INTEGER) AS sudden_death_rate,
    avg(disconnected::INTEGER) AS disconnect_rate
FROM games
JOIN dropped USING (game_id)
WHERE complete
GROUP BY ALL
ORDER BY players DESC, n DESC;
