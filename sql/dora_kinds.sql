-- title: Dora in wins
-- group: yaku
-- answers: How many dora, red fives, ura and norths does a win have, and how many points?
-- numerator: wins with that many han of that kind
-- denominator: wins that can have that kind (n): aka in games with red fives, ura in riichi wins,
--   kita with three players
-- param: source text = NULL (recorded, computed) | Values as recorded, or as the rules engine
--   computes them. By default: as recorded, or as computed if the record has none.
-- source: ドラの枚数; ura with 0 han is a riichi win without ura dora (裏ドラ率 is 1 - its rate); Tenhou's
--   records count set-aside norths as dora
-- example: paifu stats dora_kinds --lake games.lake
WITH sourced AS (
    SELECT players, yakuman, points, aka, dora_han, aka_han, ura_han, kita_han FROM win_facts
    WHERE getvariable('source') IS NULL OR (getvariable('source') = 'recorded' AND source = 'recorded')
    UNION ALL
    SELECT players, yakuman, points, aka, dora_han, aka_han, ura_han, kita_han
    FROM computed_win_facts
    WHERE getvariable('source') = 'computed'
),
kinds AS (
    UNPIVOT (
        SELECT
            players, points, dora_han AS dora, CASE WHEN sourced.aka THEN aka_han END AS aka,
            ura_han AS ura, CASE players WHEN 3 THEN kita_han END AS kita
        FROM sourced
        WHERE yakuman = 0
    )
    ON dora, aka, ura, kita INTO NAME kind VALUE han
)
SELECT
    players,
    kind,
    han,
    count(*) AS wins,
    sum(count(*)) OVER (PARTITION BY players, kind)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players, kind) AS rate,
    avg(points) AS average_points
FROM kinds
GROUP BY players, kind, han
ORDER BY players DESC, kind, han;
