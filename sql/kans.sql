-- title: Kans
-- group: calls
-- answers: How often is each kind of kan made, and how do the rounds end?
-- numerator: rounds in which the seat made that kan
-- denominator: rounds played (n_rounds); for the outcome rates, the rounds with that kan (n)
-- source: 槓率 (zyr17)
-- example: paifu stats kans --lake games.lake
WITH kinds AS (
    UNPIVOT (
        SELECT players, won, deal_ins > 0 AS dealt_in, delta, ankan, daiminkan, kakan
        FROM round_seats
        WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
    )
    ON ankan, daiminkan, kakan INTO NAME kan VALUE made
)
SELECT
    players,
    kan,
    count(*) FILTER (made > 0) AS n,
    count(*) AS n_rounds,
    avg((made > 0)::INTEGER) AS rate,
    avg(won::INTEGER) FILTER (made > 0) AS win_rate,
    avg(dealt_in::INTEGER) FILTER (made > 0) AS deal_in_rate,
    avg(delta) FILTER (made > 0) AS balance
FROM kinds
GROUP BY players, kan
ORDER BY players DESC, kan;
