-- title: Luck of the deal
-- group: luck
-- answers: Were a player's first tiles better or worse than everybody's?
-- numerator: sums over the player's deals
-- denominator: rounds the player was dealt (n)
-- param: min_rounds int = 1 | Players with fewer rounds are left out.
-- source: own; better is how many shanten below the average of all seats of the games that count, with
--   a 95 % interval; --player leaves nobody to compare with, --param min_rounds does not
-- example: paifu stats luck_haipai --lake games.lake --param min_rounds=1000
WITH dealt AS (
    SELECT
        player, anonymous, games.players, haipai_shanten, haipai_dora,
        avg(haipai_shanten) OVER (PARTITION BY games.players) AS everybody
    FROM round_seats
    JOIN seats USING (game_id, seat)
    JOIN games USING (game_id)
    WHERE haipai_shanten IS NOT NULL
)
SELECT
    player,
    players,
    count(*) AS n,
    avg(haipai_shanten) AS average_shanten,
    any_value(everybody) AS average_of_all,
    any_value(everybody) - avg(haipai_shanten) AS better,
    1.959964 * stddev_samp(haipai_shanten) / sqrt(count(*)) AS plus_minus,
    avg((haipai_shanten <= 2)::INTEGER) AS good_rate,
    rate_low(count(*) FILTER (haipai_shanten <= 2), count(*)) AS good_low,
    rate_high(count(*) FILTER (haipai_shanten <= 2), count(*)) AS good_high,
    avg(haipai_dora) AS average_dora
FROM dealt
WHERE NOT anonymous AND player IS NOT NULL
GROUP BY player, players
HAVING count(*) >= coalesce(getvariable('min_rounds'), 1)
ORDER BY players DESC, better DESC, player;
