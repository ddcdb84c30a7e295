"""The folder where paifu keeps what it would otherwise make again in each process."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return ``paifu`` below ``NUMBA_CACHE_DIR`` or else below the user's cache folder.

    It may not exist. Raises ``RuntimeError`` if the user has no home folder.
    """
    return _base() / "paifu"


def _base() -> Path:
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(given)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
