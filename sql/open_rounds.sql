-- title: After a call
-- group: calls
-- answers: What becomes of a hand once it is open?
-- numerator: rounds with an open call that ended so; calls and points of such rounds
-- denominator: rounds with an open call (n); call_rate is over all rounds (n_rounds)
-- source: 副露後和了率, 副露後放銃率, 副露後流局率 (amae-koromo); calls and income per open round (Mortal);
--   a call is chi, pon or daiminkan, not ankan; draws are exhaustive ones, nagashi mangan among them
-- example: paifu stats open_rounds --lake games.lake
SELECT
    players,
    CASE WHEN grouping(is_dealer) = 1 THEN 'all' WHEN is_dealer THEN 'dealer' ELSE 'other' END AS seat,
    count(*) FILTER (calls > 0) AS n,
    count(*) AS n_rounds,
    count(*) FILTER (calls > 0) / count(*) AS call_rate,
    rate_low(count(*) FILTER (calls > 0), count(*)) AS call_low,
    rate_high(count(*) FILTER (calls > 0), count(*)) AS call_high,
    avg(calls) FILTER (calls > 0) AS calls_per_open_round,
    avg(won::INTEGER) FILTER (calls > 0) AS win_rate,
    avg((deal_ins > 0)::INTEGER) FILTER (calls > 0) AS deal_in_rate,
    avg((outcome LIKE 'draw%' OR outcome = 'nagashi')::INTEGER) FILTER (calls > 0) AS draw_rate,
    avg(win_points) FILTER (calls > 0 AND won) AS average_points,
    avg(delta) FILTER (calls > 0) AS income
FROM round_seats
GROUP BY GROUPING SETS ((players), (players, is_dealer))
ORDER BY players DESC, grouping(is_dealer) DESC, is_dealer DESC;
