"""``paifu ingest``: import logs, folders and archives into a lake."""

from __future__ import annotations

import contextlib
import os
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from paifu.cli.clusters import SchedulerOption, cluster_for
from paifu.cli.options import FormatParameter, JsonOption, LakeOption
from paifu.cli.output import complain, print_json, progress_bar, say
from paifu.cli.run_log import RunLog, UnattendedOptions, run_log
from paifu.errors import SourceError, UsageError
from paifu.formats.registry import formats
from paifu.host.terminal import printable
from paifu.messages import counted
from paifu.schema.flags import FLAGS
from paifu.sources.objects import is_object

if TYPE_CHECKING:
    from collections.abc import Callable

    from paifu.ingestion.committer import Flagged
    from paifu.ingestion.driver import Summary
    from paifu.ingestion.prepare import Rejected

SHEETS = "score_sheet"
"""The format of sheets that people write by hand."""
_MOST_TOLD = 10
"""How many rejects are printed one by one; all of them are in table ``rejects``."""

KERNELS = "replay.play_rounds"
"""Of the modules whose kernels an ingest needs, the one that takes longest."""

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
    scheduler: SchedulerOption = None,
    batch_games: int | None = None,
    names: Literal["keep", "hash", "drop"] | None = None,
    no_actions: bool = False,
    refresh: bool = False,
    create: bool = False,
    strict: bool = False,
    strict_known: bool = False,
    unattended: UnattendedOptions = None,
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
        Processes that work, this one among them; one per processor by default.
    batch_games
        Games per transaction: at most these games are lost if the process is killed. By default
        20,000, or 10,000 for each of --jobs or of the cluster's workers if that is more.
    names
        Policy of a new lake: keep names, hash them (salt from PAIFU_SALT), or drop them.
    no_actions
        Leave table actions empty: half the size, but no queries of single discards.
    refresh
        Read games again that older versions of paifu's importers read.
    create
        Make the folder of a new lake even if the folder around it does not exist.
    strict
        Exit with status 1 if a log was rejected that no earlier run has rejected for this reason.
    strict_known
        Exit with status 1 if a log was rejected, by this run or by an earlier one.
    """
    check_sources(sources)
    check_place(lake, create=create)
    from paifu.ingestion.driver import ingest as bring_in

    strict = strict or strict_known
    with (
        run_log("ingest", unattended, sources=[printable(s) for s in sources], lake=lake) as log,
        cluster_for(scheduler, jobs, KERNELS, "ingest") as cluster,
    ):
        ingested = followed(
            sources,
            partial(
                bring_in, sources, lake, format=format, jobs=jobs, batch_games=batch_games,
                names=names, actions=not no_actions, refresh=refresh, scheduler=cluster,
            ),
            log,
            strict=strict,
        )  # fmt: skip
        if json:
            print_json(ingested.as_dict())
        status = ingested.status(strict=strict, strict_known=strict_known)
        log.write("finished", status=status, **asdict(ingested.summary))
    return status


@dataclass(slots=True)
class Ingested:
    """The result of an ingest, with each reject and flag."""

    summary: Summary
    reject_rows: list[dict[str, Any]]
    """New rejects: source, member, position, reason."""
    flag_rows: list[dict[str, Any]]
    """Flags of the games stored: source, log_id, format, game_id, round_index, seq, seat,
    reason."""

    def as_dict(self) -> dict[str, Any]:
        """Return the counts and rows that ``--json`` prints."""
        rows = {"reject_rows": self.reject_rows, "flag_rows": self.flag_rows}
        return asdict(self.summary) | rows

    def status(self, *, strict: bool, strict_known: bool = False) -> int:
        """Return the exit status: 3 if there are new rejects and nothing could be read."""
        done = self.summary
        if done.rejected and not (done.games or done.skipped or done.superseded):
            return 3
        return int((strict and done.rejected > 0) or (strict_known and done.known_rejected > 0))


def followed(
    sources: tuple[str, ...], work: Callable[..., Summary], log: RunLog, *, strict: bool
) -> Ingested:
    """Run an ingest and return its result; print progress and a summary on standard error.

    With ``strict``, rejects are printed even in a quiet run.
    """
    here = [source for source in sources if source != "-" and not is_object(source)]
    total = sum(_bytes(Path(source)) for source in here)
    rejects: list[dict[str, Any]] = []
    flags: list[dict[str, Any]] = []

    def note_reject(path: str, reject: Rejected) -> None:
        row = {
            "source": printable(path),
            "member": reject.member,
            "position": reject.position,
            "reason": reject.reason,
            "logs": reject.logs,
        }
        rejects.append(row)
        log.write("rejected", **row)

    def note_flag(flagged: Flagged) -> None:
        row = asdict(flagged)
        flags.append(row)
        log.write("flagged", **row)

    with progress_bar() as bar:
        task = bar.add_task("ingest", total=total or None)

        def progress(done: int, games: int) -> None:
            bar.update(task, completed=done, description=f"ingest: {counted(games, 'game')}")

        summary = work(progress=progress, on_reject=note_reject, on_flag=note_flag)
    say(
        f"{counted(summary.games, 'game')} ({counted(summary.rounds, 'round')}, "
        f"{counted(summary.wins, 'win')}) from {counted(summary.sources, 'source')} in "
        f"{summary.seconds:.1f} s; {summary.skipped:,} known, "
        f"{summary.superseded:,} superseded, {summary.flagged:,} flagged, "
        f"{summary.rejected:,} rejected"
        + (f", {summary.known_rejected:,} known-rejected" if summary.known_rejected else "")
    )
    if summary.without_log:
        say(f"{counted(summary.without_log, 'row')} of databases without a log, passed over")
    tell = complain if strict else say
    for row in rejects[:_MOST_TOLD]:
        place = ", ".join(row[part] for part in ("source", "member", "position") if row[part])
        tell(f"rejected: {place}: {row['reason']}")
    if more := sum(row["logs"] for row in rejects[_MOST_TOLD:]):
        tell(f"… and {more:,} more: SELECT * FROM rejects")
    for alike in summary.alike_names:
        say(f"names: {alike.text()}")
    _say_flags_of_sheets(flags)
    return Ingested(summary, rejects, flags)


def _say_flags_of_sheets(flags: list[dict[str, Any]]) -> None:
    """Print what does not add up in score sheets, which a person can correct."""
    told: dict[tuple[str, str, str], set[int]] = {}  # one line for all rounds of a game
    for row in flags:
        if row["format"] == SHEETS:
            rounds = told.setdefault((row["source"], row["log_id"], row["reason"]), set())
            rounds.update([] if row["round_index"] is None else [row["round_index"] + 1])
    for (source, game, reason), rounds in [*told.items()][:_MOST_TOLD]:
        numbers = ", ".join(map(str, sorted(rounds)))
        place = f", its {'round' if len(rounds) == 1 else 'rounds'} {numbers}" if rounds else ""
        say(f"flagged: {printable(f'{source}, game {game}{place}')}: {FLAGS[reason]}")
    if len(told) > _MOST_TOLD:
        say(f"… and {len(told) - _MOST_TOLD:,} more: SELECT * FROM flags")


def check_place(lake: str, *, create: bool) -> None:
    """Raise :class:`~paifu.errors.UsageError` for a lake in a folder that does not exist.

    That is nearly always a mistyped path, and a new lake there would only seem to be empty.
    """
    around = Path(lake).absolute().parent
    if (
        not create
        and "://" not in lake
        and not lake.startswith("ducklake:")
        and not around.exists()
    ):
        raise UsageError(
            f"there is no folder {printable(str(around))} for the lake: correct the path, or make "
            "the folder with --create"
        )


def check_sources(sources: tuple[str, ...]) -> None:
    """Raise an error for sources that do not exist or look like options."""
    if not sources:
        raise UsageError("name at least one file, folder or archive to ingest (- for stdin)")
    for source in sources:
        if source.startswith("-") and source != "-":
            raise UsageError(f"there is no option {source} (a file of that name: ./{source})")
        if not source:  # Path would take it for the current folder
            raise SourceError("a source is named by an empty text: name a file or folder")
        if source != "-" and not is_object(source) and not Path(source).exists():
            raise SourceError(f"there is no file or folder {source}")


def _bytes(path: Path) -> int:
    """Return the size of a file, or of all files in a folder that can be seen."""
    total = 0
    paths = [Path(folder, name) for folder, _, names in os.walk(path) for name in names]
    for file in paths or [path]:
        with contextlib.suppress(OSError):  # reading the file will report what is wrong
            total += file.stat().st_size
    return total
