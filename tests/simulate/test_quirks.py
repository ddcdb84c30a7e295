"""A game written as other years and tools wrote it ingests to the same game, without a flag."""

from __future__ import annotations

from pathlib import Path

import pytest

import paifu
from paifu.simulate.games import Game
from paifu.simulate.output import FORMATS
from paifu.simulate.quirks import QUIRKS

GAMES = ("double_ron", "riichi_ronned", "kita_ron", "disconnected", "kokushi", "riichi_and_draw")


@pytest.fixture(scope="module")
def logs(scripted: dict[str, Game]) -> dict[str, bytes]:
    return {name: FORMATS["mjlog"].write(scripted[name]) for name in GAMES}


def ids(folder: Path) -> set[int]:
    lake = folder.with_suffix(".lake")
    summary = paifu.ingest([folder], lake=lake)
    assert (summary.games, summary.rejected, summary.flagged) == (len(GAMES), 0, 0)
    with paifu.open(lake) as opened:
        return {row[0] for row in opened.sql("SELECT game_id FROM games").fetchall()}


def write(folder: Path, logs: dict[str, bytes]) -> Path:
    folder.mkdir()
    for name, log in logs.items():
        (folder / f"{name}.mjlog").write_bytes(log)
    return folder


@pytest.fixture(scope="module")
def plain(logs: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> set[int]:
    return ids(write(tmp_path_factory.mktemp("plain") / "logs", logs))


@pytest.mark.parametrize("quirk", QUIRKS)
def test_a_variant_is_the_same_game(
    quirk: str, logs: dict[str, bytes], plain: set[int], tmp_path: Path
) -> None:
    changed = {name: QUIRKS[quirk](log) for name, log in logs.items()}
    assert changed != logs
    assert ids(write(tmp_path / "quirk", changed)) == plain


def test_the_logs_hold_the_quirks_of_writing(logs: dict[str, bytes]) -> None:
    """Formats 3.8: what real logs are known for stands in these too."""
    text = {name: log.decode() for name, log in logs.items()}
    assert text["disconnected"].index("<BYE") < text["disconnected"].index("<INIT")
    wins = [part for part in text["double_ron"].split("<") if part.startswith("AGARI")]
    assert [win.split('"')[1] for win in wins[1:3]] == ["1,1", "1,0"]  # honba printed in both
    assert ',53,0"' in "".join(text.values())  # ura of no han
    assert 'hai3=""' in text["kita_ron"]
    assert 'n3=""' in text["kita_ron"]
    assert ",-230," in text["kokushi"].split("owari=")[1]
