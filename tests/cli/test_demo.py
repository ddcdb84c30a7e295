"""``paifu demo`` and ``paifu run``: every step on the sample logs, twice with the same lake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paifu.cli.commands.run import SUMMARY
from paifu.cli.main import run
from paifu.host.shipped_files import resource_dir


def test_the_samples_go_the_whole_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["--lake", str(tmp_path / "demo.lake"), "--json"]
    assert run(["demo", *place]) == 0
    first = json.loads(capsys.readouterr().out)
    ingested, rescored = first["ingest"], first["rescore"]
    assert ingested["games"] > 0
    assert ingested["rejected"] == ingested["flagged"] == 0
    assert rescored["wins"] == rescored["matched"] == ingested["wins"]
    for subject in ("draws", "rounds", "games", "walls"):
        assert rescored[subject] == rescored[f"{subject}_matched"] > 0, subject
    assert rescored["reasons"] == []
    assert all(first["stats"][name] for name in SUMMARY)

    assert run(["demo", *place]) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["ingest"]["games"], again["ingest"]["skipped"]) == (0, ingested["games"])
    assert again["rescore"]["wins"] == 0
    assert again["stats"] == first["stats"]


def test_the_demo_keeps_out_of_a_lake_of_other_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "other.mjlog"
    log.write_bytes((resource_dir("data") / "south_1.mjlog").read_bytes() + b"\n")
    place = ["--lake", str(tmp_path / "games.lake")]
    assert run(["ingest", str(log), *place]) == 0
    capsys.readouterr()
    assert run(["demo", *place]) == 2
    assert "holds other games: name a new folder" in capsys.readouterr().err
