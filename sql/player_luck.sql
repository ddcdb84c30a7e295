-- title: Luck of players
-- group: luck
-- answers: Did a player's riichis win as often as their waits deserved, and was it the wall?
-- numerator: riichis won; winning tiles in the wall; ura han
-- denominator: the player's riichis whose wall is known (n), of them wins (n_wins)
-- param: min_riichis int = 1 | Players with fewer such riichis are left out.
-- compares: players; the filter player picks rows and leaves the others to compare with
-- source: own; deserved is the win rate of all riichis of the games that count with as many live tiles
--   (twelve and more as twelve) and draws left (by twelves); fair_in_wall what such waits held on
--   average; --player leaves nobody to compare with, --param min_riichis does not
-- example: paifu stats player_luck --lake games.lake --param min_riichis=100
WITH waits AS (
    SELECT
        game_id, seat, players, won, riichi_live, riichi_in_wall, luck.ura_han,
        avg(won::INTEGER) OVER alike AS deserved,
        avg(riichi_in_wall) OVER alike AS fair_in_wall,
        avg(luck.ura_han) FILTER (won) OVER (PARTITION BY players) AS fair_ura
    FROM luck
    JOIN round_seats USING (game_id, round_index, seat)
    WHERE riichi_in_wall IS NOT NULL
    WINDOW alike AS (PARTITION BY players, least(riichi_live, 12), riichi_tiles_left // 12)
)
SELECT
    player,
    waits.players,
    count(*) AS n,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg(deserved) AS deserved_rate,
    sum(won::INTEGER - deserved) AS wins_above_deserved,
    avg(riichi_live) AS average_live,
    avg(riichi_in_wall) AS average_in_wall,
    avg(fair_in_wall) AS fair_in_wall,
    count(*) FILTER (won) AS n_wins,
    avg(ura_han) FILTER (won) AS average_ura,
    any_value(fair_ura) AS fair_ura
FROM waits
JOIN seats USING (game_id, seat)
WHERE NOT anonymous AND player IS NOT NULL
GROUP BY player, waits.players
HAVING count(*) >= coalesce(getvariable('min_riichis'), 1)
ORDER BY players DESC, wins_above_deserved DESC, n DESC, player;
