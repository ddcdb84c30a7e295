-- title: Riichi by wait
-- group: riichi
-- answers: How often and how much do riichis on each kind of wait win, and how many of their tiles
--   are live?
-- numerator: riichis that won
-- denominator: accepted riichis on that kind of wait (n)
-- param: double bool = false | Only double riichis.
-- source: 立直多面 (two or more kinds of tile), 立直好型2 (six or more live tiles) of amae-koromo
-- example: paifu stats riichi_by_wait --lake games.lake
SELECT
    players,
    riichi_wait_kind AS wait_kind,
    count(*) AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS share,
    avg(riichi_live) AS average_live,
    avg((riichi_wait_tiles >= 2)::INTEGER) AS multi_wait_rate,
    avg((riichi_live >= 6)::INTEGER) AS good_rate,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg((won_by = 'tsumo')::INTEGER) FILTER (won) AS tsumo_share,
    count(*) FILTER (ippatsu) / nullif(count(*) FILTER (won), 0) AS ippatsu_rate,
    avg(win_points) FILTER (won) AS average_points,
    avg((deal_ins > 0)::INTEGER) AS deal_in_rate,
    avg(delta) AS balance
FROM round_seats
LEFT JOIN (
    SELECT game_id, round_index, winner AS seat, ippatsu FROM wins WHERE ippatsu
) USING (game_id, round_index, seat)
WHERE riichi_accepted AND (riichi_double OR NOT coalesce(getvariable('double'), false))
GROUP BY players, riichi_wait_kind
ORDER BY players DESC, n DESC;
