-- title: Riichi
-- group: riichi
-- answers: How often is riichi declared, first or chasing, and how does it end?
-- numerator: rounds in riichi that ended so
-- denominator: rounds with a riichi of that order (n); riichi_rate is over all rounds (n_rounds);
--   income is over those that won (n_won), expense over those that dealt in (n_dealt_in)
-- param: ronned bool = true | Count riichis whose declaration tile was ronned, as amae-koromo does.
-- source: 立直率, 先制率, 追立率, 被追率, 立直収支, 立直収入, 立直支出 (amae-koromo playerDetails.tsx); balance is the change
--   of points over the round, own stick included, income and expense too; chased: someone declared later
-- example: paifu stats riichi --lake games.lake --param ronned=false
WITH rounds_played AS (SELECT players, count(*) AS n_rounds FROM round_seats GROUP BY ALL),
declared AS (
    SELECT *, CASE WHEN riichi_order = 1 THEN 'first' ELSE 'chasing' END AS order_of_riichi
    FROM round_seats
    WHERE riichi_turn IS NOT NULL
        AND (coalesce(getvariable('ronned'), true) OR NOT riichi_ronned)
)
SELECT
    players,
    coalesce(order_of_riichi, 'all') AS riichi,
    count(*) AS n,
    any_value(n_rounds) AS n_rounds,
    count(*) / any_value(n_rounds) AS riichi_rate,
    rate_low(count(*), any_value(n_rounds)) AS low,
    rate_high(count(*), any_value(n_rounds)) AS high,
    avg((riichi_later > 0)::INTEGER) AS chased_rate,
    avg(riichi_turn) AS average_turn,
    avg(won::INTEGER) AS win_rate,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg((deal_ins > 0 AND NOT riichi_ronned)::INTEGER) AS deal_in_rate_after_declaration,
    avg((outcome LIKE 'draw%' OR outcome = 'nagashi')::INTEGER) AS draw_rate,
    avg(furiten_riichi::INTEGER) AS furiten_rate,
    avg(delta) AS balance,
    1.959964 * stddev_samp(delta) / sqrt(count(*)) AS balance_plus_minus,
    count(*) FILTER (won) AS n_won,
    avg(delta) FILTER (won) AS income,
    count(*) FILTER (deal_ins > 0) AS n_dealt_in,
    -avg(delta) FILTER (deal_ins > 0) AS expense
FROM declared
JOIN rounds_played USING (players)
GROUP BY GROUPING SETS ((players), (players, order_of_riichi))
ORDER BY players DESC, grouping(order_of_riichi) DESC, riichi DESC;
