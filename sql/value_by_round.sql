-- title: Value by round
-- group: placement
-- answers: In which rounds of a game were expected place points won and lost?
-- numerator: value at the deal; change of the value to the next deal, or to the end
-- denominator: rounds of seats (n)
-- param: scheme text = 7dan | What places are worth: 7dan (Tenhou's Phoenix room at 7-dan, for every
--   seat), tenhou (each seat's own room and dan), majsoul, uma, or numbers such as 90/45/0/-135.
-- source: the placement model of docs/models.md, for the games that paifu value has valued. With
--   --player, the rounds of that player; over all seats of a table the changes of a scheme of which
--   the place points add up to a constant are zero
-- example: paifu stats value_by_round --lake games.lake --player NAME
WITH parts AS (
    SELECT
        players,
        length,
        wind,
        round,
        game_id & 255 AS part,
        count(*) AS n,
        sum(value_before) AS value,
        sum(change) AS change
    FROM value_changes(coalesce(getvariable('scheme'), '7dan'))
    GROUP BY ALL
)
SELECT
    players,
    length,
    round,
    sum(n)::BIGINT AS n,
    sum(value) / sum(n) AS value_before,
    sum(change) / sum(n) AS change,
    clustered_plus_minus(change, n) AS plus_minus
FROM parts
GROUP BY players, length, wind, round
ORDER BY players DESC, length DESC, wind, round;
