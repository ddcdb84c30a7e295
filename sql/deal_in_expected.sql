-- title: Expected deal-ins
-- group: deal-in
-- answers: How many deal-ins were a player's discards worth, beside those that happened?
-- numerator: discards on which a threatening opponent won; sum of the chances of that
-- denominator: discards against an opponent in riichi or with two or more open melds (n)
-- param: min_n int = 100 | Players with a smaller n are left out.
-- source: the deal-in model of docs/models.md (views and models are filled by paifu value); a
--   discard against two opponents counts twice. above is how many deal-ins more than expected, sd
--   its standard deviation by chance alone: a difference within two sd can be chance. The chance is
--   that of the tile by what all could see: a player who reads hands better deals in less often
--   than expected; who folds more has a lower average_chance. People choose their discards, so this
--   is not what a tile would cost anyone
-- example: paifu stats deal_in_expected --lake games.lake --param min_n=1000
SELECT
    c.players,
    player,
    count(*) AS n,
    avg((class = 'genbutsu')::INTEGER) AS genbutsu_rate,
    count(*) FILTER (dealt_in) AS deal_ins,
    sum(deal_in_chance) AS expected,
    avg(deal_in_chance) AS average_chance,
    count(*) FILTER (dealt_in) - sum(deal_in_chance) AS above,
    sqrt(sum(deal_in_chance * (1 - deal_in_chance))) AS sd
FROM deal_in_chances AS c
JOIN (SELECT game_id, seat, player FROM seats WHERE NOT anonymous AND player IS NOT NULL)
    USING (game_id, seat)
GROUP BY c.players, player
HAVING count(*) >= coalesce(getvariable('min_n'), 100)
ORDER BY players DESC, average_chance, player;
