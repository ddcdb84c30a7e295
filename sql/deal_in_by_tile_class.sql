-- title: Deal-ins by tile class
-- group: deal-in
-- answers: How dangerous is each class of tile against a riichi or an open hand?
-- numerator: discards of the class on which that opponent won
-- denominator: discards of the class while that opponent threatened (n)
-- param: threat text = riichi (riichi, open) | Against a riichi, or against two or more open melds.
-- param: min_n int = 1 | Classes with a smaller n are left out.
-- source: 無筋・筋・字牌の放銃率; classes as in column tile_class of discard_risks, honours by live copies
-- example: paifu stats deal_in_by_tile_class --lake games.lake --param threat=open
SELECT
    players,
    class,
    CASE WHEN class = 'honour' THEN live END AS live,
    count(*) AS n,
    count(*) FILTER (dealt_in) AS deal_ins,
    avg(dealt_in::INTEGER) AS rate,
    rate_low(count(*) FILTER (dealt_in), count(*)) AS low,
    rate_high(count(*) FILTER (dealt_in), count(*)) AS high
FROM discard_risks
WHERE threat = coalesce(getvariable('threat'), 'riichi')
GROUP BY players, class, CASE WHEN class = 'honour' THEN live END
HAVING count(*) >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, rate DESC, class, live;
