-- title: Expected riichi wins
-- group: riichi
-- answers: How many of a player's riichis should have won, by what the player saw and by what the
--   wall held?
-- numerator: riichis that won; sum of the chances to win
-- denominator: accepted riichis (n); those whose wall is known (n_wall)
-- param: min_n int = 1 | Players with a smaller n are left out.
-- source: the riichi models of docs/models.md (filled by paifu value). average_chance is the
--   player's choice of waits and moments. wall_luck is what the wall added to the chances, rest what
--   other players' acts and the order of draws added: both in wins, over the riichis whose wall is
--   known. sd is the standard deviation of above by chance alone
-- example: paifu stats riichi_expected --lake games.lake --param min_n=100
SELECT
    c.players,
    player,
    count(*) AS n,
    count(*) FILTER (won) AS wins,
    sum(win_chance) AS expected,
    avg(win_chance) AS average_chance,
    count(*) FILTER (won) - sum(win_chance) AS above,
    sqrt(sum(win_chance * (1 - win_chance))) AS sd,
    count(win_chance_by_wall) AS n_wall,
    sum(win_chance_by_wall - win_chance) AS wall_luck,
    count(*) FILTER (won AND win_chance_by_wall IS NOT NULL) - sum(win_chance_by_wall) AS rest
FROM riichi_chances AS c
JOIN (SELECT game_id, seat, player FROM seats WHERE NOT anonymous AND player IS NOT NULL)
    USING (game_id, seat)
GROUP BY c.players, player
HAVING count(*) >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, average_chance DESC, player;
