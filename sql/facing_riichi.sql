-- title: Facing a riichi
-- group: deal-in
-- answers: What are the results of folding and of pushing against a riichi?
-- numerator: rounds that ended in each way; points won and lost
-- denominator: seats that made a discard against an opponent in riichi (n), by how they answered
-- source: ベタオリの収支; folded: every discard against riichis was genbutsu to all of them; pushed: no
--   discard was; mixed: some were; riichi: the seat declared riichi too
-- example: paifu stats facing_riichi --lake games.lake
WITH parts AS (
    SELECT
        players,
        CASE
            WHEN riichi_turn IS NOT NULL THEN 'riichi'
            WHEN facing_riichi_safe = facing_riichi THEN 'folded'
            WHEN facing_riichi_safe = 0 THEN 'pushed'
            ELSE 'mixed'
        END AS answer,
        game_id & 255 AS part,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        sum(deal_in_points) FILTER (deal_ins > 0) AS cost,
        count(deal_in_points) FILTER (deal_ins > 0) AS n_cost,
        count(*) FILTER (tsumo_paid > 0) AS paid_tsumo,
        count(tsumo_paid) AS n_tsumo_paid,
        count(*) FILTER (outcome = 'draw_noten') AS noten,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE facing_riichi > 0
    GROUP BY ALL
)
SELECT
    players,
    answer,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(wins) / sum(n) AS win_rate,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    clustered_low(deal_ins, n) AS low,
    clustered_high(deal_ins, n) AS high,
    sum(cost) / nullif(sum(n_cost), 0) AS average_cost,
    sum(paid_tsumo) / nullif(sum(n_tsumo_paid), 0) AS paid_tsumo_rate,
    sum(noten) / sum(n) AS noten_draw_rate,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, answer
ORDER BY players DESC, answer;
