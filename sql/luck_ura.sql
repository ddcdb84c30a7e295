-- title: Ura dora under every win
-- group: luck
-- answers: What ura dora would every winner have had, including winners without riichi?
-- numerator: wins whose hand would have got one or more han from the ura indicators
-- denominator: wins of that state whose wall is known (n)
-- source: own; walls regenerated from the SHUFFLE seed by paifu rescore; there are as many ura
--   indicators as dora indicators turned up; only a win in riichi is paid for ura
-- example: paifu stats luck_ura --lake games.lake
SELECT
    players,
    winner_state AS state,
    len(luck.ura_indicators) AS indicators,
    count(*) AS n,
    count(*) FILTER (luck.ura_han > 0) / count(*) AS ura_rate,
    rate_low(count(*) FILTER (luck.ura_han > 0), count(*)) AS low,
    rate_high(count(*) FILTER (luck.ura_han > 0), count(*)) AS high,
    avg(luck.ura_han) AS average_ura,
    max(luck.ura_han) AS most_ura
FROM luck
JOIN wins
    ON wins.game_id = luck.game_id AND wins.round_index = luck.round_index AND winner = seat
WHERE luck.ura_han IS NOT NULL
GROUP BY players, winner_state, indicators
ORDER BY players DESC, state, indicators;
