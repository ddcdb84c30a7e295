-- title: Deal-ins around the dora
-- group: deal-in
-- answers: Are dora and the tiles near them more dangerous?
-- numerator: discards on which the threatening opponent won
-- denominator: discards of that class and nearness to a dora (n)
-- param: threat text = riichi (riichi, open) | Against a riichi, or against two or more open melds.
-- source: ドラそばの放銃率; near is within two of a dora in its suit
-- example: paifu stats deal_in_by_dora --lake games.lake
SELECT
    players,
    class,
    near_dora,
    count(*) AS n,
    count(*) FILTER (dealt_in) AS deal_ins,
    avg(dealt_in::INTEGER) AS rate,
    rate_low(count(*) FILTER (dealt_in), count(*)) AS low,
    rate_high(count(*) FILTER (dealt_in), count(*)) AS high
FROM discard_risks
WHERE threat = coalesce(getvariable('threat'), 'riichi')
GROUP BY ALL
ORDER BY players DESC, class, near_dora;
