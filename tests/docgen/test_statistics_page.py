"""The page of statistics in the docs agrees with the files of ``sql/``."""

from __future__ import annotations

import re
from pathlib import Path

from paifu.docgen.statistics_page import OPENS, catalogue
from paifu.lake.lake import Lake
from paifu.query.statistics import statistics

PAGE = Path(__file__).parent.parent.parent / "docs" / "statistics.md"


def test_the_catalogue_in_the_docs_is_that_of_the_files() -> None:
    written = PAGE.read_text(encoding="utf-8").partition(OPENS)[2]
    assert written == "\n" + catalogue(), (
        "run: python -m paifu.docgen.statistics_page docs/statistics.md"
    )


def test_every_statistic_answers_something_asked_for(lake: Lake) -> None:
    """Each statistic and each column that the page names exists."""
    head = PAGE.read_text(encoding="utf-8").partition(OPENS)[0]
    table = head[head.index("## Where to find what") :]
    named = re.findall(r"`([a-z0-9_]+)(?:\.(\w+))?`", table)
    assert {name for name, _ in named} == set(statistics())
    columns = {name: lake.sql(found.sql).columns for name, found in statistics().items()}
    assert [(name, column) for name, column in named if column not in ("", *columns[name])] == []
