"""Games other than riichi in a lake: which of them statistics count, and what they report."""

from __future__ import annotations

from pathlib import Path

import pytest

from paifu.cli.commands.stats import stats
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.query.filter_options import Conditions
from paifu.query.filters import Filter
from paifu.query.statistics import run

HEADER = "rules,hand,melds,win_tile,winner,loser,dealer,fan,han,points\n"
RIICHI = "tenhou-4p,223344m567p678s55s,,7p,1,2,0,断幺九 平和 一盃口,3,3900\n"
MCR = "mcr,234p77z,chi:123p pon:444s chi:789m,2p,1,2,0,无番和,8,32\n"


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    return lake_of(tmp_path, RIICHI, MCR, MCR)


def lake_of(folder: Path, *rows: str) -> Path:
    (folder / "wins.csv").write_text(HEADER + "".join(rows), encoding="utf-8")
    ingest(folder / "wins.csv", lake=folder / "lake")
    return folder / "lake"


def yaku(lake: Lake, **filters: str) -> tuple[set[str], int]:
    answer = run(lake, "yaku_frequency", only=Filter(**filters))  # type: ignore[arg-type]
    at = answer.columns.index("yaku")
    return {row[at] for row in answer.rows}, answer.left_out


def test_yaku_of_riichi_are_not_mixed_with_fan(mixed: Path) -> None:
    with Lake.open(mixed) as lake:
        assert yaku(lake) == ({"tanyao", "pinfu", "iipeikou"}, 2)
        assert yaku(lake, ruleset="mcr") == ({"chicken_hand"}, 0)
        assert yaku(lake, where="game = 'mcr'") == ({"chicken_hand"}, 0)
        everything, left_out = yaku(lake, where="game IS NULL OR game = 'mcr'")
        assert (len(everything), left_out) == (4, 0)
        assert yaku(lake, where="players = 4") == ({"tanyao", "pinfu", "iipeikou"}, 2)
        assert yaku(lake, where="players = 3") == (set(), 0)


def test_a_lake_of_one_sort_is_counted_whole(tmp_path: Path) -> None:
    with Lake.open(lake_of(tmp_path, MCR)) as lake:
        assert yaku(lake) == ({"chicken_hand"}, 0)


def test_what_is_about_the_data_counts_every_game(mixed: Path) -> None:
    with Lake.open(mixed) as lake:
        assert run(lake, "data_quality").left_out == 0


def test_games_that_are_not_counted_are_reported(
    mixed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stats("yaku_frequency", lake=str(mixed))
    assert "2 games other than riichi not counted" in capsys.readouterr().err


def test_no_rows_and_no_games_have_different_messages(
    mixed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stats("placement", lake=str(mixed), param=["min_games=100"])
    assert "no rows: of 1 game nothing is counted here" in capsys.readouterr().err
    stats("placement", lake=str(mixed), only=Conditions(players=3))
    assert "no rows: no game of the lake meets the conditions" in capsys.readouterr().err
