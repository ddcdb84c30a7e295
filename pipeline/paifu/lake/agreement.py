"""What must hold between the tables of a lake (keys, counts, sums), as queries for violations.

A record that breaks the rules of play, or contradicts itself, has flags, and its sums may also be
wrong. So queries about sums leave out games with flags.
"""

from __future__ import annotations

from collections.abc import Iterator

from paifu.schema.tables import TABLES


def agreement() -> Iterator[tuple[str, str, str]]:
    """Yield each possible violation: the table, what is wrong, and a query that finds it.

    Each query returns the ``game_id`` of what it finds, perhaps several times.
    """
    for name, table in TABLES.items():
        if "game_id" in table.names and name != "games":
            yield (
                name, "rows of games that are not there",
                f"SELECT game_id FROM {name} ANTI JOIN games USING (game_id)",
            )  # fmt: skip
    yield (
        "games",
        "a source that is not there",
        """
        SELECT game_id FROM games ANTI JOIN sources USING (source_id)""",
    )
    yield (
        "seats",
        "not as many seats as players",
        """
        SELECT game_id FROM games LEFT JOIN (SELECT game_id, count(*) AS n FROM seats GROUP BY 1)
        USING (game_id) WHERE coalesce(n, 0) <> players""",
    )
    yield (
        "rounds",
        "not as many rounds as the game has",
        """
        SELECT game_id FROM games LEFT JOIN (SELECT game_id, count(*) AS n FROM rounds GROUP BY 1)
        USING (game_id) WHERE coalesce(n, 0) <> coalesce(games.rounds, 0) AND detail = 'play'""",
    )
    yield (
        "round_seats",
        "not as many seats in a round as players",
        """
        SELECT game_id FROM games JOIN rounds USING (game_id) LEFT JOIN (
            SELECT game_id, round_index, count(*) AS n FROM round_seats GROUP BY ALL
        ) USING (game_id, round_index) WHERE coalesce(n, 0) <> games.players AND detail = 'play'""",
    )
    yield (
        "round_seats",
        "points at the end that are not the points at the start plus what was won",
        """
        SELECT game_id FROM round_seats WHERE points_end - points_start <> delta""",
    )
    yield (
        "round_seats",
        "points at the start that are not those of the round before",
        """
        SELECT game_id FROM round_seats AS a JOIN round_seats AS b USING (game_id, seat)
        JOIN games USING (game_id) WHERE b.round_index = a.round_index + 1
            AND b.points_start <> a.points_end AND len(flags) = 0""",
    )
    yield (
        "round_seats",
        "points won that others have not paid",
        """
        SELECT game_id FROM round_seats
        JOIN rounds USING (game_id, round_index) JOIN games USING (game_id)
        WHERE complete AND len(flags) = 0 AND detail = 'play'
        GROUP BY game_id, round_index, sticks, sticks_end
        HAVING sum(delta) <> 1000 * (sticks - sticks_end)""",
    )
    yield (
        "game_seats",
        "sums that are not those of the rounds",
        """
        SELECT game_id FROM game_seats AS g JOIN (
            SELECT game_id, seat, sum(delta) AS delta, count(*) AS rounds
            FROM round_seats GROUP BY ALL
        ) AS r USING (game_id, seat) WHERE g.delta <> r.delta OR g.rounds <> r.rounds""",
    )
    for name in ("round_seats", "actions", "wins"):
        yield (
            name,
            "rounds that are not there",
            f"""
            SELECT game_id FROM {name} ANTI JOIN rounds USING (game_id, round_index)""",
        )
    yield (
        "wins",
        "not as many yaku as were recorded",
        """
        SELECT game_id FROM wins LEFT JOIN (
            SELECT game_id, round_index, win_index, count(*) AS n FROM win_yaku GROUP BY ALL
        ) USING (game_id, round_index, win_index) WHERE yaku_recorded <> coalesce(n, 0)""",
    )
    yield (
        "win_yaku",
        "wins that are not there",
        """
        SELECT game_id FROM win_yaku ANTI JOIN wins USING (game_id, round_index, win_index)""",
    )
    yield (
        "discard_risks",
        "discards that are not there",
        """
        SELECT game_id FROM discard_risks ANTI JOIN actions
        USING (game_id, round_index, seq, seat, tile)""",
    )
    yield (
        "flags",
        "reasons other than those of the games",
        """
        SELECT game_id FROM games
        LEFT JOIN (SELECT game_id, count(DISTINCT reason) AS n FROM flags GROUP BY 1)
        USING (game_id) WHERE len(flags) <> coalesce(n, 0)""",
    )
    yield (
        "scored_wins",
        "wins that are not there",
        """
        SELECT game_id FROM scored_wins ANTI JOIN wins USING (game_id, round_index, win_index)""",
    )
    yield (
        "scored_yaku",
        "scored wins that are not there",
        """
        SELECT game_id FROM scored_yaku ANTI JOIN scored_wins
        USING (game_id, round_index, win_index, ruleset_hash)""",
    )
    yield (
        "verdict_fields",
        "verdicts that are not there",
        """
        SELECT game_id FROM verdict_fields ANTI JOIN verdicts
        USING (subject, game_id, ruleset_hash)""",
    )
