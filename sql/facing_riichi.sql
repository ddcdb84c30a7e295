-- title: Facing a riichi
-- group: deal-in
-- answers: What does folding against a riichi cost, and what does pushing?
-- numerator: rounds that ended so; points won and lost
-- denominator: seats that made a discard against an opponent in riichi (n), by how they answered
-- source: ベタオリの収支; folded: every discard made against riichis was genbutsu to all of them;
--   pushed: none was; mixed: some were; riichi: the seat declared too
-- example: paifu stats facing_riichi --lake games.lake
WITH answers AS (
    -- of each round, two bits a seat: it made a discard that was not genbutsu, and one that was
    SELECT
        game_id,
        round_index,
        bit_or(1 << (2 * seat + (class = 'genbutsu')::INTEGER)) AS seen
    FROM discard_risks
    WHERE threat = 'riichi'
    GROUP BY ALL
),
faced AS (
    SELECT
        round_seats.*,
        CASE
            WHEN riichi_turn IS NOT NULL THEN 'riichi'
            ELSE ['pushed', 'folded', 'mixed'][(seen >> (2 * seat)) & 3]
        END AS answer
    FROM answers
    JOIN round_seats USING (game_id, round_index)
    WHERE (seen >> (2 * seat)) & 3 > 0
)
SELECT
    players,
    answer,
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
FROM faced
GROUP BY players, answer
ORDER BY players DESC, answer;
