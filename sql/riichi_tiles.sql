-- title: Declaration tiles
-- group: riichi
-- answers: Which tiles are declaration tiles, how often are they ronned, and how often do these
--   riichis win?
-- numerator: riichis declared with that class of tile that were ronned, that won
-- denominator: riichis declared with that class of tile (n), including ronned ones
-- source: 宣言牌
-- example: paifu stats riichi_tiles --lake games.lake
SELECT
    players,
    CASE
        WHEN riichi_tile[2] = 'z' THEN 'honour'
        WHEN riichi_tile[1] = '0' THEN 'red 5'
        WHEN riichi_tile[1] IN ('1', '9') THEN '1 9'
        WHEN riichi_tile[1] IN ('2', '8') THEN '2 8'
        WHEN riichi_tile[1] IN ('3', '7') THEN '3 7'
        ELSE '4 5 6'
    END AS class,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    avg(riichi_turn) AS average_turn,
    avg(riichi_ronned::INTEGER) AS ronned_rate,
    rate_low(count(*) FILTER (riichi_ronned), count(*)) AS ronned_low,
    rate_high(count(*) FILTER (riichi_ronned), count(*)) AS ronned_high,
    avg((riichi_live >= 6)::INTEGER) AS good_rate,
    avg(won::INTEGER) AS win_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM round_seats
WHERE riichi_tile IS NOT NULL
GROUP BY players, class
ORDER BY players DESC, class;
