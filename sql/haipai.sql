-- title: Haipai
-- group: haipai
-- answers: What does a good haipai bring: wins, deal-ins and points by the shanten of the first
--   tiles?
-- numerator: rounds that ended in each way
-- denominator: rounds dealt with that shanten (n)
-- param: seat text = all (all, dealer, other) | Only the dealer's deals, or only the others'.
-- source: 配牌向聴数; the first 13 tiles, also of the dealer (amae-koromo #95)
-- example: paifu stats haipai --lake games.lake
WITH parts AS (
    SELECT
        players,
        haipai_shanten AS shanten,
        game_id & 255 AS part,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        count(riichi_turn) AS riichis,
        count(*) FILTER (calls > 0) AS open,
        sum(tenpai_turn) AS tenpai_turns,
        count(tenpai_turn) AS tenpai,
        sum(haipai_dora) AS dora,
        sum(win_points) FILTER (won) AS points,
        count(win_points) FILTER (won) AS n_points,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE haipai_shanten IS NOT NULL -- NULL: the log hides the tiles
        AND coalesce(getvariable('seat'), 'all')
        IN ('all', CASE WHEN is_dealer THEN 'dealer' ELSE 'other' END)
    GROUP BY ALL
)
SELECT
    players,
    shanten,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(wins) / sum(n) AS win_rate,
    clustered_low(wins, n) AS low,
    clustered_high(wins, n) AS high,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    sum(riichis) / sum(n) AS riichi_rate,
    sum(open) / sum(n) AS call_rate,
    sum(tenpai_turns) / nullif(sum(tenpai), 0) AS average_tenpai_turn,
    sum(dora) / sum(n) AS average_dora,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, shanten
ORDER BY players DESC, shanten;
