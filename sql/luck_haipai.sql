-- title: Luck of the deal
-- group: luck
-- answers: Were a player's first tiles better or worse than the average?
-- numerator: sums over the player's deals
-- denominator: rounds in which the player was dealt a hand (n)
-- param: min_rounds int = 1 | Players with fewer rounds are left out.
-- compares: players; the filter player selects rows, and the comparison is still with all players
-- source: own; better is how many shanten the player's haipai is below the average of all seats of
--   the games that count, with a 95 % interval
-- example: paifu stats luck_haipai --lake games.lake --param min_rounds=1000
WITH everybody AS (
    SELECT players, avg(haipai_shanten) AS average FROM round_seats GROUP BY players
),
dealt AS (
    SELECT
        player,
        round_seats.players,
        count(*) AS n,
        avg(haipai_shanten) AS average_shanten,
        stddev_samp(haipai_shanten) AS spread,
        count(*) FILTER (haipai_shanten <= 2) AS good,
        avg(haipai_dora) AS average_dora
    FROM round_seats
    JOIN seats USING (game_id, seat)
    WHERE haipai_shanten IS NOT NULL AND NOT anonymous AND player IS NOT NULL
    GROUP BY player, round_seats.players
    HAVING count(*) >= coalesce(getvariable('min_rounds'), 1)
)
SELECT
    player,
    players,
    n,
    average_shanten,
    average AS average_of_all,
    average - average_shanten AS better,
    1.959964 * spread / sqrt(n) AS plus_minus,
    good / n AS good_rate,
    rate_low(good, n) AS good_low,
    rate_high(good, n) AS good_high,
    average_dora
FROM dealt
JOIN everybody USING (players)
ORDER BY players DESC, better DESC, player;
