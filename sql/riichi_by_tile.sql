-- title: Riichi by waited tiles
-- group: riichi
-- answers: How often does a riichi win on each wait (such as 1-4, 2-5 or an honour), by number of
--   outs?
-- numerator: riichis that won
-- denominator: accepted riichis on that kind of wait for those tiles, with that many outs (n)
-- param: min_n int = 1 | Rows with a smaller n are left out.
-- param: outs bool = true | One row for each number of outs; false: one row for all.
-- source: 待ち牌別和了率; tiles are the numbers of the wait without suits, low to high, and one z for
--   each honour; outs are the copies that the seat could not see at its declaration
-- example: paifu stats riichi_by_tile --lake games.lake --param min_n=100
WITH waits AS (
    SELECT
        players,
        riichi_wait_kind AS wait_kind,
        riichi_wait,
        CASE WHEN coalesce(getvariable('outs'), true) THEN riichi_live END AS outs,
        count(*) AS n,
        sum(riichi_live) AS live,
        count(*) FILTER (won) AS wins,
        count(*) FILTER (won_by = 'tsumo') AS tsumo,
        sum(win_points) FILTER (won) AS points,
        count(win_points) FILTER (won) AS n_points,
        sum(delta) AS delta,
        count(delta) AS n_delta
    FROM round_seats
    WHERE riichi_accepted AND riichi_wait IS NOT NULL
    GROUP BY ALL
),
tiles AS (
    SELECT
        *,
        -- 36m5p7z becomes 356z: the numbers of the suits in order, then a z for each honour
        array_to_string(list_sort(string_split(
            regexp_replace(regexp_replace(riichi_wait, '[0-9]+z', ''), '[mps]', '', 'g'), ''
        )), '') || repeat('z', len(regexp_extract(riichi_wait, '([0-9]+)z', 1))) AS tiles
    FROM waits
)
SELECT
    players,
    wait_kind,
    tiles,
    outs,
    sum(n)::BIGINT AS n,
    sum(n) / sum(sum(n)) OVER (PARTITION BY players) AS share,
    sum(live) / sum(n) AS average_outs,
    sum(wins) / sum(n) AS win_rate,
    rate_low(sum(wins), sum(n)) AS low,
    rate_high(sum(wins), sum(n)) AS high,
    sum(tsumo) / nullif(sum(wins), 0) AS tsumo_share,
    sum(points) / nullif(sum(n_points), 0) AS average_points,
    sum(delta) / nullif(sum(n_delta), 0) AS balance
FROM tiles
GROUP BY players, wait_kind, tiles, outs
HAVING sum(n) >= coalesce(getvariable('min_n'), 1)
ORDER BY players DESC, wait_kind, tiles, outs;
