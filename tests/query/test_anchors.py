"""Phoenix south games of the corpus compared with published figures of two million rounds.

The figures are kobalab's and Euophrys's (statistics of about 2016). The games of the corpus are of
2010 to 2022, mostly of 2019 and later, when players declared riichi a little more often, and called
and dealt in a little less often. So each rate may differ by four standard errors plus a hundredth.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.query.filters import Filter
from paifu.query.statistics import run

EVERY = 3
DRIFT = 0.01
PHOENIX_SOUTH = 0xA9
"""Bits of the GO type: a game of people, south, in the Phoenix room."""
OF_IT = 0xFF & ~0x40
"""Every bit counts except that of the fast clock."""
ONLY = Filter(where="complete")


@pytest.fixture(scope="module")
def lake(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    with (corpus / "index.tsv").open(encoding="utf-8", newline="") as file:
        found = [
            corpus / row["file"]
            for row in csv.DictReader(file, delimiter="\t")
            if row["players"] == "4" and int(row["go_type"] or 0) & OF_IT == PHOENIX_SOUTH
        ]
    place = tmp_path_factory.mktemp("anchors") / "lake"
    ingest(sorted(found)[::EVERY], lake=place)
    with Lake.open(place) as opened:
        yield opened


def near(rate: float, anchor: float, n: int) -> bool:
    """Return whether a rate among ``n`` agrees with the published rate within the error."""
    return abs(rate - anchor) <= 4 * math.sqrt(anchor * (1 - anchor) / n) + DRIFT


def test_rates_of_a_seat(lake: Lake) -> None:
    wins = run(lake, "wins", only=ONLY).pl().row(by_predicate=_all("state"), named=True)
    deal_in = run(lake, "deal_in", only=ONLY).pl().row(by_predicate=_all("state"), named=True)
    riichi = run(lake, "riichi", only=ONLY).pl().row(by_predicate=_all("riichi"), named=True)
    draws = run(lake, "draws", only=ONLY).pl().row(by_predicate=_all("state"), named=True)
    calls = run(lake, "calls", only=ONLY).pl()
    n = wins["n"]
    assert n > 10_000
    assert near(wins["win_rate"], 0.211, n)
    assert near(deal_in["deal_in_rate"], 0.125, n)
    assert near(riichi["riichi_rate"], 0.170, n)
    assert near(calls["call_rate"][0], 0.344, n)
    assert near(draws["draw_rate"], 0.162, n // 4)  # a draw is a draw for all seats of the round
    assert wins["average_points"] == pytest.approx(
        5647, abs=4 * 4540 / math.sqrt(wins["wins"]) + 50
    )


def _all(column: str):  # type: ignore[no-untyped-def]
    import polars as pl

    return pl.col(column) == "all"


def test_yaku_of_wins(lake: Lake) -> None:
    table = run(lake, "yaku_frequency", only=ONLY).pl()
    rates, n = dict(table.select("yaku", "rate").iter_rows()), table["n"][0]
    published = {
        "riichi": 0.3889, "menzen_tsumo": 0.2418, "ippatsu": 0.0732, "pinfu": 0.1974,
        "tanyao": 0.2273, "iipeikou": 0.0382, "sanshoku_doujun": 0.0380, "honitsu": 0.0434,
        "chiitoitsu": 0.0266,
    }  # fmt: skip
    far = {key: rates[key] for key, rate in published.items() if not near(rates[key], rate, n)}
    assert far == {}


def test_length_and_haipai(lake: Lake) -> None:
    games = run(lake, "games", only=ONLY).pl()
    rounds = (games["n"] * games["average_rounds"]).sum() / games["n"].sum()
    assert rounds == pytest.approx(10.71, abs=4 * 2.6 / math.sqrt(games["n"].sum()))
    haipai = run(lake, "haipai", only=ONLY).pl()
    mean = (haipai["n"] * haipai["shanten"]).sum() / haipai["n"].sum()
    assert mean == pytest.approx(3.58, abs=0.03)
