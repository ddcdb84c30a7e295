-- title: Rounds by wind and number
-- group: rounds and games
-- answers: How do rounds differ as the game goes on?
-- numerator: seats of the round that won, dealt in, called or declared riichi
-- denominator: seats of the round (n)
-- source: 局別成績
-- example: paifu stats rounds_by_wind --lake games.lake
SELECT
    round_seats.players,
    ['E', 'S', 'W', 'N'][wind + 1] || number AS round,
    count(*) AS n,
    avg(won::INTEGER) AS win_rate,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg((riichi_turn IS NOT NULL)::INTEGER) AS riichi_rate,
    avg((calls > 0)::INTEGER) AS call_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg(turns) AS average_discards,
    max(honba) AS most_honba
FROM round_seats
JOIN rounds USING (game_id, round_index)
GROUP BY round_seats.players, wind, number
ORDER BY players DESC, wind, number;
