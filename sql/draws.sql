-- title: Draws
-- group: draws
-- answers: How often is a round drawn, who is tenpai, and what does it bring?
-- numerator: rounds drawn; of them rounds tenpai at the draw
-- denominator: rounds played by a seat (n_rounds); drawn rounds (n)
-- param: draws text = exhaustive (exhaustive, all) | exhaustive: with nagashi mangan; all: abortive
--   draws too, as Mortal counts.
-- source: 流局率, 流局聴牌率 (amae-koromo)
-- example: paifu stats draws --lake games.lake --param draws=all
WITH ended AS (
    SELECT
        *,
        outcome IN ('draw_tenpai', 'draw_noten', 'nagashi')
        OR (coalesce(getvariable('draws'), 'exhaustive') = 'all' AND outcome = 'abort') AS drawn
    FROM round_seats
)
SELECT
    players,
    coalesce(state_end, 'all') AS state,
    count(*) FILTER (drawn) AS n,
    count(*) AS n_rounds,
    avg(drawn::INTEGER) AS draw_rate,
    rate_low(count(*) FILTER (drawn), count(*)) AS low,
    rate_high(count(*) FILTER (drawn), count(*)) AS high,
    avg(tenpai_at_draw::INTEGER) FILTER (drawn) AS tenpai_rate,
    avg(delta) FILTER (drawn) AS balance
FROM ended
GROUP BY GROUPING SETS ((players), (players, state_end))
ORDER BY players DESC, grouping(state_end) DESC, state;
