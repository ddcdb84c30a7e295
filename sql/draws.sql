-- title: Draws
-- group: draws
-- answers: How often is a round drawn, who is tenpai, and how do points change?
-- numerator: rounds drawn (n), once each in row all, and once for each seat in that state in the
--   other rows; seats that were tenpai at exhaustive draws
-- denominator: rounds played, counted in the same way (n_rounds); seats at exhaustive draws
--   (n_tenpai)
-- param: draws text = exhaustive (exhaustive, all) | exhaustive: including nagashi mangan; all:
--   also abortive draws, as Mortal counts.
-- source: 流局率, 流局聴牌率 (amae-koromo); a draw is one event for the whole table, so it counts once;
--   balance is the change of a seat's points in a drawn round
-- example: paifu stats draws --lake games.lake --param draws=all
WITH tables AS (
    SELECT
        games.players,
        outcome IN ('exhaustive', 'nagashi')
        OR (
            coalesce(getvariable('draws'), 'exhaustive') = 'all'
            AND outcome IN ('kyuushu', 'suufon', 'suucha', 'suukan', 'sanchahou')
        ) AS drawn
    FROM rounds
    JOIN games USING (game_id)
),
of_tables AS (
    SELECT
        players,
        'all' AS state,
        count(*) FILTER (drawn) AS n,
        count(*) AS n_rounds,
        rate_low(count(*) FILTER (drawn), count(*)) AS low,
        rate_high(count(*) FILTER (drawn), count(*)) AS high
    FROM tables
    GROUP BY players
),
parts AS (
    SELECT
        players,
        coalesce(state_end, 'all') AS state,
        game_id & 255 AS part,
        count(*) AS n_rounds,
        count(*) FILTER (
            outcome IN ('draw_tenpai', 'draw_noten', 'nagashi')
            OR (coalesce(getvariable('draws'), 'exhaustive') = 'all' AND outcome = 'abort')
        ) AS n,
        sum(delta) FILTER (
            outcome IN ('draw_tenpai', 'draw_noten', 'nagashi')
            OR (coalesce(getvariable('draws'), 'exhaustive') = 'all' AND outcome = 'abort')
        ) AS delta,
        count(delta) FILTER (
            outcome IN ('draw_tenpai', 'draw_noten', 'nagashi')
            OR (coalesce(getvariable('draws'), 'exhaustive') = 'all' AND outcome = 'abort')
        ) AS n_delta,
        count(tenpai_at_draw) AS n_tenpai,
        count(*) FILTER (tenpai_at_draw) AS tenpai
    FROM round_seats
    WHERE discards > 0 OR haipai_shanten IS NOT NULL -- score sheets have no acts
    GROUP BY GROUPING SETS ((players, part), (players, state_end, part))
),
of_seats AS (
    SELECT
        players,
        state,
        sum(n)::BIGINT AS n,
        sum(n_rounds)::BIGINT AS n_rounds,
        clustered_low(n, n_rounds) AS low,
        clustered_high(n, n_rounds) AS high,
        sum(n_tenpai)::BIGINT AS n_tenpai,
        sum(tenpai) / nullif(sum(n_tenpai), 0) AS tenpai_rate,
        sum(delta) / nullif(sum(n_delta), 0) AS balance
    FROM parts
    GROUP BY players, state
)
SELECT
    players,
    state,
    coalesce(of_tables.n, of_seats.n) AS n,
    coalesce(of_tables.n_rounds, of_seats.n_rounds) AS n_rounds,
    coalesce(of_tables.n, of_seats.n) / coalesce(of_tables.n_rounds, of_seats.n_rounds) AS draw_rate,
    coalesce(of_tables.low, of_seats.low) AS low,
    coalesce(of_tables.high, of_seats.high) AS high,
    n_tenpai,
    tenpai_rate,
    balance
FROM of_seats
LEFT JOIN of_tables USING (players, state)
ORDER BY players DESC, state = 'all' DESC, state;
