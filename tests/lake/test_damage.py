"""Damage to a lake is told, with what brings the games back; nothing else is called damage."""

from __future__ import annotations

import json
import random
import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.errors import LakeError
from paifu.ingestion.driver import ingest
from paifu.lake.compact import compact
from paifu.lake.connection import connect
from paifu.lake.inspection import inspect
from paifu.lake.lake import Lake
from paifu.lake.retention import tidy
from paifu.models.round_values import value
from paifu.schema.tables import DERIVED, MODEL_TABLES, PLAY_TABLES

FLIPS = [5, pytest.param(100, marks=pytest.mark.slow)]


@pytest.fixture
def own(place: Path, tmp_path: Path) -> Path:
    """A copy of the lake of simulated games."""
    return shutil.copytree(place, tmp_path / "own")


def files(place: Path, table: str = "*") -> list[Path]:
    return sorted(place.glob(f"data/main/{table}/*.parquet"))


def rows(place: Path, *names: str) -> dict[str, tuple[object, ...] | None]:
    """Return for each table the number of its rows and a sum over all of them."""
    found = {}
    with Lake.open(place) as lake:
        for name in names:
            without = " EXCLUDE (source_id)" if name == "games" else ""
            found[name] = lake.sql(
                f"SELECT count(*), sum(hash(t)::HUGEINT) FROM (SELECT *{without} FROM {name}) AS t"
            ).fetchone()
    return found


def flip(path: Path, chance: random.Random) -> None:
    """Change one bit of a file, as an old disk may."""
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


@pytest.mark.parametrize("flips", FLIPS)
def test_each_changed_bit_is_found(own: Path, flips: int) -> None:
    """One bit in each of some files; what queries make of each is printed."""
    with Lake.open(own, write=True) as lake:
        compact(lake, now=True)  # which writes table lake_info to a file, too
    chance, told = random.Random(2026), 0
    queried = Counter[str]()
    kept = {path: path.read_bytes() for path in files(own)}
    before = rows(own, *{path.parent.name for path in kept})
    left = flips
    while left:
        flipped = chance.sample(sorted(kept), min(left, len(kept)))
        left -= len(flipped)
        for path in flipped:
            flip(path, chance)
        damage = [each.file for each in inspect(own, deep=True).damage if each.file]
        told += len(set(damage) & {str(path.relative_to(own / "data")) for path in flipped})
        assert len(damage) == len(flipped)
        broken = {path: path.read_bytes() for path in flipped}
        for path in flipped:
            path.write_bytes(kept[path])
        for path in flipped:
            path.write_bytes(broken[path])
            try:
                table = path.parent.name
                right = rows(own, table)[table] == before[table]
                queried["right rows" if right else "wrong rows"] += 1
            except LakeError:
                queried["refused"] += 1
            except duckdb.Error as error:
                queried[f"not told to be of damage: {error}"] += 1
            path.write_bytes(kept[path])
    print(f"{flips} bits: {told} told by doctor --deep; queries of all rows: {dict(queried)}")
    assert told == flips
    assert not [told for told in queried if told.startswith("not told")]
    assert not inspect(own, deep=True).damage


def test_a_whole_lake_is_whole_before_and_after_a_compaction(
    own: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["doctor", "--lake", str(own), "--deep"]) == 0
    with Lake.open(own, write=True) as lake:
        compact(lake)
    assert run(["doctor", "--lake", str(own), "--deep", "--json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "the lake is whole"
    found = json.loads(lines[2])
    assert (found["whole"], found["damage"], found["undigested"]) == (True, [], 0)


def mended(own: Path, simulated: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Mend a lake and do what it says; check that it names the sources."""
    assert run(["doctor", "--lake", str(own), "--mend", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    sources = found["mended"]["sources"]
    if sources:
        assert {Path(source).parent.parent for source in sources} == {simulated}
        ingest(sources, own, jobs=1)
    rescore(own, jobs=1)
    value(own, jobs=1)
    assert not inspect(own, deep=True).damage


@pytest.mark.parametrize(
    "table",
    [
        "actions",
        *(
            pytest.param(name, marks=pytest.mark.slow)
            for name in ("games", "verdicts", "riichi_models")
        ),
    ],
)
def test_a_missing_file_is_reported_and_its_games_come_back(
    own: Path, place: Path, simulated: Path, capsys: pytest.CaptureFixture[str], table: str
) -> None:
    lost = files(own, table)[0]
    lost.unlink()
    assert run(["doctor", "--lake", str(own)]) == 3
    said = capsys.readouterr()
    assert f"damaged: {lost.relative_to(own / 'data')} is missing" in said.out
    assert ("paifu rescore" if table in DERIVED | MODEL_TABLES else "paifu ingest") in said.err
    before = {path.name for path in files(own)}
    assert run(["compact", "--lake", str(own)]) == 3
    assert "nothing has been compacted" in capsys.readouterr().err
    assert {path.name for path in files(own)} == before
    assert run(["sql", f"SELECT * FROM {table}", "--lake", str(own)]) == 3
    assert f"lacks its file {lost}" in capsys.readouterr().err
    mended(own, simulated, capsys)
    names = (*PLAY_TABLES, *DERIVED, *MODEL_TABLES)
    assert rows(own, *names) == rows(place, *names)


def test_a_file_that_was_cut_is_found_without_reading_it(own: Path) -> None:
    path = files(own, "rounds")[0]
    path.write_bytes(path.read_bytes()[:-7])
    (found,) = (damage for damage in inspect(own).damage if damage.file)
    assert found.file == str(path.relative_to(own / "data"))
    assert f"has {path.stat().st_size:,} bytes instead of" in found.what


def of_no_database(catalog: Path) -> None:
    catalog.write_bytes(b"PK" + catalog.read_bytes()[2:])


def of_a_torn_page(catalog: Path) -> None:
    data = bytearray(catalog.read_bytes())
    for page in range(1, len(data) // 4096, 2):
        data[4096 * page : 4096 * page + 512] = bytes(512)
    catalog.write_bytes(data)


def of_half(catalog: Path) -> None:
    data = catalog.read_bytes()
    catalog.write_bytes(data[: len(data) // 2])


@pytest.mark.parametrize("breaking", [of_no_database, of_a_torn_page, of_half])
@pytest.mark.parametrize("command", [["doctor"], ["sql", "SELECT 1"], ["compact"]])
def test_a_damaged_catalog_is_reported_in_one_line(
    own: Path,
    breaking: Callable[[Path], None],
    command: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    for log in own.glob("catalog.sqlite-*"):
        log.unlink()
    breaking(own / "catalog.sqlite")
    assert run([*command, "--lake", str(own)]) == 3
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "catalog" in said.out + said.err


@pytest.mark.parametrize(
    "seed",
    [0, 6, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(11, 40))],
)
@pytest.mark.parametrize("command", [["doctor"], ["stats", "wins"]])
def test_a_catalog_of_random_bytes_is_read_or_refused_in_one_line(
    own: Path, capsys: pytest.CaptureFixture[str], seed: int, command: list[str]
) -> None:
    for log in own.glob("catalog.sqlite-*"):
        log.unlink()
    catalog, chance = own / "catalog.sqlite", random.Random(seed)
    data = bytearray(catalog.read_bytes())
    for _ in range(chance.choice([1, 5, 50, 500, 4000])):
        data[chance.randrange(100, len(data))] = chance.randrange(256)
    catalog.write_bytes(data)
    assert run([*command, "--lake", str(own)]) in (0, 3)
    assert "already exists" not in capsys.readouterr().err  # it says why the first attempt failed


def test_rows_that_differ_are_listed_with_their_source(own: Path) -> None:
    with Lake.open(own, write=True) as lake:
        row = lake.sql("SELECT game_id, path FROM games JOIN sources USING (source_id)").fetchone()
        assert row is not None
        lake.transact(
            lambda tx: tx.update(
                "round_seats",
                "delta + 100 AS delta, points_end + 100 AS points_end",
                "game_id = ? AND round_index = 1 AND seat = 2",
                [row[0]],
            )
        )
    found = inspect(own)
    assert {damage.table for damage in found.damage} == {"round_seats", "game_seats"}
    assert found.sources == [row[1]]


def test_files_that_no_table_has_are_noted_and_are_no_damage(own: Path) -> None:
    (own / "data" / "main" / "games" / "stray.parquet").write_bytes(b"")
    found = inspect(own)
    assert not found.damage
    assert any("1 file of 0.0 MB that the catalog does not know" in note for note in found.notes)


def test_a_forget_that_was_broken_off_is_noted(own: Path) -> None:
    with Lake.open(own, write=True) as lake:
        (game,) = lake.sql("SELECT min(game_id) FROM games").fetchone() or ()
        lake.transact(lambda tx: tx.remove_games([game]))
        from paifu.lake.retention import must_purge

        lake.transact(must_purge)
    assert any("a paifu forget was broken off" in note for note in inspect(own).notes)
    with Lake.open(own, write=True) as lake:
        compact(lake, now=True)
    assert inspect(own).notes == []


# --- copies ---------------------------------------------------------------------------------------


def ask(catalog: Path, data: Path | None) -> object:
    """Ask as any DuckDB client does, without paifu."""
    options = f" (READ_ONLY, DATA_PATH '{data}/', OVERRIDE_DATA_PATH true)" if data else ""
    with connect() as client:
        client.execute(f"ATTACH 'ducklake:sqlite:{catalog}' AS games{options}")
        return client.execute("SELECT count(*), count(DISTINCT player) FROM games.seats").fetchone()


def test_a_copy_reads_its_own_files_and_never_the_originals(
    own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Lake.open(own) as lake:
        there = lake.sql("SELECT count(*), count(DISTINCT player) FROM seats").fetchone()
    copy = shutil.copytree(own, tmp_path / "copy")
    moved = tmp_path / "elsewhere" / "moved"
    shutil.rmtree(copy / "data" / "main" / "seats")
    with pytest.raises(duckdb.Error, match="No such file"):
        ask(copy / "catalog.sqlite", copy / "data")
    with pytest.raises(LakeError, match="lacks its file"), Lake.open(copy) as lake:
        lake.sql("SELECT * FROM seats").fetchall()
    moved.parent.mkdir()
    own.rename(moved)
    assert ask(moved / "catalog.sqlite", moved / "data") == there
    monkeypatch.chdir(moved)
    assert ask(Path("catalog.sqlite"), None) == there
    assert not inspect(moved, deep=True).damage


def test_a_backup_of_catalog_then_files_is_whole_though_others_write(
    own: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    backup.mkdir()
    with (
        closing(sqlite3.connect(own / "catalog.sqlite")) as catalog,
        closing(sqlite3.connect(backup / "catalog.sqlite")) as copy,
    ):
        catalog.backup(copy)
    with Lake.open(own, write=True) as lake:  # between the two steps
        (game,) = lake.sql("SELECT min(game_id) FROM games").fetchone() or ()
        lake.transact(lambda tx: tx.remove_games([game]))
        compact(lake)
        tidy(lake)
    shutil.copytree(own / "data", backup / "data")
    assert not inspect(backup, deep=True).damage
    with Lake.open(backup) as lake:
        assert lake.sql("SELECT 1 FROM games WHERE game_id = $game", game=game).fetchall()
