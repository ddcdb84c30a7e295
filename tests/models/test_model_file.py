"""A model file that is damaged, of another version or no model file is refused in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paifu.errors import UsageError
from paifu.models.model_file import default_file, read_models, write_models


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    models = read_models()
    write_models(tmp_path / "new" / "model.json", models)
    for read, written in zip(read_models(tmp_path / "new" / "model.json"), models, strict=True):
        assert read.name == written.name
        assert read.weights.tolist() == written.weights.tolist()
        assert (read.rules, read.rulesets, read.games) == (
            written.rules, written.rulesets, written.games,
        )  # fmt: skip


def test_the_shipped_models_say_what_they_were_fitted_on() -> None:
    four, three = read_models()
    for model in (four, three):
        assert f"{model.games:,} complete games" in model.population
        assert model.scores["model"] < model.scores["gaps"] < model.scores["rank_round"]
    assert (four.rulesets, three.rulesets) == (("tenhou-4p",), ("tenhou-3p",))


def cut(document: dict[str, Any]) -> None:
    document["models"][0]["weights"].popitem()


def changed(document: dict[str, Any]) -> None:
    document["models"][0]["weights"]["dealer"][0] += 0.5


def not_a_number(document: dict[str, Any]) -> None:
    document["models"][0]["weights"]["dealer"][0] = "much"


def other_players(document: dict[str, Any]) -> None:
    document["models"][0]["rules"]["players"] = 5


def twice(document: dict[str, Any]) -> None:
    document["models"].append(document["models"][0])


def empty(document: dict[str, Any]) -> None:
    document["models"] = []


def older(document: dict[str, Any]) -> None:
    document["features_version"] = 0


def other_kind(document: dict[str, Any]) -> None:
    document["kind"] = "package.json"


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (cut, "damaged"), (changed, "does not have the coefficients of its name"),
        (not_a_number, "damaged"), (other_players, "5 players"), (twice, "one model"),
        (empty, "one model"), (older, "fit it again"), (other_kind, "no model file"),
    ],
)  # fmt: skip
def test_other_files_are_refused(
    tmp_path: Path, damage: Callable[[dict[str, Any]], None], told: str
) -> None:
    document = json.loads(default_file().read_bytes())
    damage(document)
    path = tmp_path / "model.json"
    path.write_text(json.dumps(document))
    with pytest.raises(UsageError, match=told):
        read_models(path)


@pytest.mark.parametrize("data", [b"", b"\x00\xff", b"[]", b'{"kind": "paifu placement model"}'])
def test_any_other_bytes_are_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "model.json"
    path.write_bytes(data)
    with pytest.raises(UsageError, match=str(path)):
        read_models(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_models(tmp_path / "none.json")
