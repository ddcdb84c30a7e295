-- title: Walls and one-chance tiles
-- group: deal-in
-- answers: How much safer is a tile of whose neighbours only one copy is left to be seen, or none?
-- numerator: discards the threatening opponent won on
-- denominator: discards of number tiles that are neither genbutsu nor suji, of that class, with so many
--   copies of a neighbour left (n)
-- param: threat text = riichi (riichi, open) | Against a riichi, or two open melds and more.
-- source: ノーチャンス・ワンチャンス: copies_left are those the discarder could not see of the scarcer of the
--   two neighbours a ryanmen needs, on the side where most are left; 0 is a no-chance tile, 1 a
--   one-chance tile. Of the tiles people chose to discard
-- example: paifu stats deal_in_by_wall --lake games.lake
SELECT
    players,
    CASE WHEN chance = 0 THEN 'no_chance' ELSE class END AS class,
    chance AS copies_left,
    count(*) AS n,
    count(*) FILTER (dealt_in) AS deal_ins,
    avg(dealt_in::INTEGER) AS rate,
    rate_low(count(*) FILTER (dealt_in), count(*)) AS low,
    rate_high(count(*) FILTER (dealt_in), count(*)) AS high
FROM discard_risks
WHERE threat = coalesce(getvariable('threat'), 'riichi') AND chance IS NOT NULL
GROUP BY ALL
ORDER BY players DESC, class, copies_left;
