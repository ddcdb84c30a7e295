-- title: Luck of players
-- group: luck
-- answers: Did a player's riichis win more often than similar riichis of others, and was it due to
--   the wall?
-- numerator: riichis won; winning tiles in the wall; ura han; for each, the player's figure minus
--   that of similar riichis of others
-- denominator: the player's riichis whose wall is known (n), those of them that were compared
--   (n_compared), and those won (n_wins)
-- param: min_riichis int = 1 | Players with fewer riichis are left out.
-- param: alike count = 30 | A riichi is compared only if others have at least this many similar
--   riichis.
-- compares: players; the filter player selects rows, and the comparison is still with all players
-- source: own; similar riichis are riichis of other players with the same order (first or chasing),
--   wait kind, room, live tiles (eight or more count as eight) and draws left (in steps of twelve),
--   so that the choice of a wait and of a moment does not count as luck; if there are fewer of them
--   than alike, the room is ignored, and then live tiles and draws are taken in steps of three and
--   twenty-four; ura are compared by the number of indicators. above is how much more the player
--   had than the comparison; sd is its standard deviation by chance alone, including that of the
--   comparison: a difference within two sd can be chance. Seats without a name are part of the
--   comparison
-- example: paifu stats player_luck --lake games.lake --param min_riichis=100
WITH declared AS (
    SELECT
        players,
        CASE WHEN NOT anonymous THEN player END AS player,
        coalesce(room, '') AS room,
        riichi_order = 1 AS first,
        coalesce(riichi_wait_kind, '') AS kind,
        least(riichi_live, 8) AS live,
        floor(riichi_tiles_left / 12) AS draws,
        won,
        riichi_live,
        riichi_in_wall AS in_wall,
        luck.ura_han,
        len(luck.ura_indicators) AS indicators
    FROM luck
    JOIN round_seats USING (game_id, round_index, seat)
    JOIN (SELECT game_id, seat, player, anonymous FROM seats) AS seats USING (game_id, seat)
    JOIN (SELECT game_id, room FROM games) AS games USING (game_id)
    WHERE riichi_in_wall IS NOT NULL
),
riichis AS (
    SELECT
        players, player, room, first, kind, live, draws,
        floor(live / 3) AS some_live,
        floor(draws / 2) AS some_draws,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        sum(riichi_live) AS seen_live,
        sum(in_wall) AS tiles,
        sum(in_wall * in_wall) AS squares
    FROM declared
    GROUP BY ALL
),
-- similar riichis of all seats and of each player: exactly (0), in any room (1), and roughly (2)
levels AS (
    SELECT
        players, player, level,
        CASE WHEN level = 0 THEN room ELSE '' END AS room_of,
        first, kind,
        CASE WHEN level = 2 THEN some_live ELSE live END AS live_of,
        CASE WHEN level = 2 THEN some_draws ELSE draws END AS draws_of,
        sum(n) AS n, sum(wins) AS wins, sum(tiles) AS tiles, sum(squares) AS squares
    FROM riichis
    CROSS JOIN (VALUES (0), (1), (2)) AS levels (level)
    GROUP BY ALL
),
every AS (
    SELECT
        players, level, room_of, first, kind, live_of, draws_of,
        sum(n) AS n, sum(wins) AS wins, sum(tiles) AS tiles, sum(squares) AS squares
    FROM levels
    GROUP BY ALL
),
others AS (
    SELECT
        players, player, level, room_of, first, kind, live_of, draws_of,
        {
            n: every.n - levels.n, wins: every.wins - levels.wins,
            tiles: every.tiles - levels.tiles, squares: every.squares - levels.squares
        } AS theirs
    FROM levels
    JOIN every USING (players, level, room_of, first, kind, live_of, draws_of)
    WHERE player IS NOT NULL AND every.n - levels.n >= coalesce(getvariable('alike'), 30)
),
beside AS (
    SELECT
        riichis.*, coalesce(exactly.theirs, anywhere.theirs, roughly.theirs) AS theirs
    FROM riichis
    LEFT JOIN others AS exactly
        ON exactly.level = 0 AND exactly.room_of = room AND exactly.players = riichis.players
        AND exactly.player = riichis.player AND exactly.first = riichis.first
        AND exactly.kind = riichis.kind AND exactly.live_of = live AND exactly.draws_of = draws
    LEFT JOIN others AS anywhere
        ON anywhere.level = 1 AND anywhere.players = riichis.players
        AND anywhere.player = riichis.player AND anywhere.first = riichis.first
        AND anywhere.kind = riichis.kind AND anywhere.live_of = live AND anywhere.draws_of = draws
    LEFT JOIN others AS roughly
        ON roughly.level = 2 AND roughly.players = riichis.players
        AND roughly.player = riichis.player AND roughly.first = riichis.first
        AND roughly.kind = riichis.kind AND roughly.live_of = some_live
        AND roughly.draws_of = some_draws
    WHERE riichis.player IS NOT NULL
),
rates AS (
    SELECT
        *,
        theirs.wins / theirs.n AS win,
        theirs.tiles / theirs.n AS fair,
        greatest(0, theirs.squares / theirs.n - power(theirs.tiles / theirs.n, 2)) AS variance,
        1 + n / theirs.n AS and_theirs
    FROM beside
),
compared AS (
    SELECT
        player,
        players,
        sum(n)::BIGINT AS n,
        sum(wins)::BIGINT AS n_wins,
        coalesce(sum(n) FILTER (theirs IS NOT NULL), 0)::BIGINT AS n_compared,
        sum(n * win) / nullif(sum(n) FILTER (theirs IS NOT NULL), 0) AS deserved_rate,
        sum(wins - n * win) AS wins_above_deserved,
        sqrt(sum(n * win * (1 - win) * and_theirs)) AS wins_sd,
        sum(seen_live) / sum(n) AS average_live,
        sum(tiles) / sum(n) AS average_in_wall,
        sum(n * fair) / nullif(sum(n) FILTER (theirs IS NOT NULL), 0) AS fair_in_wall,
        sum(tiles - n * fair) AS tiles_above_fair,
        sqrt(sum(n * variance * and_theirs)) AS tiles_sd
    FROM rates
    GROUP BY player, players
    HAVING sum(n) >= coalesce(getvariable('min_riichis'), 1)
),
uras AS (
    SELECT
        players, indicators, player,
        count(*) AS n, sum(ura_han) AS han, sum(ura_han * ura_han) AS squares
    FROM declared
    WHERE won
    GROUP BY ALL
),
ura_rates AS (
    SELECT
        uras.player, players, uras.n, uras.han,
        (every.han - uras.han) / nullif(every.n - uras.n, 0) AS fair,
        greatest(0, (every.squares - uras.squares) / nullif(every.n - uras.n, 0) - power(fair, 2))
            * (1 + uras.n / nullif(every.n - uras.n, 0)) AS variance
    FROM uras
    JOIN (
        SELECT players, indicators, sum(n) AS n, sum(han) AS han, sum(squares) AS squares
        FROM uras
        GROUP BY ALL
    ) AS every USING (players, indicators)
    WHERE uras.player IS NOT NULL
),
ura AS (
    SELECT
        player,
        players,
        sum(han) / sum(n) AS average_ura,
        sum(n * fair) / nullif(sum(n) FILTER (fair IS NOT NULL), 0) AS fair_ura,
        sum(han - n * fair) AS ura_above_fair,
        sqrt(sum(n * variance)) AS ura_sd
    FROM ura_rates
    GROUP BY player, players
)
SELECT
    player,
    players,
    n,
    n_wins / n AS win_rate,
    rate_low(n_wins, n) AS low,
    rate_high(n_wins, n) AS high,
    n_compared,
    deserved_rate,
    wins_above_deserved,
    wins_sd,
    average_live,
    average_in_wall,
    fair_in_wall,
    tiles_above_fair,
    tiles_sd,
    n_wins,
    average_ura,
    fair_ura,
    ura_above_fair,
    ura_sd
FROM compared
LEFT JOIN ura USING (player, players)
ORDER BY players DESC, wins_above_deserved DESC NULLS LAST, n DESC, player;
