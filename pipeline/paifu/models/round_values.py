"""Values a lake: what the positions of its games were worth, for table ``round_values``.

Each batch of games is one transaction, so that a run can be interrupted and continued. A game that
has rows of the model is not valued again; a game that is read again loses its rows.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, fields
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl
import pyarrow as pa

from paifu.errors import UsageError
from paifu.host.memory import give_back
from paifu.host.threads import worker_count
from paifu.lake.lake import Lake, Transaction
from paifu.lake.layout import arrow_schema
from paifu.lake.places import FILE_ORDER, Places, find_places, have_moved
from paifu.lake.retention import tidy
from paifu.lake.rows import Rows, rows_of, without_games
from paifu.models.event_models import event_table
from paifu.models.model_file import kind_of, read_event_models, read_models
from paifu.models.permutations import Floats
from paifu.models.place_points import place_points
from paifu.models.placement_fit import rules_of
from paifu.models.placement_model import PlacementModel
from paifu.models.positions import (
    FEATURES_VERSION,
    SCHEDULED,
    Positions,
    feature_names,
    rounds_left,
)

BATCH_GAMES = 10_000
"""Games per batch: a batch takes some 250 MiB while it is valued."""

READ = ("rounds", "round_seats", "seats")
"""Tables whose rows are read."""

_STICK = 1_000

_GAMES_TO_VALUE = f"""
    SELECT game_id, players, length, ruleset,
        CASE
            WHEN game IS NOT NULL THEN 'not games of riichi'
            WHEN detail <> 'play' THEN 'known only by their results or single wins'
            WHEN NOT complete THEN 'broken off'
            WHEN len(flags) > 0 THEN 'with flags'
            WHEN coalesce(placed, 0) <> players THEN 'without a place of their own for every seat'
        END AS reason
    FROM games
    LEFT JOIN (SELECT game_id, count(DISTINCT placement) AS placed FROM seats GROUP BY game_id)
        USING (game_id)
    ORDER BY {FILE_ORDER}
"""
_STARTS = """
    SELECT game_id FROM rounds JOIN games USING (game_id)
    WHERE round_index = 0 AND players = ? AND list_distinct(scores_start) <> [?]
"""


@dataclass(slots=True)
class Valued:
    """What a run has valued and what it has left out."""

    games: int = 0
    rounds: int = 0
    known: int = 0
    """Games that had values of the model before."""
    by_model: Counter[str] = field(default_factory=Counter)
    """Games valued in this run, by model."""
    stood_in: Counter[str] = field(default_factory=Counter)
    """Games of rule sets or lengths on which the model was not fitted, under the same rules."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Games that are not valued, by the reason."""
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return {
            name: dict(value) if isinstance(value, Counter) else value
            for name, value in values.items()
        }


@dataclass(frozen=True, slots=True)
class _Batch:
    """Games to value together."""

    games: pl.DataFrame
    """Columns ``game_id`` and ``length``."""
    model: PlacementModel


def value(
    lake: Lake | str | Path,
    *,
    models: Sequence[str | Path] = (),
    force: bool = False,
    jobs: int | None = None,
    batch_games: int = BATCH_GAMES,
    progress: Callable[[int, int], None] | None = None,
) -> Valued:
    """Value the games of a lake that have no values of the model yet; return a summary.

    ``models`` are model files; of a kind without a file, the models that come with paifu are used.
    The chances of deal-ins and riichis are views; only their models are stored. ``force`` also
    values games that have values. ``jobs`` batches are valued at once, in threads. ``progress`` is
    called with the number of games done and of all games. Raises
    :class:`~paifu.errors.UsageError` for a bad model and :class:`~paifu.errors.LakeError`.
    """
    started = time.perf_counter()
    workers = worker_count(jobs)
    used, tables = _read_files([Path(path) for path in models])
    with nullcontext(lake) if isinstance(lake, Lake) else Lake.open(lake, write=True) as opened:
        tidy(opened)
        report = Valued()
        if not opened.read(lambda tx: _is_registered(tx, used, tables)):
            opened.transact(lambda tx: _register(tx, used, tables))
        todo = opened.read(lambda tx: _todo(tx, used, force, report))
        batches = [
            _Batch(games.slice(start, batch_games), each)
            for each, games in todo
            for start in range(0, len(games), batch_games)
        ]
        total = sum(len(batch.games) for batch in batches)
        for batch, rows, table in _valued(opened, batches, workers):
            _commit(opened, batch, rows, table)
            give_back()
            report.games += len(batch.games)
            report.rounds += table.num_rows // batch.model.rules.players
            report.by_model[batch.model.name] += len(batch.games)
            if progress:
                progress(report.games, total)
    report.seconds = time.perf_counter() - started
    return report


# --- which games, and which models ----------------------------------------------------------------


def _todo(
    tx: Transaction, models: list[PlacementModel], force: bool, report: Valued
) -> list[tuple[PlacementModel, pl.DataFrame]]:
    """Return the games to value by model; count those that are known and those left out."""
    games = tx.connection.sql(_GAMES_TO_VALUE).pl()
    for reason, n in games.drop_nulls("reason")["reason"].value_counts().iter_rows():
        report.left_out[reason] += n
    games = games.filter(pl.col("reason").is_null()).drop("reason")
    todo = []
    for model in models:
        own = _for_model(tx, games.filter(pl.col("players") == model.rules.players), model, report)
        done = tx.connection.execute(
            "SELECT DISTINCT game_id FROM round_values WHERE model_id = ?", [model.name]
        ).pl()
        pending = own.join(done, on="game_id", how="anti", maintain_order="left")
        report.known += len(own) - len(pending)
        asked = own if force else pending
        todo.append((model, asked.select("game_id", "length")))
        strange = ~pl.col("ruleset").is_in(model.rulesets) | ~pl.col("length").is_in(model.lengths)
        for name, length, n in (
            asked.filter(strange).group_by("ruleset", "length").len().iter_rows()
        ):
            report.stood_in[f"{length} games of {name} with the model of {model.rulesets[0]}"] += n
    without = games.filter(~pl.col("players").is_in([model.rules.players for model in models]))
    for players, n in without["players"].value_counts().iter_rows():
        report.left_out[f"of {players} players, for whom there is no model"] += n
    return todo


def _for_model(
    tx: Transaction, games: pl.DataFrame, model: PlacementModel, report: Valued
) -> pl.DataFrame:
    """Return the games that the model may value; count the others by the reason."""
    ours = [name for name in games["ruleset"].unique() if rules_of(name) == model.rules]
    others = games.filter(~pl.col("ruleset").is_in(ours))
    for name, n in others["ruleset"].value_counts().iter_rows():
        report.left_out[f"of {name}, for whose rules there is no model"] += n
    games = games.filter(pl.col("ruleset").is_in(ours))
    odd = pl.col("length").is_null() | ~pl.col("length").is_in(list(SCHEDULED))
    for length, n in games.filter(odd)["length"].value_counts().iter_rows():
        why = f"of length {length}, for which there is no model" if length else "of unknown length"
        report.left_out[why] += n
    games = games.filter(~odd)
    started = tx.connection.execute(_STARTS, [model.rules.players, model.rules.start_points]).pl()
    if n := len(games.join(started, on="game_id", how="semi")):
        report.left_out[f"that did not start with {model.rules.start_points} points"] += n
    return games.join(started, on="game_id", how="anti", maintain_order="left")


def _models_table(models: list[PlacementModel]) -> pa.Table:
    rows = [
        {
            "model_id": model.name, "current": True, "players": model.rules.players,
            "rulesets": list(model.rulesets), "lengths": list(model.lengths),
            "population": model.population, "games": model.games, "rounds": model.rounds,
            "features_version": FEATURES_VERSION,
            "features": feature_names(model.rules.players),
            "weights": model.weights.ravel().tolist(), "log_loss": model.scores.get("model"),
            "log_loss_rank_round": model.scores.get("rank_round"),
            "log_loss_gaps": model.scores.get("gaps"),
        }
        for model in models
    ]  # fmt: skip
    return pa.Table.from_pylist(rows, arrow_schema("placement_models"))


def _read_files(paths: list[Path]) -> tuple[list[PlacementModel], dict[str, pa.Table]]:
    """Return the placement models, and the tables that are written as a whole, by name.

    Raises :class:`~paifu.errors.UsageError` for two files of one kind, or a bad file.
    """
    files: dict[str, Path] = {}
    for path in paths:
        kind = kind_of(path)
        if kind in files:
            raise UsageError(f"{files[kind]} and {path} are both {kind} models: name one of them")
        files[kind] = path
    tables = {"place_points": place_points()}
    for kind in ("deal_in", "riichi"):
        tables[f"{kind}_models"] = event_table(read_event_models(kind, files.get(kind)))
    return read_models(files.get("placement")), tables


def _is_registered(
    tx: Transaction, models: list[PlacementModel], tables: Mapping[str, pa.Table]
) -> bool:
    """Return whether the lake's rows on models and schemes are those of this run."""
    for name, table in tables.items():
        stored = tx.connection.sql(f"SELECT * FROM {name}").to_arrow_table()
        if not stored.select(table.column_names).cast(table.schema).equals(table):
            return False
    players = [model.rules.players for model in models]
    current = tx.execute(
        "SELECT model_id FROM placement_models WHERE current AND list_contains(?, players)",
        [players],
    )
    return {name for (name,) in current} == {model.name for model in models}


def _register(
    tx: Transaction, models: list[PlacementModel], tables: Mapping[str, pa.Table]
) -> None:
    """Write the rows on the models, as the current ones of their numbers of players."""
    players = [model.rules.players for model in models]
    older = tx.connection.execute(
        "SELECT * REPLACE (current AND NOT list_contains($players, players) AS current)"
        " FROM placement_models WHERE NOT list_contains($names, model_id)",
        {"players": players, "names": [model.name for model in models]},
    ).to_arrow_table()
    written = arrow_schema("placement_models")
    tx.execute("DELETE FROM placement_models")
    tx.insert("placement_models", older.select(written.names).cast(written))
    tx.insert("placement_models", _models_table(models))
    for name, table in tables.items():
        tx.execute(f"DELETE FROM {name}")
        tx.insert(name, table)


# --- a batch --------------------------------------------------------------------------------------


def _valued(
    lake: Lake, batches: list[_Batch], jobs: int
) -> Iterator[tuple[_Batch, Rows, pa.Table]]:
    """Yield the batches in order with their values, and the rows of their games as read."""
    waiting: deque[tuple[_Batch, Rows, Future[pa.Table]]] = deque()
    places: Places | None = None
    with ThreadPoolExecutor(jobs, thread_name_prefix="value") as pool:
        for number, batch in enumerate(batches):
            if len(waiting) >= jobs:
                first, read, future = waiting.popleft()
                yield first, read, future.result()
            rows, frames, places = lake.read(partial(_read, batches, number, places))
            waiting.append((batch, rows, pool.submit(values_of, batch.model, *frames)))
        while waiting:
            first, read, future = waiting.popleft()
            yield first, read, future.result()


def _read(
    batches: list[_Batch], number: int, places: Places | None, tx: Transaction
) -> tuple[Rows, tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame], Places]:
    """Return the rows of a batch's games in ``games``, what is known of their rounds, and where."""
    batch = batches[number]
    ids = batch.games["game_id"]
    if places is None or have_moved(tx.connection, places.snapshot, READ, ids.to_numpy()):
        rest = {n: batches[n].games for n in range(number, len(batches))}
        places = find_places(tx.connection, rest, READ)
    where = places.of(number)
    connection = tx.connection
    connection.register("asked", batch.games.to_arrow())
    try:
        rounds = connection.sql(
            "SELECT r.game_id, length, round_index, wind, number, dealer, honba, scores_start"
            f" FROM (SELECT * FROM rounds WHERE {where['rounds']}) AS r"
            " JOIN asked USING (game_id) ORDER BY game_id, round_index"
        ).pl()
        seats = connection.sql(
            "SELECT coalesce(riichi_accepted, false) AS paid, outcome"
            f" FROM (SELECT * FROM round_seats WHERE {where['round_seats']})"
            " SEMI JOIN asked USING (game_id) ORDER BY game_id, round_index, seat"
        ).pl()
        ends = connection.sql(
            f"SELECT placement - 1 AS place FROM (SELECT * FROM seats WHERE {where['seats']})"
            " SEMI JOIN asked USING (game_id) ORDER BY game_id, seat"
        ).pl()
    finally:
        connection.unregister("asked")
    return rows_of(tx, ids.to_list()), (rounds, seats, ends), places


def values_of(
    model: PlacementModel, rounds: pl.DataFrame, seats: pl.DataFrame, ends: pl.DataFrame
) -> pa.Table:
    """Return the rows of ``round_values`` of some games.

    ``rounds`` has a row for each round, ``seats`` one for each seat of each round (``paid`` a
    stick, ``outcome``) and ``ends`` one for each seat of each game (its ``place`` from 0), all in
    the order of game, round and seat.
    """
    players = model.rules.players
    ids = rounds["game_id"].to_numpy()
    goes_on = np.zeros(len(ids), np.bool_)
    goes_on[:-1] = ids[1:] == ids[:-1]
    winds = rounds["length"].replace_strict(SCHEDULED, return_dtype=pl.Int16).to_numpy()
    points = _by_seat(rounds["scores_start"].explode().to_numpy(), players).astype(np.int32)
    positions = Positions(
        points,
        rounds_left(rounds["wind"].to_numpy(), rounds["number"].to_numpy(), players, winds),
        rounds["dealer"].to_numpy(),
        rounds["honba"].to_numpy(),
    )
    paid = _by_seat(seats["paid"].to_numpy(), players)
    with_sticks: npt.NDArray[Any] = np.asarray(paid.any(axis=1))
    not_last = np.flatnonzero(goes_on)
    before = model.chances(positions)
    sticks = model.chances(positions.with_points(points - _STICK * paid)[with_sticks])
    settled = model.chances(positions[not_last].with_points(points[not_last + 1]))
    after = np.zeros_like(before)
    after[not_last] = before[not_last + 1]
    places = _by_seat(ends["place"].to_numpy(), players).astype(np.int64)
    after[~goes_on] = np.eye(players)[places]
    columns: dict[str, Any] = {
        "game_id": np.repeat(ids, players),
        "round_index": np.repeat(rounds["round_index"].to_numpy(), players),
        "seat": np.tile(np.arange(players, dtype=np.int16), len(ids)),
        "model_id": pa.repeat(model.name, len(ids) * players),
        "cause": seats["outcome"].to_arrow(),
    }
    for suffix, chances, rows in (
        ("", before, None), ("_sticks", sticks, with_sticks), ("_paid", settled, goes_on),
        ("_after", after, None),
    ):  # fmt: skip
        for place in range(players):
            columns[f"place_{place + 1}{suffix}"] = _column(chances[:, :, place], rows)
    schema = arrow_schema("round_values")
    nothing = pa.nulls(len(ids) * players, pa.float64())
    return pa.table(
        [pa.array(columns.get(name, nothing), schema.field(name).type) for name in schema.names],
        schema=schema,
    )


def _by_seat(values: npt.NDArray[Any], players: int) -> npt.NDArray[Any]:
    return values.reshape(-1, players)


def _column(chances: Floats, rows: npt.NDArray[Any] | None) -> pa.Array:
    """Return chances (n, players) as a column; with ``rows``, the other rows are NULL."""
    if rows is None:
        return pa.array(chances.ravel())
    players = chances.shape[1]
    spread = np.zeros((len(rows), players))
    spread[rows] = chances
    return pa.array(spread.ravel(), mask=np.repeat(~rows, players))


def _commit(lake: Lake, batch: _Batch, rows: Rows, table: pa.Table) -> None:
    """Replace the games' values by this model; games that changed since are left out."""
    ids = batch.games["game_id"].to_list()
    tables = {"round_values": table}
    staged = lake.stage(tables)

    def work(tx: Transaction) -> None:
        nonlocal staged
        now = rows_of(tx, ids)
        same = [game for game in ids if rows.get(game) == now.get(game)]
        if len(same) < len(ids):
            staged.discard()
            changed = np.setdiff1d(np.array(ids, np.int64), np.array(same, np.int64))
            staged = lake.stage(without_games(tables, changed))
        _remove(tx, same, batch.model)
        tx.add(staged)

    try:
        lake.transact(work)
    except BaseException:
        staged.discard()
        raise


def _remove(tx: Transaction, ids: list[int], model: PlacementModel) -> None:
    """Remove the games' rows of this model, if there are any."""
    where = "model_id = ? AND game_id IN (SELECT unnest(?))"
    if tx.execute(f"SELECT 1 FROM round_values WHERE {where} LIMIT 1", [model.name, ids]):
        tx.execute(f"DELETE FROM round_values WHERE {where}", [model.name, ids])
