"""The next run removes what killed processes left behind, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from paifu.host.file_locks import acquire
from paifu.host.private_folder import leftovers, sweep
from paifu.lake.lake import Lake
from paifu.lake.staging import file_name
from tests.lake.test_interrupts import rejects


@pytest.fixture
def place(tmp_path: Path) -> Path:
    folder = tmp_path / "lake"
    Lake.open(folder, create=True).close()
    return folder


def wrote(place: Path, writer: str, name: str) -> Path:
    """Leave a file that is not in the catalog, of a writer with a lock of this name."""
    (place / "locks" / f"writer-{writer}").touch()
    file = place / "data" / "main" / "games" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"")
    return file


def test_files_of_a_killed_writer_are_swept_by_the_next(place: Path) -> None:
    staged = wrote(place, "dead", file_name("dead", "1"))
    by_ducklake = wrote(place, "dead", "ducklake-1.parquet")
    with Lake.open(place, write=True) as lake:
        assert not staged.exists()
        assert not by_ducklake.exists()
        assert [path.name for path in (place / "locks").glob("writer-*")] == [
            f"writer-{lake.locks.name}"
        ]
    assert not list((place / "locks").glob("writer-*"))


def test_files_of_a_writer_that_lives_are_left_alone(place: Path) -> None:
    theirs = wrote(place, "alive", file_name("alive", "1"))
    of_the_dead = wrote(place, "dead", file_name("dead", "1"))
    somebodys = wrote(place, "dead", "ducklake-1.parquet")
    lock = acquire(place / "locks" / "writer-alive")
    assert lock is not None
    Lake.open(place, write=True).close()
    assert theirs.exists()
    assert not of_the_dead.exists()
    assert somebodys.exists()  # it may belong to the writer that is still running
    lock.release()
    Lake.open(place, write=True).close()
    assert not theirs.exists()
    assert not somebodys.exists()


def test_files_that_are_older_than_the_killed_writer_are_left_alone(place: Path) -> None:
    file = wrote(place, "dead", "ducklake-1.parquet")
    long_ago = time.time() - 600
    os.utime(file, (long_ago, long_ago))
    Lake.open(place, write=True).close()
    assert file.exists()


def test_files_that_a_killed_writer_had_committed_are_the_lakes(place: Path) -> None:
    with Lake.open(place, write=True) as lake:
        staged = lake.stage({"rejects": rejects()})
        (file,) = map(Path, staged.addresses().values())
        lake.transact(lambda tx: tx.add(staged))
        name = lake.locks.name
    (place / "locks" / f"writer-{name}").touch()
    Lake.open(place, write=True).close()
    assert file.exists()


def test_temporary_folders_of_killed_processes_are_swept_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    code = (
        "import sys, time; from paifu.host.private_folder import private_folder;"
        "print(private_folder(), flush=True); time.sleep(300)"
    )
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    try:
        folders = [Path(str(p.stdout and p.stdout.readline()).strip()) for p in processes]
        monkeypatch.setattr("tempfile.tempdir", None)
        (folders[0] / "spilled").write_bytes(bytes(1000))
        processes[0].kill()
        processes[0].wait()
        assert leftovers() == [folders[0]]
        sweep()
        assert [folder.exists() for folder in folders] == [False, True]
    finally:
        for process in processes:
            process.kill()
            process.communicate()
