-- title: Riichi by live tiles
-- group: riichi
-- answers: How much does each live tile of the wait add to a riichi's chance to win?
-- numerator: riichis that won
-- denominator: accepted riichis with that many live tiles (n)
-- source: own; live tiles are those the seat could not see at its declaration
-- example: paifu stats riichi_by_live --lake games.lake
SELECT
    players,
    riichi_live AS live,
    count(*) AS n,
    avg(won::INTEGER) AS win_rate,
    rate_low(count(*) FILTER (won), count(*)) AS low,
    rate_high(count(*) FILTER (won), count(*)) AS high,
    avg(win_points) FILTER (won) AS average_points,
    avg(delta) AS balance
FROM round_seats
WHERE riichi_accepted
GROUP BY players, riichi_live
ORDER BY players DESC, live;
