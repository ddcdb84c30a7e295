-- title: Player percentiles
-- group: players
-- answers: How does each player rank among the players with enough games?
-- numerator: players with a lower value of the measure
-- denominator: players with at least min_games games (n_players), minus one
-- param: min_games int = 100 | Players with fewer complete games are not compared.
-- compares: players; the filter player selects rows, and the comparison is still with all players
-- source: percentiles as asked for in amae-koromo #59; its rankings require 300 to 10,000 games; a
--   low average placement and a low deal-in rate are better, so their percentiles count players
--   with a higher value
-- example: paifu stats player_percentiles --lake games.lake --param min_games=300
WITH profile AS (
    SELECT
        player,
        game_seats.players,
        count(*) AS n_games,
        avg(placement) AS average_placement,
        sum(game_seats.rounds)::BIGINT AS n,
        sum(wins) / n AS win_rate,
        sum(deal_in_rounds) / n AS deal_in_rate,
        sum(riichis) / n AS riichi_rate,
        sum(open_rounds) / n AS call_rate,
        sum(win_points) / nullif(sum(wins) FILTER (win_points IS NOT NULL), 0) AS average_win,
        sum(delta) / nullif(sum(game_seats.rounds) FILTER (delta IS NOT NULL), 0)
            AS points_per_round
    FROM seats
    JOIN games USING (game_id)
    JOIN game_seats USING (game_id, seat)
    WHERE NOT anonymous AND player IS NOT NULL AND complete AND placement IS NOT NULL
        AND games.rounds > 0
    GROUP BY player, game_seats.players
    HAVING count(*) >= coalesce(getvariable('min_games'), 100)
)
SELECT
    player,
    players,
    n_games,
    count(*) OVER (PARTITION BY players) AS n_players,
    n,
    average_placement,
    percent_rank() OVER (PARTITION BY players ORDER BY average_placement DESC) AS placement_pct,
    win_rate,
    percent_rank() OVER (PARTITION BY players ORDER BY win_rate) AS win_pct,
    deal_in_rate,
    percent_rank() OVER (PARTITION BY players ORDER BY deal_in_rate DESC) AS deal_in_pct,
    riichi_rate,
    percent_rank() OVER (PARTITION BY players ORDER BY riichi_rate) AS riichi_pct,
    call_rate,
    percent_rank() OVER (PARTITION BY players ORDER BY call_rate) AS call_pct,
    average_win,
    percent_rank() OVER (PARTITION BY players ORDER BY average_win) AS average_win_pct,
    points_per_round,
    percent_rank() OVER (PARTITION BY players ORDER BY points_per_round) AS points_pct
FROM profile
QUALIFY count(*) OVER (PARTITION BY players) > 1 -- alone, a player stands nowhere
ORDER BY players DESC, average_placement, player;
