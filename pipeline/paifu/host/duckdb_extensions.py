"""DuckDB's extensions, loaded from the files of installed packages: nothing is downloaded."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import duckdb

from paifu.errors import LakeError

SQLITE = "duckdb_extension_sqlite_scanner"
DUCKLAKE = "duckdb_extension_ducklake"
POSTGRES = "duckdb_extension_postgres_scanner"
STORE = "duckdb_extension_httpfs"


def extension_file(package: str) -> Path:
    """Return the DuckDB extension that a package installs.

    Raises :class:`~paifu.errors.LakeError` if the package does not fit the installed DuckDB.
    """
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    for folder in folders or ():
        for path in Path(folder).glob(f"extensions/v{duckdb.__version__}/*.duckdb_extension"):
            return path
    name = package.replace("_", "-")
    raise LakeError(
        f"the package {name} for DuckDB {duckdb.__version__} is missing: "
        f"pip install '{name}=={duckdb.__version__}'"
    )
