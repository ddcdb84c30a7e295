"""Re-scoring a lake: audits every game that has no verdict yet, batch by batch.

A verdict belongs to a rule set (the hash of what it sets) and a version of the rules engine. A
verdict of another hash or version is stale and does not count. The verdicts on the record are those
under the rule set that the game's record names, ``verdicts.ruleset = games.ruleset``. Verdicts
under other rule sets are stored beside them and are read when asked for by name; so two rule sets
of a game cannot have the same name. Units of games are read and audited, and a batch of them is one
transaction over all derived tables, so that a run can be interrupted and continued.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from paifu.audit.cluster_workers import audited_batches as audited_on_cluster
from paifu.audit.comparison import ILLEGAL, MISMATCH
from paifu.audit.pending_games import Unit, pending_games, split
from paifu.audit.summary import Report
from paifu.audit.verdict_writer import VerdictWriter
from paifu.audit.workers import audited_batches, can_be_sent
from paifu.errors import UsageError
from paifu.host.schedulers import cluster_at
from paifu.host.threads import worker_count
from paifu.lake.lake import Lake, Transaction
from paifu.lake.retention import tidy
from paifu.rules import rulesets
from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet

if TYPE_CHECKING:
    from paifu.host.cluster import Cluster

BATCH_GAMES = 20_000
"""Games per transaction by default."""

UNIT_GAMES = 2_000
"""Games that are read and audited at a time, which takes some 150 MiB."""

_UNITS_EACH = 6
"""How many units each process audits at least, unless they would be small."""

_PARTS = 16
"""If verdicts are replaced, they are replaced in so many transactions at most: each of them reads
all verdicts."""


def rescore(
    lake: Lake | str | Path,
    *,
    ruleset: str | Path | RuleSet | Game | None = None,
    force: bool = False,
    jobs: int | None = None,
    scheduler: str | Cluster | None = None,
    batch_games: int = BATCH_GAMES,
    examples: int = 10,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Audit the games of a lake that have no verdict yet, and return a summary.

    ``ruleset`` is a preset's name, the path of a TOML file or a rule set; without it, each game is
    checked under the rule set that its record names. ``force`` also audits games that have a
    verdict. ``batch_games`` are stored in one transaction, or a sixteenth of the games if verdicts
    are replaced and that is more. ``jobs`` is how many processes audit; others than this one are
    started if there are more than some thousand games. With ``scheduler``, the address of a Dask
    scheduler or a :class:`~paifu.host.cluster.Cluster`, its workers audit.
    ``progress`` is called with the number of games done and the number of all games. Raises
    :class:`~paifu.errors.RuleError` and :class:`~paifu.errors.LakeError`.
    """
    started = time.perf_counter()
    if jobs is not None and scheduler is not None:
        raise UsageError(
            "choose one of jobs and scheduler: its workers are those that were started"
        )
    jobs = worker_count(jobs)
    rules = rulesets.load_scoring(ruleset) if isinstance(ruleset, str | Path) else ruleset
    with (
        cluster_at(scheduler) as cluster,
        nullcontext(lake) if isinstance(lake, Lake) else Lake.open(lake, write=True) as opened,
    ):
        tidy(opened)
        report = Report()
        writer, todo = opened.read(lambda tx: _begin(opened, tx, rules, force, report))
        total = sum(len(unit.games) for unit in todo)
        if any(unit.games["judged"].any() for unit in todo):
            batch_games = max(batch_games, total // _PARTS)
        size = min(batch_games, UNIT_GAMES)
        if cluster is None and jobs > 1:  # so that all processes end at about the same time
            size = min(size, max(UNIT_GAMES // 4, total // (_UNITS_EACH * jobs)))
        units = [part for unit in todo for part in split(unit, size)]
        done = 0
        with ExitStack() as processes:
            if cluster is not None and all(map(can_be_sent, units)):
                audited = audited_on_cluster(
                    opened, units, batch_games, cluster, examples, processes
                )
            else:
                audited = audited_batches(opened, units, batch_games, jobs, examples, processes)
            for batch in audited:
                writer.write([unit for unit, _ in batch.audited], batch.written)
                for unit, counted in batch.audited:
                    report.add(counted)
                    report.examples += counted.examples[: examples - len(report.examples)]
                    done += len(unit.games)
                if progress:
                    progress(done, total)
    report.seconds = time.perf_counter() - started
    return report


def disagreements(
    lake: Lake | str | Path, *, ruleset: str | Path | RuleSet | Game | None = None
) -> int:
    """Return how many verdicts of a lake are a mismatch or illegal, from this or any earlier run.

    Verdicts under ``ruleset`` in its present form count. Without it, each game's verdicts under the
    rule set that its record names count, because a record need not agree with other rules.
    """
    rules = rulesets.load_scoring(ruleset) if isinstance(ruleset, str | Path) else ruleset
    asked = "v.ruleset = g.ruleset" if rules is None else "v.ruleset_hash = $hash"
    with nullcontext(lake) if isinstance(lake, Lake) else Lake.open(lake) as opened:
        row = opened.sql(
            f"""SELECT count(*) FROM verdicts AS v JOIN games AS g USING (game_id)
            WHERE v.status IN ('{MISMATCH}', '{ILLEGAL}') AND {asked}""",
            **({} if rules is None else {"hash": rules.hash}),
        ).fetchone()
    return int(row[0]) if row else 0


def _begin(
    lake: Lake, tx: Transaction, rules: RuleSet | Game | None, force: bool, report: Report
) -> tuple[VerdictWriter, list[Unit]]:
    """Return the games to audit, and a writer of verdicts that follows what others do since."""
    todo = pending_games(tx, rules, force, report)
    return VerdictWriter(lake, tx, [unit.games for unit in todo]), todo
