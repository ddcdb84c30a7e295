-- title: Dealer
-- group: dealer
-- answers: How much is it worth to be dealer, and how long do dealers stay?
-- numerator: rounds that ended in each way for the seat
-- denominator: rounds as dealer, and as another seat (n); for of_wins_rate all wins (n_wins); for
--   hit_by_mangan_rate the tsumos with a known value that the seat paid for (n_hit_by_tsumo)
-- source: 親和了率, dealer wins over all wins (Mortal), 最大连庄 (most honba held as the dealer,
--   amae-koromo), 痛い親かぶり (tsumos of mangan or more by another seat, over all tsumos by another
--   seat); if a liable seat (pao) pays for a tsumo alone, the tsumo does not count for the others
-- example: paifu stats dealer --lake games.lake
WITH streaks AS (
    SELECT players, max(honba) AS longest
    FROM round_seats
    JOIN (SELECT game_id, round_index, honba FROM rounds WHERE honba > 0) USING (game_id, round_index)
    WHERE is_dealer
    GROUP BY players
)
SELECT
    players,
    is_dealer,
    count(*) AS n,
    avg(won::INTEGER) AS win_rate,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg((riichi_turn IS NOT NULL)::INTEGER) AS riichi_rate,
    avg((calls > 0)::INTEGER) AS call_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance,
    count(tsumo_paid_limit) FILTER (tsumo_paid > 0) AS n_hit_by_tsumo,
    avg((tsumo_paid_limit <> 'none')::INTEGER) FILTER (tsumo_paid > 0) AS hit_by_mangan_rate,
    avg(tsumo_paid) FILTER (tsumo_paid > 0 AND tsumo_paid_limit <> 'none') AS hit_by_mangan_points,
    CASE WHEN is_dealer THEN coalesce(any_value(longest), 0) END AS longest_streak,
    avg(haipai_shanten) AS average_haipai_shanten,
    sum(count(*) FILTER (won)) OVER (PARTITION BY players)::BIGINT AS n_wins,
    count(*) FILTER (won) / nullif(
        sum(count(*) FILTER (won)) OVER (PARTITION BY players), 0
    ) AS of_wins_rate
FROM round_seats
LEFT JOIN streaks USING (players)
WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
GROUP BY players, is_dealer
ORDER BY players DESC, is_dealer DESC;
