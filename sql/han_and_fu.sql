-- title: Han and fu
-- group: yaku
-- answers: How are wins distributed over han and fu?
-- numerator: wins of that han and fu
-- denominator: wins whose value is known (n)
-- source: 翻・符の分布; a yakuman has no han, a counted one its han
-- example: paifu stats han_and_fu --lake games.lake
SELECT
    players,
    han,
    CASE WHEN yakuman = 0 THEN fu END AS fu,
    yakuman,
    count(*) AS wins,
    sum(count(*)) OVER (PARTITION BY players)::BIGINT AS n,
    count(*) / sum(count(*)) OVER (PARTITION BY players) AS rate,
    avg(points) AS average_points
FROM win_facts
WHERE points IS NOT NULL
GROUP BY players, han, CASE WHEN yakuman = 0 THEN fu END, yakuman
ORDER BY players DESC, yakuman, han, fu;
