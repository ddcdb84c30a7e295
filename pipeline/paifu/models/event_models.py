"""Models of the chance of an event, a deal-in or the win of a riichi: weights by class of row."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import orjson
import pyarrow as pa

from paifu.lake.chances import DEAL_IN_FEATURES
from paifu.lake.layout import arrow_schema

EVENT_FEATURES_VERSION = 1
"""Raised when what the models look at changes (:mod:`paifu.lake.chances`)."""

SAFE = "genbutsu"
"""The class on which the opponent cannot win."""


@dataclass(frozen=True, slots=True)
class ClassWeights:
    """The weights of a class of rows."""

    key: tuple[str, ...]
    """Threat and class of a discard, or the kind of wait of a riichi."""
    weights: tuple[float, ...]
    wall_weights: tuple[float, ...] = ()
    """With what the wall held; riichi only."""


@dataclass(frozen=True, slots=True)
class EventModel:
    """A fitted model of an event for the games of one rule set."""

    kind: str
    """deal_in or riichi."""
    name: str
    ruleset: str
    population: str
    games: int
    rows: int
    classes: tuple[ClassWeights, ...]
    scores: dict[str, float]
    """Log loss on games held out, of the model and of the constant."""


def event_name(ruleset: str, kind: str, classes: tuple[ClassWeights, ...]) -> str:
    """Return the name of a model: rule set, event and a hash of the weights."""
    text = orjson.dumps(
        [EVENT_FEATURES_VERSION, [[*c.key, c.weights, c.wall_weights] for c in classes]]
    )
    return f"{ruleset}-{kind}-{hashlib.sha256(text).hexdigest()[:8]}"


def event_table(models: list[EventModel]) -> pa.Table:
    """Return the rows of ``deal_in_models`` or ``riichi_models``."""
    kind = models[0].kind
    rows = []
    for model in models:
        about = {
            "ruleset": model.ruleset, "model_id": model.name, "population": model.population,
            "games": model.games, "log_loss": model.scores.get("model"),
            "log_loss_constant": model.scores.get("constant"),
        }  # fmt: skip
        for each in model.classes:
            weights = {"weights": list(each.weights)}
            if kind == "deal_in":
                rows.append({**about, **weights, "threat": each.key[0], "class": each.key[1]})
            else:
                wall = list(each.wall_weights) or None
                rows.append({**about, **weights, "wait_kind": each.key[0], "wall_weights": wall})
        if kind == "deal_in":  # the view says that these are safe
            nothing = [0.0] * len(DEAL_IN_FEATURES)
            for threat in ("riichi", "open"):
                rows.append({**about, "threat": threat, "class": SAFE, "weights": nothing})
    return pa.Table.from_pylist(rows, arrow_schema(f"{kind}_models"))
