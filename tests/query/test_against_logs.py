"""Every named statistic gives exactly the same as a simple count over the elements of logs.

This is tested on real logs of every room and both numbers of players, and on simulated logs if
there are no real ones.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paifu.audit.lake_audit import rescore
from paifu.game.tiles import KIND_OF, parse_tiles
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.models.round_values import value
from paifu.query.statistics import run, statistics
from tests.conftest import corpus_folder
from tests.query import (
    checks_defence,
    checks_games,
    checks_hands,
    checks_models,
    checks_rooms,
    checks_wins,
)
from tests.query.registry import CHECKS, Check, Row
from tests.query.slow_game import Game
from tests.query.slow_walk import read

MODULES = (checks_defence, checks_games, checks_hands, checks_models, checks_rooms, checks_wins)
"""The modules that register the checks."""

LOGS = {"mjlog": 40, "mjlog3p": 20}
"""How many logs of each folder of the corpus are read, evenly spread over it."""

ALL = [
    pytest.param(name, check, id=" ".join([name, *map(str, check.params.values())]))
    for name, checks in sorted(CHECKS.items())
    for check in checks
]


def complete(path: Path) -> bool:
    """Return whether a log, plain or packed, has a game played to its end."""
    if "chip" in path.name or "ratio" in path.name:
        return False
    if path.suffix == ".gz":
        return True
    data = path.read_bytes()
    return data[:2] == b"\x1f\x8b" or (b"<GO " in data and b"owari=" in data)


def some_real(corpus: Path) -> list[Path]:
    """Return complete games of the ordinary rooms; chip and ratio lobbies are left out."""
    chosen = []
    for folder, number in LOGS.items():
        paths = [p for p in sorted((corpus / folder).iterdir()) if p.is_file() and complete(p)]
        chosen += paths[:: max(1, len(paths) // number)][:number]
    return chosen


@pytest.fixture(scope="module", params=["simulated", "real"])
def logs(request: pytest.FixtureRequest) -> list[Path]:
    if request.param == "real":
        return some_real(request.getfixturevalue("corpus"))
    if corpus_folder().is_dir() and not request.config.getoption("--slow"):
        pytest.skip("the real logs are counted instead; --slow counts both")
    return sorted(request.getfixturevalue("simulated").rglob("*.mjlog"))


@pytest.fixture(scope="module")
def games(logs: list[Path], lake: Lake) -> list[Game]:
    """The games, each once, as the slow walk reads them."""
    return walked(logs, lake)


def walked(logs: list[Path], lake: Lake) -> list[Game]:
    """Return the games of logs, each once; the lake gives only its name of each game."""
    names = {
        dealt([[KIND_OF[tile] for tile in parse_tiles(hand)] for hand in hands]): (part, listed)
        for part, listed, hands in lake.sql(
            "SELECT game_id & 255, coalesce(any_value(log_id), game_id::VARCHAR), "
            "list(haipai ORDER BY seat) FROM round_seats JOIN games USING (game_id) "
            "WHERE round_index = 0 GROUP BY game_id"
        ).fetchall()
    }
    found = {}
    for path in logs:
        game = read(path)
        deal = dealt([[tile // 4 for tile in seat.haipai] for seat in game.rounds[0].seats])
        game.part, game.listed = names[deal]
        found.setdefault(deal, game)
    return list(found.values())


def dealt(hands: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    """Return the first kind of tile dealt to each seat, which distinguishes games."""
    return tuple(tuple(sorted(map(int, hand))) for hand in hands)


@pytest.fixture(scope="module")
def lake(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    place = tmp_path_factory.mktemp("against_logs") / "lake"
    ingest(logs, lake=place)
    rescore(place)
    value(place)
    with Lake.open(place) as opened:
        yield opened


def keyed(rows: list[Row], check: Check) -> dict[tuple[Any, ...], Row]:
    """Return rows by their key, each once."""
    found = {tuple(row[key] for key in check.keys): row for row in rows}
    assert len(found) == len(rows)
    return found


def same(found: Any, counted: Any) -> bool:
    """Return whether two values are equal within floating-point error."""
    if isinstance(found, int | float) and isinstance(counted, int | float):
        return math.isclose(found, counted, rel_tol=1e-6, abs_tol=1e-9)
    return bool(found == counted)


@pytest.mark.parametrize(("name", "check"), ALL)
def test_the_same_as_counted(name: str, check: Check, lake: Lake, games: list[Game]) -> None:
    compare(name, check, lake, games)


def compare(name: str, check: Check, lake: Lake, games: list[Game]) -> None:
    """Assert that a statistic has the rows of its check, with the same values."""
    counted = keyed(check.rows(games), check)
    answer = run(lake, name, check.params)
    found = keyed([dict(zip(answer.columns, row, strict=True)) for row in answer.rows], check)
    assert counted or check.params
    if check.four:
        found = {key: row for key, row in found.items() if row["players"] == 4}
    if check.some:
        found = {key: row for key, row in found.items() if key in counted}
    odd = set(found) ^ set(counted)
    assert not odd, f"rows of one only: {[(k, found.get(k), counted.get(k)) for k in odd][:4]}"
    wrong = {
        (*key, column): (found[key][column], value)
        for key, row in counted.items()
        for column, value in row.items()
        if not same(found[key][column], value)
    }
    assert not wrong, f"(found, counted) of {len(wrong)}: {dict(list(wrong.items())[:12])}"


def test_every_statistic_has_its_check() -> None:
    assert asked_for(set(statistics()), set(CHECKS)) == ""
    assert set(CHECKS) <= set(statistics())


def asked_for(names: set[str], checked: set[str]) -> str:
    """Return which statistics have no check, and how to write one; empty if all have a check."""
    return "\n".join(
        f'{name} has no check: count it plainly in one of tests/query/checks_*.py, under @check("'
        f'{name}", …), as docs/add-a-statistic.md shows'
        for name in sorted(names - checked)
    )
