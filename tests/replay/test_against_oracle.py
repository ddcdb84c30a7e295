"""The kernels compared with a slow replay in plain Python, column by column, on real games."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paifu.formats.base import Blob
from paifu.formats.registry import importer
from paifu.game.events import Batch
from paifu.replay.replay_batch import replay
from paifu.replay.row_types import MASKS
from tests.replay.oracle import replayed


def some_games(corpus: Path, folder: str, count: int) -> Batch:
    paths = sorted(path for path in (corpus / folder).iterdir() if path.suffix != ".gz")
    chosen = random.Random(5).sample(paths, count)
    blobs = [Blob(path.read_bytes(), 0, "", path.name) for path in chosen]
    return importer("mjlog").read(blobs).batch


def plain(value: Any) -> Any:
    return round(value, 9) if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("folder", "count"),
    [
        ("mjlog", 8), ("mjlog3p", 8),
        pytest.param("mjlog", 40, marks=pytest.mark.slow),
        pytest.param("mjlog3p", 40, marks=pytest.mark.slow),
    ],
)  # fmt: skip
def test_every_column_agrees_on_real_games(corpus: Path, folder: str, count: int) -> None:
    batch = some_games(corpus, folder, count)
    tables = replay(batch, np.zeros(len(batch.games), np.int64))
    rows = {
        name: tables[name].to_pylist()
        for name in ("round_seats", "actions", "discard_risks", "wins", "rounds")
    }
    index = {id_: g for g, id_ in enumerate(tables["games"]["game_id"].to_pylist())}
    by_round: dict[str, dict[tuple[int, int], list[dict[str, Any]]]] = {}
    for name, table in rows.items():
        by_round[name] = {}
        for row in table:
            by_round[name].setdefault((index[row["game_id"]], row["round_index"]), []).append(row)
    for game in range(len(batch.games)):
        for r, oracle in enumerate(replayed(batch, game)):
            expected = {
                "round_seats": [seat.row for seat in oracle.seats],
                "actions": oracle.actions,
                "discard_risks": oracle.risks,
                "wins": oracle.wins,
            }
            assert by_round["rounds"][game, r][0]["outcome"] == oracle.outcome
            assert by_round["rounds"][game, r][0]["aborts_passed"] == []
            for name, wanted in expected.items():
                found = by_round[name].get((game, r), [])
                assert len(found) == len(wanted), (name, game, r)
                for ours, theirs in zip(found, wanted, strict=True):
                    differs = {
                        column: (ours[column], value)
                        for column, value in theirs.items()
                        if plain(ours[column]) != plain(value)
                    }
                    assert not differs, (name, batch.games[game].log_id, r, theirs)


def test_the_oracle_speaks_of_every_column_that_follows_from_the_play(corpus: Path) -> None:
    batch = some_games(corpus, "mjlog", 3)
    oracle = [round_ for game in range(3) for round_ in replayed(batch, game)]
    tables = replay(batch, np.zeros(3, np.int64))
    recorded = {
        "round_seats": {
            "win_points", "deal_in_points", "tsumo_paid", "tsumo_paid_limit", "pao_paid",
            "tenpai_shown", "disconnected", "players", "round_wind", "tenpai_tiles_left",
            "tenpai_draws",
            "riichi_draws",
        },
        "actions": {"players"},
        "discard_risks": {"players"},
    }  # fmt: skip
    said = {
        "round_seats": oracle[0].seats[0].row, "actions": oracle[0].actions[0],
        "discard_risks": next(risk for round_ in oracle for risk in round_.risks),
    }  # fmt: skip
    for name, row in said.items():
        columns = set(tables[name].column_names) - {"game_id", "round_index"}
        assert columns - set(row) == recorded[name], name
    assert {column.split(".")[0] for column in MASKS} <= {"round_seats", "actions", "wins"}
