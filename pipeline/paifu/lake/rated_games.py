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

RATED_GAMES: Final = f"""CREATE OR REPLACE VIEW rated_games AS
WITH RECURSIVE rated_seats AS MATERIALIZED (
    -- step: what would be added to R if it counted in full
    SELECT
        row_number() OVER () AS id,
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
rated AS MATERIALIZED (
    -- together: the games of the player in this hour
    SELECT
        id, who, game_id, rate, step, played_at IS NULL AS undated,
        dense_rank() OVER hours AS hour,
        rank() OVER hours - 1 AS earlier,
        count(*) OVER (hours RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS together
    FROM rated_seats
    JOIN people USING (player, players)
    WINDOW hours AS (PARTITION BY who ORDER BY played_at)
),
pairs AS MATERIALIZED (
    -- games of a player in one hour, and in two that follow each other in the lake
    SELECT
        a.who, a.id AS game, b.id AS next, a.hour, b.hour AS next_hour,
        a.together > 1 OR b.together > 1 AS in_question,
        a.earlier, a.step, b.rate - a.rate AS change,
        (1 - (b.rate - a.rate) / a.step) / {R_FACTOR_FALL} AS told
    -- not joined by a range of hours, which would compare all games of a player
    FROM (SELECT *, unnest([hour, hour + 1]) AS next_hour FROM rated) AS a
    JOIN rated AS b
        ON b.who = a.who AND b.hour = a.next_hour
        AND b.game_id <> a.game_id
    WHERE NOT a.undated AND NOT b.undated AND a.step <> 0
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
near AS (
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
known AS MATERIALIZED (
    SELECT
        rated.*,
        CASE
            WHEN hour >= since OR base + earlier > {EXPERIENCED} THEN {EXPERIENCED}
            WHEN base + earlier >= 0 THEN round(base + earlier)::BIGINT
        END AS games_before
    FROM rated
    LEFT JOIN veterans USING (who)
    LEFT JOIN near USING (id)
),
links AS (
    SELECT pairs.*
    FROM pairs
    JOIN known ON known.id = game
    WHERE in_question AND abs(change - pairs.step * greatest(
        {R_FACTOR_LAST}, 1 - {R_FACTOR_FALL} * coalesce(games_before, {EXPERIENCED})
    )) <= {_EXACT} + CASE
        WHEN coalesce(games_before, {EXPERIENCED}) < {EXPERIENCED}
        THEN {R_FACTOR_FALL * _LIKE} * abs(pairs.step)
        ELSE 0
    END
),
within AS (
    -- of two games that could follow each other either way, neither is told
    SELECT game, next
    FROM links
    WHERE hour = next_hour
    QUALIFY count(*) OVER (PARTITION BY game) = 1
        AND count(*) OVER (PARTITION BY next) = 1
        AND count(*) OVER (PARTITION BY least(game, next), greatest(game, next)) = 1
),
chains AS (
    SELECT who, hour, game_id AS head, id, 0 AS depth
    FROM rated
    ANTI JOIN within ON within.next = rated.id
    WHERE together > 1
    UNION ALL
    SELECT who, hour, head, within.next, depth + 1
    FROM chains
    JOIN within ON within.game = chains.id
),
runs AS (
    -- a run of an hour that the hour before leads to comes first, one that leads on comes last
    SELECT
        who, hour, head,
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
    SELECT *, count(*) OVER (PARTITION BY who, hour, rank) = 1 AS told FROM runs
),
turns AS (
    -- the order of games that share an hour
    SELECT
        rated.id,
        row_number() OVER (
            PARTITION BY rated.who, rated.hour ORDER BY rank, chains.head, depth, game_id
        ) AS turn,
        told
    FROM rated
    LEFT JOIN chains USING (id)
    LEFT JOIN ranked
        ON ranked.who = chains.who AND ranked.hour = chains.hour AND ranked.head = chains.head
    WHERE together > 1
)
SELECT
    rated_seats.game_id,
    seat,
    player,
    players,
    played_at,
    room,
    dan,
    dan_name,
    rated_seats.rate,
    rated_seats.step,
    games_before,
    earlier + coalesce(turn, 1) AS nth,
    -- the game alone in its hour, or its place told
    coalesce(told, together = 1) AS order_known
FROM rated_seats
JOIN known USING (id)
LEFT JOIN turns USING (id)"""
"""The statement that makes the view.

A row is a player in a game of Tenhou's ranked rooms (lobby 0) in which every seat has an R. ``nth``
is the place of the game in the order. If the place within an hour is not known, ``order_known`` is
false and the order is that of ``game_id``. ``step`` is the result plus a fortieth of the mean R of
the table less the player's own R: the change of R if it counted in full. ``games_before`` is the
number of games played before, 400 for 400 and more. It follows from the part of a step by which R
changed, and is NULL if it is not known.
"""
