-- title: Yaku under other rule sets
-- group: yaku
-- answers: Which yaku do the same wins have under each rule set that re-scored them?
-- numerator: wins with the yaku under that rule set
-- denominator: wins scored under that rule set (n)
-- source: ローカル役: first run paifu rescore --ruleset with a rule set that has them
-- example: paifu stats yaku_by_ruleset --lake games.lake
WITH scored AS (
    SELECT game_id, round_index, win_index, ruleset_hash, ruleset, players
    FROM scored_wins
    JOIN (SELECT game_id, players FROM games) AS games USING (game_id)
),
totals AS (SELECT players, ruleset, count(*) AS n FROM scored GROUP BY ALL)
SELECT
    players,
    ruleset,
    yaku,
    count(*) AS wins,
    any_value(n) AS n,
    count(*) / any_value(n) AS rate,
    rate_low(count(*), any_value(n)) AS low,
    rate_high(count(*), any_value(n)) AS high
FROM scored
JOIN scored_yaku USING (game_id, round_index, win_index, ruleset_hash)
JOIN totals USING (players, ruleset)
GROUP BY players, ruleset, yaku
ORDER BY players DESC, ruleset, wins DESC, yaku;
