-- title: Facing a riichi
-- group: deal-in
-- answers: What does folding against a riichi cost, and what does pushing?
-- numerator: rounds that ended so; points won and lost
-- denominator: seats that made a discard against an opponent in riichi (n), by how they answered
-- source: ベタオリの収支; folded: every discard made against riichis was genbutsu to all of them;
--   pushed: none was; mixed: some were; riichi: the seat declared too
-- example: paifu stats facing_riichi --lake games.lake
SELECT
    players,
    CASE
        WHEN riichi_turn IS NOT NULL THEN 'riichi'
        WHEN facing_riichi_safe = facing_riichi THEN 'folded'
        WHEN facing_riichi_safe = 0 THEN 'pushed'
        ELSE 'mixed'
    END AS answer,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    avg(won::INTEGER) AS win_rate,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    rate_low(count(*) FILTER (deal_ins > 0), count(*)) AS low,
    rate_high(count(*) FILTER (deal_ins > 0), count(*)) AS high,
    avg(deal_in_points) FILTER (deal_ins > 0) AS average_cost,
    avg((tsumo_paid > 0)::INTEGER) AS paid_tsumo_rate,
    avg((outcome = 'draw_noten')::INTEGER) AS noten_draw_rate,
    avg(delta) AS balance
FROM round_seats
WHERE facing_riichi > 0
GROUP BY players, answer
ORDER BY players DESC, answer;
