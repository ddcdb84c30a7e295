-- title: Tenpai by turn
-- group: haipai
-- answers: At each turn, how many of the hands still in play are tenpai: in riichi, dama, or open?
-- numerator: hands tenpai after their discard of that turn, by state
-- denominator: discards made at that turn whose hand is known (n)
-- source: 巡目別聴牌率; own turns; riichi from the declaration on; a round counts only until it ends, so
--   the hands at late turns are from rounds that nobody has won yet
-- example: paifu stats tenpai_by_turn --lake games.lake
WITH made AS (
    SELECT
        players,
        turn,
        game_id & 255 AS part,
        count(*) AS n,
        count(*) FILTER (shanten = 0) AS tenpai,
        count(*) FILTER (shanten = 0 AND open_melds > 0) AS open
    FROM actions
    WHERE action IN ('discard', 'riichi') AND shanten IS NOT NULL
    GROUP BY ALL
),
lengths AS (
    SELECT players, riichi_turn, discards, game_id & 255 AS part, count(*) AS seats
    FROM round_seats
    WHERE riichi_turn IS NOT NULL AND haipai_shanten IS NOT NULL -- NULL: the log hides the tiles
    GROUP BY ALL
),
in_riichi AS (
    SELECT players, turn, part, sum(seats) AS riichi
    FROM (
        SELECT players, part, seats, unnest(range(riichi_turn, discards + 1)) AS turn FROM lengths
    )
    GROUP BY ALL
)
SELECT
    players,
    turn::SMALLINT AS turn,
    sum(n)::BIGINT AS n,
    sum(tenpai) / sum(n) AS tenpai_rate,
    clustered_low(tenpai, n) AS low,
    clustered_high(tenpai, n) AS high,
    coalesce(sum(riichi), 0) / sum(n) AS riichi_rate,
    greatest(0, sum(tenpai) - sum(open) - coalesce(sum(riichi), 0)) / sum(n) AS dama_rate,
    sum(open) / sum(n) AS open_tenpai_rate
FROM made
LEFT JOIN in_riichi USING (players, turn, part)
GROUP BY players, turn
ORDER BY players DESC, turn;
