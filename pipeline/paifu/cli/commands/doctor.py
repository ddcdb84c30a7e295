"""``paifu doctor``: what is installed, where, and whether it works."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version

from paifu import __version__
from paifu.cli.options import JsonOption
from paifu.cli.output import print_json, print_lines
from paifu.errors import PaifuError

_PACKAGES = (
    "duckdb", "duckdb-extension-ducklake", "duckdb-extension-sqlite-scanner", "polars", "pyarrow",
    "pandas", "numpy", "numba", "llvmlite", "isal", "zstandard", "orjson", "altair",
    "vl-convert-python", "nbclient", "nbconvert",
)  # fmt: skip


def doctor(*, json: JsonOption = False) -> int:
    """Say what is installed, where, and whether the kernels are compiled.

    Exits with status 3 if something that paifu needs does not work.

    Example: paifu doctor
    """
    lines = {
        "paifu": __version__,
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": f"{platform.platform()}, {os.cpu_count()} processors",
    }
    for package in _PACKAGES:
        lines[package] = _version(package)
    problems: list[str] = []
    for name, check in _checks():
        try:
            lines[name] = check()
        except (PaifuError, OSError, ImportError) as error:
            lines[name] = f"fails: {error}"
            problems.append(name)
    if json:
        print_json({**lines, "problems": problems})
    else:
        width = max(map(len, lines))
        print_lines("\n".join(f"{name:<{width}}  {value}" for name, value in lines.items()))
    return 3 if problems else 0


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _checks() -> Iterator[tuple[str, Callable[[], str]]]:
    yield "kernels", _kernels
    yield "lake", _lake
    yield "statistics", lambda: _resource("sql", "*.sql")
    yield "notebooks", lambda: _resource("notebooks", "*.ipynb")
    yield "sample logs", lambda: _resource("data", "[a-z]*")
    yield "salt", _salt


def _kernels() -> str:
    from paifu.kernels.cache import cache_dir, compiled

    slow = "not compiled yet: the first use takes about half a minute longer"
    state = "compiled" if compiled("replay.play_rounds") else slow
    return f"{state} ({cache_dir()})"


def _lake() -> str:
    import tempfile

    from paifu.lake.lake import Lake

    with tempfile.TemporaryDirectory() as folder, Lake.open(folder, create=True) as lake:
        row = lake.sql(
            "SELECT extension_version FROM duckdb_extensions() WHERE loaded AND "
            "extension_name = 'ducklake'"
        ).fetchone()
    return f"works (DuckLake {row[0] if row else '?'})"


def _resource(name: str, pattern: str) -> str:
    from paifu.host.shipped_files import resource_dir

    folder = resource_dir(name)
    return f"{sum(p.is_file() for p in folder.glob(pattern))} files ({folder})"


def _salt() -> str:
    from paifu.lake.names import salt_file

    if os.environ.get("PAIFU_SALT"):
        return "from PAIFU_SALT"
    place = salt_file()
    return str(place) if place.exists() else f"made when first needed ({place})"
