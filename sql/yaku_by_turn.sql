-- title: Yaku by turn
-- group: yaku
-- answers: Which yaku do early and late wins have?
-- numerator: wins with the yaku in that span of turns
-- denominator: wins in that span whose yaku are known (n)
-- param: span count = 6 | How many turns one row covers.
-- param: source text = NULL (recorded, computed) | Yaku as recorded, or as the rules engine finds
--   them. By default: as recorded, or as computed if the record has none.
-- source: own; turn is the winner's own, 1 + discards made
-- example: paifu stats yaku_by_turn --lake games.lake --param span=3
WITH known AS (
    SELECT players, game_id, round_index, win_index, turn
    FROM win_facts
    WHERE getvariable('source') IS DISTINCT FROM 'computed'
        AND yaku_source = coalesce(getvariable('source'), yaku_source)
    UNION ALL
    SELECT players, game_id, round_index, win_index, turn
    FROM computed_win_facts
    WHERE getvariable('source') = 'computed' AND yaku_source IS NOT NULL
),
spans AS (
    SELECT
        players, game_id, round_index, win_index,
        1 + (turn - 1) // coalesce(getvariable('span'), 6) * coalesce(getvariable('span'), 6)
            AS from_turn
    FROM known
),
listed AS (
    SELECT game_id, round_index, win_index, yaku FROM yaku_facts
    WHERE getvariable('source') IS DISTINCT FROM 'computed'
    UNION ALL
    SELECT game_id, round_index, win_index, yaku FROM computed_yaku_facts
    WHERE getvariable('source') = 'computed'
),
totals AS (SELECT players, from_turn, count(*) AS n FROM spans GROUP BY ALL)
SELECT
    players,
    from_turn,
    from_turn + coalesce(getvariable('span'), 6) - 1 AS to_turn,
    yaku,
    count(*) AS wins,
    any_value(n) AS n,
    count(*) / any_value(n) AS rate,
    rate_low(count(*), any_value(n)) AS low,
    rate_high(count(*), any_value(n)) AS high
FROM spans
JOIN listed USING (game_id, round_index, win_index)
JOIN totals USING (players, from_turn)
GROUP BY players, from_turn, yaku
ORDER BY players DESC, from_turn, wins DESC, yaku;
