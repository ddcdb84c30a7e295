-- title: Records of players
-- group: players
-- answers: What is the most each player ever did: han, points, honba, and how many yakuman?
-- numerator: wins and rounds in which it happened; the largest of them
-- denominator: rounds played (n)
-- param: min_games int = 1 | Players with fewer games are left out.
-- source: 最大番数, 役満, 数え役満, 流し満貫, ダブル立直, 最大连庄 (amae-koromo playerDetails.tsx); a double
--   riichi counts when declared; the longest streak is the most honba held as the dealer
-- example: paifu stats player_records --lake games.lake --param min_games=100
WITH who AS (
    SELECT game_id, seat, player
    FROM seats
    WHERE NOT anonymous AND player IS NOT NULL
),
played AS (
    SELECT
        player,
        round_seats.players,
        count(DISTINCT game_id) AS n_games,
        count(*) AS n,
        count(*) FILTER (round_seats.outcome = 'nagashi') AS nagashi,
        count(*) FILTER (riichi_double) AS double_riichi,
        max(honba) FILTER (is_dealer) AS longest_streak,
        max(points_end) AS most_points,
        min(points_end) AS fewest_points,
        max(deal_in_points) AS largest_deal_in
    FROM round_seats
    JOIN who USING (game_id, seat)
    JOIN rounds USING (game_id, round_index)
    GROUP BY ALL
    HAVING count(DISTINCT game_id) >= coalesce(getvariable('min_games'), 1)
),
won AS (
    SELECT
        player,
        players,
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
FROM played
LEFT JOIN won USING (player, players)
ORDER BY players DESC, yakuman DESC, largest_win DESC NULLS LAST, player;
