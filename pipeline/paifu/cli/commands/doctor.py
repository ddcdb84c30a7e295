"""``paifu doctor``: checks the installation, or whether a lake is whole."""

from __future__ import annotations

import os
import platform
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paifu import __version__
from paifu.cli.options import JsonOption
from paifu.cli.output import print_json, print_lines, progress_bar, say
from paifu.errors import PaifuError, UsageError
from paifu.host.threads import processors
from paifu.messages import counted

if TYPE_CHECKING:
    from paifu.lake.inspection import Inspection
    from paifu.lake.mending import Mended

_MOST_NAMED = 10
"""How many of the sources to ingest again a message names."""

_PACKAGES = (
    "duckdb", "duckdb-extension-ducklake", "duckdb-extension-sqlite-scanner", "polars", "pyarrow",
    "pandas", "numpy", "numba", "llvmlite", "isal", "zstandard", "orjson", "altair",
    "vl-convert-python", "nbclient", "nbconvert",
)  # fmt: skip


def doctor(
    *,
    lake: Annotated[str | None, Parameter(name="--lake")] = None,
    deep: bool = False,
    mend: bool = False,
    json: JsonOption = False,
) -> int:
    """Say what is installed, where, and whether the kernels are compiled; or check a lake.

    For a lake it says whether its files exist and have the right size, whether the tables agree
    with each other, and what killed runs left behind. Exits with status 3 if something that paifu
    needs does not work, or if the lake is damaged; then it says how to repair it.

    Example: paifu doctor --lake games.lake --deep

    Parameters
    ----------
    lake
        Folder of the lake to check, or its URL.
    deep
        Read every file of the lake to its end, compare it with its digest and the checksums of its
        pages, and look in every table for duplicate keys.
    mend
        Remove the damaged files from the lake, with all games that had rows in them, and say which
        sources to ingest again.
    """
    if lake is not None:
        return _check(lake, deep=deep, mend=mend, json=json)
    if deep or mend:
        raise UsageError("--deep and --mend go with --lake")
    lines = {
        "paifu": __version__,
        "python": f"{platform.python_version()} ({sys.executable})",
        "system": f"{platform.platform()}, {processors()} processors",
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


def _check(lake: str, *, deep: bool, mend: bool, json: bool) -> int:
    """Check a lake and print what is wrong with it; with ``mend``, remove the damage."""
    from paifu.lake.inspection import inspect
    from paifu.lake.location import Location
    from paifu.lake.postgres import without_password

    with progress_bar(bytes=False) as bar:
        task = bar.add_task("doctor", total=None)
        found = inspect(lake, deep=deep, on_step=lambda step: bar.update(task, description=step))
    mended = _mended(lake, found) if mend and found.damage else None
    place = Location.of(lake)
    lake, data = without_password(lake), f"{lake}/data"
    if place.folder is None:
        data = place.store.address if place.store else "its data"
    if json:
        print_json(found.as_dict() | {"lake": lake, "mended": mended and asdict(mended)})
    else:
        lines = [
            f"{counted(found.files, 'file')} of {found.bytes / 1e6:,.1f} MB, "
            f"{counted(found.games, 'game')}{'' if deep else ' (not read to the end: --deep)'}"
        ]
        lines += [f"damaged: {damage.what}" for damage in found.damage]
        lines += [f"note: {note}" for note in found.notes]
        lines.append("the lake is damaged" if found.damage else "the lake is whole")
        print_lines("\n".join(lines))
    if not found.damage:
        return 0
    for line in _after_mending(lake, mended) if mended else _how_to_mend(lake, data, found):
        say(line)
    return 0 if mended else 3


def _mended(lake: str, found: Inspection) -> Mended:
    from paifu.lake.lake import Lake
    from paifu.lake.mending import mend

    with Lake.open(lake, write=True) as opened:
        return mend(opened, found.bad)


def _how_to_mend(lake: str, data: str, found: Inspection) -> Iterator[str]:
    """Yield lines that say how to repair the damage."""
    if any(damage.table is None for damage in found.damage):
        yield (
            f"to mend it: copy catalog.sqlite from a backup to {lake}, or ingest the sources into "
            "a new lake"
        )
        return
    if found.bad:
        yield (
            f"to mend it: copy the damaged files from a backup to where they were in {data}, "
            "under the same names (a file never changes once it is written)"
        )
    again = _computed_again(lake)
    if not found.derived_only:
        again = f"paifu ingest {_named(found.sources)} --lake {lake}"
    yield f"or: paifu doctor --lake {lake} {'--deep ' if found.deep else ''}--mend; {again}"


def _after_mending(lake: str, mended: Mended) -> Iterator[str]:
    """Yield lines that say what was removed from a lake, and which command brings it back."""
    yield f"mended: {counted(mended.games, 'game')} taken out"
    if mended.games:
        yield f"to bring them back: paifu ingest {_named(mended.sources)} --lake {lake}"
    if mended.derived:
        yield f"to compute what is missing again: {_computed_again(lake)}"


def _computed_again(lake: str) -> str:
    return f"paifu rescore --lake {lake}; paifu value --lake {lake}"


def _named(sources: list[str]) -> str:
    """Return sources quoted for a shell; if there are many, only the first."""
    more = len(sources) - _MOST_NAMED
    named = " ".join(map(shlex.quote, sources[:_MOST_NAMED])) or "SOURCES"
    return f"{named} … ({more:,} more: --json)" if more > 0 else named


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

    slow = "not compiled yet: the first use takes about a minute longer"
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
