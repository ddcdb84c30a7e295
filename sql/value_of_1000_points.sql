-- title: Value of 1,000 points
-- group: placement
-- answers: What are 1,000 points worth, by round and rank?
-- numerator: value at the deal less the value with the riichi stick paid
-- denominator: rounds in which the seat paid the only riichi stick (n)
-- param: scheme text = 7dan | What places are worth: 7dan (Tenhou's Phoenix room at 7-dan, for every
--   seat), tenhou (each seat's own room and dan), majsoul, uma, or numbers such as 90/45/0/-135.
-- source: the placement model of docs/models.md, for the games that paifu value has valued; a stick
--   is 1,000 points that only this seat loses, and nobody has won yet. The positions are those in
--   which seats declared riichi
-- example: paifu stats value_of_1000_points --lake games.lake --length south
WITH parts AS (
    SELECT
        players,
        length,
        wind,
        round,
        rank_start,
        game_id & 255 AS part,
        count(*) AS n,
        -sum(stick_change) AS value
    FROM value_changes(coalesce(getvariable('scheme'), '7dan'))
    JOIN (SELECT game_id, round_index, seat, rank_start FROM round_seats WHERE riichi_accepted)
        USING (game_id, round_index, seat)
    JOIN (SELECT game_id, round_index FROM rounds WHERE riichis = 1) USING (game_id, round_index)
    GROUP BY ALL
)
SELECT
    players,
    length,
    round,
    rank_start AS rank,
    sum(n)::BIGINT AS n,
    sum(value) / sum(n) AS value,
    clustered_plus_minus(value, n) AS plus_minus
FROM parts
GROUP BY players, length, wind, round, rank_start
ORDER BY players DESC, length DESC, wind, round, rank_start;
