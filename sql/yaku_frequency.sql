-- title: Yaku frequency
-- group: yaku
-- answers: How often does each yaku come up among wins, all of them, closed, open and in riichi?
-- numerator: wins with the yaku
-- denominator: wins whose yaku are known, recorded or computed (n; n_riichi, n_open, n_closed)
-- source: 役の出現率, per win as amae-koromo and kobalab count it; ura of 0 han is no yaku; closed is
--   neither riichi nor open (dama)
-- example: paifu stats yaku_frequency --lake games.lake --where "players = 4 AND room = 'houou'"
WITH known AS (
    SELECT games.players, wins.game_id, wins.round_index, wins.win_index, winner_state AS state
    FROM wins
    JOIN games USING (game_id)
    SEMI JOIN yaku_facts USING (game_id, round_index, win_index)
),
totals AS (
    SELECT
        players,
        count(*) AS n,
        count(*) FILTER (state = 'riichi') AS n_riichi,
        count(*) FILTER (state = 'open') AS n_open,
        count(*) FILTER (state = 'closed') AS n_closed
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
        count(*) FILTER (state = 'closed') AS closed_wins
    FROM known
    JOIN yaku_facts USING (game_id, round_index, win_index)
    GROUP BY players, yaku
)
SELECT
    players,
    yaku,
    wins,
    n,
    wins / n AS rate,
    n_riichi,
    riichi_wins / nullif(n_riichi, 0) AS riichi_rate,
    n_open,
    open_wins / nullif(n_open, 0) AS open_rate,
    n_closed,
    closed_wins / nullif(n_closed, 0) AS closed_rate
FROM found
JOIN totals USING (players)
ORDER BY players DESC, wins DESC, yaku;
