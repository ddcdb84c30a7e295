-- title: Han and fu
-- group: yaku
-- answers: How are wins distributed over han and fu?
-- numerator: wins of that han and fu
-- denominator: wins whose value is known (n)
-- param: won_by text = both (both, tsumo, ron) | Only wins by own draw, or on a discard.
-- param: source text = NULL (recorded, computed) | Values as recorded, or as the rules engine
--   computes them. By default: as recorded, or as computed if the record has none.
-- source: 翻・符の分布; a yakuman has no han here, but a counted yakuman has its han
-- example: paifu stats han_and_fu --lake games.lake
WITH sourced AS (
    SELECT players, tsumo, han, fu, yakuman, points FROM win_facts
    WHERE getvariable('source') IS NULL OR (getvariable('source') = 'recorded' AND source = 'recorded')
    UNION ALL
    SELECT players, tsumo, han, fu, yakuman, points FROM computed_win_facts
    WHERE getvariable('source') = 'computed'
)
SELECT
    players,
    han,
    CASE WHEN yakuman = 0 THEN fu END AS fu,
    yakuman,
    count(*) AS wins,
    sum(count(*)) OVER (PARTITION BY players)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS rate,
    avg(points) AS average_points
FROM sourced
WHERE points IS NOT NULL
    AND coalesce(getvariable('won_by'), 'both') IN ('both', CASE WHEN tsumo THEN 'tsumo' ELSE 'ron' END)
GROUP BY players, han, CASE WHEN yakuman = 0 THEN fu END, yakuman
ORDER BY players DESC, yakuman, han, fu;
