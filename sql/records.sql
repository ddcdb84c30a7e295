-- title: Records
-- group: rounds and games
-- answers: What are the largest win, the most honba, the longest game, the most points?
-- numerator: the largest value, and the first game and round that has it (for a value of a whole
--   game, its last round)
-- denominator: none; n is how many wins, rounds, games or seats were looked at, n_with how many
--   have that value
-- param: custom bool = true | Also count games of lobbies and rooms with their own settings (rule
--   sets tenhou-custom, majsoul-custom), which may begin with other points.
-- source: Tenhou's event statistics (largest win, most honba); log is the platform's id of the
--   game, or paifu's id if there is none; paifu show takes both; played_at is UTC
-- example: paifu stats records --lake games.lake
WITH counted AS (
    SELECT * FROM games
    WHERE coalesce(getvariable('custom'), true) OR NOT contains(ruleset, '-custom')
),
of_wins AS (
    SELECT
        players, game_id, round_index, points, han,
        dora_han + coalesce(aka_han, 0) + coalesce(ura_han, 0) + coalesce(kita_han, 0) AS dora
    FROM win_facts
    SEMI JOIN counted USING (game_id)
),
of_rounds AS (
    SELECT counted.players, game_id, round_index, honba, sticks
    FROM rounds
    JOIN counted USING (game_id)
),
of_games AS (
    SELECT players, game_id, rounds - 1 AS round_index, rounds FROM counted WHERE complete
),
of_seats AS (
    SELECT players, game_id, round_index, final_points FROM seats JOIN of_games USING (game_id)
),
facts AS NOT MATERIALIZED (
    SELECT players, 'win points' AS record, points AS value, game_id, round_index FROM of_wins
    UNION ALL
    SELECT players, 'win han', han, game_id, round_index FROM of_wins
    UNION ALL
    SELECT players, 'dora in a win', dora, game_id, round_index FROM of_wins
    UNION ALL
    SELECT players, 'honba', honba, game_id, round_index FROM of_rounds
    UNION ALL
    SELECT players, 'riichi sticks at a start', sticks, game_id, round_index FROM of_rounds
    UNION ALL
    SELECT players, 'rounds of a game', rounds, game_id, round_index FROM of_games
    UNION ALL
    SELECT players, 'final points', final_points, game_id, round_index FROM of_seats
    UNION ALL
    SELECT players, 'fewest final points', final_points, game_id, round_index FROM of_seats
),
held AS (
    SELECT
        players,
        record,
        CASE record WHEN 'fewest final points' THEN min(value) ELSE max(value) END AS value,
        count(value) AS n
    FROM facts
    GROUP BY players, record
)
SELECT
    held.players,
    record,
    value,
    n,
    count(*) OVER (PARTITION BY held.players, record) AS n_with,
    coalesce(games.log_id, game_id::VARCHAR) AS log,
    ['E', 'S', 'W', 'N'][wind + 1] || number || '.' || honba AS round,
    games.played_at
FROM held
JOIN facts USING (players, record, value)
JOIN games USING (game_id)
JOIN rounds USING (game_id, round_index)
QUALIFY row_number() OVER (
    PARTITION BY held.players, record ORDER BY games.played_at, game_id, round_index
) = 1
ORDER BY players DESC, record;
