-- title: Busts
-- group: placement
-- answers: How often does a game end with a seat below zero, and how does it go there?
-- numerator: games in which the seat ended below zero; in its last round by each outcome
-- denominator: complete games by seat (n)
-- source: 飛び率 (final points below zero)
-- example: paifu stats busts --lake games.lake
WITH final AS (
    SELECT games.players, outcome, final_points < 0 AS bust
    FROM seats
    JOIN games USING (game_id)
    JOIN round_seats USING (game_id, seat)
    WHERE complete AND final_points IS NOT NULL AND round_index = rounds - 1
)
SELECT
    players,
    coalesce(outcome, 'all') AS last_round,
    count(*) FILTER (bust) AS busts,
    sum(count(*)) OVER (PARTITION BY players, grouping(outcome))::BIGINT AS n,
    count(*) FILTER (bust) / sum(count(*)) OVER (PARTITION BY players, grouping(outcome)) AS rate,
    rate_low(count(*) FILTER (bust), sum(count(*)) OVER (PARTITION BY players, grouping(outcome)))
        AS low,
    rate_high(count(*) FILTER (bust), sum(count(*)) OVER (PARTITION BY players, grouping(outcome)))
        AS high
FROM final
GROUP BY GROUPING SETS ((players), (players, outcome))
ORDER BY players DESC, grouping(outcome) DESC, busts DESC, last_round;
