-- title: Value by cause
-- group: placement
-- answers: What was each win, deal-in, draw and riichi worth, in expected place points?
-- numerator: change of the value from one deal to the next (or the end), and its parts: riichi
--   sticks, payments, dealership
-- denominator: rounds that ended in that way for the seat (n); per_game: games of the seats
-- param: scheme text = 7dan | What places are worth: 7dan (Tenhou's Phoenix room at 7-dan, for every
--   seat), tenhou (each seat's own room and dan), majsoul, uma, or numbers such as 90/45/0/-135.
-- source: ポイント期待値貢献度; the placement model of docs/models.md, for the games that paifu
--   value has valued. With --player, the rounds of that player. The changes of a game add up to
--   what its place was worth less the value at the first deal. Place points of a game have a
--   standard deviation of some 85 under 7dan, so a player's sum per game is known to 2 points only
--   after some 1,800 games
-- example: paifu stats value_by_cause --lake games.lake --param scheme=30/10/-10/-30
WITH changes AS (
    SELECT * FROM value_changes(coalesce(getvariable('scheme'), '7dan'))
),
parts AS (
    SELECT
        players,
        cause,
        game_id & 255 AS part,
        count(*) AS n,
        sum(change) AS change,
        sum(stick_change) AS stick_change,
        sum(payment_change) AS payment_change,
        sum(dealership_change) AS dealership_change
    FROM changes
    GROUP BY ALL
),
played AS (
    SELECT players, count(DISTINCT (game_id, seat)) AS n_games FROM changes GROUP BY players
)
SELECT
    players,
    cause,
    sum(n)::BIGINT AS n,
    sum(change) / sum(n) AS change,
    clustered_plus_minus(change, n) AS plus_minus,
    sum(stick_change) / sum(n) AS by_sticks,
    sum(payment_change) / sum(n) AS by_payments,
    sum(dealership_change) / sum(n) AS by_dealership,
    any_value(n_games) AS n_games,
    sum(change) / any_value(n_games) AS per_game
FROM parts
JOIN played USING (players)
GROUP BY players, cause
ORDER BY players DESC, change DESC;
