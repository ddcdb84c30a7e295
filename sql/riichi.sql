-- title: Riichi
-- group: riichi
-- answers: How often is riichi declared, first or chasing, and how does it end?
-- numerator: rounds in riichi that ended in each way
-- denominator: rounds with a riichi of that order (n); for riichi_rate all rounds (n_rounds); for
--   income the riichis that won (n_won), for expense those that dealt in (n_dealt_in)
-- param: ronned bool = true | Count riichis whose declaration tile was ronned, as amae-koromo does.
-- source: 立直率, 先制率, 追立率, 被追率, 立直収支, 立直収入, 立直支出 (amae-koromo playerDetails.tsx); balance, income and
--   expense are changes of points over the round, including the own stick; chased: another seat
--   declared later
-- example: paifu stats riichi --lake games.lake --param ronned=false
WITH parts_played AS (
    SELECT players, game_id & 255 AS part, count(*) AS n_rounds
    FROM round_seats
    WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
    GROUP BY ALL
),
declared AS (
    SELECT
        *,
        game_id & 255 AS part,
        CASE WHEN riichi_order = 1 THEN 'first' ELSE 'chasing' END AS order_of_riichi
    FROM round_seats
    WHERE riichi_turn IS NOT NULL
        AND (coalesce(getvariable('ronned'), true) OR NOT riichi_ronned)
),
sums AS (
    SELECT
        players,
        coalesce(order_of_riichi, 'all') AS riichi,
        part,
        count(*) AS n,
        count(*) FILTER (riichi_later > 0) AS chased,
        sum(riichi_turn) AS turns,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        count(*) FILTER (deal_ins > 0 AND NOT riichi_ronned) AS later_deal_ins,
        count(*) FILTER (outcome LIKE 'draw%' OR outcome = 'nagashi') AS draws,
        count(*) FILTER (furiten_riichi) AS furiten,
        sum(delta)::BIGINT AS delta,
        count(delta) AS n_delta,
        sum(delta) FILTER (won) AS win_delta,
        count(delta) FILTER (won) AS n_win_delta,
        sum(delta) FILTER (deal_ins > 0) AS deal_in_delta,
        count(delta) FILTER (deal_ins > 0) AS n_deal_in_delta
    FROM declared
    GROUP BY GROUPING SETS ((players, part), (players, order_of_riichi, part))
),
parts AS (
    -- a part without such a riichi counts too: its rounds belong to all rounds
    SELECT players, riichi, part, n_rounds, coalesce(n, 0) AS n, sums.* EXCLUDE (players, riichi, part, n)
    FROM parts_played
    JOIN (SELECT DISTINCT players, riichi FROM sums) AS orders USING (players)
    LEFT JOIN sums USING (players, riichi, part)
)
SELECT
    players,
    riichi,
    sum(n)::BIGINT AS n,
    sum(n_rounds)::BIGINT AS n_rounds,
    sum(n) / sum(n_rounds) AS riichi_rate,
    clustered_low(n, n_rounds) AS low,
    clustered_high(n, n_rounds) AS high,
    sum(chased) / sum(n) AS chased_rate,
    sum(turns) / sum(n) AS average_turn,
    sum(wins) / sum(n) AS win_rate,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    sum(later_deal_ins) / sum(n) AS deal_in_rate_after_declaration,
    sum(draws) / sum(n) AS draw_rate,
    sum(furiten) / sum(n) AS furiten_rate,
    sum(delta) / nullif(sum(n_delta), 0) AS balance,
    clustered_plus_minus(coalesce(delta, 0), coalesce(n_delta, 0)) AS balance_plus_minus,
    sum(wins)::BIGINT AS n_won,
    sum(win_delta) / nullif(sum(n_win_delta), 0) AS income,
    sum(deal_ins)::BIGINT AS n_dealt_in,
    -sum(deal_in_delta) / nullif(sum(n_deal_in_delta), 0) AS expense
FROM parts
GROUP BY players, riichi
ORDER BY players DESC, riichi = 'all' DESC, riichi DESC;
