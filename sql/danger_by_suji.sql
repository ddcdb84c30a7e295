-- title: Danger by suji left
-- group: deal-in
-- answers: How does the danger of a number tile rise as fewer suji are left?
-- numerator: discards on which the threatening opponent won
-- denominator: discards of number tiles on which it could win, by the suji of the tile and the suji
--   left (n)
-- param: threat text = riichi (riichi, open) | Against a riichi, or against two or more open melds.
-- param: min_n int = 1 | Rows with a smaller n are left out.
-- source: 残り筋: there are 18 pairs of number tiles three apart (12 with three players); suji left
--   are the pairs of which the opponent has discarded neither tile and, in riichi, let neither
--   pass; tile_suji is the number of these pairs with the tile: 0 for a suji, 1 for 1 2 3 7 8 9 and
--   half a suji, 2 for 4 5 6. Only tiles that people chose to discard: tiles that they kept do not
--   count, and a player who pushes has a reason
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
