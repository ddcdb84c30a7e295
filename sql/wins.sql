-- title: Wins
-- group: wins
-- answers: How often does a seat win a round, in which state, at which turn and for how much?
-- numerator: rounds won in that state
-- denominator: rounds played by a seat (n); for tsumo_rate the wins
-- param: points text = hand (hand, received) | hand: without honba and sticks; received: with
--   honba, the sticks of others and its own stick returned, as zyr17 counts.
-- param: turn text = own (own, table) | own: 1 + own discards; table: 1 + all discards / players.
-- source: 和了率, 自摸率, 平均打点, 和了巡数 (amae-koromo playerDetails.tsx, Mortal stat.rs)
-- example: paifu stats wins --lake games.lake --param points=received
WITH parts_played AS (
    SELECT players, game_id & 255 AS part, count(*) AS n FROM round_seats GROUP BY ALL
),
won AS (
    SELECT
        players, winner_state, tsumo, game_id & 255 AS part,
        CASE coalesce(getvariable('points'), 'hand')
            WHEN 'received' THEN points + honba_points + stick_points ELSE points
        END AS value,
        CASE coalesce(getvariable('turn'), 'own') WHEN 'table' THEN table_turn ELSE turn END AS at_turn
    FROM win_facts
),
states AS (
    SELECT
        players,
        coalesce(winner_state, 'all') AS state,
        count(*) AS wins,
        avg(tsumo::INTEGER) AS tsumo_rate,
        avg(at_turn) AS average_turn,
        avg(value) AS average_points,
        median(value) AS median_points
    FROM won
    GROUP BY GROUPING SETS ((players), (players, winner_state))
),
counts AS (
    SELECT players, coalesce(winner_state, 'all') AS state, part, count(*) AS wins
    FROM won
    GROUP BY GROUPING SETS ((players, part), (players, winner_state, part))
),
rates AS (
    SELECT
        players,
        state,
        sum(n)::BIGINT AS n,
        sum(coalesce(counts.wins, 0)) / sum(n) AS win_rate,
        clustered_low(coalesce(counts.wins, 0), n) AS low,
        clustered_high(coalesce(counts.wins, 0), n) AS high
    FROM parts_played
    JOIN (SELECT players, state FROM states) AS each USING (players)
    LEFT JOIN counts USING (players, state, part)
    GROUP BY players, state
)
SELECT
    players,
    state,
    wins,
    n,
    win_rate,
    low,
    high,
    tsumo_rate,
    average_turn,
    average_points,
    median_points
FROM states
JOIN rates USING (players, state)
ORDER BY players DESC, state = 'all' DESC, state;
