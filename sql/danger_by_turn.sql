-- title: Danger by turn
-- group: deal-in
-- answers: How does the danger of a class of tile rise in the turns after a riichi?
-- numerator: discards on which the opponent in riichi won
-- denominator: discards of that class, by how many discards the opponent had made since its riichi
--   (n)
-- source: リーチ後巡目別放銃率; threat_turn counts the opponent's discards since its riichi
-- example: paifu stats danger_by_turn --lake games.lake
SELECT
    players,
    class,
    threat_turn,
    count(*) AS n,
    count(*) FILTER (dealt_in) AS deal_ins,
    avg(dealt_in::INTEGER) AS rate,
    rate_low(count(*) FILTER (dealt_in), count(*)) AS low,
    rate_high(count(*) FILTER (dealt_in), count(*)) AS high
FROM discard_risks
WHERE threat = 'riichi'
GROUP BY ALL
ORDER BY players DESC, class, threat_turn;
