-- title: Tiles outside early discards
-- group: deal-in
-- answers: Is a tile further out than an early discard of its suit safer (sotogawa)?
-- numerator: discards on which the threatening opponent won
-- denominator: discards of that class, outside an early discard or not (n)
-- param: threat text = riichi (riichi, open) | Against a riichi, or against two or more open melds.
-- source: 早切りの外側; outside: nearer to the 1 or 9 than a tile of its suit among the opponent's first
--   six discards before its riichi
-- example: paifu stats deal_in_by_outside --lake games.lake
SELECT
    players,
    class,
    outside_early AS outside,
    count(*) AS n,
    count(*) FILTER (dealt_in) AS deal_ins,
    avg(dealt_in::INTEGER) AS rate,
    rate_low(count(*) FILTER (dealt_in), count(*)) AS low,
    rate_high(count(*) FILTER (dealt_in), count(*)) AS high
FROM discard_risks
WHERE threat = coalesce(getvariable('threat'), 'riichi')
    AND class NOT IN ('genbutsu', 'honour')
GROUP BY players, class, outside
ORDER BY players DESC, class, outside;
