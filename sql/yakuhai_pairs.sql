-- title: Pairs of value tiles
-- group: calls
-- answers: What becomes of a hand dealt a pair of a dragon or a wind of value, ponned or not?
-- numerator: rounds that ended so
-- denominator: pairs of a dragon, the round's wind or the seat's own dealt in the first 13 tiles (n)
-- source: 役牌の鳴き; called: the seat made a pon of it at some point of the round
-- example: paifu stats yakuhai_pairs --lake games.lake
WITH dealt AS (
    SELECT
        game_id, round_index, seat, players, won, deal_ins, win_points, delta, round_wind, seat_wind,
        regexp_extract(haipai, '([1-7]+)z', 1) AS honours
    FROM round_seats
    WHERE haipai LIKE '%z'
),
pairs AS (
    SELECT *, tile || 'z' AS tile_text
    FROM dealt, (VALUES ('1'), ('2'), ('3'), ('4'), ('5'), ('6'), ('7')) AS tiles (tile)
    WHERE contains(honours, tile || tile) AND NOT contains(honours, tile || tile || tile)
        AND (tile > '4' OR tile::INTEGER - 1 IN (round_wind, seat_wind))
),
pons AS (
    SELECT game_id, round_index, seat, tile AS tile_text
    FROM actions
    WHERE action = 'pon' AND tile LIKE '%z'
)
SELECT
    players,
    CASE WHEN pons.seat IS NULL THEN 'not called' ELSE 'called' END AS choice,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM pairs
LEFT JOIN pons USING (game_id, round_index, seat, tile_text)
GROUP BY players, choice
ORDER BY players DESC, choice;
