-- title: Player profiles
-- group: players
-- answers: How does each player play: the whole profile in one row?
-- numerator: as each column's name says, over the player's rounds, wins, riichis, calls or games
-- denominator: rounds played (n), complete games (n_games), wins (n_wins), riichis (n_riichis),
--   rounds with a call (n_open), deal-ins (n_deal_ins), exhaustive draws (n_draws)
-- param: min_games int = 1 | Players with fewer complete games are left out.
-- param: double_ron text = round (round, event) | A double ron counts as one deal-in, as on
--   amae-koromo, or as one for each winner, as in Mortal.
-- source: amae-koromo playerDetails.tsx with its denominators; points of wins without honba and sticks
-- example: paifu stats players --lake games.lake --param min_games=300
WITH who AS (
    SELECT game_id, seat, player, placement, final_points, result, complete, detail
    FROM seats
    JOIN games USING (game_id)
    WHERE NOT anonymous AND player IS NOT NULL
),
own AS NOT MATERIALIZED (
    -- each of the following reads the few columns and rows it needs
    SELECT player, round_seats.* FROM round_seats JOIN who USING (game_id, seat)
),
played AS (
    SELECT
        player,
        players,
        count(*) AS n,
        avg(haipai_shanten) AS average_haipai_shanten,
        avg(delta) AS points_per_round
    FROM own
    GROUP BY player, players
),
won AS (
    SELECT
        player,
        players,
        count(*) AS n_wins,
        avg((won_by = 'tsumo')::INTEGER) AS tsumo_rate,
        avg((state_end = 'closed')::INTEGER) AS dama_rate,
        avg(win_points) AS average_win,
        avg(win_turn) AS average_win_turn
    FROM own
    WHERE won
    GROUP BY player, players
),
dealt AS (
    SELECT
        player,
        players,
        count(*) AS n_deal_in_rounds,
        CASE coalesce(getvariable('double_ron'), 'round')
            WHEN 'event' THEN sum(deal_ins) ELSE count(*)
        END::BIGINT AS n_deal_ins,
        avg(deal_in_points) AS average_deal_in,
        avg((state_end = 'riichi')::INTEGER) AS deal_in_riichi_rate,
        avg((state_end = 'open')::INTEGER) AS deal_in_open_rate,
        avg((shanten_end = 0)::INTEGER) AS deal_in_tenpai_rate
    FROM own
    WHERE deal_ins > 0
    GROUP BY player, players
),
declared AS (
    SELECT
        player,
        players,
        count(*) AS n_riichis,
        avg(riichi_turn) AS average_riichi_turn,
        avg(won::INTEGER) AS riichi_win_rate,
        avg((deal_ins > 0)::INTEGER) AS riichi_deal_in_rate,
        avg((deal_ins > 0 AND NOT riichi_ronned)::INTEGER) AS riichi_deal_in_rate_after_declaration,
        avg((tenpai_at_draw IS NOT NULL)::INTEGER) AS riichi_draw_rate,
        avg(delta) AS riichi_balance,
        avg(delta) FILTER (won) AS riichi_income,
        -avg(delta) FILTER (deal_ins > 0) AS riichi_expense,
        avg((riichi_order = 1)::INTEGER) AS first_riichi_rate,
        avg((riichi_later > 0)::INTEGER) AS chased_rate,
        avg(furiten_riichi::INTEGER) AS furiten_riichi_rate,
        avg((riichi_wait_tiles >= 2)::INTEGER) AS multi_wait_rate,
        avg((riichi_live >= 6)::INTEGER) AS good_wait_rate
    FROM own
    WHERE riichi_turn IS NOT NULL
    GROUP BY player, players
),
opened AS (
    SELECT
        player,
        players,
        count(*) AS n_open,
        avg(won::INTEGER) AS open_win_rate,
        avg((deal_ins > 0)::INTEGER) AS open_deal_in_rate,
        avg((tenpai_at_draw IS NOT NULL)::INTEGER) AS open_draw_rate,
        avg(calls) AS calls_per_open_round
    FROM own
    WHERE calls > 0
    GROUP BY player, players
),
drawn AS (
    SELECT player, players, count(*) AS n_draws, avg(tenpai_at_draw::INTEGER) AS draw_tenpai_rate
    FROM own
    WHERE tenpai_at_draw IS NOT NULL
    GROUP BY player, players
),
dealing AS (
    SELECT
        player,
        players,
        avg(won::INTEGER) AS dealer_win_rate,
        avg((tsumo_paid_limit <> 'none')::INTEGER) FILTER (tsumo_paid > 0)
            AS dealer_hit_by_mangan_rate,
        avg(tsumo_paid) FILTER (tsumo_paid_limit <> 'none') AS dealer_hit_by_mangan_points
    FROM own
    WHERE is_dealer
    GROUP BY player, players
),
riichi_wins AS (
    SELECT
        player,
        players,
        avg(ippatsu::INTEGER) AS ippatsu_rate,
        avg((ura_han > 0)::INTEGER) AS ura_rate
    FROM win_facts
    JOIN who ON who.game_id = win_facts.game_id AND who.seat = winner
    WHERE riichi
    GROUP BY player, players
),
placed AS (
    SELECT
        player,
        players,
        count(*) AS n_games,
        avg(placement) AS average_placement,
        avg((placement = 1)::INTEGER) AS first_rate,
        avg((placement <= 2)::INTEGER) AS top_two_rate,
        avg((placement = players)::INTEGER) AS last_rate,
        avg((final_points < 0)::INTEGER) AS bust_rate,
        avg(result) AS average_result
    FROM who
    JOIN games USING (game_id)
    WHERE placement IS NOT NULL AND (who.complete OR who.detail = 'result')
    GROUP BY player, players
)
SELECT
    player,
    players,
    n_games,
    average_placement,
    first_rate,
    top_two_rate,
    last_rate,
    bust_rate,
    average_result,
    played.n,
    coalesce(n_wins, 0) AS n_wins,
    coalesce(n_wins, 0) / n AS win_rate,
    rate_low(coalesce(n_wins, 0), n) AS win_low,
    rate_high(coalesce(n_wins, 0), n) AS win_high,
    coalesce(n_deal_ins, 0) AS n_deal_ins,
    coalesce(n_deal_ins, 0) / n AS deal_in_rate,
    rate_low(coalesce(n_deal_in_rounds, 0), n) AS deal_in_low,
    rate_high(coalesce(n_deal_in_rounds, 0), n) AS deal_in_high,
    coalesce(n_riichis, 0) AS n_riichis,
    coalesce(n_riichis, 0) / n AS riichi_rate,
    coalesce(n_open, 0) AS n_open,
    coalesce(n_open, 0) / n AS call_rate,
    coalesce(n_draws, 0) AS n_draws,
    coalesce(n_draws, 0) / n AS draw_rate,
    draw_tenpai_rate,
    tsumo_rate,
    dama_rate,
    average_win,
    average_win_turn,
    average_deal_in,
    n_wins / n * average_win AS win_efficiency,
    n_deal_in_rounds / n * average_deal_in AS deal_in_loss,
    n_wins / n * average_win - n_deal_in_rounds / n * average_deal_in AS net_efficiency,
    deal_in_riichi_rate,
    deal_in_open_rate,
    deal_in_tenpai_rate,
    average_riichi_turn,
    riichi_win_rate,
    riichi_deal_in_rate,
    riichi_deal_in_rate_after_declaration,
    riichi_draw_rate,
    riichi_balance,
    riichi_income,
    riichi_expense,
    first_riichi_rate,
    1 - first_riichi_rate AS chasing_rate,
    chased_rate,
    furiten_riichi_rate,
    multi_wait_rate,
    good_wait_rate,
    ippatsu_rate,
    ura_rate,
    open_win_rate,
    open_deal_in_rate,
    open_draw_rate,
    calls_per_open_round,
    dealer_win_rate,
    dealer_hit_by_mangan_rate,
    dealer_hit_by_mangan_points,
    average_haipai_shanten,
    points_per_round
FROM placed
LEFT JOIN played USING (player, players)
LEFT JOIN won USING (player, players)
LEFT JOIN dealt USING (player, players)
LEFT JOIN declared USING (player, players)
LEFT JOIN opened USING (player, players)
LEFT JOIN drawn USING (player, players)
LEFT JOIN dealing USING (player, players)
LEFT JOIN riichi_wins USING (player, players)
WHERE n_games >= coalesce(getvariable('min_games'), 1)
ORDER BY players DESC, average_placement, n_games DESC, player;
