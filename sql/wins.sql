-- title: Wins
-- group: wins
-- answers: How often does a seat win a round, how, in which state, when and for how much?
-- numerator: rounds won in that state
-- denominator: rounds played by a seat (n); tsumo_rate is of the wins
-- param: points text = hand (hand, received) | hand: without honba and sticks; received: with honba
--   and the sticks of others and its own back, as zyr17 counts.
-- param: turn text = own (own, table) | own: 1 + own discards; table: 1 + all discards / players.
-- source: 和了率, 自摸率, 平均打点, 和了巡数 (amae-koromo playerDetails.tsx, Mortal stat.rs)
-- example: paifu stats wins --lake games.lake --param points=received
WITH seats_of AS (SELECT players, count(*) AS n FROM round_seats GROUP BY ALL),
won AS (
    SELECT
        players, winner_state, tsumo,
        CASE coalesce(getvariable('points'), 'hand')
            WHEN 'received' THEN points + honba_points + stick_points ELSE points
        END AS value,
        CASE coalesce(getvariable('turn'), 'own') WHEN 'table' THEN table_turn ELSE turn END AS at_turn
    FROM win_facts
)
SELECT
    players,
    coalesce(winner_state, 'all') AS state,
    count(*) AS wins,
    any_value(n) AS n,
    count(*) / any_value(n) AS win_rate,
    rate_low(count(*), any_value(n)) AS low,
    rate_high(count(*), any_value(n)) AS high,
    avg(tsumo::INTEGER) AS tsumo_rate,
    avg(at_turn) AS average_turn,
    avg(value) AS average_points,
    median(value) AS median_points
FROM won
JOIN seats_of USING (players)
GROUP BY GROUPING SETS ((players), (players, winner_state))
ORDER BY players DESC, grouping(winner_state) DESC, state;
