"""Statements for the catalog file that Python's SQLite executes, in a process of their own.

DuckDB brings a SQLite of its own. If two copies of SQLite in one process open the same file,
closing it in one of them drops the file locks of the other, so that readers and writers no longer
see each other and the file can be damaged (sqlite.org/howtocorrupt.html, section 2.2.1). So
Python's ``sqlite3`` must never open the catalog in the process in which DuckDB does.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import orjson

_SCRIPT = """
import json, sqlite3, sys
path, writes, timeout, *statements = sys.argv[1:]
try:
    mode = "rw" if writes == "1" else "ro"
    opened = sqlite3.connect(f"{path}?mode={mode}", uri=True, timeout=float(timeout))
    for statement in statements:
        row = opened.execute(statement).fetchone()
    opened.close()
    print(json.dumps({"row": row}))
except sqlite3.OperationalError as error:
    print(json.dumps({"cannot": str(error)}))
except (sqlite3.Error, UnicodeDecodeError) as error:
    print(json.dumps({"damaged": str(error)}))
"""


class CannotError(Exception):
    """The catalog is locked, or cannot be opened in this way."""


class DamagedError(Exception):
    """The catalog is damaged; the text says how."""


def last_row(
    catalog: Path, statements: list[str], *, writes: bool, timeout: float = 5
) -> list[object]:
    """Return the first row of the last of these statements, as far as JSON has its values.

    ``timeout`` is how many seconds to wait for a lock. Raises :class:`CannotError` and
    :class:`DamagedError`.
    """
    arguments = [catalog.absolute().as_uri(), str(int(writes)), str(timeout), *statements]
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _SCRIPT, *arguments],
        stdin=subprocess.DEVNULL, capture_output=True, check=False,
    )  # fmt: skip
    try:
        said = orjson.loads(done.stdout)
    except orjson.JSONDecodeError:
        raise CannotError(done.stderr.decode("utf-8", "replace")[-200:]) from None
    if "cannot" in said:
        raise CannotError(said["cannot"])
    if "damaged" in said:
        raise DamagedError(said["damaged"])
    row: list[object] = said["row"] or []
    return row
