"""The pages of a report: how long each takes, how much of it its statistics, and how large it is.

The figures are printed for the index and every page, and for one page of a game. A page may take 2
seconds beyond its statistics and have 1.5 MB. ``PAIFU_BENCH_GAMES`` sets another number of games
than 20,000, which are played, ingested, re-scored and valued in some minutes.
``PAIFU_BENCH_YEAR`` names a folder of an earlier run of ``test_stats_bench.py`` instead: its lake
is shown. Run it alone on a quiet machine:

    PAIFU_BENCH_YEAR=year pytest tests/benchmarks/test_pages_bench.py --slow -s
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

import paifu
from paifu.cli.main import run as command
from paifu.labels import labels_in
from paifu.lake.lake import Lake
from paifu.pages import site
from paifu.query.filters import Filter

pytest.importorskip("altair", reason="pip install '.[notebooks]'")
pytestmark = pytest.mark.slow

GAMES = int(os.environ.get("PAIFU_BENCH_GAMES", 20_000))
SEED = 2026
JOBS = 2
BEYOND = 2.0
"""Seconds that a page may take beyond its statistics."""
KILOBYTES = 1500


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    given = os.environ.get("PAIFU_BENCH_YEAR")
    place = Path(given) / "lake" if given else None
    if place is None or not place.exists():
        folder = tmp_path_factory.mktemp("pages")
        logs, place = folder / "games.zip", folder / "lake"
        command(["simulate", "--games", str(GAMES), "--seed", str(SEED), "--out", str(logs)])
        paifu.ingest(logs, lake=place, jobs=JOBS)
        paifu.rescore(place, jobs=JOBS)
    paifu.value(place, force=True, jobs=JOBS)  # what is valued already is left
    return place


def test_pages_by_the_clock(lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site, "_MOST_GAMES", 1)
    with Lake.open(lake) as opened:
        (games,) = opened.sql("SELECT count(*) FROM games").fetchone() or (0,)
        people = site.most_played(opened, 1, 4)
    asked = site.Site(
        lake=str(lake), out=tmp_path, labels=labels_in("en"), only=Filter(), people=people
    )
    started = time.perf_counter()
    pages = list(asked.write())
    print(f"\n{len(pages)} pages of {games:,} games in {time.perf_counter() - started:.0f} s")
    print(f"{'page':<24}{'seconds':>9}{'statistics':>12}{'beyond':>8}{'kB':>8}")
    for page in pages:
        beyond = page.seconds - page.statistics_seconds
        size = page.path.stat().st_size / 1000
        over = " (over)" if beyond > BEYOND or size > KILOBYTES else ""
        print(
            f"{page.page:<24}{page.seconds:9.2f}{page.statistics_seconds:12.2f}{beyond:8.2f}"
            f"{size:8.0f}{over}"
        )
    assert {"index", "yaku", "deal_in"} <= {page.page for page in pages}
