-- title: Limit hands
-- group: yaku
-- answers: How many wins reach mangan or more, by state of the winner?
-- numerator: wins of that limit
-- denominator: wins in that state whose value is known (n)
-- param: source text = NULL (recorded, computed) | Values as recorded, or as the rules engine
--   computes them. By default: as recorded, or as computed if the record has none.
-- source: 満貫以上の割合
-- example: paifu stats limits --lake games.lake
WITH sourced AS (
    SELECT players, winner_state, "limit", points FROM win_facts
    WHERE getvariable('source') IS NULL OR (getvariable('source') = 'recorded' AND source = 'recorded')
    UNION ALL
    SELECT players, winner_state, "limit", points FROM computed_win_facts
    WHERE getvariable('source') = 'computed'
)
SELECT
    players,
    winner_state AS state,
    "limit",
    count(*) AS wins,
    sum(count(*)) OVER (PARTITION BY players, winner_state)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players, winner_state) AS rate,
    avg(points) AS average_points
FROM sourced
WHERE "limit" IS NOT NULL
GROUP BY players, winner_state, "limit"
ORDER BY
    players DESC, state,
    list_position(
        ['none', 'mangan', 'haneman', 'baiman', 'sanbaiman', 'kazoe', 'yakuman'], "limit"
    );
