"""Names of people in score sheets that are nearly the name of somebody else: perhaps one person.

A sheet is written by hand, so a person may be spelled in two ways. Only a person can say whether
two names are two people; they are shown, with how often each occurs. Two people of one table are
not one person.
"""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from paifu.messages import counted

_MOST_NEW, _MOST_KNOWN, _MOST_TOLD = 500, 5_000, 20

_ALIKE = f"""
WITH sat AS (
    SELECT player, game_id FROM seats JOIN games USING (game_id)
    WHERE format = 'score_sheet' AND player IS NOT NULL
),
known AS (
    SELECT
        player, count(*) AS games, length(player) AS letters,
        lower(nfc_normalize(strip_accents(replace(player, ' ', '')))) AS folded
    FROM sat GROUP BY player ORDER BY games DESC, player LIMIT {_MOST_KNOWN}
),
new AS (
    SELECT * FROM known SEMI JOIN (
        SELECT DISTINCT player FROM sat SEMI JOIN (SELECT unnest($ids) AS game_id) USING (game_id)
    ) USING (player)
    ORDER BY games, player LIMIT {_MOST_NEW}
),
pairs AS (
    SELECT new.player AS name, new.games AS games, known.player AS other, known.games AS others
    FROM new JOIN known
        ON known.player <> new.player AND abs(known.letters - new.letters) <= 2
        AND (known.games, known.player) > (new.games, new.player)
    WHERE new.folded = known.folded OR damerau_levenshtein(new.folded, known.folded)
        <= CASE WHEN least(new.letters, known.letters) >= 8 THEN 2
            WHEN least(new.letters, known.letters) >= 4 THEN 1
            WHEN least(new.letters, known.letters) = 3 AND new.player <> ascii_only(new.player)
                THEN 1
            ELSE 0 END
)
SELECT name, games, other, others FROM pairs
WHERE NOT EXISTS (
    SELECT 1 FROM sat AS one JOIN sat AS two USING (game_id)
    WHERE one.player = pairs.name AND two.player = pairs.other
)
ORDER BY others DESC, other, name LIMIT {_MOST_TOLD}
""".replace("ascii_only(new.player)", "regexp_replace(new.player, '[^ -~]', '', 'g')")


@dataclass(frozen=True, slots=True)
class AlikeNames:
    """Two names that may be one person's."""

    name: str
    """The rarer one, which is in a game of this run."""
    games: int
    other: str
    other_games: int

    def text(self) -> str:
        """Return it as a line for people."""
        return (
            f"{self.name!r} ({counted(self.games, 'game')}) is nearly {self.other!r} "
            f"({counted(self.other_games, 'game')}): if they are one person, correct the sheet and "
            "ingest it again"
        )


def alike_names(connection: duckdb.DuckDBPyConnection, ids: list[int]) -> list[AlikeNames]:
    """Return names of the games with these ids that are nearly names of the lake's sheets."""
    rows = connection.execute(_ALIKE, {"ids": ids}).fetchall()
    return [AlikeNames(*row) for row in rows]
