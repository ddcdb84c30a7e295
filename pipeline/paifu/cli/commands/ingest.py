"""``paifu ingest``: import logs, folders and archives into a lake."""

from __future__ import annotations

import contextlib
import os
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from paifu.cli.options import FormatParameter, JsonOption, LakeOption
from paifu.cli.output import print_json, progress_bar, say
from paifu.errors import SourceError, UsageError
from paifu.formats.registry import formats
from paifu.messages import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from paifu.ingestion.driver import Summary
    from paifu.ingestion.prepare import Rejected

_MOST_TOLD = 10
"""How many rejects are printed one by one; all of them are in table ``rejects``."""

if TYPE_CHECKING:
    LogFormat = str
else:  # read from the folders of formats, so that a new format is an option at once
    LogFormat = Literal[tuple(key.replace("_", "-") for key in formats())]

SourcesArgument = Annotated[str, Parameter(allow_leading_hyphen=True)]


def ingest(
    *sources: SourcesArgument,
    lake: LakeOption,
    format: Annotated[LogFormat | None, FormatParameter] = None,
    jobs: int | None = None,
    batch_games: int = 20_000,
    names: Literal["keep", "hash", "drop"] | None = None,
    no_actions: bool = False,
    refresh: bool = False,
    strict: bool = False,
    json: JsonOption = False,
) -> int:
    """Import logs, folders and archives into a lake.

    paifu recognises a file by its content: logs, .gz .zst .bz2 .zip .tar (compressed or not) and
    the SQLite files of houou-logs and phoenix-logs. Games that the lake already has are skipped. A
    log that cannot be read goes to table rejects, and the other logs are still read.

    Example: paifu ingest 2019.zip logs/ --lake games.lake

    Parameters
    ----------
    sources
        Files, folders and archives; - for standard input.
    format
        Read every log as this format instead of recognising it by its content.
    jobs
        Worker threads; one per processor by default.
    batch_games
        Games per transaction: at most these games are lost if the process is killed.
    names
        Policy of a new lake: keep names, hash them (salt from PAIFU_SALT), or drop them.
    no_actions
        Leave table actions empty: half the size, but no queries of single discards.
    refresh
        Read games again that older versions of paifu's importers read.
    strict
        Exit with status 1 if anything was rejected.
    """
    check_sources(sources)
    from paifu.ingestion.driver import ingest as bring_in

    summary = followed(
        sources,
        partial(
            bring_in, sources, lake, format=format, jobs=jobs, batch_games=batch_games,
            names=names, actions=not no_actions, refresh=refresh,
        ),
    )  # fmt: skip
    if json:
        print_json(asdict(summary))
    if nothing_read(summary):
        return 3
    return 1 if strict and summary.rejected else 0


def followed(sources: tuple[str, ...], work: Callable[..., Summary]) -> Summary:
    """Run an ingest and return its result; print progress and a summary on standard error."""
    from paifu.kernels.cache import compiled

    if not compiled("replay.play_rounds"):
        say("compiling the kernels of ingest, once (up to half a minute) …")
    total = sum(_bytes(Path(source)) for source in sources if source != "-")
    unread: list[str] = []

    def note(path: str, reject: Rejected) -> None:
        if len(unread) < _MOST_TOLD:
            place = ", ".join(part for part in (path, reject.member, reject.position) if part)
            unread.append(f"rejected: {place}: {reject.reason}")

    with progress_bar() as bar:
        task = bar.add_task("ingest", total=total or None)

        def progress(done: int, games: int) -> None:
            bar.update(task, completed=done, description=f"ingest: {counted(games, 'game')}")

        summary = work(progress=progress, on_reject=note)
    say(
        f"{counted(summary.games, 'game')} ({counted(summary.rounds, 'round')}, "
        f"{counted(summary.wins, 'win')}) from {counted(summary.sources, 'source')} in "
        f"{summary.seconds:.1f} s; {summary.skipped:,} known, "
        f"{summary.superseded:,} superseded, {summary.flagged:,} flagged, "
        f"{summary.rejected:,} rejected"
    )
    for line in unread:
        say(line)
    if summary.rejected > len(unread):
        say(f"… and {summary.rejected - len(unread):,} more: SELECT * FROM rejects")
    return summary


def check_sources(sources: tuple[str, ...]) -> None:
    """Raise an error for sources that do not exist or look like options."""
    if not sources:
        raise UsageError("name at least one file, folder or archive to ingest (- for stdin)")
    for source in sources:
        if source.startswith("-") and source != "-":
            raise UsageError(f"there is no option {source} (a file of that name: ./{source})")
        if not source:  # Path would take it for the current folder
            raise SourceError("a source is named by an empty text: name a file or folder")
        if source != "-" and not Path(source).exists():
            raise SourceError(f"there is no file or folder {source}")


def nothing_read(summary: Summary) -> bool:
    """Return whether all input was bad: something was rejected and nothing was read."""
    return bool(summary.rejected) and not (summary.games or summary.skipped or summary.superseded)


def _bytes(path: Path) -> int:
    """Return the size of a file, or of all files in a folder that can be seen."""
    total = 0
    paths = [Path(folder, name) for folder, _, names in os.walk(path) for name in names]
    for file in paths or [path]:
        with contextlib.suppress(OSError):  # reading the file will report what is wrong
            total += file.stat().st_size
    return total
