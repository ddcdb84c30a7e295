"""Compare two wheels: the same files with the same bytes, whatever they were built from.

Usage: ``python same_wheel.py WHEEL WHEEL``. Exit status 1 and the names of what differs, if any.
"""

from __future__ import annotations

import hashlib
import sys
import zipfile


def contents(wheel: str) -> dict[str, str]:
    """Return the hash of each file in a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: hashlib.sha256(archive.read(name)).hexdigest() for name in archive.namelist()}


def main(one: str, other: str) -> int:
    """Print what differs between two wheels and return the exit status."""
    ours, theirs = contents(one), contents(other)
    differing = sorted(
        name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)
    )
    for name in differing:
        print(f"differs between {one} and {other}: {name}")
    print(f"{len(ours)} files compared")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
