-- title: After a call
-- group: calls
-- answers: How do rounds end for a seat with an open hand?
-- numerator: rounds with an open call that ended in each way; calls and points of these rounds
-- denominator: rounds with an open call (n); for call_rate, all rounds (n_rounds)
-- source: 副露後和了率, 副露後放銃率, 副露後流局率 (amae-koromo); calls and income per open round (Mortal); a call is
--   chi, pon or daiminkan, not ankan; draws are exhaustive draws, including nagashi mangan
-- example: paifu stats open_rounds --lake games.lake
WITH parts AS (
    SELECT
        players,
        CASE WHEN grouping(is_dealer) = 1 THEN 'all' WHEN is_dealer THEN 'dealer' ELSE 'other' END
            AS seat,
        game_id & 255 AS part,
        count(*) AS n_rounds,
        count(*) FILTER (calls > 0) AS n,
        sum(calls) AS calls,
        count(*) FILTER (calls > 0 AND won) AS wins,
        count(*) FILTER (calls > 0 AND deal_ins > 0) AS deal_ins,
        count(*) FILTER (calls > 0 AND (outcome LIKE 'draw%' OR outcome = 'nagashi')) AS draws,
        sum(win_points) FILTER (calls > 0 AND won) AS points,
        count(win_points) FILTER (calls > 0 AND won) AS n_points,
        sum(delta) FILTER (calls > 0) AS delta,
        count(delta) FILTER (calls > 0) AS n_delta
    FROM round_seats
    WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
    GROUP BY GROUPING SETS ((players, part), (players, is_dealer, part))
)
SELECT
    players,
    seat,
    sum(n)::BIGINT AS n,
    sum(n_rounds)::BIGINT AS n_rounds,
    sum(n) / sum(n_rounds) AS call_rate,
    clustered_low(n, n_rounds) AS call_low,
    clustered_high(n, n_rounds) AS call_high,
    sum(calls) / nullif(sum(n), 0) AS calls_per_open_round,
    sum(wins) / nullif(sum(n), 0) AS win_rate,
    sum(deal_ins) / nullif(sum(n), 0) AS deal_in_rate,
    sum(draws) / nullif(sum(n), 0) AS draw_rate,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(delta) / nullif(sum(n_delta), 0) AS income
FROM parts
GROUP BY players, seat
ORDER BY players DESC, seat = 'all' DESC, seat;
