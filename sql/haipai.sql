-- title: Haipai
-- group: haipai
-- answers: What does a good deal bring: wins, deal-ins and points by the shanten of the first tiles?
-- numerator: rounds that ended so
-- denominator: rounds dealt with that shanten (n)
-- param: seat text = all (all, dealer, other) | Only the dealer's deals, or only the others'.
-- source: 配牌向聴数; the first 13 tiles, the dealer's too (amae-koromo #95)
-- example: paifu stats haipai --lake games.lake
SELECT
    players,
    haipai_shanten AS shanten,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg((riichi_turn IS NOT NULL)::INTEGER) AS riichi_rate,
    avg((calls > 0)::INTEGER) AS call_rate,
    avg(tenpai_turn) AS average_tenpai_turn,
    avg(haipai_dora) AS average_dora,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM round_seats
WHERE coalesce(getvariable('seat'), 'all') IN ('all', CASE WHEN is_dealer THEN 'dealer' ELSE 'other' END)
GROUP BY players, haipai_shanten
ORDER BY players DESC, shanten;
