-- title: Points of wins
-- group: wins
-- answers: How many points are wins worth, by dealer and others, tsumo and ron, riichi, open and
--   dama?
-- numerator: sum of the points of the wins, without honba and sticks
-- denominator: the wins of that kind (n)
-- source: 平均打点 split as amae-koromo and Mortal do; shares of 3900, 7700 and 11600 after zyr17
-- example: paifu stats win_points --lake games.lake
SELECT
    players,
    (winner = dealer) AS is_dealer,
    winner_state AS state,
    CASE WHEN tsumo THEN 'tsumo' ELSE 'ron' END AS won_by,
    count(*) AS n,
    avg(points) AS average_points,
    median(points) AS median_points,
    avg((points >= 3900)::INTEGER) AS rate_3900,
    avg((points >= 7700)::INTEGER) AS rate_7700,
    avg((points >= 11600)::INTEGER) AS rate_11600
FROM win_facts
WHERE points IS NOT NULL
GROUP BY ALL
ORDER BY players DESC, is_dealer DESC, state, won_by;
