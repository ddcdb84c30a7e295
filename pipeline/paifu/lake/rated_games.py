"""The view ``rated_games``: the games that changed a player's R, in the order of play.

Tenhou's logs have the hour of a game, not the minute, and a player finishes several games in an
hour. The order follows from R itself: the R before a game is the R after the previous game, which
is known to 0.01. How much of a result counts shows how many games the player has played.
"""

from __future__ import annotations

from typing import Final

R_FACTOR_LAST: Final = 0.2
"""The part of a result that counts from the 400th game on."""
R_FACTOR_FALL: Final = 0.002
"""How much this part decreases with each game, starting at 1."""
EXPERIENCED: Final = 400

_EXACT = 0.015
"""The tolerance of R: it has two decimal digits, before and after a game."""
_FAR = 5
"""The least step from which the counted part is known to within a few games."""
_NEAR = 6
"""How many pairs before and after a game may show the player's experience."""
_LIKE = 3
"""By how many games these pairs may differ."""
_TOLD = 4
"""How many pairs must agree."""

_HOURS = 1 << 32
"""More than the hours in which a player can have played."""
_GAMES_BEFORE = f"""CASE
        WHEN hour >= since OR base + earlier > {EXPERIENCED} THEN {EXPERIENCED}
        WHEN base + earlier >= 0 THEN round(base + earlier)::BIGINT
    END"""

RATED_GAMES: Final = f"""CREATE OR REPLACE VIEW rated_games AS
WITH RECURSIVE rated_seats AS MATERIALIZED (
    -- step: what would be added to R if it counted in full
    SELECT
        game_id, seat, player, games.players, played_at, room, dan, dan_name, rate,
        CASE games.players
            WHEN 4 THEN [30, 10, -10, -30][placement] ELSE [30, 0, -30][placement]
        END + (table_rate - rate) / 40 AS step
    FROM seats
    JOIN games USING (game_id)
    WHERE ruleset IN ('tenhou-4p', 'tenhou-3p') AND coalesce(lobby, '0') = '0' AND complete
        AND placement IS NOT NULL AND table_rate IS NOT NULL AND NOT anonymous
        AND player IS NOT NULL
),
people AS MATERIALIZED (
    -- a number is quicker to compare than a name
    SELECT player, players, row_number() OVER () AS who
    FROM (SELECT DISTINCT player, players FROM rated_seats)
),
numbered AS (
    -- together: the games of the player in this hour
    SELECT
        rated_seats.* EXCLUDE (player), who,
        row_number() OVER () AS id,
        dense_rank() OVER hours AS hour,
        rank() OVER hours - 1 AS earlier,
        count(*) OVER (hours RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS together
    FROM rated_seats
    JOIN people USING (player, players)
    WINDOW hours AS (PARTITION BY who ORDER BY played_at)
),
rated AS MATERIALIZED (
    -- slot: the player and the hour as one number; that of the player's next hour is one more
    SELECT *, who * {_HOURS} + hour AS slot
    FROM numbered
),
pairs AS MATERIALIZED (
    -- games of a player in one hour, and in two that follow each other in the lake, if R changed
    -- by a part of the step that can count
    SELECT
        a.who, a.id AS game, b.id AS next, a.hour, b.hour AS next_hour,
        a.together > 1 OR b.together > 1 AS in_question,
        a.earlier, a.step, b.rate - a.rate AS change,
        (1 - (b.rate - a.rate) / a.step) / {R_FACTOR_FALL} AS told
    -- not joined by a range of hours, which would compare all games of a player
    FROM (
        SELECT *, unnest(CASE WHEN together > 1 THEN [slot, slot + 1] ELSE [slot + 1] END) AS next
        FROM rated
        WHERE played_at IS NOT NULL AND step <> 0
    ) AS a
    JOIN rated AS b ON b.slot = a.next AND b.game_id <> a.game_id
    WHERE b.played_at IS NOT NULL
        AND abs(b.rate - a.rate - {(1 + R_FACTOR_LAST) / 2} * a.step)
            <= {(1 - R_FACTOR_LAST) / 2 + R_FACTOR_FALL * (_LIKE + 1)} * abs(a.step) + {2 * _EXACT}
),
veterans AS (
    -- once a fifth has counted, it is a fifth for good
    SELECT who, min(hour) AS since
    FROM pairs
    WHERE abs(change - {R_FACTOR_LAST} * step) <= {_EXACT} AND abs(step) > {_FAR}
    GROUP BY ALL
),
told AS (
    -- before that: the experience each pair would tell, and what most of those near it agree on
    SELECT
        id, who, earlier,
        list(told - earlier) FILTER (told IS NOT NULL) OVER (
            PARTITION BY who ORDER BY hour, game_id, told
            ROWS BETWEEN {_NEAR} PRECEDING AND {_NEAR} FOLLOWING
        ) AS bases
    FROM rated
    LEFT JOIN veterans USING (who)
    LEFT JOIN (
        SELECT game AS id, told FROM pairs
        WHERE abs(step) > {_FAR} AND told BETWEEN 0 AND {EXPERIENCED - 1}
    ) AS pairs USING (id)
    WHERE (since IS NULL OR hour < since)
        AND who IN (
            SELECT who FROM pairs
            WHERE abs(step) > {_FAR} AND told BETWEEN 0 AND {EXPERIENCED - 1}
        )
),
newcomers AS (
    SELECT id, who, min(list_median(bases)) AS base
    FROM told
    WHERE len(list_filter(bases, lambda base: abs(base - list_median(bases)) <= {_LIKE})) >= {_TOLD}
    GROUP BY ALL
),
near AS MATERIALIZED (
    -- where nothing is told, as by the game before or after of which something is
    SELECT
        id,
        coalesce(
            last_value(base IGNORE NULLS) OVER games, first_value(base IGNORE NULLS) OVER later
        ) AS base
    FROM rated
    LEFT JOIN newcomers USING (id)
    WHERE rated.who IN (SELECT who FROM newcomers)
    WINDOW
        games AS (PARTITION BY rated.who ORDER BY hour, game_id),
        later AS (
            PARTITION BY rated.who ORDER BY hour, game_id
            ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING
        )
),
links AS MATERIALIZED (
    -- pairs in which R changed by what counted then
    SELECT game, next, hour, next_hour
    FROM pairs
    ANTI JOIN newcomers USING (who)
    WHERE in_question AND abs(change - {R_FACTOR_LAST} * step) <= {_EXACT}
    UNION ALL
    SELECT game, next, hour, next_hour
    FROM (
        SELECT pairs.*, coalesce({_GAMES_BEFORE}, {EXPERIENCED}) AS before
        FROM near
        JOIN pairs ON pairs.game = near.id
        LEFT JOIN veterans USING (who)
        WHERE in_question
    )
    WHERE abs(change - step * greatest({R_FACTOR_LAST}, 1 - {R_FACTOR_FALL} * before))
        <= {_EXACT} + CASE
            WHEN before < {EXPERIENCED} THEN {R_FACTOR_FALL * _LIKE} * abs(step) ELSE 0
        END
),
together_links AS MATERIALIZED (
    SELECT game, next FROM links WHERE hour = next_hour
),
within AS MATERIALIZED (
    -- of two games that could follow each other either way, neither is told
    SELECT game, next
    FROM (SELECT game, min(next) AS next FROM together_links GROUP BY game HAVING count(*) = 1)
    JOIN (SELECT min(game) AS game, next FROM together_links GROUP BY next HAVING count(*) = 1)
        USING (game, next)
    ANTI JOIN together_links AS back ON back.game = next AND back.next = game
),
heads AS MATERIALIZED (
    -- the first game of each run of games in an hour, and the second one
    SELECT slot, game_id AS head, id, second.next
    FROM rated
    ANTI JOIN within ON within.next = rated.id
    LEFT JOIN within AS second ON second.game = rated.id
    WHERE together > 1
),
later AS (
    SELECT slot, head, next AS id, 1 AS depth FROM heads WHERE next IS NOT NULL
    UNION ALL
    SELECT slot, head, within.next, depth + 1
    FROM later
    JOIN within ON within.game = later.id
),
chains AS MATERIALIZED (
    SELECT slot, head, id, 0 AS depth FROM heads
    UNION ALL
    SELECT slot, head, id, depth FROM later
),
runs AS (
    -- a run of an hour that the hour before leads to comes first, one that leads on comes last
    SELECT
        slot, head,
        CASE
            WHEN bool_or(before.next IS NOT NULL) THEN 0
            WHEN bool_or(after.game IS NOT NULL) THEN 2
            ELSE 1
        END AS rank
    FROM chains
    LEFT JOIN (SELECT DISTINCT next FROM links WHERE hour < next_hour) AS before
        ON before.next = chains.id
    LEFT JOIN (SELECT DISTINCT game FROM links WHERE hour < next_hour) AS after
        ON after.game = chains.id
    GROUP BY ALL
),
ranked AS (
    SELECT *, count(*) OVER (PARTITION BY slot, rank) = 1 AS told FROM runs
),
turns AS (
    SELECT *, 1 AS turn, true AS told FROM rated WHERE together = 1
    UNION ALL
    -- the order of games that share an hour
    SELECT
        rated.*,
        row_number() OVER (
            PARTITION BY rated.slot ORDER BY rank, chains.head, depth, game_id
        ) AS turn,
        coalesce(told, false) AS told
    FROM rated
    LEFT JOIN chains USING (id)
    LEFT JOIN ranked ON ranked.slot = chains.slot AND ranked.head = chains.head
    WHERE together > 1
)
SELECT
    game_id,
    seat,
    player,
    turns.players,
    played_at,
    room,
    dan,
    dan_name,
    rate,
    step,
    {_GAMES_BEFORE} AS games_before,
    earlier + turn AS nth,
    -- the game alone in its hour, or its place told
    told AS order_known
FROM turns
JOIN people USING (who)
LEFT JOIN veterans USING (who)
LEFT JOIN near USING (id)"""
"""The statement that makes the view.

A row is a player in a game of Tenhou's ranked rooms (lobby 0) in which every seat has an R. ``nth``
is the place of the game in the order. If the place within an hour is not known, ``order_known`` is
false and the order is that of ``game_id``. ``step`` is the result plus a fortieth of the mean R of
the table less the player's own R: the change of R if it counted in full. ``games_before`` is the
number of games played before, 400 for 400 and more. It follows from the part of a step by which R
changed, and is NULL if it is not known.
"""
