-- title: Cost of a class of tile
-- group: deal-in
-- answers: What does a discard of each class cost on average, by turn, dealer or not, and ippatsu
--   or not?
-- numerator: discards on which the threatening opponent won; points paid for them, with honba and
--   without sticks
-- denominator: discards of the class at these turns against such an opponent (n); deal-ins whose
--   payment is known (n_paid)
-- param: threat text = riichi (riichi, open) | Against a riichi, or against two or more open melds.
-- param: span count = 6 | How many turns one row covers.
-- param: min_n int = 1 | Rows with a smaller n are left out.
-- source: 放銃率と放銃失点; own turns; ippatsu: a win on the discard would be ippatsu; average_lost is rate
--   times average_paid: what one discard of this kind costs on average. Only tiles that people
--   chose to discard: at a dangerous moment they choose with care
-- example: paifu stats deal_in_cost --lake games.lake --param span=3
WITH made AS (
    -- by turn first, which is a small number as it is stored
    SELECT
        players, class, turn, against_dealer, ippatsu,
        count(*) AS n,
        count(*) FILTER (dealt_in) AS deal_ins
    FROM discard_risks
    WHERE threat = coalesce(getvariable('threat'), 'riichi')
    GROUP BY ALL
),
paid AS (
    SELECT
        risks.players, class, risks.turn, against_dealer, risks.ippatsu,
        count(points + honba_points) AS n_paid,
        sum(points + honba_points) AS paid
    FROM discard_risks AS risks
    JOIN wins
        ON wins.game_id = risks.game_id AND wins.round_index = risks.round_index
        AND winner = against AND loser = risks.seat
    WHERE dealt_in AND threat = coalesce(getvariable('threat'), 'riichi')
    GROUP BY ALL
),
turns AS (
    SELECT
        players, class, against_dealer, ippatsu,
        1 + (turn - 1) // coalesce(getvariable('span'), 6)::INTEGER
            * coalesce(getvariable('span'), 6)::INTEGER AS from_turn,
        n, deal_ins, n_paid, paid
    FROM made
    LEFT JOIN paid USING (players, class, turn, against_dealer, ippatsu)
),
classes AS (
    SELECT
        players, class, from_turn, against_dealer, ippatsu,
        sum(n)::BIGINT AS n,
        sum(deal_ins)::BIGINT AS deal_ins,
        coalesce(sum(n_paid), 0)::BIGINT AS n_paid,
        sum(paid) / nullif(sum(n_paid), 0) AS average_paid
    FROM turns
    GROUP BY ALL
)
SELECT
    players,
    class,
    from_turn,
    from_turn + coalesce(getvariable('span'), 6) - 1 AS to_turn,
    against_dealer,
    ippatsu,
    n,
    deal_ins,
    deal_ins / n AS rate,
    rate_low(deal_ins, n) AS low,
    rate_high(deal_ins, n) AS high,
    n_paid,
    average_paid,
    CASE WHEN deal_ins = 0 THEN 0 ELSE deal_ins / n * average_paid END AS average_lost
FROM classes
WHERE n >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, class, from_turn, against_dealer DESC, ippatsu DESC;
