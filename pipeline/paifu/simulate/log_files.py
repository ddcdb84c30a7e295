"""Writes simulated games: the formats, and the folder or archive that the files go to."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, NamedTuple

from paifu.errors import SourceError, UsageError
from paifu.simulate import write_majiang, write_mjai, write_mjlog, write_tenhou_json
from paifu.simulate.game_loop import Game


class Format(NamedTuple):
    """A log format: its writer, and the ending of the file's name."""

    write: Callable[[Game], bytes]
    suffix: str


FORMATS: dict[str, Format] = {
    "mjlog": Format(write_mjlog.write, ".mjlog"),
    "tenhou-json": Format(write_tenhou_json.write, ".json"),
    "mjai": Format(write_mjai.write, ".mjson"),
    "majiang": Format(write_majiang.write, ".majiang.json"),
}


def file_name(game: Game, format: str) -> str:
    """Return the name of a game's file: its log id and the format's suffix."""
    return write_mjlog.log_id(game) + FORMATS[format].suffix


class Deflated(NamedTuple):
    """A file as it is in a zip archive."""

    data: bytes
    size: int
    """The bytes of the file itself."""
    crc: int


def deflated(data: bytes) -> Deflated:
    """Return a file as it is in a zip archive."""
    packer = zlib.compressobj(zlib.Z_DEFAULT_COMPRESSION, zlib.DEFLATED, -zlib.MAX_WBITS)
    return Deflated(packer.compress(data) + packer.flush(), len(data), zlib.crc32(data))


class Output(AbstractContextManager["Output"]):
    """A folder, or an archive by its name's ending (``.zip``, ``.tar``, ``.tar.gz``).

    Files have no time, so that equal games make equal archives. Raises ``UsageError`` if the folder
    is a file, ``SourceError`` if it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        """Create the folder or archive; an existing archive is replaced."""
        self.path = path
        self._zip: zipfile.ZipFile | None = None
        self._tar: tarfile.TarFile | None = None
        self._gzip: gzip.GzipFile | None = None
        self._file: BinaryIO | None = None
        try:
            if path.name.endswith((".zip", ".tar", ".tar.gz")):
                path.parent.mkdir(parents=True, exist_ok=True)
            if path.suffix == ".zip":
                self._zip = zipfile.ZipFile(self._opened(path), "w")
            elif path.name.endswith(".tar.gz"):
                self._gzip = gzip.GzipFile("", "wb", mtime=0, fileobj=self._opened(path))
                self._tar = tarfile.open(fileobj=self._gzip, mode="w")  # noqa: SIM115
            elif path.suffix == ".tar":
                self._tar = tarfile.open(path, "w")  # noqa: SIM115
            elif path.is_file():
                raise UsageError(f"{path} is a file: name a folder, or an archive to be written")
            else:
                path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise SourceError(f"cannot write {path}: {error.strerror or error}") from error

    def _opened(self, path: Path) -> BinaryIO:
        """Return an open file for an archive, so that the archive does not contain its own name."""
        self._file = path.open("wb")
        return self._file

    @property
    def deflates(self) -> bool:
        """Whether :meth:`add` takes files that were deflated before."""
        return self._zip is not None

    def add(self, name: str, data: bytes | Deflated) -> None:
        """Write one file."""
        if self._zip is not None and self._file is not None:
            file = data if isinstance(data, Deflated) else deflated(data)
            info = zipfile.ZipInfo(name)
            with self._zip.open(info, "w") as member:  # as bytes that are stored as they are
                member.write(file.data)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.file_size, info.CRC = file.size, file.crc
            end = self._file.tell()
            self._file.seek(info.header_offset)
            self._file.write(info.FileHeader(zip64=False))
            self._file.seek(end)
        elif isinstance(data, Deflated):
            raise ValueError("only a zip archive takes deflated files")
        elif self._tar is not None:
            header = tarfile.TarInfo(name)
            header.size = len(data)
            self._tar.addfile(header, io.BytesIO(data))
        else:
            target = self.path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the archive."""
        for archive in (self._zip, self._tar, self._gzip, self._file):
            if archive is not None:
                archive.close()
