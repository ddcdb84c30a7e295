"""A connection to a lake loads no extension except those with which it was made."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from paifu.host.duckdb_extensions import extension_file
from paifu.lake.connection import connect


def test_an_extension_without_a_signature_cannot_be_loaded(tmp_path: Path) -> None:
    whole = extension_file("duckdb_extension_sqlite_scanner").read_bytes()
    other = tmp_path / "other.duckdb_extension"
    other.write_bytes(whole[:-256] + bytes(256))  # the signature is the end of the file
    with connect() as connection:
        with pytest.raises(duckdb.IOException, match="signature"):
            connection.load_extension(str(other))
        with pytest.raises(duckdb.InvalidInputException, match="allow_unsigned_extensions"):
            connection.execute("SET allow_unsigned_extensions = true")
