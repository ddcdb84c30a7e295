"""Where the files that ship with paifu are: statistics, notebooks and sample logs.

They are inside the package in a wheel and beside ``pyproject.toml`` in a checkout or an editable
install (hatchling's force-include does not reach those).
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parents[1]


def resource_dir(name: str) -> Path:
    """Return the folder ``sql``, ``notebooks`` or ``data``.

    >>> (resource_dir("sql") / "README.md").is_file()
    True
    """
    for folder in (_PACKAGE / "_resources" / name, _PACKAGE.parent.parent / name):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"paifu's own folder {name!r} is missing: install paifu again")
