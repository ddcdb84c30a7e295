-- title: Player trend by month
-- group: players
-- answers: How do a player's results change over the months?
-- numerator: as in players
-- denominator: rounds of the month (n), complete games of the month (n_games)
-- param: min_games int = 1 | Months with fewer complete games are left out.
-- source: own; months in Japan time where the record gives a date
-- example: paifu stats player_trend --lake games.lake --player "name"
WITH who AS (
    SELECT
        game_id, seat, player, players, placement, complete,
        strftime(played_at + INTERVAL 9 HOUR, '%Y-%m') AS month
    FROM seats
    JOIN games USING (game_id)
    WHERE NOT anonymous AND player IS NOT NULL AND played_at IS NOT NULL
),
placed AS (
    SELECT
        player, players, month,
        count(*) AS n_games,
        avg(placement) AS average_placement,
        avg((placement = players)::INTEGER) AS last_rate
    FROM who
    WHERE complete AND placement IS NOT NULL
    GROUP BY ALL
),
played AS (
    SELECT
        player,
        who.players,
        month,
        count(*) AS n,
        avg(won::INTEGER) AS win_rate,
        avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
        avg((riichi_turn IS NOT NULL)::INTEGER) AS riichi_rate,
        avg((calls > 0)::INTEGER) AS call_rate,
        avg(delta) AS points_per_round
    FROM round_seats
    JOIN who USING (game_id, seat)
    GROUP BY ALL
)
SELECT
    player, players, month, n_games, average_placement, last_rate,
    n, win_rate, deal_in_rate, riichi_rate, call_rate, points_per_round
FROM placed
LEFT JOIN played USING (player, players, month)
WHERE n_games >= coalesce(getvariable('min_games'), 1)
ORDER BY players DESC, player, month;
