-- title: Value by cause
-- group: placement
-- answers: What was each win, deal-in, draw and riichi worth, in expected place points?
-- numerator: change of the value from one deal to the next (or the end), and its parts: riichi
--   sticks, payments, dealership
-- denominator: rounds that ended in that way for the seat (n), or all rounds (cause all); per_game:
--   games of the seats (n_games)
-- param: scheme text = 7dan | What places are worth: 7dan (Tenhou's Phoenix room at 7-dan, for every
--   seat), tenhou (each seat's own room and dan), majsoul, uma, or numbers such as 90/45/0/-135.
-- source: ポイント期待値貢献度; the placement model of docs/models.md, for the games that paifu
--   value has valued. With --player, the rounds of that player. The changes of a game add up to
--   what its place was worth less the value at the first deal. Place points of a game have a
--   standard deviation of some 85 under 7dan, so a player's sum per game has a standard error of 2 points
--   only after some 1,800 games
-- example: paifu stats value_by_cause --lake games.lake --param scheme=30/10/-10/-30
WITH changes AS (
    SELECT * FROM value_changes(coalesce(getvariable('scheme'), '7dan'))
),
parts AS (
    SELECT
        players,
        coalesce(cause, 'all') AS cause,
        game_id & 255 AS part,
        count(*) AS n,
        sum(change) AS change,
        sum(stick_change) AS stick_change,
        sum(payment_change) AS payment_change,
        sum(dealership_change) AS dealership_change
    FROM changes
    GROUP BY GROUPING SETS ((players, part), (players, cause, part))
),
by_round AS (
    SELECT
        players,
        cause,
        sum(n)::BIGINT AS n,
        sum(change) / sum(n) AS change,
        clustered_plus_minus(change, n) AS plus_minus,
        sum(stick_change) / sum(n) AS by_sticks,
        sum(payment_change) / sum(n) AS by_payments,
        sum(dealership_change) / sum(n) AS by_dealership
    FROM parts
    GROUP BY players, cause
),
by_game AS (
    -- a game without a round that ended in that way counts too
    SELECT
        players,
        cause,
        sum(n_games)::BIGINT AS n_games,
        sum(coalesce(change, 0)) / sum(n_games) AS per_game,
        clustered_plus_minus(coalesce(change, 0), n_games) AS per_game_plus_minus
    FROM (
        SELECT players, game_id & 255 AS part, count(DISTINCT (game_id, seat)) AS n_games
        FROM changes
        GROUP BY ALL
    )
    JOIN (SELECT players, cause FROM by_round) USING (players)
    LEFT JOIN parts USING (players, cause, part)
    GROUP BY players, cause
)
SELECT
    players,
    cause,
    n,
    change,
    plus_minus,
    by_sticks,
    by_payments,
    by_dealership,
    n_games,
    per_game,
    per_game_plus_minus
FROM by_round
JOIN by_game USING (players, cause)
ORDER BY players DESC, cause = 'all' DESC, change DESC;
