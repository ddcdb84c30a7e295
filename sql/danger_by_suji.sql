-- title: Danger by suji left
-- group: deal-in
-- answers: How does the danger of a number tile rise as fewer suji are left that have not passed?
-- numerator: discards the threatening opponent won on
-- denominator: discards of number tiles it could win on, of so many suji, with so many left (n)
-- param: threat text = riichi (riichi, open) | Against a riichi, or two open melds and more.
-- param: min_n int = 1 | Rows seen less often are left out.
-- source: 残り筋: of the 18 pairs of number tiles three apart (12 with three players) those of which the
--   opponent has discarded neither, nor, in riichi, let one pass; tile_suji are those the tile belongs
--   to: 0 for a suji, 1 for 1 2 3 7 8 9 and half a suji, 2 for 4 5 6. Of the tiles people chose to
--   discard: what they held back does not count, and who pushes has a reason to
-- example: paifu stats danger_by_suji --lake games.lake --param threat=open
SELECT
    players,
    tile_suji,
    suji_left,
    count(*) AS n,
    count(*) FILTER (dealt_in) AS deal_ins,
    avg(dealt_in::INTEGER) AS rate,
    rate_low(count(*) FILTER (dealt_in), count(*)) AS low,
    rate_high(count(*) FILTER (dealt_in), count(*)) AS high,
    avg(turn) AS average_turn
FROM discard_risks
WHERE threat = coalesce(getvariable('threat'), 'riichi')
    AND class NOT IN ('genbutsu', 'honour')
    AND suji_left IS NOT NULL
GROUP BY players, tile_suji, suji_left
HAVING count(*) >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, tile_suji DESC, suji_left DESC;
