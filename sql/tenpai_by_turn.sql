-- title: Tenpai by turn
-- group: haipai
-- answers: At each turn, how many of the hands still in play are tenpai: in riichi, dama, or open?
-- numerator: hands tenpai after their discard of that turn, by state
-- denominator: discards made at that turn whose hand is known (n)
-- source: 巡目別聴牌率; own turns; riichi from the declaration on; a round counts only until it ends, so
--   the hands at late turns are from rounds that nobody has won yet
-- example: paifu stats tenpai_by_turn --lake games.lake
WITH seats AS (
    SELECT
        players, discards, game_id & 255 AS part,
        CASE WHEN haipai_shanten IS NOT NULL THEN riichi_turn END AS riichi_turn,
        count(*) AS seats
    FROM round_seats
    GROUP BY ALL
),
made AS (
    SELECT
        players, turn, part,
        sum(seats)::BIGINT AS discards,
        coalesce(sum(seats) FILTER (turn >= riichi_turn), 0)::BIGINT AS riichi
    FROM (SELECT *, unnest(range(1, discards + 1)) AS turn FROM seats)
    GROUP BY ALL
),
ready AS (
    SELECT
        players, turn, game_id & 255 AS part,
        count(*) AS tenpai,
        count(*) FILTER (open_melds > 0) AS open
    FROM actions
    WHERE shanten = 0 -- only discards have a shanten
    GROUP BY ALL
),
hidden AS (
    SELECT players, turn, game_id & 255 AS part, count(*) AS hidden
    FROM actions
    SEMI JOIN (
        SELECT game_id, round_index, seat
        FROM round_seats
        WHERE haipai_shanten IS NULL OR shanten_end IS NULL
            OR game_id IN (SELECT game_id FROM games WHERE len(flags) > 0)
    ) USING (game_id, round_index, seat)
    WHERE shanten IS NULL AND action IN ('discard', 'riichi')
    GROUP BY ALL
),
turns AS (
    SELECT
        players, turn, riichi,
        discards - coalesce(hidden, 0) AS n,
        coalesce(tenpai, 0) AS tenpai,
        coalesce(open, 0) AS open
    FROM made
    LEFT JOIN ready USING (players, turn, part)
    LEFT JOIN hidden USING (players, turn, part)
    WHERE n > 0
)
SELECT
    players,
    turn::SMALLINT AS turn,
    sum(n)::BIGINT AS n,
    sum(tenpai) / sum(n) AS tenpai_rate,
    clustered_low(tenpai, n) AS low,
    clustered_high(tenpai, n) AS high,
    sum(riichi) / sum(n) AS riichi_rate,
    greatest(0, sum(tenpai) - sum(open) - sum(riichi)) / sum(n) AS dama_rate,
    sum(open) / sum(n) AS open_tenpai_rate
FROM turns
GROUP BY players, turn
ORDER BY players DESC, turn;
