-- title: Waits that won
-- group: wins
-- answers: Which kinds of wait win, by tsumo or ron, and with how many live tiles?
-- numerator: wins on that kind of wait
-- denominator: wins in that state (n)
-- source: 待ちの形; live copies are those that the winner could not see
-- example: paifu stats win_waits --lake games.lake
SELECT
    players,
    winner_state AS state,
    wait_kind,
    count(*) AS wins,
    sum(count(*)) OVER (PARTITION BY players, winner_state)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players, winner_state) AS rate,
    avg(tsumo::INTEGER) AS tsumo_rate,
    avg(wait_live) AS average_live,
    avg(points) AS average_points
FROM win_facts
GROUP BY players, winner_state, wait_kind
ORDER BY players DESC, state, wins DESC;
