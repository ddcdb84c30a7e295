-- title: Ippatsu and ura
-- group: riichi
-- answers: How often does a riichi win have ippatsu, and how often does it have ura dora?
-- numerator: riichi wins with ippatsu; with one or more han of ura
-- denominator: riichi wins (n); for ura, those whose ura are known (n_ura), which leaves out
--   yakuman
-- source: 一発率, 裏ドラ率 (amae-koromo, zyr17); an ura recorded with 0 han does not count
-- example: paifu stats ippatsu_and_ura --lake games.lake
SELECT
    players,
    len(dora_indicators) AS indicators,
    count(*) AS n,
    avg(ippatsu::INTEGER) AS ippatsu_rate,
    rate_low(count(*) FILTER (ippatsu), count(*)) AS ippatsu_low,
    rate_high(count(*) FILTER (ippatsu), count(*)) AS ippatsu_high,
    count(ura_han) AS n_ura,
    avg((ura_han > 0)::INTEGER) AS ura_rate,
    rate_low(count(*) FILTER (ura_han > 0), count(ura_han)) AS ura_low,
    rate_high(count(*) FILTER (ura_han > 0), count(ura_han)) AS ura_high,
    avg(ura_han) AS average_ura,
    avg(points) AS average_points
FROM win_facts
WHERE riichi
GROUP BY players, indicators
ORDER BY players DESC, indicators;
