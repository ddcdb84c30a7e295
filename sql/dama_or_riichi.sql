-- title: Riichi or dama
-- group: riichi
-- answers: What is the result of closed tenpai hands that declare riichi, and of those that stay
--   dama?
-- numerator: rounds that ended in each way
-- denominator: rounds in which the hand was tenpai and stayed closed, by its wait at first tenpai
--   (n)
-- source: 立直か黙聴か; good is six or more live tiles; a riichi counts at whatever turn it was declared
-- example: paifu stats dama_or_riichi --lake games.lake
WITH parts AS (
    SELECT
        players,
        CASE WHEN tenpai_live >= 6 THEN 'good' ELSE 'bad' END AS wait,
        CASE state_end WHEN 'riichi' THEN 'riichi' ELSE 'dama' END AS choice,
        game_id & 255 AS part,
        count(*) AS n,
        sum(tenpai_turn) AS turns,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (won_by = 'tsumo') AS tsumo,
        sum(win_points) FILTER (won) AS points,
        count(win_points) FILTER (won) AS n_points,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE tenpai_turn IS NOT NULL AND state_end <> 'open'
    GROUP BY ALL
)
SELECT
    players,
    wait,
    choice,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players, wait) AS share,
    sum(turns) / sum(n) AS average_tenpai_turn,
    sum(wins) / sum(n) AS win_rate,
    clustered_low(wins, n) AS low,
    clustered_high(wins, n) AS high,
    sum(tsumo) / nullif(sum(wins), 0) AS tsumo_share,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, wait, choice
ORDER BY players DESC, wait DESC, choice;
