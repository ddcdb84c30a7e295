-- title: Yaku by the winning tile alone
-- group: yaku
-- answers: How many open wins have a yaku only because of the set that the winning tile made?
-- numerator: open wins whose yaku, not counting dora, are all yakuhai of the winning tile
-- denominator: open wins whose yaku are known (n)
-- param: source text = NULL (recorded, computed) | Yaku as recorded, or as the rules engine finds
--   them. By default: as recorded, or as computed if the record has none.
-- source: 後付け (片和了): a shanpon wait where one of the tiles, or each of them, gives the yaku
-- example: paifu stats atozuke --lake games.lake
WITH sourced AS (
    SELECT game_id, round_index, win_index, yaku FROM yaku_facts
    WHERE getvariable('source') IS NULL OR (getvariable('source') = 'recorded' AND source = 'recorded')
    UNION ALL
    SELECT game_id, round_index, win_index, yaku FROM computed_yaku_facts
    WHERE getvariable('source') = 'computed'
),
known AS (
    SELECT
        game_id, round_index, win_index,
        bool_and(coalesce(yaku IN (
            ['round_east', 'round_south', 'round_west', 'round_north', 'haku', 'hatsu', 'chun']
                [win_tile[1]::INTEGER],
            ['seat_east', 'seat_south', 'seat_west', 'seat_north', '', '', '']
                [win_tile[1]::INTEGER]
        ), false)) AS by_tile,
        any_value(players) AS players,
        any_value(tsumo) AS tsumo,
        any_value(points) AS points
    FROM sourced
    JOIN (
        SELECT
            game_id, round_index, win_index, players, tsumo, points,
            CASE WHEN win_tile[2] = 'z' THEN win_tile END AS win_tile
        FROM win_facts
        WHERE winner_state = 'open'
    ) USING (game_id, round_index, win_index)
    WHERE yaku NOT IN ('dora', 'aka_dora', 'ura_dora', 'kita')
    GROUP BY ALL
)
SELECT
    players,
    count(*) FILTER (by_tile) AS wins,
    count(*) AS n,
    avg(by_tile::INTEGER) AS rate,
    rate_low(count(*) FILTER (by_tile), count(*)) AS low,
    rate_high(count(*) FILTER (by_tile), count(*)) AS high,
    avg(tsumo::INTEGER) FILTER (by_tile) AS tsumo_rate,
    avg(points) FILTER (by_tile) AS average_points,
    avg(points) FILTER (NOT by_tile) AS average_points_of_others
FROM known
GROUP BY players
ORDER BY players DESC;
