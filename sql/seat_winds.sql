-- title: Seats of a round
-- group: dealer
-- answers: How do results differ between east, south, west and north in a round?
-- numerator: rounds that ended in each way for the seat
-- denominator: rounds in that seat (n)
-- source: 席別成績: win, deal-in, call, riichi and value by seat
-- example: paifu stats seat_winds --lake games.lake
SELECT
    players,
    ['east', 'south', 'west', 'north'][seat_wind + 1] AS seat,
    count(*) AS n,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg((riichi_turn IS NOT NULL)::INTEGER) AS riichi_rate,
    avg((calls > 0)::INTEGER) AS call_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM round_seats
WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
GROUP BY players, seat_wind
ORDER BY players DESC, seat_wind;
