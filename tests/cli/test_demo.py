"""``paifu demo`` and ``paifu run``: the whole way on the sample logs, twice over the same lake."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from paifu.cli import run
from paifu.commands.run import SUMMARY


def test_the_samples_go_the_whole_way(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = ["--lake", str(tmp_path / "demo.lake"), "--json"]
    assert run(["demo", *place]) == 0
    first = json.loads(capsys.readouterr().out)
    ingested, rescored = first["ingest"], first["rescore"]
    assert ingested["games"] > 0
    assert ingested["rejected"] == ingested["flagged"] == 0
    assert rescored["wins"] == rescored["matched"] == ingested["wins"]
    assert rescored["walls"] == rescored["walls_matched"] > 0
    assert all(first["stats"][name] for name in SUMMARY)

    assert run(["demo", *place]) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["ingest"]["games"], again["ingest"]["skipped"]) == (0, ingested["games"])
    assert again["rescore"]["wins"] == 0
    assert again["stats"] == first["stats"]
