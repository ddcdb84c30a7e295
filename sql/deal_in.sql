-- title: Deal-in rate
-- group: deal-in
-- answers: How often does a seat deal in, in which state of its own, and what does it cost?
-- numerator: rounds in which the seat discarded a tile another seat won on
-- denominator: rounds the seat ended in that state (n), draws and abortive draws included
-- source: 放銃率 per round as Tenhou, amae-koromo and Mortal count it; deal_ins counts each winner of
--   a double ron, as Mortal does; average_cost is what the discarder paid in the round, honba
--   included, riichi sticks not
-- example: paifu stats deal_in --lake games.lake --where "players = 4"
WITH by_state AS (
    SELECT games.players, state_end AS state, deal_ins, deal_in_points, deal_in_turn
    FROM round_seats
    JOIN games USING (game_id)
)
SELECT
    players,
    coalesce(state, 'all') AS state,
    count(*) AS n,
    count(*) FILTER (deal_ins > 0) AS deal_in_rounds,
    sum(deal_ins)::BIGINT AS deal_ins,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    rate_low(count(*) FILTER (deal_ins > 0), count(*)) AS deal_in_low,
    rate_high(count(*) FILTER (deal_ins > 0), count(*)) AS deal_in_high,
    avg(deal_in_points) FILTER (deal_ins > 0) AS average_cost,
    avg(deal_in_turn) FILTER (deal_ins > 0) AS average_turn
FROM by_state
GROUP BY GROUPING SETS ((players), (players, state))
ORDER BY players DESC, grouping(state) DESC, state;
