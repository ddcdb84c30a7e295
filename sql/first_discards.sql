-- title: First discards
-- group: haipai
-- answers: Which tiles are discarded first, and how do those rounds end?
-- numerator: first discards of that class; rounds that ended so
-- denominator: seats that made a discard at that turn (n_all); the rates are over that class (n)
-- param: turn count = 1 | Which discard: 1 is the seat's first.
-- source: 第一打; value winds are the round's and the seat's own
-- example: paifu stats first_discards --lake games.lake --param turn=2
WITH made AS (
    SELECT
        round_seats.players,
        CASE
            WHEN tile[2] <> 'z' THEN
                CASE
                    WHEN tile[1] IN ('1', '9') THEN '1 9'
                    WHEN tile[1] IN ('2', '8') THEN '2 8'
                    WHEN tile[1] IN ('3', '7') THEN '3 7'
                    ELSE '4 5 6'
                END
            WHEN tile[1] > '4' THEN 'dragon'
            WHEN tile[1]::INTEGER - 1 IN (wind, seat_wind) THEN 'value wind'
            ELSE 'guest wind'
        END AS class,
        won, deal_ins, tenpai_turn, win_points, delta
    FROM actions
    JOIN round_seats USING (game_id, round_index, seat)
    JOIN rounds USING (game_id, round_index)
    WHERE turn = coalesce(getvariable('turn'), 1) AND action IN ('discard', 'riichi')
)
SELECT
    players,
    class,
    count(*) AS n,
    sum(count(*)) OVER (PARTITION BY players)::BIGINT AS n_all,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg(tenpai_turn) AS average_tenpai_turn,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM made
GROUP BY players, class
ORDER BY players DESC, n DESC, class;
