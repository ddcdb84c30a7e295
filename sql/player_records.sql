-- title: Records of players
-- group: players
-- answers: What are each player's records: most han, points and honba, and how many yakuman?
-- numerator: wins and rounds in which it happened; the largest of them
-- denominator: rounds played (n)
-- param: min_games int = 1 | Players with fewer games are left out.
-- source: 最大番数, 役満, 数え役満, 流し満貫, ダブル立直, 最大连庄 (amae-koromo playerDetails.tsx); a double
--   riichi counts when it is declared; the longest streak is the most honba held as the dealer
-- example: paifu stats player_records --lake games.lake --param min_games=100
WITH who AS (
    SELECT game_id, seat, player, players
    FROM seats
    JOIN games USING (game_id)
    WHERE NOT anonymous AND player IS NOT NULL AND rounds > 0
),
sat AS (
    SELECT player, players, count(*) AS n_games
    FROM who
    GROUP BY ALL
    HAVING count(*) >= coalesce(getvariable('min_games'), 1)
),
played AS (
    SELECT
        player,
        who.players,
        count(*) AS n,
        count(*) FILTER (outcome = 'nagashi') AS nagashi,
        count(*) FILTER (riichi_double) AS double_riichi,
        max(points_end) AS most_points,
        min(points_end) AS fewest_points,
        max(deal_in_points) AS largest_deal_in
    FROM round_seats
    JOIN who USING (game_id, seat)
    GROUP BY ALL
),
dealt AS (
    SELECT player, players, max(honba) AS longest_streak
    FROM rounds
    JOIN who ON who.game_id = rounds.game_id AND who.seat = dealer
    GROUP BY ALL
),
won AS (
    SELECT
        player,
        who.players,
        max(points) AS largest_win,
        max(han) AS most_han,
        count(*) FILTER (yakuman > 0) AS yakuman,
        count(*) FILTER ("limit" = 'kazoe') AS kazoe_yakuman
    FROM win_facts
    JOIN who ON who.game_id = win_facts.game_id AND who.seat = winner
    GROUP BY ALL
)
SELECT
    player,
    players,
    n_games,
    n,
    largest_win,
    most_han,
    coalesce(yakuman, 0) AS yakuman,
    coalesce(yakuman, 0) / n AS yakuman_rate,
    rate_low(coalesce(yakuman, 0), n) AS yakuman_low,
    rate_high(coalesce(yakuman, 0), n) AS yakuman_high,
    coalesce(kazoe_yakuman, 0) AS kazoe_yakuman,
    nagashi,
    double_riichi,
    longest_streak,
    largest_deal_in,
    most_points,
    fewest_points
FROM sat
JOIN played USING (player, players)
LEFT JOIN dealt USING (player, players)
LEFT JOIN won USING (player, players)
ORDER BY players DESC, yakuman DESC, largest_win DESC NULLS LAST, player;
