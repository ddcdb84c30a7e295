-- title: Pairs of yaku
-- group: yaku
-- answers: Which yaku come together, and how much more often than if they were independent?
-- numerator: wins with both yaku
-- denominator: wins whose yaku are known (n); lift is the rate over the product of both rates
-- param: min_wins int = 10 | Pairs with fewer wins are left out.
-- param: dora bool = false | Count dora, ura, red fives and norths as yaku.
-- param: source text = NULL (recorded, computed) | Yaku as recorded, or as the rules engine finds
--   them. By default: as recorded, or as computed if the record has none.
-- source: own
-- example: paifu stats yaku_pairs --lake games.lake --param min_wins=100
WITH sourced AS (
    SELECT game_id, round_index, win_index, yaku FROM yaku_facts
    WHERE getvariable('source') IS NULL OR (getvariable('source') = 'recorded' AND source = 'recorded')
    UNION ALL
    SELECT game_id, round_index, win_index, yaku FROM computed_yaku_facts
    WHERE getvariable('source') = 'computed'
),
combinations AS MATERIALIZED (
    -- group wins with exactly the same yaku; there are only a few thousand groups
    SELECT players, yaku, count(*) AS wins
    FROM (
        SELECT game_id, round_index, win_index, list(yaku) AS yaku
        FROM sourced
        WHERE coalesce(getvariable('dora'), false)
            OR yaku NOT IN ('dora', 'ura_dora', 'aka_dora', 'kita')
        GROUP BY ALL
    )
    JOIN (SELECT game_id, players FROM games) USING (game_id)
    GROUP BY ALL
),
totals AS (SELECT players, sum(wins)::BIGINT AS n FROM combinations GROUP BY players),
single AS (
    SELECT players, yaku, sum(wins)::BIGINT AS wins
    FROM (SELECT players, unnest(yaku) AS yaku, wins FROM combinations)
    GROUP BY ALL
),
pairs AS (
    SELECT players, yaku, other, sum(wins)::BIGINT AS wins
    FROM (
        SELECT players, unnest(yaku) AS yaku, all_yaku, wins
        FROM (SELECT *, yaku AS all_yaku FROM combinations)
    ), unnest(all_yaku) AS others (other)
    WHERE yaku < other
    GROUP BY ALL
    HAVING sum(wins) >= coalesce(getvariable('min_wins'), 10)
)
SELECT
    players,
    pairs.yaku,
    pairs.other,
    pairs.wins,
    n,
    pairs.wins / n AS rate,
    pairs.wins * n / (one.wins * two.wins) AS lift
FROM pairs
JOIN totals USING (players)
JOIN single AS one USING (players, yaku)
JOIN single AS two ON two.players = pairs.players AND two.yaku = pairs.other
ORDER BY players DESC, pairs.wins DESC, pairs.yaku, pairs.other;
