-- title: Calls
-- group: calls
-- answers: How do rounds end for a seat that made no, one, two, three or four open calls?
-- numerator: rounds that ended so
-- denominator: rounds with that number of calls (n); call_rate is rounds with any call
-- source: 副露率 and 副露後 (amae-koromo, Mortal); a call is chi, pon or daiminkan, not ankan
-- example: paifu stats calls --lake games.lake
SELECT
    players,
    calls,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    sum(count(*) FILTER (calls > 0)) OVER (PARTITION BY players)
        / sum(count(*)) OVER (PARTITION BY players) AS call_rate,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg((outcome LIKE 'draw%' OR outcome = 'nagashi')::INTEGER) AS draw_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM round_seats
GROUP BY players, calls
ORDER BY players DESC, calls;
