"""Re-scoring a lake: audits every game that has no verdict yet, batch by batch.

A verdict belongs to a rule set (the hash of what it sets) and a version of the rules engine. A
verdict of another hash or version is stale and does not count. The verdicts on the record are those
under the rule set that the game's record names, ``verdicts.ruleset = games.ruleset``. Verdicts
under other rule sets are stored beside them and are read when asked for by name; so two rule sets
of a game cannot have the same name. Each batch of games is one transaction over all derived tables,
so that a run can be interrupted and continued.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
import polars as pl

from paifu.audit.batch_audit import Audited, audit
from paifu.audit.comparison import ILLEGAL, MISMATCH
from paifu.audit.lake_reader import READ, read_play, with_last_discards
from paifu.audit.other_game_checks import with_table_facts
from paifu.audit.summary import Report
from paifu.audit.wide_rounds import Play
from paifu.errors import RuleError
from paifu.host.memory import give_back
from paifu.host.threads import worker_count
from paifu.lake.lake import Lake, Transaction
from paifu.lake.places import FILE_ORDER, Places
from paifu.lake.retention import tidy
from paifu.lake.rows import without_games
from paifu.rules import rulesets
from paifu.rules.engine import ENGINE_VERSION
from paifu.rules.fan.game import Game
from paifu.rules.riichi.ruleset import RuleSet

BATCH_GAMES = 2_000
"""Games per batch: each batch that is being audited takes some 150 MiB."""

Rows = dict[int, int]
"""The row of each game in table ``games``; a game that is read again gets another row."""

_BY_RULESET = ("verdicts", "verdict_fields", "scored_wins", "scored_yaku", "computed_results")


@dataclass(frozen=True, slots=True)
class _Batch:
    """Games to audit together: with the same rule set and number of players."""

    games: pl.DataFrame
    players: int
    rules: RuleSet | Game
    played: bool
    """The games have play; they are not from a win sheet."""


def rescore(
    lake: Lake | str | Path,
    *,
    ruleset: str | Path | RuleSet | Game | None = None,
    force: bool = False,
    jobs: int | None = None,
    batch_games: int = BATCH_GAMES,
    examples: int = 10,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Audit the games of a lake that have no verdict yet, and return a summary.

    ``ruleset`` is a preset's name, the path of a TOML file or a rule set; without it, each game is
    checked under the rule set that its record names. ``force`` also audits games that have a
    verdict. ``jobs`` batches are audited at once, in threads. ``progress`` is called with the
    number of games done and the number of all games. Raises :class:`~paifu.errors.RuleError` and
    :class:`~paifu.errors.LakeError`.
    """
    started = time.perf_counter()
    workers = worker_count(jobs)
    rules = rulesets.load_scoring(ruleset) if isinstance(ruleset, str | Path) else ruleset
    with nullcontext(lake) if isinstance(lake, Lake) else Lake.open(lake, write=True) as opened:
        tidy(opened)
        report = Report()
        todo = opened.read(lambda tx: _todo(tx, rules, force, report))
        total, done = sum(len(batch.games) for batch in todo), 0
        batches = [part for batch in todo for part in _split(batch, batch_games)]
        places = Places([batch.games for batch in batches], READ)
        for batch, rows, audited in _audited(opened, batches, places, workers, examples):
            _commit(opened, batch, rows, audited)
            places.committed(opened)
            give_back()
            report.add(audited)
            report.examples += audited.examples[: examples - len(report.examples)]
            done += len(batch.games)
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


def _todo(
    tx: Transaction, rules: RuleSet | Game | None, force: bool, report: Report
) -> list[_Batch]:
    """Return the games to audit by rule set and players; count stale and left-out games."""
    games = tx.connection.sql(
        "SELECT game_id, ruleset, game, players, detail FROM games"
        f" WHERE detail IN ('play', 'sheet') ORDER BY {FILE_ORDER}"
    ).pl()
    judged = tx.connection.sql(
        "SELECT game_id, ruleset AS judged_as, ruleset_hash, engine_version"
        " FROM verdicts WHERE subject = 'game'"
    ).pl()
    todo: list[_Batch] = []
    by_rules = games.partition_by(
        "ruleset", "game", "players", "detail", as_dict=True, maintain_order=True
    )
    for (name, game, players, detail), part in by_rules.items():
        chosen = _chosen(rules, _rules_named(str(name)))
        if isinstance(chosen, str):
            report.left_out[chosen] = len(part)
            continue
        if isinstance(chosen, Game) != (game is not None):
            played = f"games of {game or 'riichi'}"
            report.left_out[f"{chosen.name} is not for {played}"] = len(part)
            continue
        if chosen.players not in (0, players):
            report.left_out[f"{chosen.name} is not for {players} players"] = len(part)
            continue
        own = judged.filter(
            (pl.col("ruleset_hash") == chosen.hash) | (pl.col("judged_as") == chosen.name)
        )
        current = (pl.col("ruleset_hash") == chosen.hash) & (
            pl.col("engine_version") == ENGINE_VERSION
        )
        pending = part.join(own.filter(current), on="game_id", how="anti", maintain_order="left")
        report.stale += len(pending.join(own, on="game_id", how="semi"))
        if force:
            pending = part
        if len(pending):
            todo.append(_Batch(pending.select("game_id"), int(players), chosen, detail == "play"))
    return todo


def _chosen(asked: RuleSet | Game | None, named: RuleSet | Game | str) -> RuleSet | Game | str:
    """Return the rule set under which games are checked: the one asked for, or their record's.

    A rule set with the same settings as the record's is the record's, whatever its name. Raises
    :class:`~paifu.errors.RuleError` for a different rule set with the name of the record's.
    """
    if asked is None or (not isinstance(named, str) and named.hash == asked.hash):
        return named
    if not isinstance(named, str) and named.name == asked.name:
        raise RuleError(
            f"games of this lake were played under another rule set named {asked.name!r}: give "
            'yours a name of its own, with a line like name = "ours"'
        )
    return asked


def _rules_named(name: str) -> RuleSet | Game | str:
    """Return the rule set that a record names, under that name, or why there is no such set."""
    if not name.endswith(".toml"):
        known = (*rulesets.names(), *rulesets.game_names())
        return rulesets.get_any(name) if name in known else f"{name} is no rule set"
    try:
        return replace(rulesets.load_within(name, Path()), name=name)
    except RuleError as error:
        return str(error)


def _split(batch: _Batch, size: int) -> Iterator[_Batch]:
    for start in range(0, len(batch.games), size):
        yield replace(batch, games=batch.games.slice(start, size))


def _audited(
    lake: Lake, batches: list[_Batch], places: Places, jobs: int, examples: int
) -> Iterator[tuple[_Batch, Rows, Audited]]:
    """Yield the audited batches in order, with the rows of their games as they were read.

    The batches are read here and audited in ``jobs`` threads.
    """
    waiting: deque[tuple[_Batch, Rows, Future[Audited]]] = deque()
    with ThreadPoolExecutor(jobs, thread_name_prefix="rescore") as pool:
        for number, batch in enumerate(batches):
            if len(waiting) >= jobs:
                first, read, future = waiting.popleft()
                yield first, read, future.result()
            rows, play = lake.read(partial(_read, batch, places, number))
            waiting.append((batch, rows, pool.submit(audit, play, batch.rules, examples=examples)))
        while waiting:
            first, read, future = waiting.popleft()
            yield first, read, future.result()


def _read(batch: _Batch, places: Places, number: int, tx: Transaction) -> tuple[Rows, Play]:
    """Return the rows of a batch's games in table ``games``, and their play."""
    return _rows(tx, batch.games["game_id"].to_list()), _play(batch, places, number, tx)


def _rows(tx: Transaction, ids: list[int]) -> Rows:
    return dict(
        tx.execute("SELECT game_id, rowid FROM games WHERE game_id IN (SELECT unnest(?))", [ids])
    )


def _play(batch: _Batch, places: Places, number: int, tx: Transaction) -> Play:
    """Return the play of a batch; some rules need facts that are read from the acts."""
    where = places.of(tx, number)
    play = read_play(tx.connection, batch.games, batch.players, where)
    if not batch.played:
        return play
    if isinstance(batch.rules, Game):
        return with_table_facts(tx.connection, play, where)
    if not batch.rules.houtei_after_rinshan:
        return with_last_discards(tx.connection, play, where)
    return play


def _commit(lake: Lake, batch: _Batch, rows: Rows, audited: Audited) -> None:
    """Replace the lake's rows of these games under this rule set by the rows of a batch.

    Games that were forgotten or replaced since this run read them are left out.
    """
    ids = batch.games["game_id"].to_list()
    staged = lake.stage(audited.tables)

    def work(transaction: Transaction) -> None:
        nonlocal staged
        now = _rows(transaction, ids)
        same = [game for game in ids if rows.get(game) == now.get(game)]
        if len(same) < len(ids):
            staged.discard()
            changed = np.setdiff1d(np.array(ids, np.int64), np.array(same, np.int64))
            staged = lake.stage(without_games(audited.tables, changed))
        _remove(transaction, same, batch.rules)
        transaction.add(staged)

    try:
        lake.transact(work)
    except BaseException:
        staged.discard()
        raise


def _remove(transaction: Transaction, ids: list[int], rules: RuleSet | Game) -> None:
    """Remove the games' rows under this rule set, under older sets of its name, and of walls."""
    hashes = [
        row[0]
        for row in transaction.execute(
            "SELECT DISTINCT ruleset_hash FROM verdicts WHERE game_id IN (SELECT unnest(?))"
            " AND (ruleset_hash = ? OR ruleset = ?)",
            [ids, rules.hash, rules.name],
        )
    ]
    if hashes:
        for table in _BY_RULESET:
            transaction.execute(
                f"DELETE FROM {table} WHERE game_id IN (SELECT unnest(?))"
                " AND ruleset_hash IN (SELECT unnest(?))",
                [ids, hashes],
            )
    for table in ("walls", "luck"):
        if transaction.execute(
            f"SELECT 1 FROM {table} WHERE game_id IN (SELECT unnest(?)) LIMIT 1", [ids]
        ):
            transaction.execute(f"DELETE FROM {table} WHERE game_id IN (SELECT unnest(?))", [ids])
