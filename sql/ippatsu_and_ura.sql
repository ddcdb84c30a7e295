-- title: Ippatsu and ura
-- group: riichi
-- answers: How often does a riichi win come at once, and how often does an ura dora hit?
-- numerator: riichi wins with ippatsu; with ura of one han and more
-- denominator: riichi wins (n); of ura those whose ura are known (n_ura): a yakuman has none to count
-- source: 一発率, 裏ドラ率 (amae-koromo, zyr17); a record of ura with 0 han is not a hit
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
