-- title: Walls and one-chance tiles
-- group: deal-in
-- answers: How much safer is a tile if the discarder sees all copies of a neighbour, or all but
--   one?
-- numerator: discards on which the threatening opponent won
-- denominator: discards of number tiles of that class that are neither genbutsu nor suji, by the
--   copies of a neighbour that are left (n)
-- param: threat text = riichi (riichi, open) | Against a riichi, or against two or more open melds.
-- source: ノーチャンス・ワンチャンス: a ryanmen needs two neighbours of the tile; copies_left is how many
--   copies of the scarcer one the discarder could not see, on the side where more are left; 0 is a
--   no-chance tile, 1 a one-chance tile. Only tiles that people chose to discard
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
