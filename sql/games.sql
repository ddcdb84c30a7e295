-- title: Games
-- group: rounds and games
-- answers: How long are games, how do they end, and how often does someone drop out?
-- numerator: games that ended in each way; minutes that games took
-- denominator: complete games of that kind (n); for how they ended, those of which it is known
--   (n_ended); those whose record gives the minutes (n_minutes)
-- source: 一局あたりの局数; rounds per game 10.71 in the Phoenix south games of 2016 (kobalab)
-- example: paifu stats games --lake games.lake
WITH dropped AS (
    SELECT game_id, bool_or(disconnected) AS disconnected FROM seats GROUP BY game_id
)
SELECT
    players,
    length,
    room,
    count(*) FILTER (complete) AS n,
    avg(games.rounds) FILTER (complete) AS average_rounds,
    max(games.rounds) FILTER (complete) AS most_rounds,
    count(*) FILTER (complete AND ended_by <> 'unknown') AS n_ended,
    avg((ended_by = 'bust')::INTEGER) FILTER (complete AND ended_by <> 'unknown') AS bust_rate,
    avg((ended_by IN ('agari_yame', 'tenpai_yame'))::INTEGER)
        FILTER (complete AND ended_by <> 'unknown') AS dealer_stopped_rate,
    avg((ended_by = 'sudden_death')::INTEGER) FILTER (complete AND ended_by <> 'unknown')
        AS sudden_death_rate,
    avg(disconnected::INTEGER) FILTER (complete) AS disconnect_rate,
    count(minutes) AS n_minutes,
    avg(minutes) AS average_minutes
FROM games
JOIN dropped USING (game_id)
WHERE complete OR minutes IS NOT NULL
GROUP BY ALL
ORDER BY players DESC, n DESC;
