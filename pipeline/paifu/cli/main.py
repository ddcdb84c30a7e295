"""The command line ``paifu``: its commands by name, and how a run ends.

Commands are named here with one line each and imported only when they run, so that ``paifu --help``
loads no data library. A command is a plain function of ``commands`` that returns its exit
status (None for 0) and raises :class:`~paifu.errors.PaifuError` for faults that the user must fix.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

from cyclopts import (
    App,
    CycloptsError,
    Group,
    MissingArgumentError,
    Parameter,
    UnusedCliTokensError,
)

from paifu import __version__
from paifu.errors import PaifuError
from paifu.host import own_process
from paifu.host.signals import SIGNALS, Terminated, terminate
from paifu.host.terminal import is_utf8, printable
from paifu.messages import shortened

DATA, QUESTIONS, RULES, TOOLS = (
    Group(name, sort_key=position)
    for position, name in enumerate(("Games into the lake", "Questions", "Rules", "Tools"))
)

COMMANDS: tuple[tuple[str, Group, str], ...] = (
    ("ingest", DATA, "Import logs, folders and archives into a lake."),
    ("rescore", DATA, "Check every record against the rules engine."),
    ("value", DATA, "Value every position: the chances of the places."),
    ("fit", DATA, "Fit a model on the games of a lake."),
    ("run", DATA, "Ingest, re-score, value and summarise in one go."),
    ("export", DATA, "Write games or tables as logs, Parquet or CSV."),
    ("compact", DATA, "Merge small files, drop superseded games and old snapshots."),
    ("forget", DATA, "Remove a game or a player for good."),
    ("upgrade", DATA, "Migrate a lake made by an older paifu."),
    ("score", RULES, "Score a hand."),
    ("waits", RULES, "Say what a hand waits for, or what to discard."),
    ("points", RULES, "Print the points tables of a rule set."),
    ("rulesets", RULES, "List and explain the rule sets."),
    ("sheet", RULES, "Write an empty score sheet for a club's book."),
    ("info", QUESTIONS, "Say what is in a lake."),
    ("tables", QUESTIONS, "Say what the tables and columns of a lake are."),
    ("sql", QUESTIONS, "Query the lake in SQL (one SELECT, read-only)."),
    ("stats", QUESTIONS, "Run a named statistic, or list them."),
    ("show", QUESTIONS, "Show a game or a round as a player reads it."),
    ("report", QUESTIONS, "Run the notebooks on a lake and write HTML pages."),
    ("simulate", TOOLS, "Play games and write their logs."),
    ("demo", TOOLS, "Run every step on the sample logs that come with paifu."),
    ("completion", TOOLS, "Print the script that completes commands in bash, zsh or fish."),
    ("doctor", TOOLS, "Say what is installed, where, and whether the kernels are compiled."),
)
"""Name, group and help line of each command; ``NAME`` is ``paifu.cli.commands.NAME:NAME``."""

_OF_FILES = frozenset(
    {"ingest", "run", "simulate", "score", "waits", "points", "rulesets", "sheet"}
)
"""Commands whose arguments may be file names that are not UTF-8; DuckDB cannot take these."""

INTERRUPTED, TERMINATED = 130, 143
"""Exit statuses after Ctrl-C and SIGTERM, as shells use them."""


def build(command: str = "") -> App:
    """Return the application; if ``command`` is a command, its docstring is the help text."""
    app = App(
        name="paifu",
        help="Mahjong game logs to columnar tables, every win re-scored, questions asked in SQL.",
        help_epilogue="" if command else "Try it: paifu demo",
        version=__version__,
        default_parameter=Parameter(negative="", show_default=_default),
        suppress_keyboard_interrupt=False,
    )
    app["--help"].group = app["--version"].group = TOOLS
    app["--version"].help = "Display the version of paifu and exit."
    for name, group, line in COMMANDS:
        app.command(
            f"paifu.cli.commands.{name}:{name}",
            name=name,
            group=group,
            help=None if name == command else line,
        )
    return app


def _default(value: object) -> str | None:
    """Return the text for a default in the help; empty for options that are not set by default."""
    return None if value is None or value is False else str(value)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its exit status.

    Without ``arguments``, the process is a command's own.
    """
    _open_closed_streams()
    if arguments is None:
        own_process.begin()
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:  # else it is ignored, as asked
        signal.signal(signal.SIGTERM, terminate)
    status = run(sys.argv[1:] if arguments is None else arguments)
    # the work is over: Ctrl-C while Python shuts down must not change the exit status
    for number in SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    if arguments is None or status in (INTERRUPTED, TERMINATED):
        own_process.leave(status)
    sys.exit(status)


def _open_closed_streams() -> None:
    """Use the null device for streams that were closed before the start (``paifu - <&-``)."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            null = Path(os.devnull).open(mode, encoding="utf-8")  # noqa: SIM115  # to the end
            setattr(sys, name, null)


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status.

    0 done; 1 done, but something was rejected or differs (mostly with ``--strict``); 2 wrong usage;
    3 bad input or lake; 130 interrupted (:data:`INTERRUPTED`), 143 terminated.
    """
    if not _OF_FILES.issuperset(arguments[:1]):
        for argument in arguments:
            if not is_utf8(argument):
                return _fail(f"{argument!r} is not UTF-8 text", 2)
    try:
        status = build(arguments[0] if arguments else "")(
            list(arguments), exit_on_error=False, print_error=False, result_action="return_value"
        )
        sys.stdout.flush()  # so that a full disk is told
    except CycloptsError as error:
        known = {name for name, _, _ in COMMANDS}
        called = " ".join(["paifu", *(each for each in arguments[:1] if each in known)])
        return _fail(f"{_wrong_use(error)} See {called} --help.", 2)
    except PaifuError as error:
        return _fail(str(error), error.exit_status)
    except KeyboardInterrupt as error:
        return _interrupted(error)
    except RuntimeError as error:
        # DuckDB reports Ctrl-C during a query in this way
        if not isinstance(error.__cause__, KeyboardInterrupt):
            raise
        return _interrupted(error.__cause__)
    except (BrokenPipeError, SystemExit) as error:
        # rich turns it into a SystemExit
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        # the reader (head, less) has ended: print nothing more, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        said = "the disk is full" if error.errno == errno.ENOSPC else error.strerror or error
        return _fail(f"{place}{said}", 3)
    return status or 0


def _wrong_use(error: CycloptsError) -> str:
    if isinstance(error, MissingArgumentError) and error.argument:
        if error.argument.name == "--lake":
            return "name the lake: --lake FOLDER, or PAIFU_LAKE in the environment."
    if isinstance(error, UnusedCliTokensError) and error.unused_tokens:
        return f"there is no place for the argument {error.unused_tokens[0]!r}."
    return str(error)


def _interrupted(error: KeyboardInterrupt) -> int:
    ended = isinstance(error, Terminated)
    said = "terminated" if ended else "interrupted"
    return _fail(f"{said}; what was finished is kept", TERMINATED if ended else INTERRUPTED)


def _fail(message: str, status: int) -> int:
    print(f"paifu: {shortened(printable(' '.join(message.split())))}", file=sys.stderr)
    return status
