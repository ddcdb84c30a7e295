"""Follows docs/add-a-column.md word for word on a copy of the package."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "add-a-column.md").read_text(encoding="utf-8")
EDIT = re.compile(r"In `([^`]+)`, below the line `([^`]+)`:\n\n```\w+\n(.*?)\n```", re.DOTALL)

ASK = """
import paifu, sys
paifu.ingest([sys.argv[1]], sys.argv[2])
lake = paifu.open(sys.argv[2])
by_column = lake.sql("SELECT sum(aka_discards) FROM round_seats").fetchone()[0]
by_act = lake.sql(
    "SELECT count(*) FROM actions WHERE action IN ('discard', 'riichi') AND tile[1] = '0'"
).fetchone()[0]
print(by_column, by_act)
"""


def test_the_page_names_lines_that_are_there() -> None:
    edits = EDIT.findall(PAGE)
    assert len(edits) == 2
    for file, line, _ in edits:
        assert (ROOT / file).read_text(encoding="utf-8").count(f"\n{line}\n") == 1


@pytest.mark.slow
def test_the_column_of_the_page_is_filled(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "pipeline", tmp_path / "pipeline")
    shutil.copytree(ROOT / "sql", tmp_path / "sql")
    for file, line, added in EDIT.findall(PAGE):
        path = tmp_path / file
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(f"\n{line}\n", f"\n{line}\n{added}\n"), encoding="utf-8")
    log, lake = ROOT / "data" / "south_1.mjlog", tmp_path / "lake"
    told = subprocess.run(
        [sys.executable, "-c", ASK, str(log), str(lake)],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "pipeline")},
        capture_output=True,
        text=True,
        check=True,
    )
    by_column, by_act = map(int, told.stdout.split())
    assert by_column == by_act > 0
