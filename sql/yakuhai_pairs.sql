-- title: Pairs of value tiles
-- group: calls
-- answers: How do rounds end for a hand dealt a pair of yakuhai, with or without a pon of it?
-- numerator: rounds that ended in each way
-- denominator: pairs of a dragon, of the round's wind or of the seat's wind in the first 13 tiles
--   (n)
-- source: 役牌の鳴き; called: the seat made a pon of it at some point of the round
-- example: paifu stats yakuhai_pairs --lake games.lake
WITH pairs AS (
    -- a round counts n times, once for each such pair that was dealt
    SELECT *, 'called' AS choice, yakuhai_pairs_called::INTEGER AS n FROM round_seats
    WHERE yakuhai_pairs_called > 0
    UNION ALL
    SELECT *, 'not called' AS choice, yakuhai_pairs - yakuhai_pairs_called AS n FROM round_seats
    WHERE yakuhai_pairs > yakuhai_pairs_called
),
parts AS (
    SELECT
        players,
        choice,
        game_id & 255 AS part,
        sum(n) AS n,
        coalesce(sum(n) FILTER (won), 0) AS wins,
        sum(n) FILTER (deal_ins > 0) AS deal_in_rounds,
        sum(n * win_points) FILTER (won) AS points,
        sum(n) FILTER (won AND win_points IS NOT NULL) AS n_points,
        sum(n * delta) AS delta,
        sum(n) FILTER (delta IS NOT NULL) AS n_delta
    FROM pairs
    GROUP BY ALL
)
SELECT
    players,
    choice,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(wins) / sum(n) AS win_rate,
    clustered_low(wins, n) AS low,
    clustered_high(wins, n) AS high,
    coalesce(sum(deal_in_rounds), 0) / sum(n) AS deal_in_rate,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, choice
ORDER BY players DESC, choice;
