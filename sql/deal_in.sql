-- title: Deal-in rate
-- group: deal-in
-- answers: How often does a seat deal in, by its own state, and what does it cost?
-- numerator: rounds in which the seat discarded a tile on which another seat won
-- denominator: rounds that the seat ended in that state (n), including draws and abortive draws
-- source: 放銃率 per round as Tenhou, amae-koromo and Mortal count it; deal_ins counts each winner of
--   a double ron, as Mortal does; average_cost is what the discarder paid in the round, with honba
--   and without riichi sticks
-- example: paifu stats deal_in --lake games.lake --where "players = 4"
WITH parts AS (
    SELECT
        players,
        coalesce(state_end, 'all') AS state,
        game_id & 255 AS part,
        count(*) AS n,
        count(*) FILTER (deal_ins > 0) AS rounds,
        sum(deal_ins) AS deal_ins,
        sum(deal_in_points) FILTER (deal_ins > 0) AS cost,
        count(deal_in_points) FILTER (deal_ins > 0) AS n_cost,
        sum(deal_in_turn) AS turns
    FROM round_seats
    WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
    GROUP BY GROUPING SETS ((players, part), (players, state_end, part))
)
SELECT
    players,
    state,
    sum(n)::BIGINT AS n,
    sum(rounds)::BIGINT AS deal_in_rounds,
    sum(deal_ins)::BIGINT AS deal_ins,
    sum(rounds) / sum(n) AS deal_in_rate,
    clustered_low(rounds, n) AS deal_in_low,
    clustered_high(rounds, n) AS deal_in_high,
    sum(cost) / nullif(sum(n_cost), 0) AS average_cost,
    sum(turns) / nullif(sum(rounds), 0) AS average_turn
FROM parts
GROUP BY players, state
ORDER BY players DESC, state = 'all' DESC, state;
