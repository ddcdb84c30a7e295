"""Fits the chances of a deal-in and of a riichi on the games of a lake, and measures them.

Each is a logistic model for each of some groups of rows, whose rows may belong to several classes
with a base of their own. Games are held out in fifths, as for the placement model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.errors import LakeError
from paifu.lake.chances import (
    DEAL_IN_FEATURES,
    RIICHI_FEATURES,
    RIICHI_ROWS,
    WALL_FEATURES,
)
from paifu.models import logistic
from paifu.models.event_models import SAFE, ClassWeights, EventModel, event_name
from paifu.models.measures import Band, calibration, mean_and_error
from paifu.models.permutations import Floats
from paifu.models.placement_fit import FEWEST_GAMES, FOLDS, games_to_fit, population_of

_DECIMALS = 4
_GROUPS = {
    "honour": "honour", "suji_19": "suji", "suji_28": "suji", "suji_37": "suji",
    "suji_456": "suji", "no_chance": "suji", "half_suji_456": "half", "no_suji_19": "no_suji",
    "no_suji_28": "no_suji", "no_suji_37": "no_suji", "no_suji_456": "no_suji",
}  # fmt: skip
"""Classes of a discard whose chances depend in the same way on the turn and the rest."""


@dataclass(slots=True)
class EventMeasured:
    """What held-out games say about a model."""

    rows: int
    events: int
    loss: dict[str, float] = field(default_factory=dict)
    """Mean log loss of the constant, of the model and, for riichi, of the model with the wall."""
    less: dict[str, tuple[float, float]] = field(default_factory=dict)
    """How much less than the constant, paired, with the standard error by game."""
    calibration_error: float = 0.0
    bands: list[Band] = field(default_factory=list)
    """Tenths of the rows that are not certain."""

    def rounded(self) -> dict[str, float]:
        """Return the log losses as a model file has them."""
        return {name: round(value, 5) for name, value in self.loss.items()}


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows to fit on: what the model looks at, and what happened."""

    seen: Floats
    happened: npt.NDArray[np.bool_]
    games: npt.NDArray[np.int64]
    folds: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int64]
    """Number of the class of each row."""
    classes: list[tuple[str, ...]]


def fit_events(
    connection: duckdb.DuckDBPyConnection,
    kind: str,
    *,
    where: str | None = None,
    force: bool = False,
    measure: bool = True,
) -> list[tuple[EventModel, EventMeasured | None]]:
    """Fit a model of an event, ``deal_in`` or ``riichi``, for each number of players.

    Raises :class:`~paifu.errors.LakeError` if there are too few games.
    """
    games = games_to_fit(where)
    found = connection.sql(
        f"SELECT players, ruleset, count(*) AS n FROM ({games}) GROUP BY ALL ORDER BY n DESC"
    ).fetchall()
    fitted: dict[int, tuple[EventModel, EventMeasured | None]] = {}
    for players, ruleset, n in found:
        if players not in fitted and n >= (2 if force else FEWEST_GAMES):
            fitted[players] = _fitted(connection, kind, games, ruleset, measure)
    if not fitted:
        most = f"at most {found[0][2]:,} of a rule set" if found else "none"
        raise LakeError(
            f"a model needs {FEWEST_GAMES} complete east or south games without flags of one rule "
            f"set, the lake has {most}; --force fits it all the same"
        )
    return [fitted[players] for players in sorted(fitted, reverse=True)]


def _fitted(
    connection: duckdb.DuckDBPyConnection, kind: str, games: str, ruleset: str, measure: bool
) -> tuple[EventModel, EventMeasured | None]:
    with_wall = kind == "riichi"
    chosen = f"SELECT game_id FROM ({games}) WHERE ruleset = '{ruleset}'"
    rows = _read(connection, kind, chosen, wall=False)
    walled = _read(connection, kind, chosen, wall=True) if with_wall else None
    measured = _measured(connection, kind, chosen, rows, walled) if measure else None
    weights = _class_weights(rows, kind)
    wall = _class_weights(walled, kind) if walled is not None else {}
    classes = tuple(
        ClassWeights(key, own, wall.get(key, ())) for key, own in sorted(weights.items())
    )
    _, population, n = population_of(connection, games, ruleset)
    model = EventModel(
        kind, event_name(ruleset, kind, classes), ruleset, population, n,
        len(rows.happened), classes, measured.rounded() if measured else {},
    )  # fmt: skip
    return model, measured


def _read(connection: duckdb.DuckDBPyConnection, kind: str, chosen: str, *, wall: bool) -> _Rows:
    """Return the rows of an event in the games ``chosen``; with ``wall``, those of known walls."""
    if kind == "deal_in":
        features: Mapping[str, str] = DEAL_IN_FEATURES
        source = f"discard_risks AS r SEMI JOIN ({chosen}) USING (game_id)"
        key, event, where = "r.threat, r.class", "r.dealt_in", f"r.class <> '{SAFE}'"
    else:
        features = WALL_FEATURES if wall else RIICHI_FEATURES
        source = f"{RIICHI_ROWS} SEMI JOIN ({chosen}) AS c ON c.game_id = r.game_id"
        key, event = "r.riichi_wait_kind", "r.won"
        where = "r.riichi_accepted AND r.riichi_wait_kind IS NOT NULL" + (
            " AND l.riichi_in_wall IS NOT NULL" if wall else ""
        )
    columns = ", ".join(f"({sql})::DOUBLE AS {name}" for name, sql in features.items())
    found = connection.sql(
        f"SELECT r.game_id, [{key}] AS key, {event} AS happened, {columns} FROM {source}"
        f" WHERE {where}"
    ).pl()
    classes = [tuple(key) for key in found["key"].unique().sort().to_list()]
    numbers = {key: number for number, key in enumerate(classes)}
    keys = np.array([numbers[tuple(key)] for key in found["key"].to_list()], np.int64)
    ids, games = np.unique(found["game_id"].to_numpy(), return_inverse=True)
    seen = found.select(pl.col(list(features))).to_numpy()
    return _Rows(seen, found["happened"].to_numpy(), games, (ids % FOLDS)[games], keys, classes)


def _group(key: tuple[str, ...], kind: str) -> tuple[str, ...]:
    return (key[0], _GROUPS[key[1]]) if kind == "deal_in" else ()


def _class_weights(
    rows: _Rows, kind: str, used: npt.NDArray[np.bool_] | None = None
) -> dict[tuple[str, ...], tuple[float, ...]]:
    """Return the weights of each class, fitted on the rows that are used."""
    used = np.ones(len(rows.happened), np.bool_) if used is None else used
    found = {}
    for members in _groups(rows.classes, kind):
        at = np.flatnonzero(used & np.isin(rows.keys, members))
        bases = (rows.keys[at][:, None] == np.array(members)).astype(np.float64)
        seen = np.hstack([bases, rows.seen[at][:, 1:]])
        weights = logistic.fitted(seen, rows.happened[at])
        for number, member in enumerate(members):
            own = [weights[number], *weights[len(members) :]]
            found[rows.classes[member]] = tuple(round(float(w), _DECIMALS) for w in own)
    return found


def _groups(classes: list[tuple[str, ...]], kind: str) -> Iterator[list[int]]:
    groups: dict[tuple[str, ...], list[int]] = {}
    for number, key in enumerate(classes):
        groups.setdefault(_group(key, kind), []).append(number)
    yield from groups.values()


def held_out(rows: _Rows, kind: str) -> Floats:
    """Return the chance of each row by a fit on other games."""
    said = np.zeros(len(rows.happened))
    for fold in range(FOLDS):
        held = rows.folds == fold
        weights = _class_weights(rows, kind, ~held)
        table = np.array([weights[key] for key in rows.classes])
        at = np.flatnonzero(held)
        logit = (rows.seen[at] * table[rows.keys[at]]).sum(axis=1)
        said[at] = 1 / (1 + np.exp(-logit))
    return said


def _measured(
    connection: duckdb.DuckDBPyConnection, kind: str, chosen: str, rows: _Rows, walled: _Rows | None
) -> EventMeasured:
    """Measure chances on games held out; rows of class :data:`SAFE` count as certain."""
    said = held_out(rows, kind)
    certain = 0
    if kind == "deal_in":
        ((certain,),) = connection.sql(
            f"SELECT count(*) FROM discard_risks SEMI JOIN ({chosen}) USING (game_id)"
            f" WHERE class = '{SAFE}'"
        ).fetchall()
    n, events = len(rows.happened) + certain, int(rows.happened.sum())
    result = EventMeasured(n, events)
    rate = np.full(len(rows.happened), events / n)
    constant = logistic.losses(rate, rows.happened)
    model = logistic.losses(said, rows.happened)
    share = len(rows.happened) / n
    result.loss["constant"] = float((constant.sum() + certain * -np.log(1 - events / n)) / n)
    result.loss["model"] = float(model.sum() / n)
    _, error = mean_and_error(constant - model, rows.games)
    result.less["model"] = (result.loss["constant"] - result.loss["model"], error * share)
    if walled is not None:
        loss = logistic.losses(held_out(walled, kind), walled.happened)
        base = np.full(len(loss), walled.happened.mean())
        result.loss["wall"] = float(loss.mean())
        result.less["wall"] = mean_and_error(
            logistic.losses(base, walled.happened) - loss, walled.games
        )
    result.calibration_error, result.bands = calibration(said, rows.happened, rows.games)
    return result
