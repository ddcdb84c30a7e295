-- title: Calls
-- group: calls
-- answers: How do rounds end for a seat that made no, one, two, three or four open calls?
-- numerator: rounds that ended in each way
-- denominator: rounds with that number of calls (n); call_rate is the share of rounds with a call
-- source: 副露率 and 副露後 (amae-koromo, Mortal); a call is chi, pon or daiminkan, not ankan
-- example: paifu stats calls --lake games.lake
WITH parts AS (
    SELECT
        players,
        calls,
        game_id & 255 AS part,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (deal_ins > 0) AS deal_ins,
        count(*) FILTER (outcome LIKE 'draw%' OR outcome = 'nagashi') AS draws,
        sum(win_points) FILTER (won) AS points,
        count(win_points) FILTER (won) AS n_points,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
    GROUP BY ALL
)
SELECT
    players,
    calls,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    coalesce(sum(sum(n) FILTER (calls > 0)) OVER (PARTITION BY players), 0)
        / sum(sum(n)) OVER (PARTITION BY players) AS call_rate,
    sum(wins) / sum(n) AS win_rate,
    clustered_low(wins, n) AS low,
    clustered_high(wins, n) AS high,
    sum(deal_ins) / sum(n) AS deal_in_rate,
    sum(draws) / sum(n) AS draw_rate,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM parts
GROUP BY players, calls
ORDER BY players DESC, calls;
