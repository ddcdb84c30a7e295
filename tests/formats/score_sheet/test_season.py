"""A season of 200 games of a league in one lake: results, rounds, and rounds with hands."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from paifu.audit.lake_audit import rescore
from paifu.ingestion.driver import ingest
from paifu.query.open_lake import open_lake
from tests.formats.score_sheet.sheets import RESULTS, ROUNDS, table

MEMBERS = tuple(f"Member {letter}" for letter in "ABCDEFGH")
DEPTHS = {"results": 100, "rounds": 70, "hands": 30}
HAND = ("234m345p345567s22p", "4m", 2)
"""Tanyao and pinfu: 2 han 30 fu, 2000 points by ron for a seat that does not deal."""
WORTH = 2000
PLACES = (50, 10, -10, -30)
"""M.League: uma with oka, in thousands; equal seats share those of their places."""


def results_of(points: list[int]) -> list[float]:
    """Return M.League's results: of a tie that does not divide, the first seat takes the rest."""
    found = []
    for seat, own in enumerate(points):
        above = sum(other > own for other in points)
        level = points.count(own)
        share, rest = divmod(10 * sum(PLACES[above : above + level]), level)
        tenths = share + (rest if own not in points[:seat] else 0)
        found.append((own - 30000) / 1000 + tenths / 10)
    return found


def season(folder: Path) -> tuple[Counter[str], dict[str, float]]:
    """Write a sheet of each depth; return how many games each member played, and the results."""
    rng = random.Random(18)
    played: Counter[str] = Counter()
    total = dict.fromkeys(MEMBERS, 0.0)
    day = 0
    for depth, games in DEPTHS.items():
        header = RESULTS if depth == "results" else ROUNDS
        if depth == "hands":
            header = (*ROUNDS, "hand", "winning tile", "han", "dora indicators")
        rows = [header]
        for _ in range(games):
            day += 1
            people = rng.sample(MEMBERS, 4)
            first = (f"2026-{1 + day // 28:02}-{1 + day % 28:02}", "mleague", *people)
            points = [25000] * 4
            for number in range(8):
                dealer = number % 4
                winner = rng.choice([seat for seat in range(4) if seat != dealer])
                loser = rng.choice([seat for seat in range(4) if seat != winner])
                points[winner] += WORTH
                points[loser] -= WORTH
                paid = [WORTH * ((seat == winner) - (seat == loser)) for seat in range(4)]
                told = ("none", *paid, *((*HAND, "1z") if depth == "hands" else ()))
                rows.append(
                    (*first, f"{'ES'[number // 4]}{dealer + 1}", "ron", people[winner],
                     people[loser], *told)
                )  # fmt: skip
            if depth == "results":
                del rows[-8:]
                rows.append((*first, *points))
            for person, result in zip(people, results_of(points), strict=True):
                played[person] += 1
                total[person] += result
        (folder / f"{depth}.csv").write_bytes(table(*rows))
    return played, total


def test_a_season_of_three_depths_counts_as_one(tmp_path: Path) -> None:
    folder = tmp_path / "book"
    folder.mkdir()
    played, total = season(folder)
    lake = tmp_path / "league.lake"
    done = ingest(folder, lake)
    assert (done.games, done.rejected, done.flagged) == (200, 0, 0)
    report = rescore(lake)
    counts = report.as_dict()
    assert counts["games"] == counts["games_matched"] == 200
    assert counts["rounds"] == counts["rounds_matched"] == 8 * 100
    assert (counts["wins"], counts["matched"]) == (8 * 100, 8 * DEPTHS["hands"])
    assert counts["mismatched"] == counts["illegal"] == 0
    with open_lake(lake) as opened:
        table = opened.stats("standings").pl()
        per_detail = dict(opened.sql("SELECT detail, count(*) FROM games GROUP BY ALL").fetchall())
        placed = opened.stats("placement").pl()
        calls = opened.stats("calls").pl()
    assert per_detail == {"result": 100, "rounds": 100}
    found = {row["player"]: row for row in table.to_dicts()}
    assert {name: row["n"] for name, row in found.items()} == played
    for name, row in found.items():
        assert row["total_result"] == pytest.approx(total[name], abs=0.01)
    assert placed["n"].sum() == 4 * 200
    assert calls.is_empty()  # no sheet says who called


def test_standings_leave_out_games_whose_points_do_not_add_up(tmp_path: Path) -> None:
    lake, sheet, corrected = (tmp_path / name for name in ("club.lake", "book.csv", "again.csv"))
    person = ("wrc", *MEMBERS[:4])
    right = ("2026-11-29", *person, 41000, 29000, 22000, 28000)
    sheet.write_bytes(table(RESULTS, right, ("2026-11-30", *person, 41000, 29000, 22000, 27500)))
    done = ingest(sheet, lake)
    assert (done.games, done.flagged) == (2, 1)
    rescore(lake)
    with open_lake(lake) as opened:
        found = opened.stats("standings").pl()
        met = opened.stats("opponents", min_games=1).pl()
        only_wrong = opened.stats("standings", since="2026-11-30").pl()
    assert set(zip(found["n"], found["n_left_out"], strict=True)) == {(1, 1)}
    assert len(met) == 4 * 3
    assert set(met["n"]) == {1}
    told = set(only_wrong.select("place", "n", "total_result", "n_left_out").rows())
    assert (set(only_wrong["player"]), told) == (set(MEMBERS[:4]), {(None, 0, None, 1)})
    corrected.write_bytes(table(RESULTS, ("2026-11-30", *person, 41000, 29000, 22000, 28000)))
    assert ingest(corrected, lake).superseded == 1
    rescore(lake)
    with open_lake(lake) as opened:
        found = opened.stats("standings").pl()
        met = opened.stats("opponents").pl()
    assert set(zip(found["n"], found["n_left_out"], strict=True)) == {(2, 0)}
    assert (len(met), set(met["n"])) == (4 * 3, {2})
