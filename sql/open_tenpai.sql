-- title: Tenpai of open hands
-- group: calls
-- answers: How likely is a hand with one, two, three or four calls to be tenpai at each turn?
-- numerator: discards after which the hand was tenpai
-- denominator: discards at that turn by a hand with that many open melds (n)
-- source: 副露数・巡目別聴牌率; own turns; melds are counted after the discard
-- example: paifu stats open_tenpai --lake games.lake
SELECT
    players,
    open_melds AS melds,
    turn,
    count(*) AS n,
    avg((shanten = 0)::INTEGER) AS tenpai_rate,
    rate_low(count(*) FILTER (shanten = 0), count(*)) AS low,
    rate_high(count(*) FILTER (shanten = 0), count(*)) AS high
FROM actions
WHERE open_melds > 0 AND shanten >= 0 -- only discards have a shanten; -1 is a win
GROUP BY players, melds, turn
ORDER BY players DESC, melds, turn;
