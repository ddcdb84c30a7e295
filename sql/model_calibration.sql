-- title: Calibration of the placement model
-- group: placement
-- answers: If the model says that a seat ends at a place in a tenth of cases, does it?
-- numerator: seats that ended at the place
-- denominator: starts of rounds at which a seat's chance of the place was in that range (n)
-- param: step number = 0.1 | Width of a row, as a chance.
-- source: reliability diagram; the placement model of docs/models.md, for the games that paifu value
--   has valued. If the model was fitted on these games, they flatter it: paifu fit placement
--   --report holds each game out
-- example: paifu stats model_calibration --lake games.lake
WITH said AS (
    SELECT
        players,
        game_id & 255 AS part,
        place,
        placement = place AS ended,
        [place_1, place_2, place_3, place_4][place] AS chance
    FROM round_values
    SEMI JOIN (SELECT model_id FROM placement_models WHERE current) AS m USING (model_id)
    JOIN (SELECT game_id, seat, placement FROM seats) USING (game_id, seat)
    JOIN (SELECT game_id, players FROM games) USING (game_id)
    CROSS JOIN (SELECT unnest([1, 2, 3, 4]) AS place)
    WHERE place <= players
),
parts AS (
    SELECT
        players,
        place,
        floor(chance / coalesce(getvariable('step'), 0.1)) AS band,
        part,
        count(*) AS n,
        sum(chance) AS chance,
        count(*) FILTER (ended) AS ended
    FROM said
    GROUP BY ALL
)
SELECT
    players,
    place,
    band * coalesce(getvariable('step'), 0.1) AS from_chance,
    sum(n)::BIGINT AS n,
    sum(chance) / sum(n) AS average_chance,
    sum(ended) / sum(n) AS rate,
    clustered_low(ended, n) AS low,
    clustered_high(ended, n) AS high
FROM parts
GROUP BY players, place, band
ORDER BY players DESC, place, band;
