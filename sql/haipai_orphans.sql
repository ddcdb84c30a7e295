-- title: Haipai by terminals and honours
-- group: haipai
-- answers: How do hands with many terminals and honours end: kyuushu, kokushi, nagashi, a win?
-- numerator: rounds that ended in each way; rounds in which the hand was tenpai for kokushi at
--   first tenpai, at the declaration of riichi or at the end; rounds won with kokushi
-- denominator: rounds dealt with that many kinds of terminals and honours in the first 13 tiles (n)
-- source: 国士無双・九種九牌の成否; kyuushu is declared with nine kinds in 14 tiles
-- example: paifu stats haipai_orphans --lake games.lake
WITH parts AS (
    SELECT
        players,
        haipai_yaochuu_kinds AS kinds,
        game_id & 255 AS part,
        count(*) AS n,
        -- kyuushu is the only abortive draw after which the seat still holds the tile it drew
        count(*) FILTER (outcome = 'abort' AND held_draw IS NOT NULL) AS kyuushu,
        count(*) FILTER (
            coalesce(tenpai_wait_kind LIKE 'kokushi%', false)
            OR coalesce(riichi_wait_kind LIKE 'kokushi%', false)
            OR coalesce(end_wait_kind LIKE 'kokushi%', false)
        ) AS kokushi_tenpai,
        count(*) FILTER (won AND end_wait_kind LIKE 'kokushi%') AS kokushi_wins,
        count(*) FILTER (outcome = 'nagashi') AS nagashi,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE haipai_shanten IS NOT NULL -- NULL: the log hides the tiles
    GROUP BY ALL
)
SELECT
    players,
    kinds,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(kyuushu) / sum(n) AS kyuushu_rate,
    sum(kokushi_tenpai) / sum(n) AS kokushi_tenpai_rate,
    sum(kokushi_wins) / sum(n) AS kokushi_win_rate,
    sum(nagashi) / sum(n) AS nagashi_rate,
    sum(wins) / sum(n) AS win_rate,
    clustered_low(wins, n) AS low,
    clustered_high(wins, n) AS high,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, kinds
ORDER BY players DESC, kinds;
