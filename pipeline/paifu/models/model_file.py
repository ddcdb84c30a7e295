"""Model files: JSON documents with the coefficients of models and what they were fitted on."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from paifu.errors import UsageError
from paifu.host.shipped_files import resource_dir
from paifu.lake.chances import DEAL_IN_FEATURES, RIICHI_FEATURES, WALL_FEATURES
from paifu.models.event_models import (
    EVENT_FEATURES_VERSION,
    ClassWeights,
    EventModel,
    event_name,
)
from paifu.models.placement_model import PlacementModel, Rules
from paifu.models.positions import FEATURES_VERSION, SCHEDULED, feature_names

_PLACEMENT, _DEAL_IN, _RIICHI = (
    f"paifu {kind} model" for kind in ("placement", "deal_in", "riichi")
)
_LARGEST = 1_000_000
"""Bytes; a model file has some thousands."""


def default_file(kind: str = "placement") -> Path:
    """Return the file of the models of a kind that come with paifu."""
    return resource_dir("data") / "models" / f"{kind}.json"


def named(model: PlacementModel) -> PlacementModel:
    """Return a model with its name: players, rule set and a hash of everything that it computes.

    Equal coefficients for equal rules have equal names, so values in a lake are never taken for
    those of another model.
    """
    text = orjson.dumps(
        [FEATURES_VERSION, asdict(model.rules), model.rulesets, model.lengths,
         model.weights.ravel().tolist()]
    )  # fmt: skip
    digest = hashlib.sha256(text).hexdigest()[:8]
    return replace(model, name=f"{model.rulesets[0]}-{digest}")


def write_models(path: Path, models: Sequence[PlacementModel | EventModel]) -> None:
    """Write models of one kind to a file.

    Raises :class:`~paifu.errors.UsageError` if that is not possible.
    """
    first = models[0]
    kind, version = (
        (_PLACEMENT, FEATURES_VERSION)
        if isinstance(first, PlacementModel)
        else (f"paifu {first.kind} model", EVENT_FEATURES_VERSION)
    )
    document = {
        "kind": kind,
        "features_version": version,
        "models": [
            _as_json(model) if isinstance(model, PlacementModel) else _event_as_json(model)
            for model in models
        ],
    }
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(orjson.dumps(document, option=orjson.OPT_INDENT_2) + b"\n")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from None


def read_models(path: Path | None = None) -> list[PlacementModel]:
    """Return the models of a file, or those that come with paifu.

    Raises :class:`~paifu.errors.UsageError` for a file that is missing, is damaged, or was made for
    other features.
    """
    path = path or default_file()
    document = _document(path, _PLACEMENT, FEATURES_VERSION)
    try:
        models = [_from_json(entry) for entry in document["models"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damaged(path, f"{type(error).__name__}: {error}") from None
    for model, entry in zip(models, document["models"], strict=True):
        if model.name != entry["name"]:
            raise _damaged(path, f"{entry['name']} does not have the coefficients of its name")
    seen = [model.rules.players for model in models]
    if len(set(seen)) < len(seen) or not seen:
        raise _damaged(path, "it must have one model for a number of players")
    return models


def kind_of(path: Path) -> str:
    """Return what kind of model a file has: placement, deal_in or riichi.

    Raises :class:`~paifu.errors.UsageError` for any other file.
    """
    kind = str(_read(path).get("kind"))
    if kind not in (_PLACEMENT, _DEAL_IN, _RIICHI):
        raise UsageError(f'{path} is no model file: it has no "kind": "{_PLACEMENT}"')
    return kind.split()[1]


def _document(path: Path, kind: str, version: int) -> dict[str, Any]:
    document = _read(path)
    if document.get("kind") != kind:
        raise UsageError(f'{path} is no model file: it has no "kind": "{kind}"')
    found = document.get("features_version")
    if found != version:
        raise UsageError(
            f"the model {path} was fitted for features of version {found}, this paifu has "
            f"version {version}: fit it again with paifu fit {kind.split()[1]}"
        )
    return document


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            data = file.read(_LARGEST + 1)
    except OSError as error:
        raise UsageError(f"the model {path} cannot be read: {error.strerror}") from None
    if len(data) > _LARGEST:
        raise _damaged(path, f"it has more than {_LARGEST:,} bytes")
    try:
        document = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        raise _damaged(path, f"it is not JSON ({error})") from None
    return document if isinstance(document, dict) else {}


def _damaged(path: Path, why: str) -> UsageError:
    return UsageError(f"the model {path} is damaged: {why}")


def _as_json(model: PlacementModel) -> dict[str, Any]:
    return {
        "name": model.name,
        "population": model.population,
        "games": model.games,
        "rounds": model.rounds,
        "rulesets": model.rulesets,
        "lengths": model.lengths,
        "rules": asdict(model.rules),
        "log_loss": {name: round(value, 5) for name, value in model.scores.items()},
        "weights": dict(
            zip(feature_names(model.rules.players), model.weights.tolist(), strict=True)
        ),
    }


def _from_json(entry: dict[str, Any]) -> PlacementModel:
    rules = Rules(**{field.name: entry["rules"][field.name] for field in fields(Rules)})
    players = rules.players
    if players not in (3, 4):
        raise ValueError(f"{players} players")
    names = feature_names(players)
    if set(entry["weights"]) != set(names):
        raise ValueError("its weights are not those of the features")
    weights = np.array([entry["weights"][name] for name in names], np.float64)
    if weights.shape != (len(names), players - 1) or not np.isfinite(weights).all():
        raise ValueError("its weights are not numbers, one for each place but the last")
    lengths, sets = tuple(map(str, entry["lengths"])), tuple(map(str, entry["rulesets"]))
    if not lengths or not set(lengths) <= set(SCHEDULED) or not sets:
        raise ValueError("it names no length or rule set that it is for")
    scores = {str(name): float(value) for name, value in entry["log_loss"].items()}
    if not all(map(math.isfinite, scores.values())):
        raise ValueError("its log loss is no number")
    return named(
        PlacementModel(
            weights=weights, name="", population=str(entry["population"]), rulesets=sets,
            lengths=lengths, games=int(entry["games"]), rounds=int(entry["rounds"]),
            scores=scores, rules=rules,
        )
    )  # fmt: skip


# --- chances of an event --------------------------------------------------------------------------

_FEATURES = {
    "deal_in": (DEAL_IN_FEATURES, {}),
    "riichi": (RIICHI_FEATURES, WALL_FEATURES),
}


def _event_as_json(model: EventModel) -> dict[str, Any]:
    classes = [
        {"key": each.key, "weights": each.weights, "wall_weights": each.wall_weights}
        for each in model.classes
    ]
    return {
        "name": model.name, "ruleset": model.ruleset, "population": model.population,
        "games": model.games, "rows": model.rows, "log_loss": model.scores, "classes": classes,
    }  # fmt: skip


def read_event_models(kind: str, path: Path | None = None) -> list[EventModel]:
    """Return the models of a file, or those that come with paifu; ``kind`` is the event.

    Raises :class:`~paifu.errors.UsageError` for a file that is missing, is damaged, or was made for
    other features.
    """
    path = path or default_file(kind)
    document = _document(path, f"paifu {kind} model", EVENT_FEATURES_VERSION)
    try:
        return [_event_from_json(kind, entry) for entry in document["models"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise _damaged(path, f"{type(error).__name__}: {error}") from None


def _event_from_json(kind: str, entry: dict[str, Any]) -> EventModel:
    own, wall = _FEATURES[kind]
    classes = tuple(
        ClassWeights(
            tuple(map(str, each["key"])),
            _weights(each["weights"], len(own)),
            _weights(each["wall_weights"], len(wall)) if each["wall_weights"] else (),
        )
        for each in entry["classes"]
    )
    scores = {str(name): float(value) for name, value in entry["log_loss"].items()}
    name = event_name(str(entry["ruleset"]), kind, classes)
    if name != entry["name"]:
        raise ValueError(f"{entry['name']} does not have the coefficients of its name")
    return EventModel(
        kind, name, str(entry["ruleset"]), str(entry["population"]), int(entry["games"]),
        int(entry["rows"]), classes, scores,
    )  # fmt: skip


def _weights(given: list[Any], count: int) -> tuple[float, ...]:
    weights = tuple(map(float, given))
    if len(weights) != count or not all(map(math.isfinite, weights)):
        raise ValueError("its weights are not numbers, one for each feature")
    return weights
