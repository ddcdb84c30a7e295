"""Workers that use one lake at once: one writes, two read, some re-score; all record what they saw.

They are threads or processes. What a reader may see of a game follows from the times at which the
game was stored and forgotten; all processes use the machine's clock.
"""

from __future__ import annotations

import random
import time
import traceback
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

WHOLE = """
    SELECT coalesce(g.game_id, r.game_id, s.game_id, a.game_id, v.game_id) AS game_id,
        g.rounds IS NOT NULL AND r.n = g.rounds AND s.n = g.players
            AND q.n = g.rounds * g.players AND a.n > 0 AND coalesce(v.n, 1) = 1 AS whole
    FROM games AS g
    FULL JOIN (SELECT game_id, count(*) AS n FROM rounds GROUP BY 1) AS r USING (game_id)
    FULL JOIN (SELECT game_id, count(*) AS n FROM seats GROUP BY 1) AS s USING (game_id)
    FULL JOIN (SELECT game_id, count(*) AS n FROM round_seats GROUP BY 1) AS q USING (game_id)
    FULL JOIN (SELECT game_id, count(*) AS n FROM actions GROUP BY 1) AS a USING (game_id)
    FULL JOIN (
        SELECT game_id, count(*) AS n FROM verdicts WHERE subject = 'game' GROUP BY 1
    ) AS v USING (game_id)
"""
"""Each game of the lake, and whether it has all its rows and no others."""


def repeat(work: Callable[[], Any], stop: Any, results: Any, name: str, pause_s: float = 0) -> None:
    """Do some work again and again until the race is over; report what it returned or raised."""
    from paifu.errors import PaifuError

    done, refused, raised = [], [], []
    while not stop.is_set():
        try:
            done.append(work())
        except PaifuError as error:
            refused.append(str(error))
        except Exception:
            raised.append(traceback.format_exc())
        stop.wait(pause_s)
    results.put((name, done, refused, raised))


def read(place: Path, pause_s: float, ready: Any, stop: Any, results: Any) -> None:
    """Look at the lake; record the time, the games seen, and the games without all their rows."""
    from paifu.lake.lake import Lake
    from paifu.query.statistics import run

    def look() -> tuple[float, float, list[int], list[str]]:
        begun = time.monotonic()
        with Lake.open(place) as lake:
            rows = lake.sql(WHOLE).fetchall()
            counted = run(lake, "games").games
        wrong = [f"game {game} is not whole" for game, whole in rows if not whole]
        if counted != len(rows):
            wrong.append(f"a statistic of the same lake counts {counted} of {len(rows)} games")
        return begun, time.monotonic(), [game for game, _ in rows], wrong

    ready.wait(300)
    repeat(look, stop, results, "read", pause_s)


def score(place: Path, pause_s: float, ready: Any, stop: Any, results: Any) -> None:
    """Re-score games without a verdict."""
    from paifu.audit.lake_audit import rescore

    ready.wait(300)
    repeat(lambda: rescore(place, jobs=1).seconds, stop, results, "rescore", pause_s)


def write(
    place: Path, logs: list[Path], turns: int | None, ready: Any, stop: Any, results: Any
) -> None:
    """Ingest, forget and compact in turn; record when each game was stored and removed."""
    from paifu.ingestion.driver import ingest
    from paifu.lake.compact import compact
    from paifu.lake.forget import for_good, forget_game
    from paifu.lake.lake import Lake

    chance = random.Random(13)
    waiting, stored = list(logs), set(ids(place))
    notes: list[tuple[str, int, float, float]] = []
    kinds = cycle(["in", "compact", "out", "in"])
    left = turns or -1

    def turn() -> None:
        nonlocal left
        kind, begun = next(kinds), time.monotonic()
        if kind == "in" and waiting:
            ingest([waiting.pop()], place, jobs=1)
            now = set(ids(place))
            notes.extend(("in", game, begun, time.monotonic()) for game in now - stored)
            stored.update(now)
        else:
            with Lake.open(place, write=True) as lake:
                if kind == "out":
                    game = chance.choice(sorted(stored))
                    forget_game(lake, game)
                    notes.append(("out", game, begun, time.monotonic()))
                    stored.discard(game)
                    for_good(lake)
                else:
                    compact(lake)
        left -= 1
        if left == 0:
            stop.set()

    ready.wait(300)
    repeat(turn, stop, results, "write")
    results.put(("notes", notes, [], []))


def ids(place: Path) -> list[int]:
    """Return the ids of the lake's games."""
    from paifu.lake.lake import Lake

    with Lake.open(place) as lake:
        return [game for (game,) in lake.sql("SELECT game_id FROM games").fetchall()]
