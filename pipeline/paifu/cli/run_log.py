"""Unattended runs: nothing on standard error except errors, and a log of JSON lines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Annotated, Any

import orjson
from cyclopts import Group, Parameter

from paifu.cli.output import quietly
from paifu.errors import UsageError
from paifu.host.terminal import printable
from paifu.lake.postgres import without_password


@dataclass(frozen=True, slots=True)
class Unattended:
    """Options of commands that run at night."""

    quiet: bool = False
    """Print only errors, and the result if --json is given."""
    log: Path | None = None
    """Append events to this file: one JSON object per line, each with its time (UTC)."""


UnattendedOptions = Annotated[
    Unattended | None, Parameter(name="*", group=Group("Unattended runs", sort_key=8))
]


class RunLog:
    """The log of one run of a command; without a file, it writes nothing."""

    def __init__(self, command: str, file: IO[bytes] | None) -> None:
        self._command = command
        self._file = file

    def write(self, event: str, **values: Any) -> None:
        """Append one line: the time, the command, the event, and ``values``."""
        if self._file is None:
            return
        now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        head = {"time": now, "command": self._command, "event": event}
        self._file.write(orjson.dumps(head | values, option=orjson.OPT_APPEND_NEWLINE, default=str))
        self._file.flush()


@contextmanager
def run_log(command: str, options: Unattended | None, **asked: Any) -> Iterator[RunLog]:
    """Open the log of a run, and set quiet mode if asked for.

    The log begins with ``started`` and the arguments ``asked``. A run that ends with an error or a
    signal writes ``failed`` and the reason. Raises :class:`~paifu.errors.UsageError` for a log that
    cannot be written.
    """
    options = options or Unattended()
    with ExitStack() as stack:
        file = None if options.log is None else stack.enter_context(_open(options.log))
        if options.quiet:
            stack.enter_context(quietly())
        log = RunLog(command, file)
        if "lake" in asked:
            asked["lake"] = without_password(asked["lake"])
        log.write("started", **asked)
        try:
            yield log
        except BaseException as error:
            log.write("failed", error=printable(str(error)) or type(error).__name__)
            raise


def _open(path: Path) -> IO[bytes]:
    try:
        return path.open("ab")
    except OSError as error:
        raise UsageError(f"the log {path} cannot be written: {error.strerror}") from None
