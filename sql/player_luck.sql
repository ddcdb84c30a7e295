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
    WHERE riichi_in_wall IS NOT NULL AND riichi_order IS NOT NULL
),
riichis AS MATERIALIZED (
    SELECT
        players, player, room, first, kind, live, draws,
        count(*) AS n,
        count(*) FILTER (won) AS wins,
        sum(riichi_live) AS seen_live,
        sum(in_wall) AS tiles,
        sum(in_wall * in_wall) AS squares
    FROM declared
    GROUP BY ALL
),
-- riichis that are alike: exactly, in any room, and roughly
kinds AS MATERIALIZED (
    SELECT
        players, room, first, kind, live, draws,
        row_number() OVER () AS exactly,
        dense_rank() OVER (ORDER BY players, first, kind, live, draws) AS anywhere,
        dense_rank() OVER (
            ORDER BY players, first, kind, floor(live / 3), floor(draws / 2)
        ) AS roughly
    FROM (SELECT DISTINCT players, room, first, kind, live, draws FROM riichis)
),
people AS MATERIALIZED (
    -- a number is quicker to compare than a name
    SELECT players, player, row_number() OVER () AS who
    FROM (SELECT DISTINCT players, player FROM riichis WHERE player IS NOT NULL)
),
of_all AS MATERIALIZED (
    SELECT
        exactly, anywhere, roughly,
        sum(n) AS n, sum(wins) AS wins, sum(tiles) AS tiles, sum(squares) AS squares
    FROM riichis
    JOIN kinds USING (players, room, first, kind, live, draws)
    GROUP BY ALL
),
own AS MATERIALIZED (
    SELECT who, exactly, anywhere, roughly, n, wins, seen_live, tiles, squares
    FROM riichis
    JOIN people USING (players, player)
    LEFT JOIN kinds USING (players, room, first, kind, live, draws)
),
others_anywhere AS (
    SELECT who, anywhere, {
        n: every.n - mine.n, wins: every.wins - mine.wins,
        tiles: every.tiles - mine.tiles, squares: every.squares - mine.squares
    } AS theirs
    FROM (
        SELECT who, anywhere,
            sum(n) AS n, sum(wins) AS wins, sum(tiles) AS tiles, sum(squares) AS squares
        FROM own
        GROUP BY ALL
    ) AS mine
    JOIN (
        SELECT anywhere,
            sum(n) AS n, sum(wins) AS wins, sum(tiles) AS tiles, sum(squares) AS squares
        FROM of_all
        GROUP BY ALL
    ) AS every USING (anywhere)
    WHERE every.n - mine.n >= coalesce(getvariable('alike'), 30)
),
others_roughly AS (
    SELECT who, roughly, {
        n: every.n - mine.n, wins: every.wins - mine.wins,
        tiles: every.tiles - mine.tiles, squares: every.squares - mine.squares
    } AS theirs
    FROM (
        SELECT who, roughly,
            sum(n) AS n, sum(wins) AS wins, sum(tiles) AS tiles, sum(squares) AS squares
        FROM own
        GROUP BY ALL
    ) AS mine
    JOIN (
        SELECT roughly,
            sum(n) AS n, sum(wins) AS wins, sum(tiles) AS tiles, sum(squares) AS squares
        FROM of_all
        GROUP BY ALL
    ) AS every USING (roughly)
    WHERE every.n - mine.n >= coalesce(getvariable('alike'), 30)
),
beside AS (
    SELECT
        people.player, people.players, own.n, own.wins, seen_live, own.tiles, own.squares,
        coalesce(
            CASE WHEN every.n - own.n >= coalesce(getvariable('alike'), 30) THEN {
                n: every.n - own.n, wins: every.wins - own.wins,
                tiles: every.tiles - own.tiles, squares: every.squares - own.squares
            } END,
            others_anywhere.theirs,
            others_roughly.theirs
        ) AS theirs
    FROM own
    JOIN people USING (who)
    LEFT JOIN of_all AS every USING (exactly)
    LEFT JOIN others_anywhere ON others_anywhere.who = own.who
        AND others_anywhere.anywhere = own.anywhere
    LEFT JOIN others_roughly ON others_roughly.who = own.who
        AND others_roughly.roughly = own.roughly
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
