-- title: Riichi or dama
-- group: riichi
-- answers: What do closed tenpai hands bring that declare riichi, and those that keep still?
-- numerator: rounds that ended so
-- denominator: rounds in which the hand was tenpai and stayed closed, by its wait at first tenpai (n)
-- source: 立直か黙聴か; good is six live tiles and more; a riichi counts whenever it was declared
-- example: paifu stats dama_or_riichi --lake games.lake
SELECT
    players,
    CASE WHEN tenpai_live >= 6 THEN 'good' ELSE 'bad' END AS wait,
    CASE state_end WHEN 'riichi' THEN 'riichi' ELSE 'dama' END AS choice,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players, (tenpai_live >= 6)) AS share,
    avg(tenpai_turn) AS average_tenpai_turn,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((won_by = 'tsumo')::INTEGER) FILTER (won) AS tsumo_share,
    avg(win_points) FILTER (won) AS average_points,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg(delta) AS balance
FROM round_seats
WHERE tenpai_turn IS NOT NULL AND state_end <> 'open'
GROUP BY players, tenpai_live >= 6, choice
ORDER BY players DESC, wait DESC, choice;
