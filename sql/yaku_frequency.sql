-- title: Yaku frequency
-- group: yaku
-- answers: How often do wins have each yaku: all wins, closed, open, in riichi, of the dealer?
-- numerator: wins with the yaku
-- denominator: wins whose yaku are known (n; n_riichi, n_open, n_closed, n_dealer)
-- param: source text = NULL (recorded, computed) | Yaku as recorded, or as the rules engine finds
--   them. By default: as recorded, or as computed if the record has none.
-- source: 役の出現率, per win as amae-koromo and kobalab count it; ura with 0 han does not count; closed
--   is neither riichi nor open (dama)
-- example: paifu stats yaku_frequency --lake games.lake --where "players = 4 AND room = 'houou'"
WITH known AS (
    SELECT players, game_id, round_index, win_index, winner_state AS state, winner = dealer AS dealt
    FROM win_facts
    WHERE getvariable('source') IS DISTINCT FROM 'computed'
        AND yaku_source = coalesce(getvariable('source'), yaku_source)
    UNION ALL
    SELECT players, game_id, round_index, win_index, winner_state AS state, winner = dealer AS dealt
    FROM computed_win_facts
    WHERE getvariable('source') = 'computed' AND yaku_source IS NOT NULL
),
listed AS (
    SELECT game_id, round_index, win_index, yaku FROM yaku_facts
    WHERE getvariable('source') IS DISTINCT FROM 'computed'
    UNION ALL
    SELECT game_id, round_index, win_index, yaku FROM computed_yaku_facts
    WHERE getvariable('source') = 'computed'
),
totals AS (
    SELECT
        players,
        count(*) AS n,
        count(*) FILTER (state = 'riichi') AS n_riichi,
        count(*) FILTER (state = 'open') AS n_open,
        count(*) FILTER (state = 'closed') AS n_closed,
        count(*) FILTER (dealt) AS n_dealer
    FROM known
    GROUP BY players
),
found AS (
    SELECT
        players,
        yaku,
        count(*) AS wins,
        count(*) FILTER (state = 'riichi') AS riichi_wins,
        count(*) FILTER (state = 'open') AS open_wins,
        count(*) FILTER (state = 'closed') AS closed_wins,
        count(*) FILTER (dealt) AS dealer_wins
    FROM known
    JOIN listed USING (game_id, round_index, win_index)
    GROUP BY players, yaku
)
SELECT
    players,
    yaku,
    wins,
    n,
    wins / n AS rate,
    rate_low(wins, n) AS low,
    rate_high(wins, n) AS high,
    n_riichi,
    riichi_wins / nullif(n_riichi, 0) AS riichi_rate,
    n_open,
    open_wins / nullif(n_open, 0) AS open_rate,
    n_closed,
    closed_wins / nullif(n_closed, 0) AS closed_rate,
    n_dealer,
    dealer_wins / nullif(n_dealer, 0) AS dealer_rate
FROM found
JOIN totals USING (players)
ORDER BY players DESC, wins DESC, yaku;
