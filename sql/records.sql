-- title: Records
-- group: rounds and games
-- answers: What is the largest win, the most honba, the longest game, the most points of all?
-- numerator: the largest value, and one game and round that has it
-- denominator: none; n is how many wins, rounds, games or seats were looked at
-- param: custom bool = true | Games of lobbies and rooms with settings of their own (rule sets
--   tenhou-custom, majsoul-custom), which may begin with other points, count too.
-- source: Tenhou's event statistics (largest win, most honba)
-- example: paifu stats records --lake games.lake
WITH counted AS (
    SELECT * FROM games
    WHERE coalesce(getvariable('custom'), true) OR NOT contains(ruleset, '-custom')
),
held AS (
    SELECT
        players, 'win points' AS record, max(points) AS value, count(points) AS n,
        arg_max({g: game_id, r: round_index}, points) AS held_in
    FROM win_facts SEMI JOIN counted USING (game_id) GROUP BY players
    UNION ALL
    SELECT players, 'win han', max(han), count(han), arg_max({g: game_id, r: round_index}, han)
    FROM win_facts SEMI JOIN counted USING (game_id) GROUP BY players
    UNION ALL
    SELECT
        players, 'dora in a win', max(dora), count(dora), arg_max({g: game_id, r: round_index}, dora)
    FROM (
        SELECT *, dora_han + coalesce(aka_han, 0) + coalesce(ura_han, 0) + coalesce(kita_han, 0) AS dora
        FROM win_facts SEMI JOIN counted USING (game_id)
    )
    GROUP BY players
    UNION ALL
    SELECT
        counted.players, 'honba', max(honba), count(*), arg_max({g: game_id, r: round_index}, honba)
    FROM rounds JOIN counted USING (game_id) GROUP BY counted.players
    UNION ALL
    SELECT
        counted.players, 'riichi sticks at a start', max(sticks), count(*),
        arg_max({g: game_id, r: round_index}, sticks)
    FROM rounds JOIN counted USING (game_id) GROUP BY counted.players
    UNION ALL
    SELECT
        players, 'rounds of a game', max(rounds), count(*),
        arg_max({g: game_id, r: rounds - 1}, rounds)
    FROM counted WHERE complete GROUP BY players
    UNION ALL
    SELECT
        counted.players, 'final points', max(final_points), count(final_points),
        arg_max({g: game_id, r: rounds - 1}, final_points)
    FROM seats JOIN counted USING (game_id) WHERE complete GROUP BY counted.players
    UNION ALL
    SELECT
        counted.players, 'fewest final points', min(final_points), count(final_points),
        arg_min({g: game_id, r: rounds - 1}, final_points)
    FROM seats JOIN counted USING (game_id) WHERE complete GROUP BY counted.players
)
SELECT
    held.players,
    record,
    value,
    n,
    games.log_id AS log,
    games.game_id,
    ['E', 'S', 'W', 'N'][wind + 1] || number || '.' || honba AS round
FROM held
JOIN games ON games.game_id = held_in.g
JOIN rounds ON rounds.game_id = held_in.g AND rounds.round_index = held_in.r
WHERE value IS NOT NULL
ORDER BY players DESC, record;
