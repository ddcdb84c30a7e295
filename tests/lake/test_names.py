"""How a lake stores names: unchanged, as keyed hashes, or not at all; and forgetting players."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

import paifu
from paifu.cli.commands.demo import sample_logs
from paifu.errors import LakeError, UsageError
from paifu.ingestion.committer import Committer
from paifu.lake.forget import for_good, forget_game, forget_player
from paifu.lake.lake import Lake
from paifu.lake.names import Policy, salt, salt_file
from paifu.query.filters import Filter
from paifu.query.statistics import run
from tests.helpers.synthetic import Game, Sources


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("PAIFU_SALT", raising=False)


def fill(place: Path, names: str | None, game: Game, content: bytes = b"x") -> None:
    with Lake.open(place, create=True, names=names) as lake:  # type: ignore[arg-type]
        Committer(lake).commit(Sources().prepared([game], content, ["secret.xml"]))


def texts(place: Path) -> str:
    """Return every text in the lake's files, however it is stored."""
    found = []
    with Lake.open(place) as lake:
        for table in ("games", "seats", "sources", "rejects"):
            found.append(str(lake.sql(f"SELECT * FROM {table}").fetchall()))
    return " ".join(found)


def files(place: Path) -> bytes:
    import pyarrow.parquet as pq

    rows = [str(pq.read_table(p).to_pylist()) for p in place.rglob("*.parquet")]
    return "".join(rows).encode() + b"".join(
        path.read_bytes() for path in place.rglob("catalog.sqlite*")
    )


def test_hashed_names_stay_one_player_and_cannot_be_read(tmp_path: Path) -> None:
    place = tmp_path / "lake"
    fill(place, "hash", Game(1, players=("Aki", "Ben", "Cho", "Dai")), b"1")
    fill(place, None, Game(2, players=("Aki", "Eri", "Fuu", "Gen")), b"2")
    kept = texts(place)
    for secret in ("Aki", "Ben", "log1", "secret.xml", "games/0.xml"):
        assert secret not in kept
        assert secret.encode() not in files(place)
    with Lake.open(place) as lake:
        names = lake.sql("SELECT player, count(*) FROM seats GROUP BY 1 ORDER BY 2").fetchall()
    assert [count for _, count in names] == [1] * 6 + [2]


def test_a_player_of_hashed_names_is_found_by_the_name_they_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "lake"
    fill(place, "hash", Game(1, players=("Aki", "Ben", "Cho", "Dai")), b"1")
    fill(place, None, Game(2, players=("Aki", "Eri", "Fuu", "Gen")), b"2")
    with Lake.open(place) as lake:
        (hashed,) = {lake.stored_name("Aki")}
        for name, games in (("Aki", 2), ("Eri", 1), ("Nobody", 0), (hashed, 2)):
            assert run(lake, "games", only=Filter(player=name)).games == games
        met = run(lake, "opponents", {"name": "Aki", "min_games": 1}).params["name"]
        assert met == hashed
    salt_file().unlink()
    with Lake.open(place) as lake:
        assert run(lake, "games", only=Filter(player=hashed)).games == 2
        with pytest.raises(
            LakeError, match=r"salt of the lake at .* is not at hand: set PAIFU_SALT"
        ):
            run(lake, "games", only=Filter(player="Aki"))
        assert not salt_file().exists()
        monkeypatch.setenv("PAIFU_SALT", "another")
        with pytest.raises(LakeError, match="made with another salt"):
            run(lake, "games", only=Filter(player="Aki"))


def test_a_lake_without_names_has_no_player_to_look_for(tmp_path: Path) -> None:
    fill(tmp_path / "lake", "drop", Game(1))
    with Lake.open(tmp_path / "lake") as lake, pytest.raises(UsageError, match="keeps no names"):
        run(lake, "games", only=Filter(player="a"))


def test_the_salt_is_the_users_alone(tmp_path: Path) -> None:
    assert salt() == salt()
    assert stat.S_IMODE(salt_file().stat().st_mode) == 0o600


def test_another_salt_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAIFU_SALT", "one")
    fill(tmp_path / "lake", "hash", Game(1))
    monkeypatch.setenv("PAIFU_SALT", "another")
    with pytest.raises(LakeError, match="another salt"):
        fill(tmp_path / "lake", None, Game(2), b"y")


def test_dropped_names_are_nowhere(tmp_path: Path) -> None:
    place = tmp_path / "lake"
    fill(place, "drop", Game(1, players=("Aki", "Ben", "Cho", "Dai")))
    for secret in (b"Aki", b"log1", b"secret.xml", b"games/0.xml"):
        assert secret not in files(place)
    with Lake.open(place) as lake:
        assert lake.sql("SELECT count(*), count(player) FROM seats").fetchall() == [(4, 0)]


@pytest.mark.parametrize("policy", ["keep", "hash", "drop"])
def test_every_sample_is_stored_under_every_policy(policy: Policy, tmp_path: Path) -> None:
    summary = paifu.ingest(sample_logs(), tmp_path / "lake", names=policy)
    assert (summary.games, summary.rejected) == (12, 0)
    with Lake.open(tmp_path / "lake") as lake:
        seats, named = lake.sql("SELECT count(*), count(player) FROM seats").fetchone() or (0, 0)
    assert named == (0 if policy == "drop" else seats)


def test_one_lake_has_one_policy(tmp_path: Path) -> None:
    fill(tmp_path / "lake", "drop", Game(1))
    with pytest.raises(LakeError, match="one lake has one policy"):
        fill(tmp_path / "lake", "keep", Game(2), b"y")


def test_a_forgotten_game_does_not_come_back(tmp_path: Path) -> None:
    place = tmp_path / "lake"
    fill(place, "keep", Game(71234567890123, players=("Zoe", "Ben", "Cho", "Dai")))
    with Lake.open(place, write=True) as lake:
        assert forget_game(lake, 71234567890123) == 1
        for_good(lake, now=True)
        assert lake.sql("SELECT count(*) FROM actions").fetchall() == [(0,)]
    assert b"Zoe" not in files(place)
    fill(place, None, Game(71234567890123), b"other file")
    with Lake.open(place) as lake:
        assert lake.sql("SELECT count(*) FROM games").fetchall() == [(0,)]
        assert "71234567890123" not in str(lake.sql("FROM forgotten").fetchall())


@pytest.mark.parametrize("names", ["keep", "hash"])
def test_a_forgotten_player_does_not_come_back(tmp_path: Path, names: str) -> None:
    place = tmp_path / "lake"
    fill(place, names, Game(1, players=("Zoe", "Ben", "Cho", "Dai")))
    with Lake.open(place, write=True) as lake:
        assert forget_player(lake, "Zoe") == 1
        for_good(lake, now=True)
    fill(place, None, Game(2, players=("Ben", "Zoe", "Cho", "Dai")), b"y")
    assert b"Zoe" not in files(place)
    with Lake.open(place) as lake:
        rows = lake.sql("SELECT game_id, seat FROM seats WHERE anonymous ORDER BY 1").fetchall()
        assert rows == [(1, 0), (2, 1)]
        assert lake.sql("SELECT count(*) FROM games").fetchall() == [(2,)]


SHEET = b"""date,rules,East,South,West,North,round,outcome,winner,discarder
2026-12-07,wrc,Aiko,Ben,Chen,Dora,E1,ron,Aikko,Ben
2026-12-08,wrc,Aiko,Aiko,Chen,Dora,E1,ron,Zoe,Ben
"""


@pytest.mark.parametrize("names", ["hash", "drop"])
def test_rejects_of_a_sheet_keep_no_names(names: Policy, tmp_path: Path) -> None:
    sheet, place = tmp_path / "sheet.csv", tmp_path / "lake"
    sheet.write_bytes(SHEET)
    told: list[str] = []
    paifu.ingest([sheet], place, names=names, on_reject=lambda _, each: told.append(each.reason))
    assert "'Aikko': did you mean 'Aiko'?" in told[0]
    kept = texts(place)
    assert "row 2, winner: nobody at the table is '…'" in kept
    assert not any(name in kept for name in ("Aik", "Ben", "Chen", "Dora", "Zoe"))
    paifu.ingest([sheet], place, on_reject=lambda _, each: told.append(each.reason))
    assert len(told) == 2  # the second run knows them


def test_a_forgotten_name_leaves_the_rejects_and_does_not_come_back(tmp_path: Path) -> None:
    sheet, place = tmp_path / "sheet.csv", tmp_path / "lake"
    sheet.write_bytes(SHEET)
    paifu.ingest([sheet], place)
    assert "Aiko" in texts(place)
    for _ in range(2):
        with Lake.open(place, write=True) as lake:
            forget_player(lake, "Aiko")
        assert "Aiko" not in texts(place)
        paifu.ingest([sheet], place)
    assert "Aiko" not in texts(place)
