"""A game written as other years and tools wrote it gives the same game, without a flag."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest

import paifu
from paifu.formats.base import Blob
from paifu.formats.registry import importer
from paifu.replay.replay_batch import replay
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import Game
from paifu.simulate.log_files import FORMATS, Output
from paifu.simulate.workers import written_games
from tests.simulate.quirks import QUIRKS

GAMES = ("double_ron", "riichi_ronned", "kita_ron", "disconnected", "kokushi", "riichi_and_draw")


@pytest.fixture(scope="module")
def logs(scripted: dict[str, Game]) -> dict[str, bytes]:
    return {name: FORMATS["mjlog"].write(scripted[name]) for name in GAMES}


def ids(logs: dict[str, bytes]) -> list[int]:
    """Return the ids of the games of logs; none of them is rejected or flagged."""
    blobs = [Blob(log, 0, name=f"{name}.mjlog") for name, log in logs.items()]
    imported = importer("mjlog").read(blobs)
    tables = replay(imported.batch, np.zeros(len(blobs), np.int64))
    assert (imported.rejects, tables["flags"].to_pylist()) == ([], [])
    return tables["games"]["game_id"].to_pylist()


@pytest.fixture(scope="module")
def plain(logs: dict[str, bytes]) -> list[int]:
    return ids(logs)


@pytest.mark.parametrize("quirk", QUIRKS)
def test_a_variant_is_the_same_game(quirk: str, logs: dict[str, bytes], plain: list[int]) -> None:
    changed = {name: QUIRKS[quirk](log) for name, log in logs.items()}
    assert changed != logs
    assert ids(changed) == plain
    assert len(set(plain)) == len(GAMES)


def elements(text: str, name: str) -> list[str]:
    return [part for part in text.split("<") if part.startswith(name)]


def attribute(element: str, name: str) -> str:
    found = re.search(rf' {name}="([^"]*)"', element)
    return found[1] if found else ""


def numbers(element: str, name: str) -> list[float]:
    return [float(value) for value in attribute(element, name).split(",") if value]


def gives_sticks_away(text: str) -> bool:
    """Return whether the final points are more than those after the last payments."""
    last = next(part for part in text.split("<") if "owari=" in part)
    changes, finals = numbers(last, "sc"), numbers(last, "owari")
    return sum(finals[0:8:2]) > sum(changes[:8])


QUIRK_TABLE: dict[str, tuple[str, Callable[[str], bool]]] = {
    "BYE before INIT": ("disconnected", lambda t: t.index("<BYE") < t.index("<INIT")),
    "double ron prints honba twice": (
        "double_ron",
        lambda t: [attribute(w, "ba") for w in elements(t, "AGARI")[1:3]] == ["1,1", "1,0"],
    ),
    "riichi ronned on declaration": (
        "riichi_ronned", lambda t: t.index("<AGARI") < (t + 'step="2"').index('step="2"')
    ),
    "four riichi": ("four_riichi", lambda t: 'type="reach4"' in t),
    "nagashi": ("nagashi", lambda t: 'type="nm"' in t),
    "rinshan: dora of the kan not shown": (
        "rinshan_daiminkan",
        lambda t: "<DORA" not in t[: t.index("<AGARI")]
        and attribute(elements(t, "AGARI")[0], "doraHai").count(",") == 0,
    ),
    "chankan: dora of the kan not shown": (
        "chankan", lambda t: "<DORA" not in t[: t.index("<AGARI")]
    ),
    "kita ron": ("kita_ron", lambda t: attribute(elements(t, "AGARI")[0], "machi") >= "120"),
    "empty fourth seat": ("kita_ron", lambda t: 'hai3=""' in t and 'n3=""' in t),
    "chip lobby": (
        "chips",
        lambda t: len(numbers(elements(t, "AGARI")[0], "sc")) == 16
        and attribute(elements(t, "AGARI")[0], "chip") == "2,1,54,1,53,2"
        and attribute(elements(t, "INIT")[1], "chip") == "12,-4,-4,-4",
    ),
    "kiriage lobby": (
        "kiriage", lambda t: attribute(elements(t, "AGARI")[1], "ten") == "30,8000,0"
    ),
    "negative scores": ("kokushi", lambda t: ",-230," in t.split("owari=")[1]),
    "points with a decimal": (
        "kokushi", lambda t: "." in attribute(elements(t, "AGARI")[-1], "owari")
    ),
    "composite yakuman": ("pao_composite", lambda t: 'yakuman="42,49"' in t),
    "pao by tsumo": ("pao_tsumo", lambda t: 'paoWho="2"' in t),
    "pao by ron": ("pao_ron", lambda t: 'fromWho="3" paoWho="2"' in t),
    "ura of no han": ("riichi_and_draw", lambda t: ',53,0"' in t),
    "leftover sticks in owari": ("leftover_sticks", gives_sticks_away),
    "UN within a round": ("disconnected", lambda t: t.count("<UN") > 1),
    "three rons on the last discard": ("three_rons_last", lambda t: 'type="ron3"' in t),
}  # fmt: skip
"""Habits of real logs, the scenario that shows each, and its text. Other habits are variants of
writing (``QUIRKS``) or of files, below."""


@pytest.mark.parametrize("quirk", QUIRK_TABLE)
def test_the_scenarios_hold_every_quirk_of_writing(quirk: str, scripted: dict[str, Game]) -> None:
    name, holds = QUIRK_TABLE[quirk]
    assert holds(FORMATS["mjlog"].write(scripted[name]).decode())


def test_names_need_escaping_in_some_logs(scripted: dict[str, Game]) -> None:
    """A plus, a percent sign and a comma are written as bytes and read back unchanged."""
    names = "".join(person.name for game in scripted.values() for person in game.seating.people)
    assert set("+%,&<\"'") <= set(names)
    for game in scripted.values():
        un = elements(FORMATS["mjlog"].write(game).decode(), "UN")[0]
        read = [unquote(attribute(un, f"n{seat}")) for seat in range(game.flow.players)]
        assert read == [person.name for person in game.seating.people]


def test_chip_and_kiriage_lobbies_ingest_clean_and_rescore_to_the_point(tmp_path: Path) -> None:
    """Chips by win and seat, the lobby's uma in whole thousands, dora of kans at once."""
    for name in ("tenhou-chip", "tenhou-chip-5"):
        rules = rulesets.get(name)
        flow = flow_of(rules, 4, "south", True, True)
        with Output(tmp_path / name) as output:
            for files in written_games(6, len(name), rules, flow, ["mjlog"], 1):
                for file, data in files:
                    output.add(file, data)
    lake = tmp_path / "chips.lake"
    summary = paifu.ingest([tmp_path / "tenhou-chip", tmp_path / "tenhou-chip-5"], lake=lake)
    assert (summary.games, summary.rejected, summary.flagged) == (12, 0, 0)
    report = paifu.rescore(lake)
    for subject in ("win", "draw", "round", "game", "wall"):
        assert report.count(subject) == report.count(subject, "match") > 0, subject
    with paifu.open(lake) as opened:
        games = opened.sql("SELECT ruleset, count(*) FROM games GROUP BY 1 ORDER BY 1").fetchall()
        assert games == [("tenhou-chip", 6), ("tenhou-chip-5", 6)]
        assert opened.sql("SELECT sum(chips) FROM seats").fetchall() == [(0,)]
        assert opened.sql("SELECT count(*) > 20 FROM wins WHERE chips > 0").fetchall() == [(True,)]


def test_one_game_under_two_ids_and_a_log_cut_off_in_its_gzip(
    logs: dict[str, bytes], tmp_path: Path
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    first, second = logs["double_ron"], QUIRKS["without_lobby"](logs["double_ron"])
    (folder / "2026010100gm-00a1-0000-00000001.mjlog").write_bytes(first)
    (folder / "2026010100gm-00a1-0000-00000002.mjlog").write_bytes(second)
    packed = gzip.compress(logs["kita_ron"])
    (folder / "cut.mjlog.gz").write_bytes(packed[: len(packed) // 2])
    summary = paifu.ingest([folder], lake=tmp_path / "lake")
    assert (summary.games, summary.skipped, summary.rejected) == (1, 1, 1)
