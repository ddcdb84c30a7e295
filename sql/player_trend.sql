-- title: Player trend by month
-- group: players
-- answers: How do a player's results change over the months?
-- numerator: as in players
-- denominator: rounds of the month (n), complete games of the month (n_games)
-- param: min_games int = 1 | Months with fewer complete games are left out.
-- source: own; months in Japan time; only games whose record gives a date
-- example: paifu stats player_trend --lake games.lake --player "name"
WITH who AS (
    SELECT
        game_id, seat, player, players, strftime(played_at + INTERVAL 9 HOUR, '%Y-%m') AS month,
        CASE WHEN complete OR detail = 'result' THEN placement END AS placement
    FROM seats
    JOIN games USING (game_id)
    WHERE NOT anonymous AND player IS NOT NULL AND played_at IS NOT NULL
)
SELECT
    player,
    who.players,
    month,
    count(placement) AS n_games,
    avg(placement) AS average_placement,
    avg((placement = who.players)::INTEGER) AS last_rate,
    coalesce(sum(rounds), 0)::BIGINT AS n,
    sum(wins) / nullif(n, 0) AS win_rate,
    sum(deal_in_rounds) / nullif(n, 0) AS deal_in_rate,
    sum(riichis) / nullif(n, 0) AS riichi_rate,
    sum(open_rounds) / nullif(n, 0) AS call_rate,
    sum(delta) / nullif(sum(rounds) FILTER (delta IS NOT NULL), 0) AS points_per_round
FROM who
LEFT JOIN game_seats USING (game_id, seat)
GROUP BY player, who.players, month
HAVING count(placement) >= coalesce(getvariable('min_games'), 1)
ORDER BY players DESC, player, month;
