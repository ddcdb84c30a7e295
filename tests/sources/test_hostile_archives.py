"""Archives made to fill memory or never to end: each is refused soon, with little memory."""

from __future__ import annotations

import gzip
import io
import json
import sqlite3
import struct
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

MIB = 1 << 20
PEAK = 600 * MIB
"""How much more memory than the idle process reading an archive may take."""
SECONDS = 60
PAGE = 4096

READ = r"""
import json, re, sys
from paifu.sources.archives import Unreadable
from paifu.sources.containers import open_sources
def peak():
    # of this process alone: what getrusage says begins with the peak of the parent
    status = open("/proc/self/status").read()
    return 1024 * int(re.search(r"VmHWM:\s+(\d+)", status)[1])
idle = peak()
read, refused = 0, []
for source in open_sources(sys.argv[1:]):
    for item in source.members():
        found = item if isinstance(item, Unreadable) else item.unpack()
        if isinstance(found, Unreadable):
            refused.append(found.reason)
        else:
            read += 1
print(json.dumps({"peak": peak() - idle, "read": read, "refused": refused[:5], "n": len(refused)}))
"""


def pax_tar(size: int) -> bytes:
    """A compressed tar with one extended header of this stated size."""
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, size
    block = header.tobuf(tarfile.USTAR_FORMAT)
    out = io.BytesIO()
    with gzip.GzipFile(fileobj=out, mode="wb", compresslevel=1) as packed:
        packed.write(block)
        for _ in range(size >> 20):
            packed.write(bytes(MIB))
    return out.getvalue()


def long_name_tar(size: int) -> bytes:
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, size
    return header.tobuf(tarfile.GNU_FORMAT) + b"a" * (2 * MIB)


def endless_headers_tar() -> bytes:
    """Ten thousand extended headers, each for the next."""
    header = tarfile.TarInfo("pax")
    header.type, header.size = tarfile.XHDTYPE, 512
    record = b"13 comment=a\n"
    return (header.tobuf(tarfile.USTAR_FORMAT) + record.ljust(512, b"\0")) * 10_000


def sparse_tar() -> bytes:
    """A GNU sparse file of 60 GB in one block."""
    header = bytearray(tarfile.TarInfo("sparse").tobuf(tarfile.GNU_FORMAT))
    header[156:157] = tarfile.GNUTYPE_SPARSE
    header[386:398], header[398:410] = b"00000000000\0", b"00000000000\0"
    header[483:495] = b"700000000000"
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header)
    return bytes(header) + bytes(1024)


def pax_sparse_tar() -> bytes:
    """A sparse map that never ends: zeros without a line break, compressed a thousandfold."""
    records = b""
    for key, value in (("GNU.sparse.major", "1"), ("GNU.sparse.minor", "0"),
                       ("GNU.sparse.name", "a"), ("GNU.sparse.realsize", "9")):  # fmt: skip
        record = f" {key}={value}\n"
        records += f"{len(record) + 2}{record}".encode()
    pax = tarfile.TarInfo("pax")
    pax.type, pax.size = tarfile.XHDTYPE, len(records)
    member = tarfile.TarInfo("a")
    member.size = 256 * MIB
    content = pax.tobuf(tarfile.USTAR_FORMAT) + records.ljust(512, b"\0")
    content += member.tobuf(tarfile.USTAR_FORMAT) + bytes(member.size)
    return gzip.compress(content, 1)


def many_empty_tar() -> bytes:
    """A million empty files that compress to one or two megabytes."""
    block = tarfile.TarInfo("a").tobuf(tarfile.USTAR_FORMAT)
    return gzip.compress(block * 200_000, 9)


def overlapping_zip() -> bytes:
    """Three hundred entries of a directory that all name one stream of 60 MB."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a", bytes(60 * MIB))
    whole = out.getvalue()
    (start,) = struct.unpack_from("<L", whole, len(whole) - 6)
    entry = whole[start : len(whole) - 22]
    directory = entry * 300
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 300, 300, len(directory), start, 0)
    return whole[:start] + directory + end


def shifted_zip() -> bytes:
    """Entries whose streams begin inside each other."""
    body = zlib.compress(bytes(200_000), 9)[2:-4]
    local = struct.pack("<4sHHHHHLLLHH", b"PK\3\4", 20, 0, 8, 0, 0, 0, len(body), 200_000, 1, 0)
    data = (local + b"a") * 500 + body
    directory = b"".join(
        struct.pack(
            "<4sHHHHHHLLLHHHHHLL", b"PK\1\2", 20, 20, 0, 8, 0, 0, 0, len(data), 200_000, 1, 0, 0,
            0, 0, 0, at * (len(local) + 1),
        ) + b"a"
        for at in range(500)
    )  # fmt: skip
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 500, 500, len(directory), len(data), 0)
    return data + directory + end


def bomb_zip() -> bytes:
    """Forty members of 60 MB each, which compress to 60 kB each."""
    body = zlib.compress(bytes(60 * MIB), 6)[2:-4]
    sizes = (zlib.crc32(bytes(60 * MIB)), len(body), 60 * MIB)
    members, directory = bytearray(), bytearray()
    for number in range(40):
        name = b"%02d" % number
        directory += struct.pack(
            "<4sHHHHHHLLLHHHHHLL", b"PK\1\2", 20, 20, 0, 8, 0, 0, *sizes, len(name), 0, 0,
            0, 0, 0, len(members),
        ) + name  # fmt: skip
        members += struct.pack("<4sHHHHHLLLHH", b"PK\3\4", 20, 0, 8, 0, 0, *sizes, len(name), 0)
        members += name + body
    end = struct.pack("<4sHHHHLLH", b"PK\5\6", 0, 0, 40, 40, len(directory), len(members), 0)
    return bytes(members + directory) + end


def shared_pages_database(folder: Path) -> bytes:
    """A table whose inner pages all lead to the same pages below: five levels of hundreds each."""
    path = folder / "made.db"
    with sqlite3.connect(path) as database:
        database.execute(f"PRAGMA page_size = {PAGE}")
        database.execute("CREATE TABLE logs (id TEXT, log BLOB)")
        database.executemany("INSERT INTO logs VALUES (?, ?)", [("a", None)] * 50)
    database.close()
    pages = bytearray(path.read_bytes())
    root = 2
    leaf = pages[(root - 1) * PAGE : root * PAGE]
    levels = 5
    pages[28:32] = struct.pack(">L", 2 + levels)
    for level in range(levels):
        below = root + level + 1
        cells = 400
        page = bytearray(PAGE)
        page[0] = 5  # an inner page of a table
        struct.pack_into(">HHHBL", page, 1, 0, cells, PAGE - 5 * cells, 0, below)
        for cell in range(cells):
            at = PAGE - 5 * (cell + 1)
            struct.pack_into(">H", page, 12 + 2 * cell, at)
            struct.pack_into(">LB", page, at, below, 100)
        pages[(root + level - 1) * PAGE : (root + level) * PAGE] = page
    pages[(root + levels - 1) * PAGE :] = leaf
    return bytes(pages)


def endless_line() -> bytes:
    """A lobby list whose last line never ends, packed in few bytes."""
    line = "23:02 | 28 | 四鳳南喰赤－ | a(+56.0) b(+1.0) c(-57.0) d(+0.0)\n".encode()
    return gzip.compress(line * 10 + b"x" * (256 * MIB), 1)


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "extended header": ("a.tar.gz", lambda: pax_tar(1 << 30)),
    "long name": ("b.tar", lambda: long_name_tar(1 << 30)),
    "headers without end": ("c.tar", endless_headers_tar),
    "sparse": ("d.tar", sparse_tar),
    "sparse map": ("e.tar.gz", pax_sparse_tar),
    "empty files": ("f.tar.gz", many_empty_tar),
    "overlapping": ("g.zip", overlapping_zip),
    "shifted": ("h.zip", shifted_zip),
    "bomb": ("i.zip", bomb_zip),
    "line without end": ("k.gz", endless_line),
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads memory from /proc")
@pytest.mark.parametrize("kind", [*HOSTILE, "shared pages"])
def test_a_hostile_archive_takes_little_memory_and_time(kind: str, tmp_path: Path) -> None:
    if kind == "shared pages":
        file, data = tmp_path / "j.db", shared_pages_database(tmp_path)
    else:
        name, make = HOSTILE[kind]
        file, data = tmp_path / name, make()
    file.write_bytes(data)
    del data
    started = time.monotonic()
    told = subprocess.run(
        [sys.executable, "-c", READ, str(file)], capture_output=True, text=True, timeout=SECONDS
    )
    assert told.returncode == 0, told.stderr
    found = json.loads(told.stdout)
    print(kind, file.stat().st_size, found, f"{time.monotonic() - started:.1f} s")
    assert found["refused"], found
    assert found["peak"] < PEAK, found
    assert found["read"] <= (2 if kind != "empty files" else 10_000), found


def test_usual_archives_are_not_taken_for_hostile(tmp_path: Path) -> None:
    """Text that packs well, long names and a shuffled zip are not hostile."""
    text = b"<T12/><D12/><U34/><E34/>\n" * 40_000
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        for number in range(50):
            info = tarfile.TarInfo(f"{'long/' * 60}{number}.mjlog")
            info.size = len(text)
            archive.addfile(info, io.BytesIO(text))
    with zipfile.ZipFile(tmp_path / "b.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        for number in range(50):
            packed.writestr(f"{number}.mjlog", text[number:])
        packed.filelist.reverse()
    files = [str(tmp_path / "a.tar.gz"), str(tmp_path / "b.zip")]
    told = subprocess.run(
        [sys.executable, "-c", READ, *files], capture_output=True, text=True, check=True
    )
    found = json.loads(told.stdout)
    assert (found["read"], found["refused"]) == (100, [])
