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
played AS (
    SELECT
        player,
        players,
        count(*) AS n,
        count(*) FILTER (won) AS n_wins,
        count(*) FILTER (riichi_turn IS NOT NULL) AS n_riichis,
        count(*) FILTER (calls > 0) AS n_open,
        count(*) FILTER (deal_ins > 0) AS n_deal_in_rounds,
        CASE coalesce(getvariable('double_ron'), 'round')
            WHEN 'event' THEN sum(deal_ins) ELSE count(*) FILTER (deal_ins > 0)
        END::BIGINT AS n_deal_ins,
        count(*) FILTER (tenpai_at_draw IS NOT NULL) AS n_draws,
        avg((won_by = 'tsumo')::INTEGER) FILTER (won) AS tsumo_rate,
        avg((state_end = 'closed')::INTEGER) FILTER (won) AS dama_rate,
        avg(win_points) FILTER (won) AS average_win,
        avg(win_turn) FILTER (won) AS average_win_turn,
        avg(deal_in_points) FILTER (deal_ins > 0) AS average_deal_in,
        avg((state_end = 'riichi')::INTEGER) FILTER (deal_ins > 0) AS deal_in_riichi_rate,
        avg((state_end = 'open')::INTEGER) FILTER (deal_ins > 0) AS deal_in_open_rate,
        avg((shanten_end = 0)::INTEGER) FILTER (deal_ins > 0) AS deal_in_tenpai_rate,
        avg(tenpai_at_draw::INTEGER) AS draw_tenpai_rate,
        avg(riichi_turn) AS average_riichi_turn,
        avg(won::INTEGER) FILTER (riichi_turn IS NOT NULL) AS riichi_win_rate,
        avg((deal_ins > 0)::INTEGER) FILTER (riichi_turn IS NOT NULL) AS riichi_deal_in_rate,
        avg((deal_ins > 0 AND NOT riichi_ronned)::INTEGER) FILTER (riichi_turn IS NOT NULL)
            AS riichi_deal_in_rate_after_declaration,
        avg((outcome LIKE 'draw%' OR outcome = 'nagashi')::INTEGER)
            FILTER (riichi_turn IS NOT NULL) AS riichi_draw_rate,
        avg(delta) FILTER (riichi_turn IS NOT NULL) AS riichi_balance,
        avg(delta) FILTER (riichi_turn IS NOT NULL AND won) AS riichi_income,
        -avg(delta) FILTER (riichi_turn IS NOT NULL AND deal_ins > 0) AS riichi_expense,
        avg((riichi_order = 1)::INTEGER) AS first_riichi_rate,
        avg((riichi_later > 0)::INTEGER) AS chased_rate,
        avg(furiten_riichi::INTEGER) AS furiten_riichi_rate,
        avg((riichi_wait_tiles >= 2)::INTEGER) AS multi_wait_rate,
        avg((riichi_live >= 6)::INTEGER) AS good_wait_rate,
        avg(won::INTEGER) FILTER (calls > 0) AS open_win_rate,
        avg((deal_ins > 0)::INTEGER) FILTER (calls > 0) AS open_deal_in_rate,
        avg((outcome LIKE 'draw%' OR outcome = 'nagashi')::INTEGER)
            FILTER (calls > 0) AS open_draw_rate,
        avg(calls) FILTER (calls > 0) AS calls_per_open_round,
        avg(won::INTEGER) FILTER (is_dealer) AS dealer_win_rate,
        avg((tsumo_paid_limit <> 'none')::INTEGER)
            FILTER (is_dealer AND tsumo_paid > 0) AS dealer_hit_by_mangan_rate,
        avg(tsumo_paid) FILTER (is_dealer AND tsumo_paid_limit <> 'none')
            AS dealer_hit_by_mangan_points,
        avg(haipai_shanten) AS average_haipai_shanten,
        avg(delta) AS points_per_round
    FROM round_seats
    JOIN who USING (game_id, seat)
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
    n_wins,
    n_wins / n AS win_rate,
    rate_low(n_wins, n) AS win_low,
    rate_high(n_wins, n) AS win_high,
    n_deal_ins,
    n_deal_ins / n AS deal_in_rate,
    rate_low(n_deal_in_rounds, n) AS deal_in_low,
    rate_high(n_deal_in_rounds, n) AS deal_in_high,
    n_riichis,
    n_riichis / n AS riichi_rate,
    n_open,
    n_open / n AS call_rate,
    n_draws,
    n_draws / n AS draw_rate,
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
LEFT JOIN riichi_wins USING (player, players)
WHERE n_games >= coalesce(getvariable('min_games'), 1)
ORDER BY players DESC, average_placement, n_games DESC, player;
