"""Sources: every way of packing gives the same logs, and unreadable content is reported."""

from __future__ import annotations

import bz2
import gzip
import io
import os
import random
import sqlite3
import struct
import sys
import tarfile
import threading
import tracemalloc
import zipfile
import zlib
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
import zstandard

from paifu.errors import SourceError
from paifu.formats.base import Blob
from paifu.sources import archives, unpack, zips
from paifu.sources.containers import Member, Source, Unreadable, open_sources
from paifu.sources.lines import PART, whole_lines

LOGS = {
    f"20190101{hour:02}gm-00a9-0000-{hour:08x}.mjlog": b"<mjloggm>" + bytes([65 + hour]) * 3000
    for hour in range(12)
}


def everything(*paths: Path | str) -> tuple[list[Source], dict[str, bytes], list[Unreadable]]:
    """Return the sources, the logs by their file names, and what could not be read."""
    sources, logs, unreadable = [], {}, []
    for source in open_sources(paths):
        sources.append(source)
        for member in source.members():
            blob = member if isinstance(member, Unreadable) else member.unpack()
            if isinstance(blob, Blob):
                assert blob.source == source.number
                logs[blob.name] = blob.data
            else:
                assert blob.source == source.number
                unreadable.append(blob)
    return sources, logs, unreadable


def tar_of(logs: dict[str, bytes], mode: str = "w", path: str = "2019/") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:
        for name, data in logs.items():
            info = tarfile.TarInfo(path + name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zip_of(logs: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, path: str = "y/") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in logs.items():
            archive.writestr(path + name, data)
    return out.getvalue()


def packed(logs: dict[str, bytes]) -> dict[str, bytes]:
    return {name: gzip.compress(data) for name, data in logs.items()}


ARCHIVES = {
    "zip": zip_of(LOGS),
    "zip stored": zip_of(LOGS, zipfile.ZIP_STORED),
    "zip of gzip": zip_of(packed(LOGS)),
    "tar": tar_of(LOGS),
    "tar of gzip": tar_of(packed(LOGS)),
    "tar.gz": tar_of(LOGS, "w:gz"),
    "tar.bz2": tar_of(LOGS, "w:bz2"),
    "tar.zst": zstandard.compress(tar_of(LOGS)),
    "tar.zst streamed": zstandard.ZstdCompressor().compressobj().compress(tar_of(LOGS)),
}
_stream = zstandard.ZstdCompressor(write_content_size=False).compressobj()
ARCHIVES["tar.zst streamed"] = _stream.compress(tar_of(LOGS)) + _stream.flush()


@pytest.mark.parametrize("kind", ARCHIVES)
def test_archives_are_recognised_by_their_content(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "2019.dat"
    file.write_bytes(ARCHIVES[kind])
    sources, logs, unreadable = everything(file)
    assert logs == LOGS
    assert not unreadable
    source = sources[0]
    assert source.format == kind.split()[0]
    assert source.complete
    assert (source.path, source.bytes) == (str(file), len(ARCHIVES[kind]))
    assert source.sha256 == sha256(ARCHIVES[kind]).digest()
    assert source.modified_at == datetime.fromtimestamp(file.stat().st_mtime, UTC)


@pytest.mark.parametrize(
    ("kind", "compress"),
    [
        ("file", bytes),
        ("gzip", gzip.compress),
        ("zstd", zstandard.compress),
        ("bzip2", bz2.compress),
        ("file", zlib.compress),  # zlib has no file format of its own
        ("gzip", lambda data: gzip.compress(data[:100]) + gzip.compress(data[100:])),
        ("zstd", lambda data: zstandard.compress(data[:9]) + zstandard.compress(data[9:])),
        ("gzip", lambda data: gzip.compress(data) + bytes(512)),  # padded to a block
    ],
)
def test_a_file_is_one_log_however_compressed(kind: str, compress, tmp_path: Path) -> None:
    name, data = next(iter(LOGS.items()))
    (tmp_path / name).write_bytes(compress(data))
    sources, logs, unreadable = everything(tmp_path / name)
    assert (logs, unreadable) == ({name: data}, [])
    assert [source.format for source in sources] == [kind]


def test_folders_are_searched_in_order_and_links_in_circles_end(tmp_path: Path) -> None:
    for folder, name in (("b", "1.txt"), ("a/deep", "2.thr"), ("a", "3"), (".", "0.xml_")):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        (tmp_path / folder / name).write_bytes(name.encode())
    (tmp_path / "a" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "b" / "gone").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "b" / "pipe")  # opening it would wait forever
    (tmp_path / "b" / "zero").symlink_to("/dev/zero")  # reading it would never end
    sources, logs, unreadable = everything(tmp_path)
    paths = [str(Path(source.path).relative_to(tmp_path)) for source in sources]
    assert paths == ["0.xml_", "a/3", "a/deep/2.thr", "b/1.txt", "b/gone", "b/pipe", "b/zero"]
    assert [source.number for source in sources] == [0, 1, 2, 3, 4, 5, 6]
    assert set(logs) == {"0.xml_", "3", "2.thr", "1.txt"}
    assert "No such file" in unreadable[0].reason
    assert all("pipe, socket or device, not a file" in each.reason for each in unreadable[1:])
    assert everything(tmp_path / "a" / "deep")[1] == {"2.thr": b"2.thr"}
    (tmp_path / "empty").mkdir()
    assert everything(tmp_path / "empty") == ([], {}, [])


def test_a_pipe_given_by_name_is_read_to_its_end(tmp_path: Path) -> None:
    name, data = next(iter(LOGS.items()))
    os.mkfifo(tmp_path / name)
    writer = threading.Thread(target=(tmp_path / name).write_bytes, args=[gzip.compress(data)])
    writer.start()
    _, logs, unreadable = everything(tmp_path / name)
    writer.join()
    assert (list(logs.values()), unreadable) == ([data], [])


def test_a_file_too_large_for_any_log_is_not_read_to_its_end(tmp_path: Path) -> None:
    with (tmp_path / "sparse.mjlog").open("wb") as file:
        file.truncate(1 << 42)
    sources, _, (unreadable,) = everything(tmp_path)
    assert "larger than 64 MiB" in unreadable.reason
    assert (sources[0].bytes, sources[0].sha256) == (1 << 42, None)


def test_members_of_a_tar_that_are_not_files_are_reported(tmp_path: Path) -> None:
    name, data = next(iter(LOGS.items()))
    with tarfile.open(tmp_path / "t.tar", "w") as archive:
        for member, kind in (("dir", tarfile.DIRTYPE), ("link", tarfile.SYMTYPE),
                             ("hard", tarfile.LNKTYPE), ("zero", tarfile.CHRTYPE)):  # fmt: skip
            info = tarfile.TarInfo(member)
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo(name)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    _, logs, unreadable = everything(tmp_path)
    assert logs == {name: data}
    assert [each.member for each in unreadable] == ["link", "hard", "zero"]


def test_an_argument_that_does_not_exist_is_said_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"there is no file or folder .*missing"):
        next(open_sources([tmp_path, tmp_path / "missing"]))


@pytest.mark.parametrize("kind", ["zip", "tar.gz"])
def test_standard_input_is_any_of_these(
    kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    piped = io.TextIOWrapper(io.BytesIO(ARCHIVES[kind]))
    monkeypatch.setattr(sys, "stdin", piped)
    sources, logs, _ = everything("-")
    assert logs == LOGS
    source = sources[0]
    assert (source.path, source.format, source.modified_at) == ("-", kind, None)
    assert source.sha256 == sha256(ARCHIVES[kind]).digest()


def test_zips_of_every_make(tmp_path: Path) -> None:
    """This package reads the same from a zip as the standard library."""
    logs = {name: data * 9 for name, data in LOGS.items()}
    plain = zip_of(logs)
    made = {"plain": plain, "after a program": b"#!/bin/sh\n" * 99 + plain}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.comment = b"PK! a comment of 2019" * 100
        archive.mkdir("y")
        for name, data in logs.items():
            with archive.open(f"y/{name}", "w", force_zip64=True) as member:
                member.write(data)
    made["with a comment"] = out.getvalue()
    streamed = io.BytesIO()
    streamed.seekable = lambda: False  # then the sizes are after the data
    with zipfile.ZipFile(streamed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in logs.items():
            archive.writestr(f"雀/{name}", data)
    made["streamed"] = streamed.getvalue()
    for kind, data in made.items():
        file = tmp_path / kind
        file.write_bytes(data)
        members = list(zips.zip_members(io.BytesIO(data), 0))
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            assert [member.member for member in members] == names, kind
            contents = [archive.read(name) for name in names]
        assert [member.unpack().data for member in members] == contents


def test_a_zip_directory_in_any_order_is_read_nearly_once() -> None:
    """Reading ahead pays where files stand in order; elsewhere it is wasted."""
    read = 0

    class Counting(io.BytesIO):
        def read(self, size: int | None = -1, /) -> bytes:
            nonlocal read
            data = super().read(size)
            read += len(data)
            return data

    def taken(order: list[int]) -> int:
        nonlocal read
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for number in range(len(order)):
                archive.writestr(f"{number}", bytes(7000))
            archive.filelist.sort(key=lambda entry: order[int(entry.filename)])
        read = 0
        assert len(list(zips.zip_members(Counting(out.getvalue()), 0))) == len(order)
        return read

    numbers = list(range(300))
    shuffled = sorted(numbers, key=lambda number: number * 2654435761 % 2**32)
    assert taken(numbers) < 1.5 * 7000 * len(numbers)
    assert taken(shuffled) < 4 * 7000 * len(numbers)


END = b"PK\x05\x06"
"""The beginning of the end record of a zip's directory."""


@pytest.mark.parametrize(
    "comment", [b"see " + END, END + bytes(40), zip_of({"x": b""})[-22:], END * 9000]
)
def test_a_comment_that_looks_like_a_directorys_end_is_a_comment(
    tmp_path: Path, comment: bytes
) -> None:
    file = tmp_path / "zip"
    file.write_bytes(zip_of(LOGS))
    with zipfile.ZipFile(file, "a") as archive:
        archive.comment = comment
    _, found, wrong = everything(file)
    assert (list(found.values()), wrong) == (list(LOGS.values()), [])


def changed(data: bytes, at: int, value: bytes) -> bytes:
    return data[:at] + value + data[at + len(value) :]


def test_a_directory_that_has_lost_files_says_so(tmp_path: Path) -> None:
    """Some files are damaged, because a name seems to run over the next ones, or all are."""
    data = zip_of({f"{number}.mjlog": b"<mjloggm/>" for number in range(7)})
    first, end = data.index(b"PK\x01\x02"), data.rindex(END)
    entry = (end - first) // 7
    length = int.from_bytes(data[first + 28 : first + 30], "little") + 2 * entry
    for number, (broken, left) in enumerate(
        [
            (changed(data, first + 28, length.to_bytes(2, "little")), 5),
            (changed(data, end + 12, bytes(4)), 0),
        ]
    ):
        (tmp_path / f"{number}.zip").write_bytes(broken)
        sources, found, (unread,) = everything(tmp_path / f"{number}.zip")
        assert len(found) == left
        assert f"{7 - left} files fewer" in unread.reason
        assert not sources[0].complete


def test_a_file_said_to_lie_farther_than_files_reach_leaves_the_others_alone(
    tmp_path: Path,
) -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name in ("first", "second"):
            archive.writestr(name, b"<mjloggm/>")
        for value in (1 << 63, (1 << 64) - 1):
            entry = copy(archive.filelist[0])
            entry.filename, entry.header_offset = f"at {value}", value
            archive.filelist.append(entry)
    (tmp_path / "zip").write_bytes(out.getvalue())
    sources, found, wrong = everything(tmp_path / "zip")
    assert list(found) == ["first", "second"]
    assert ["not where the zip" in unread.reason for unread in wrong] == [True, True]
    assert sources[0].complete


@pytest.mark.parametrize("program", [b"#!/bin/sh\n" * 99, b"MZ" + bytes(5000), b"\x7fELF" * 90000])
def test_an_archive_that_unpacks_itself_is_an_archive(tmp_path: Path, program: bytes) -> None:
    file = tmp_path / "logs.exe"
    file.write_bytes(program + zip_of(LOGS))
    sources, found, wrong = everything(file)
    assert (sources[0].format, list(found.values()), wrong) == ("zip", list(LOGS.values()), [])
    assert sources[0].sha256 == sha256(file.read_bytes()).digest()


def test_files_of_a_zip_lie_in_any_order_and_are_of_any_size(tmp_path: Path) -> None:
    draw = random.Random(7)
    sizes = [0, 1, *(draw.randrange(300_000) for _ in range(12)), 1_500_000, 40]
    logs = {f"{number}.mjlog": draw.randbytes(size) for number, size in enumerate(sizes)}
    for order in (list(logs), list(logs)[::-1], sorted(logs, key=lambda name: len(logs[name]))):
        file = tmp_path / "zip"
        with zipfile.ZipFile(file, "w") as archive:
            for name, data in logs.items():
                archive.writestr(name, data)
            archive.filelist.sort(key=lambda info: order.index(info.filename))
        found = list(next(open_sources([file])).members())
        assert [member.name for member in found] == order
        assert [member.packed for member in found] == [logs[name] for name in order]


def test_more_files_than_a_zip_once_could_hold(tmp_path: Path) -> None:
    file = tmp_path / "many.zip"
    count = (1 << 16) + 10
    with zipfile.ZipFile(file, "w") as archive:
        for number in range(count):
            archive.writestr(f"{number:06}", b"")
    source = next(open_sources([file]))
    tracemalloc.start()
    names = [member.member for member in source.members() if member.member.endswith("99")]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(names) == count // 100
    assert source.complete
    assert peak < 4 << 20  # the directory alone is 3.5 MB, read by the standard library 50 MB


def test_a_zip_whose_number_of_files_overflowed(tmp_path: Path) -> None:
    logs = {f"{number}.mjlog": b"<mjloggm/>" for number in range(7)}
    data = bytearray(zip_of(logs))
    data[-12:-10] = (3).to_bytes(2, "little")  # a count of 65,539 files, cut to 16 bits
    (tmp_path / "many.zip").write_bytes(data)
    _, found, wrong = everything(tmp_path / "many.zip")
    assert (len(found), wrong) == (7, [])


# --- databases ----------------------------------------------------------------------------------
PHOENIX = """CREATE TABLE logs (log_id text primary key, date text, is_tonpusen int, is_sanma int,
    is_processed int, was_error int, log_content text, log_hash text)"""
PHOENIX_OLD = """CREATE TABLE logs (log_id text primary key, date text, is_hirosima int,
    is_processed int, was_error int, log_content blob)"""
HOUOU = """CREATE TABLE logs (id TEXT PRIMARY KEY, date TEXT NOT NULL, num_players INTEGER NOT NULL,
    is_tonpu INTEGER NOT NULL, is_processed INTEGER NOT NULL, was_error INTEGER NOT NULL, log BLOB)
    WITHOUT ROWID"""


def database(path: Path, schema: str, compress, *, ids: str, content: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE file_index (file TEXT PRIMARY KEY, size INTEGER)")
    connection.execute(schema)
    columns = [row[1] for row in connection.execute("PRAGMA table_info(logs)")]
    for name, data in LOGS.items():
        row = dict.fromkeys(columns, 0) | {
            ids: name.removesuffix(".mjlog"), "date": "2019-01-02 03:04", content: compress(data)
        }  # fmt: skip
        connection.execute(
            f"INSERT INTO logs ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
            list(row.values()),
        )
    for name, nothing in (("not yet", None), ("an error", "")):
        row = dict.fromkeys(columns, 0) | {ids: name, "date": "", content: nothing}
        connection.execute(
            f"INSERT INTO logs ({', '.join(row)}) VALUES ({', '.join('?' * len(row))})",
            list(row.values()),
        )
    connection.commit()
    connection.close()


@pytest.mark.parametrize(
    ("schema", "ids", "content"),
    [
        (HOUOU, "id", "log"),
        (PHOENIX, "log_id", "log_content"),
        (PHOENIX_OLD, "log_id", "log_content"),
    ],
)
@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, zlib.compress, bytes])
def test_databases_of_logs(schema: str, ids: str, content: str, compress, tmp_path: Path) -> None:
    file = tmp_path / "2019.db"
    database(file, schema, compress, ids=ids, content=content)
    blobs = [
        member.unpack()
        for source in open_sources([file])
        for member in source.members()
        if isinstance(member, Member)
    ]
    assert {f"{blob.log_id}.mjlog": blob.data for blob in blobs} == LOGS
    assert {blob.played_at for blob in blobs} == {datetime(2019, 1, 1, 18, 4)}  # Japan is ahead
    assert sorted(path.name for path in tmp_path.iterdir()) == ["2019.db"]  # no other file is left


def test_a_database_in_use_is_read_with_its_write_ahead_log(tmp_path: Path) -> None:
    file = tmp_path / "live.db"
    connection = sqlite3.connect(file)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute(HOUOU)
    connection.execute("INSERT INTO logs VALUES ('a', '2019-01-01', 4, 0, 1, 0, ?)", [b"<m/>"])
    connection.commit()
    assert everything(file)[1] == {"a": b"<m/>"}
    connection.close()


def test_every_table_of_a_database_that_holds_logs_is_read(tmp_path: Path) -> None:
    path = tmp_path / "logs.db"
    with sqlite3.connect(path) as connection:
        for table in ("a_first_one", "logs", "logs_of_2020"):
            connection.execute(f"CREATE TABLE {table} (id TEXT, log BLOB)")
        connection.execute("INSERT INTO logs VALUES ('a', x'3c')")
        connection.execute("INSERT INTO logs_of_2020 VALUES ('b', x'3c')")
    connection.close()
    _, found, wrong = everything(path)
    assert (list(found), wrong) == (["a", "b"], [])


@pytest.mark.parametrize("date", ["0001-01-01 00:00", "9999-12-31 23:59-09:00", "2019-13-45 99:99"])
def test_a_date_of_no_calendar_is_no_date(tmp_path: Path, date: str) -> None:
    path = tmp_path / "logs.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE logs (id TEXT, log BLOB, date TEXT)")
        connection.execute("INSERT INTO logs VALUES ('a', x'3c', ?)", [date])
    connection.close()
    (member,) = next(open_sources([path])).members()
    assert isinstance(member, Member)
    assert member.played_at is None


@pytest.mark.parametrize("year", [-3000, 12000])
def test_a_file_of_a_year_of_no_calendar_has_no_date(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, year: int
) -> None:
    file = tmp_path / "a.mjlog"
    file.write_bytes(b"<mjloggm>")
    status = file.stat()
    seconds = (year - 1970) * 31_556_952
    monkeypatch.setattr(
        Path, "stat", lambda *_, **__: os.stat_result([*status[:8], seconds, status.st_ctime])
    )
    (source,) = open_sources([file])
    assert source.modified_at is None
    assert source.sha256 is not None


def test_a_database_without_logs_says_so(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE people (id, name)")
    connection.commit()
    connection.close()
    sources, _, unreadable = everything(file)
    assert "a SQLite database without logs" in unreadable[0].reason
    assert not sources[0].complete
    broken = file.read_bytes()[:100] + b"\xff" * 4000
    file.write_bytes(broken)
    assert "cannot read this sqlite" in everything(file)[2][0].reason


# --- what cannot be read ------------------------------------------------------------------------


def test_a_truncated_gzip_says_where_it_ends(tmp_path: Path) -> None:
    for compress, kind in ((gzip.compress, "gzip"), (zstandard.compress, "zstd"),
                           (bz2.compress, "bzip2")):  # fmt: skip
        data = compress(os.urandom(5000))
        file = tmp_path / kind
        file.write_bytes(data[:-40])
        _, logs, unreadable = everything(file)
        assert not logs
        reason = unreadable[0].reason
        assert f"{kind} data breaks off" in reason or f"damaged {kind} data" in reason
        if kind == "gzip":
            assert unreadable[0].position == f"byte {len(data) - 40}"


def test_something_after_the_end_is_said(tmp_path: Path) -> None:
    for compress in (gzip.compress, zlib.compress, zstandard.compress, bz2.compress):
        data = compress(b"<mjloggm/>")
        (tmp_path / "log").write_bytes(data + b"more")
        _, logs, unreadable = everything(tmp_path / "log")
        assert not logs
        assert "other data follows the end" in unreadable[0].reason
        assert unreadable[0].position == f"byte {len(data)}"


def test_a_corrupt_member_is_said_and_the_others_go_on(tmp_path: Path) -> None:
    for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED):
        data = bytearray(zip_of({name: os.urandom(400) for name in LOGS}, method))
        names = list(LOGS)
        at = data.index(names[3].encode()) + len(names[3]) + 60
        data[at] ^= 0xFF
        file = tmp_path / "a.zip"
        file.write_bytes(data)
        sources, logs, unreadable = everything(file)
        assert set(logs) == set(LOGS) - {names[3]}
        assert [bad.member for bad in unreadable] == [f"y/{names[3]}"]
        assert "damaged" in unreadable[0].reason
        assert sources[0].complete  # everything in it has been looked at


def test_members_behind_a_password_are_said(tmp_path: Path) -> None:
    data = bytearray(zip_of(LOGS))
    names = list(LOGS)
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.index(signature, data.index(names[1].encode(), 0) - 60)
        while data[at:].find(names[1].encode()) > 60:
            at = data.index(signature, at + 1)
        struct.pack_into("<H", data, at + flags, 1)
    (tmp_path / "a.zip").write_bytes(data)
    _, logs, unreadable = everything(tmp_path / "a.zip")
    assert len(logs) >= len(LOGS) - 2
    assert unreadable
    assert all("encrypted with a password" in bad.reason for bad in unreadable)


def test_a_method_other_than_deflate_is_said(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of(LOGS, zipfile.ZIP_LZMA))
    _, logs, unreadable = everything(tmp_path / "a.zip")
    assert not logs
    assert len(unreadable) == len(LOGS)
    assert "packed with zip method 14" in unreadable[0].reason


@pytest.mark.parametrize("kind", ["zip", "tar", "tar.gz", "tar.zst"])
def test_an_archive_that_breaks_off_gives_what_comes_before(kind: str, tmp_path: Path) -> None:
    logs = {name: b"-" + os.urandom(40_000) for name in LOGS}  # else it may look compressed
    whole = {
        "zip": zip_of(logs), "tar": tar_of(logs), "tar.gz": tar_of(logs, "w:gz"),
        "tar.zst": zstandard.ZstdCompressor().compress(tar_of(logs)),
    }[kind]  # fmt: skip
    file = tmp_path / "cut"
    file.write_bytes(whole[: len(whole) // 2])
    sources, found, unreadable = everything(file)
    assert not sources[0].complete
    assert len(unreadable) == 1
    assert f"cannot read this {kind}" in unreadable[0].reason
    if kind != "zip":  # its directory is at its end
        assert 3 <= len(found) < len(logs)
    assert all(logs[name] == data for name, data in found.items())


def test_an_archive_within_an_archive_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(zip_of({"b.zip": zip_of(LOGS), "c.tgz": tar_of(LOGS, "w:gz")}))
    _, logs, unreadable = everything(tmp_path / "a.zip")
    assert not logs
    assert [bad.member for bad in unreadable] == ["y/b.zip", "y/c.tgz"]
    assert all("archive within an archive" in bad.reason for bad in unreadable)


def test_bombs_do_not_go_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    limit = 4 << 20
    for module in (unpack, archives, zips):
        monkeypatch.setattr(module, "LIMIT", limit)
    bomb = bytes(100 << 20)
    files = {
        "gzip": gzip.compress(bomb, 9), "zstd": zstandard.compress(bomb),
        "bzip2": bz2.compress(bomb), "zip": zip_of({"b": bomb}), "gzip in zip":
        zip_of({"b": gzip.compress(bomb, 9)}), "zlib": zlib.compress(bomb, 9),
    }  # fmt: skip
    del bomb
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    tracemalloc.start()
    sources, logs, unreadable = everything(tmp_path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert not logs
    assert len(unreadable) == len(sources) == len(files)
    assert {bad.reason for bad in unreadable} == {
        "larger than 4 MiB when unpacked, more than any log is",
        "larger than 250 times its packed size when unpacked, more than any log is",
    }
    assert peak < 10 * limit


def a_list(lines: int) -> bytes:
    """Return a lobby list with this number of lines."""
    names = random.Random(lines)
    return b"".join(
        f"00:{at % 60:02} | 17 | 三般南喰赤－ | {names.random()}(+56.0) B(+1.0) C(-57.0)\n".encode()
        for at in range(lines)
    )


def listed(path: Path) -> tuple[list[Blob], list[Unreadable]]:
    """Return the parts of a source's content, and what could not be read."""
    found = [
        member if isinstance(member, Unreadable) else member.unpack()
        for source in open_sources([path])
        for member in source.members()
    ]
    return [blob for blob in found if isinstance(blob, Blob)], [
        bad for bad in found if isinstance(bad, Unreadable)
    ]


@pytest.mark.parametrize("inner", [None, gzip.compress, bz2.compress, zstandard.compress])
@pytest.mark.parametrize("kind", ["stored", "deflated", "tar", "tar.gz", "tar.zst"])
def test_a_list_within_an_archive_may_be_of_any_length(
    kind: str, inner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    part, text = 1 << 18, a_list(40_000)
    for module in (unpack, archives, zips):
        monkeypatch.setattr(module, "LIMIT", 1 << 20)
        if module is not unpack:
            monkeypatch.setattr(module, "STREAMED", 1 << 14)
    monkeypatch.setattr(archives, "whole_lines", partial(whole_lines, size=part))
    files = {"scb.log": inner(text) if inner else text, "a.mjlog": b"<mjloggm/>"}
    if kind in ("stored", "deflated"):
        out = io.BytesIO()
        method = zipfile.ZIP_STORED if kind == "stored" else zipfile.ZIP_DEFLATED
        with zipfile.ZipFile(out, "w", method) as archive:
            for name, data in files.items():
                archive.writestr(name, data)
        packed = out.getvalue()
    elif kind == "tar.zst":
        packed = zstandard.compress(tar_of(files, path=""))
    else:
        packed = tar_of(files, "w:gz" if kind == "tar.gz" else "w", "")
    (tmp_path / "lists").write_bytes(packed)
    blobs, unreadable = listed(tmp_path / "lists")
    *parts, other = blobs
    assert not unreadable
    assert other.name == "a.mjlog"
    assert {blob.member for blob in parts} == {"scb.log"}
    assert b"".join(blob.data for blob in parts) == text
    assert max(len(blob.data) for blob in parts) <= part
    before = 0
    for blob in parts:
        assert blob.lines_before == before
        before += blob.data.count(b"\n")


@pytest.mark.parametrize("kind", ["zip", "tar.gz", "gzip"])
def test_a_list_longer_than_any_log_takes_no_more_memory_than_its_parts(
    kind: str, tmp_path: Path
) -> None:
    block, times = a_list(20_000), 70
    text = block * times
    assert len(text) > unpack.LIMIT
    if kind == "zip":
        content = zip_of({"scb.log": text})
    else:
        content = gzip.compress(tar_of({"scb.log": text}) if kind == "tar.gz" else text, 1)
    (tmp_path / "list").write_bytes(content)
    size = len(text)
    del text, content
    tracemalloc.start()
    seen = lines = 0
    for source in open_sources([tmp_path / "list"]):
        for member in source.members():
            assert isinstance(member, Member)
            assert member.lines_before == lines
            seen += len(member.packed)
            lines += member.packed.count(b"\n")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (seen, lines) == (size, 20_000 * times)
    assert peak < 6 * PART < size


@pytest.mark.parametrize("packed", [False, True])
def test_a_list_damaged_half_way_gives_what_comes_before(
    packed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (archives, zips):
        monkeypatch.setattr(module, "STREAMED", 1 << 14)
    monkeypatch.setattr(archives, "whole_lines", partial(whole_lines, size=1 << 18))
    text = a_list(40_000)
    content = gzip.compress(text, 1) if packed else text
    damaged = bytearray(
        zip_of(
            {"scb.log": content, "a.mjlog": b"<mjloggm/>"},
            zipfile.ZIP_STORED if packed else zipfile.ZIP_DEFLATED,
        )
    )
    damaged[len(damaged) // 2] ^= 0x55
    (tmp_path / "a.zip").write_bytes(damaged)
    blobs, unreadable = listed(tmp_path / "a.zip")
    assert [bad.member for bad in unreadable] == ["y/scb.log"]
    assert blobs[-1].name == "a.mjlog"
    read = b"".join(blob.data for blob in blobs[:-1])
    assert len(read) > len(text) // 4
    assert text.startswith(read[: len(text) // 4])


def test_members_unpack_in_other_threads(tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(ARCHIVES["zip of gzip"])
    source = next(open_sources([tmp_path / "a.zip"]))
    members = [member for member in source.members() if isinstance(member, Member)]
    with ThreadPoolExecutor(4) as pool:
        blobs = list(pool.map(Member.unpack, members))
    assert [blob.data for blob in blobs] == list(LOGS.values())


def test_a_file_without_permission_is_said(tmp_path: Path) -> None:
    file = tmp_path / "secret.mjlog"
    file.write_bytes(b"<mjloggm/>")
    file.chmod(0)
    try:
        file.read_bytes()
    except PermissionError:
        _, _, unreadable = everything(tmp_path)
        assert "Permission denied" in unreadable[0].reason
    else:
        pytest.skip("this user may read everything")
