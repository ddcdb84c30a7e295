"""Where a lake is: what ``--lake`` names, which is a folder, a URL, or a TOML file.

- A folder has everything in it: ``catalog.sqlite``, ``data/`` and ``locks/``.
- A DuckLake URL (``ducklake:postgres:dbname=games``, ``ducklake:sqlite:/srv/games.sqlite``) names
  the catalog. Where the files go is said by ``PAIFU_DATA_PATH`` when the lake is made; after that,
  the catalog says it.
- A TOML file names both, and how the object store is reached.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paifu.errors import LakeError, PaifuError
from paifu.lake.catalogs import Catalog, PostgresCatalog, SqliteCatalog
from paifu.lake.postgres import without_password
from paifu.messages import did_you_mean
from paifu.stores.buckets import SCHEME as OBJECTS
from paifu.stores.buckets import Bucket
from paifu.stores.store import Store

DATA = "data/"
"""The folder of the Parquet files of a lake in a folder, relative to its catalog."""

_URL = "ducklake:"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
"""The beginning of an address; a single letter is a Windows drive."""
_POSTGRES = re.compile(r"(?:ducklake:)?(?:postgres:(?!//)|(?=postgres(?:ql)?://))(.*)", re.DOTALL)
_SQLITE = re.compile(r"(?:ducklake:)?sqlite:(.*)", re.DOTALL)
_SETTINGS = {"catalog": str, "data": str, "endpoint": str, "path_style": bool, "region": str}
"""The settings of a TOML file."""


@dataclass(frozen=True, slots=True)
class Location:
    """Where a lake is. Made by :meth:`of`."""

    text: str
    """How it was named."""
    catalog: Catalog
    store: Store | None
    """Where its files are; None if only the catalog says it."""
    folder: Path | None = None
    """The folder of a lake in a folder."""

    @staticmethod
    def of(text: str | Path) -> Location:
        """Return where a lake is. Raises :class:`~paifu.errors.LakeError` for a wrong TOML file."""
        text = str(text)
        if text.startswith(_URL):
            data = os.environ.get("PAIFU_DATA_PATH")
            return Location(text, _catalog(text, text, Path()), data_store(data) if data else None)
        if text.endswith(".toml") and not Path(text).is_dir():
            return _of_file(text)
        folder = Path(text).expanduser().absolute()
        catalog = SqliteCatalog(folder / "catalog.sqlite", folder / "locks")
        return Location(text, catalog, Store.folder(folder / DATA), folder)

    @property
    def place(self) -> str:
        """The name of the lake in messages: its folder, or its URL without a password."""
        return without_password(self.text) if self.folder is None else str(self.folder)

    @property
    def name(self) -> str:
        """A short name: that of the folder or file, or the kind of catalog."""
        if self.folder is not None:
            return self.folder.resolve().name
        return self.text.split(":")[1] if self.text.startswith(_URL) else Path(self.text).stem

    def own_files(self) -> list[Path]:
        """Return the folders and files of the lake on this machine; they are never sources.

        Python's SQLite would open the catalog beside DuckDB's.
        """
        if self.folder is not None:
            return [self.folder, self.folder / "catalog.sqlite"]
        own = [self.catalog.file] if isinstance(self.catalog, SqliteCatalog) else []
        if self.store is not None and self.store.path is not None:
            own.append(self.store.path)
        return own

    def check(self) -> None:
        """Raise :class:`~paifu.errors.LakeError` for a name that is neither a folder nor a URL."""
        if not self.text:
            raise LakeError("the lake is named by an empty text: name the folder it is in")
        if self.folder is not None and _SCHEME.match(self.text):
            raise LakeError(
                f"{without_password(self.text)} is neither a folder nor a TOML file nor a DuckLake "
                "URL such as ducklake:postgres:dbname=games "
                f"(a folder of that name: ./{without_password(self.text)})"
            )


def data_store(address: str, base: Path | None = None, **settings: Any) -> Store:
    """Return the store of an address: a folder (relative to ``base``), or ``s3://bucket/…``.

    Raises :class:`~paifu.errors.LakeError`.
    """
    if address.startswith(OBJECTS):
        address = address.rstrip("/") + "/"
        try:
            return Store(address, Bucket.of(address, **settings))
        except PaifuError as error:
            raise LakeError(str(error)) from None
    if _SCHEME.match(address):
        raise LakeError(f"the data of a lake are in a folder or at s3://bucket/…, not {address}")
    if settings:
        raise LakeError(f"{', '.join(settings)} are for data at s3://…")
    return Store.folder((base or Path()).absolute() / Path(address).expanduser())


def _catalog(text: str, place: str, base: Path) -> Catalog:
    """Return the catalog that a text names; files are relative to ``base``."""
    if found := _POSTGRES.fullmatch(text):
        return PostgresCatalog(found[1] or text.removeprefix(_URL))
    found = _SQLITE.fullmatch(text)
    if found or not _SCHEME.match(text):
        file = base.absolute() / Path(found[1] if found else text).expanduser()
        # beside a lake in a folder, its URL has the same locks as the folder
        name = "locks" if file.name == "catalog.sqlite" else f"{file.name}.locks"
        return SqliteCatalog(file, file.with_name(name))
    raise LakeError(
        f"{without_password(place)}: the catalog of a lake is a database of PostgreSQL "
        "(postgres:dbname=games) or an SQLite file (sqlite:games.sqlite)"
    )


def _of_file(text: str) -> Location:
    path = Path(text).expanduser()
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise LakeError(f"{text} cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LakeError(f"{text} is not TOML: {error}") from None
    for name, value in given.items():
        if name not in _SETTINGS:
            hint = did_you_mean(name, list(_SETTINGS), f"there are {', '.join(_SETTINGS)}")
            raise LakeError(f"{text}: there is no setting {name!r}: {hint}")
        if type(value) is not _SETTINGS[name]:
            kind = "true or false" if _SETTINGS[name] is bool else "a text"
            raise LakeError(f"{text}: {name} is {kind}")
    if missing := [name for name in ("catalog", "data") if not given.get(name)]:
        raise LakeError(f"{text}: {' and '.join(missing)} must be given")
    if without_password(given["catalog"]) != given["catalog"]:
        raise LakeError(
            f"{text}: a password does not belong into this file: "
            "PGPASSWORD or ~/.pgpass can have it"
        )
    catalog = _catalog(given.pop("catalog"), text, path.parent)
    try:
        store = data_store(given.pop("data"), path.parent, **given)
    except LakeError as error:
        raise LakeError(f"{text}: {error}") from None
    return Location(str(path.absolute()), catalog, store)
