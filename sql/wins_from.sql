-- title: Wins by both states
-- group: wins
-- answers: Whom do seats win from (a riichi, an open or a closed hand, the dealer), or do they win
--   by tsumo?
-- numerator: wins by a seat in that state from a seat in that state (tsumo: from all)
-- denominator: all wins (n)
-- source: 和了 by the states of both sides (amae-koromo); a double ron is two wins
-- example: paifu stats wins_from --lake games.lake --player "name"
SELECT
    players,
    winner_state AS own_state,
    CASE WHEN tsumo THEN 'tsumo' ELSE loser_state END AS won_from,
    coalesce(loser = dealer, false) AS from_dealer,
    count(*) AS wins,
    sum(count(*)) OVER (PARTITION BY players)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS rate,
    avg(points) AS average_points
FROM win_facts
GROUP BY players, own_state, won_from, from_dealer
ORDER BY players DESC, wins DESC, own_state, won_from, from_dealer;
