-- title: Haipai by terminals and honours
-- group: haipai
-- answers: What becomes of hands dealt many terminals and honours: kyuushu, kokushi, nagashi, a win?
-- numerator: rounds that ended so; rounds tenpai for kokushi at some point, and won with it
-- denominator: rounds dealt so many kinds of terminals and honours in the first 13 tiles (n)
-- source: 国士無双・九種九牌の成否; kyuushu is declared with nine kinds in 14 tiles
-- example: paifu stats haipai_orphans --lake games.lake
SELECT
    players,
    haipai_yaochuu_kinds AS kinds,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    -- of the abortive draws only kyuushu leaves a tile in the hand that drew it
    avg((outcome = 'abort' AND held_draw IS NOT NULL)::INTEGER) AS kyuushu_rate,
    avg(coalesce(end_wait_kind LIKE 'kokushi%', false)::INTEGER) AS kokushi_tenpai_rate,
    avg((won AND coalesce(end_wait_kind LIKE 'kokushi%', false))::INTEGER) AS kokushi_win_rate,
    avg((outcome = 'nagashi')::INTEGER) AS nagashi_rate,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg(delta) AS balance
FROM round_seats
GROUP BY players, kinds
ORDER BY players DESC, kinds;
