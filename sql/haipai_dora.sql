-- title: Haipai by dora
-- group: haipai
-- answers: What is each dora in the first 13 tiles worth?
-- numerator: rounds that ended so
-- denominator: rounds dealt with so many dora and red fives (n)
-- source: own
-- example: paifu stats haipai_dora --lake games.lake
SELECT
    players,
    haipai_dora AS dora,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM round_seats
GROUP BY players, haipai_dora
ORDER BY players DESC, dora;
