-- title: Player profiles
-- group: players
-- answers: How does each player play? One row holds the whole profile.
-- numerator: as each column's name says, over the player's rounds, wins, riichis, calls or games
-- denominator: rounds played (n), complete games (n_games), wins (n_wins), riichis (n_riichis),
--   rounds with a call (n_open), deal-ins (n_deal_ins), exhaustive draws (n_draws); for
--   ippatsu_rate riichi wins (n_riichi_wins), for ura_rate those whose ura are known (n_ura); for
--   bust_rate games with known points (n_points), for average_result games with a known result
--   (n_results)
-- param: min_games int = 1 | Players with fewer complete games are left out.
-- param: double_ron text = round (round, event) | A double ron counts as one deal-in, as in
--   amae-koromo, or as one deal-in for each winner, as in Mortal.
-- param: custom bool = false | bust_rate and average_result also count games of lobbies and rooms
--   with their own settings (rule sets tenhou-custom, majsoul-custom), which may begin with other
--   points.
-- source: amae-koromo playerDetails.tsx with its denominators; points of wins without honba and
--   sticks
-- example: paifu stats players --lake games.lake --param min_games=300
WITH who AS (
    SELECT
        game_id, seat, player, players,
        CASE WHEN coalesce(getvariable('custom'), false) OR NOT contains(ruleset, '-custom')
            THEN final_points
        END AS final_points,
        CASE WHEN coalesce(getvariable('custom'), false) OR NOT contains(ruleset, '-custom')
            THEN result
        END AS result,
        CASE WHEN complete OR detail = 'result' THEN placement END AS placement
    FROM seats
    JOIN games USING (game_id)
    WHERE NOT anonymous AND player IS NOT NULL
),
riichi_won AS (
    SELECT
        player,
        who.players,
        count(*) AS n_riichi_wins,
        avg(ippatsu::INTEGER) AS ippatsu_rate,
        count(ura_han) AS n_ura,
        avg((ura_han > 0)::INTEGER) AS ura_rate
    FROM win_facts
    JOIN who ON who.game_id = win_facts.game_id AND who.seat = winner
    WHERE riichi
    GROUP BY player, who.players
),
played AS (
    -- a sum with a name can be used by that name further down
    SELECT
        player,
        who.players,
        count(placement) AS n_games,
        avg(placement) AS average_placement,
        avg((placement = 1)::INTEGER) AS first_rate,
        avg((placement <= 2)::INTEGER) AS top_two_rate,
        avg((placement = who.players)::INTEGER) AS last_rate,
        count(final_points) FILTER (placement IS NOT NULL) AS n_points,
        avg((final_points < 0)::INTEGER) FILTER (placement IS NOT NULL) AS bust_rate,
        count(result) FILTER (placement IS NOT NULL) AS n_results,
        avg(result) FILTER (placement IS NOT NULL) AS average_result,
        coalesce(sum(rounds), 0)::BIGINT AS n,
        coalesce(sum(wins), 0)::BIGINT AS n_wins,
        n_wins / nullif(n, 0) AS win_rate,
        rate_low(n_wins, n) AS win_low,
        rate_high(n_wins, n) AS win_high,
        coalesce(sum(deal_in_rounds), 0)::BIGINT AS n_deal_in_rounds,
        CASE coalesce(getvariable('double_ron'), 'round')
            WHEN 'event' THEN coalesce(sum(deal_ins), 0)::BIGINT ELSE n_deal_in_rounds
        END AS n_deal_ins,
        n_deal_ins / nullif(n, 0) AS deal_in_rate,
        rate_low(n_deal_in_rounds, n) AS deal_in_low,
        rate_high(n_deal_in_rounds, n) AS deal_in_high,
        coalesce(sum(riichis), 0)::BIGINT AS n_riichis,
        n_riichis / nullif(n, 0) AS riichi_rate,
        coalesce(sum(open_rounds), 0)::BIGINT AS n_open,
        n_open / nullif(n, 0) AS call_rate,
        coalesce(sum(draws), 0)::BIGINT AS n_draws,
        n_draws / nullif(n, 0) AS draw_rate,
        sum(draw_tenpai) / nullif(sum(draws) FILTER (draw_tenpai IS NOT NULL), 0)
            AS draw_tenpai_rate,
        sum(tsumo_wins) / nullif(n_wins, 0) AS tsumo_rate,
        sum(closed_wins) / nullif(n_wins, 0) AS dama_rate,
        sum(win_points) / nullif(sum(wins) FILTER (win_points IS NOT NULL), 0) AS average_win,
        sum(win_turns) / nullif(n_wins, 0) AS average_win_turn,
        sum(deal_in_points) / nullif(sum(deal_in_rounds) FILTER (deal_in_points IS NOT NULL), 0)
            AS average_deal_in,
        n_wins / n * average_win AS win_efficiency,
        n_deal_in_rounds / n * average_deal_in AS deal_in_loss,
        win_efficiency - deal_in_loss AS net_efficiency,
        sum(deal_in_riichi) / nullif(n_deal_in_rounds, 0) AS deal_in_riichi_rate,
        sum(deal_in_open) / nullif(n_deal_in_rounds, 0) AS deal_in_open_rate,
        sum(deal_in_tenpai) / nullif(sum(deal_in_rounds) FILTER (deal_in_tenpai IS NOT NULL), 0)
            AS deal_in_tenpai_rate,
        sum(riichi_turns) / nullif(n_riichis, 0) AS average_riichi_turn,
        sum(riichi_wins) / nullif(n_riichis, 0) AS riichi_win_rate,
        sum(riichi_deal_ins) / nullif(n_riichis, 0) AS riichi_deal_in_rate,
        sum(riichi_deal_ins - riichi_ronned) / nullif(n_riichis, 0)
            AS riichi_deal_in_rate_after_declaration,
        sum(riichi_draws) / nullif(n_riichis, 0) AS riichi_draw_rate,
        sum(riichi_delta) / nullif(sum(riichis) FILTER (riichi_delta IS NOT NULL), 0)
            AS riichi_balance,
        sum(riichi_win_delta) / nullif(sum(riichi_wins) FILTER (riichi_win_delta IS NOT NULL), 0)
            AS riichi_income,
        -sum(riichi_deal_in_delta)
            / nullif(sum(riichi_deal_ins) FILTER (riichi_deal_in_delta IS NOT NULL), 0)
            AS riichi_expense,
        sum(first_riichis) / nullif(n_riichis, 0) AS first_riichi_rate,
        1 - first_riichi_rate AS chasing_rate,
        sum(chased_riichis) / nullif(n_riichis, 0) AS chased_rate,
        sum(furiten_riichis) / nullif(n_riichis, 0) AS furiten_riichi_rate,
        sum(multi_wait_riichis) / nullif(sum(riichis) FILTER (multi_wait_riichis IS NOT NULL), 0)
            AS multi_wait_rate,
        sum(good_wait_riichis) / nullif(sum(riichis) FILTER (good_wait_riichis IS NOT NULL), 0)
            AS good_wait_rate,
        sum(open_wins) / nullif(n_open, 0) AS open_win_rate,
        sum(open_deal_ins) / nullif(n_open, 0) AS open_deal_in_rate,
        sum(open_draws) / nullif(n_open, 0) AS open_draw_rate,
        sum(calls) / nullif(n_open, 0) AS calls_per_open_round,
        sum(dealer_wins) / nullif(sum(dealer_rounds), 0) AS dealer_win_rate,
        sum(dealer_mangan_hits) / nullif(sum(dealer_hits), 0) AS dealer_hit_by_mangan_rate,
        sum(dealer_mangan_points) / nullif(sum(dealer_mangan_hits), 0)
            AS dealer_hit_by_mangan_points,
        sum(haipai_shanten) / nullif(sum(rounds) FILTER (haipai_shanten IS NOT NULL), 0)
            AS average_haipai_shanten,
        sum(delta) / nullif(sum(rounds) FILTER (delta IS NOT NULL), 0) AS points_per_round
    FROM who
    LEFT JOIN game_seats USING (game_id, seat)
    GROUP BY player, who.players
    HAVING count(placement) >= coalesce(getvariable('min_games'), 1)
)
SELECT
    played.* EXCLUDE (n_deal_in_rounds),
    coalesce(n_riichi_wins, 0) AS n_riichi_wins,
    ippatsu_rate,
    coalesce(n_ura, 0) AS n_ura,
    ura_rate
FROM played
LEFT JOIN riichi_won USING (player, players)
ORDER BY players DESC, n_games DESC, average_placement, player;
