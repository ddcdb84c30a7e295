-- title: Rare events
-- group: rounds and games
-- answers: How often do rare events happen: yakuman, counted yakuman, nagashi, pao, chankan, …?
-- numerator: rounds in which it happened
-- denominator: rounds (n)
-- source: Tenhou's event statistics; with an interval, because most are rare
-- example: paifu stats rare_events --lake games.lake
WITH happened AS (
    SELECT
        players,
        game_id,
        round_index,
        bool_or(yakuman > 0) AS yakuman,
        bool_or("limit" = 'kazoe') AS kazoe_yakuman,
        bool_or(pao_seat IS NOT NULL AND tsumo) AS pao_tsumo,
        bool_or(pao_seat IS NOT NULL AND NOT tsumo) AS pao_ron,
        bool_or(chankan) AS chankan,
        bool_or(rinshan) AS rinshan,
        bool_or(haitei) AS haitei,
        bool_or(houtei) AS houtei,
        bool_or(double_riichi) AS double_riichi_win,
        bool_or(kita_ron) AS kita_ron,
        count(*) = 2 AS double_ron,
        count(*) = 3 AS triple_ron
    FROM win_facts
    GROUP BY ALL
),
events AS (
    UNPIVOT happened
    ON yakuman, kazoe_yakuman, pao_tsumo, pao_ron, chankan, rinshan, haitei, houtei, double_riichi_win, kita_ron,
        double_ron, triple_ron
    INTO NAME event VALUE happens
),
all_events AS (
    SELECT players, event, count(*) AS rounds FROM events WHERE happens GROUP BY ALL
    UNION ALL
    SELECT games.players, outcome, count(*)
    FROM rounds
    JOIN games USING (game_id)
    WHERE outcome IN ('nagashi', 'kyuushu', 'suufon', 'suucha', 'suukan', 'sanchahou')
    GROUP BY ALL
    UNION ALL
    SELECT games.players, 'four_kans', count(*)
    FROM rounds
    JOIN games USING (game_id)
    WHERE kans >= 4
    GROUP BY ALL
),
totals AS (
    SELECT games.players, count(*) AS n FROM rounds JOIN games USING (game_id) GROUP BY ALL
)
SELECT
    players,
    event,
    rounds,
    n,
    rounds / n AS rate,
    rate_low(rounds, n) AS low,
    rate_high(rounds, n) AS high,
    n / nullif(rounds, 0) AS once_in_rounds
FROM all_events
JOIN totals USING (players)
ORDER BY players DESC, rounds DESC, event;
