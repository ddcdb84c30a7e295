"""Sessions of games other than riichi: agree with their document, and say in words what differs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import paifu
from paifu.audit.summary import Report, report_lines
from paifu.lake.lake import Lake
from tests.audit.sessions_by_hand import SESSIONS, Row, result, row, write_sheet

Changes = dict[int, dict[str, Any]]

SPOILED: dict[str, tuple[str, Changes, str]] = {
    # session, changed cells of rounds, and what is said of a round
    "stays after the draw": (
        "guangdong", {3: {"dealer": 1}},
        "round 3: East should still deal after the draw",
    ),
    "stays after a win": (
        "guangdong", {2: {"dealer": 1}}, "round 2: East should still deal after East's win",
    ),
    "stays after several wins": (
        "guangdong", {4: {"dealer": 1}},
        "round 4: East should still deal after East's and West's wins",
    ),
    "passes after another's win": (
        "guangdong", {5: {"dealer": 0}}, "round 5: South should deal after South's win",
    ),
    "mcr never repeats": (
        "mcr", {6: {"dealer": 0}}, "round 6: South should deal after East's win",
    ),
    "the discarder deals": (
        "changsha", {3: {"dealer": 2}},
        "round 3: North should deal after West's and South's wins",
    ),
    "the winner deals": (
        "changsha", {2: {"dealer": 1}}, "round 2: West should deal after West's win",
    ),
    "the first winner deals": (
        "sichuan", {2: {"dealer": 0}}, "round 2: South should deal after South's win",
    ),
    "datong passes": ("datong", {4: {"dealer": 0}}, "round 4: South should deal after West's win"),
    "qingyuan passes": (
        "qingyuan", {5: {"dealer": 1}}, "round 5: East should still deal after the draw",
    ),
    "mcr passes after a draw": (
        "mcr", {4: {"dealer": 2}}, "round 4: South should deal after the draw",
    ),
    "the next seat after several wins": (
        "yangzhou", {4: {"dealer": 0}},
        "round 4: South should deal after South's and West's wins",
    ),
    "yangzhou stays after a win": (
        "yangzhou", {2: {"dealer": 1}}, "round 2: East should still deal after East's win",
    ),
    "yangzhou stays after a draw": (
        "yangzhou", {3: {"dealer": 1}}, "round 3: East should still deal after the draw",
    ),
    "datong stays after a win": (
        "datong", {2: {"dealer": 1}}, "round 2: East should still deal after East's win",
    ),
    "datong stays after a draw": (
        "datong", {5: {"dealer": 2}}, "round 5: East should still deal after the draw",
    ),
    "changsha's dealer stays": (
        "changsha", {5: {"dealer": 2}}, "round 5: East should still deal after East's win",
    ),
    "chengdu stays after a draw of nobody ready": (
        "chengdu", {2: {"dealer": 0}}, "round 2: South should deal after South's win",
    ),
    "nanchang passes": ("nanchang", {2: {"dealer": 0}}, "round 2: South should deal after"),
    "yingkou stays": (
        "yingkou", {3: {"dealer": 2}}, "round 3: East should still deal after the draw",
    ),
    "qq passes": ("qq no fan", {2: {"dealer": 0}}, "round 2: South should deal after South's win"),
    "qq popular passes": (
        "qq popular", {3: {"dealer": 1}}, "round 3: South should deal after South's win",
    ),
    "qq guobiao passes": (
        "qq guobiao", {2: {"dealer": 0}}, "round 2: South should deal after South's win",
    ),
    "three players pass": ("kawuxing", {2: {"dealer": 0}}, "round 2: South should deal after"),
    "fushun stays": (
        "fushun", {2: {"dealer": 1}}, "round 2: East should still deal after East's win",
    ),
    "a kong passes no deal": (
        "datong", {4: {"dealer": 3}}, "round 4: South should deal after West's win",
    ),
    "guangdong's wind": (
        "guangdong", {5: {"dealer": 0}}, "round 5: South should deal after South's win",
    ),
    "not to nothing": (
        "yangzhou", {2: {"delta_3": 1}}, "round 2: the changes add up to 1 and not to 0",
    ),
}  # fmt: skip


def spoiled(session: str, changes: Changes) -> tuple[str, list[Row]]:
    rules, rows = SESSIONS[session]
    return rules, [each | changes.get(each.get("round", 0), {}) for each in rows]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the sessions, right and spoiled, in a re-scored lake; the working folder."""
    place, before = tmp_path_factory.mktemp("sessions"), Path.cwd()
    right = [(name, rules, rows) for name, (rules, rows) in SESSIONS.items()]
    wrong = [(name, *spoiled(session, cells)) for name, (session, cells, _) in SPOILED.items()]
    sheet = write_sheet(place, [*right, *wrong, *ODD])
    os.chdir(place)
    try:
        paifu.ingest(sheet, place / "lake", jobs=1)
        paifu.rescore(place / "lake", jobs=1)
        yield place
    finally:
        os.chdir(before)


@pytest.fixture(scope="module")
def lake(folder: Path) -> Iterator[Lake]:
    with Lake.open(folder / "lake") as opened:
        assert opened.sql("SELECT reason FROM rejects").fetchall() == []
        yield opened


def verdicts(lake: Lake, session: str) -> list[tuple[Any, ...]]:
    return lake.sql(
        """SELECT subject, round_index + 1, win_index, status, reason FROM verdicts
        JOIN games USING (game_id) WHERE lobby = $session ORDER BY ALL""",
        session=session,
    ).fetchall()


ODD: list[tuple[str, str, list[Row]]] = [
    ("two winners", "mcr", [row(1, 0, "0 0 0 0"), row(2, 1, "32 32 -64 0", "0<2"),
                            row(2, 1, "0 0 0 0", "1<2")]),
    ("two moments", "yangzhou-club.toml", [row(1, 0, "1 0 0 -1", "0<3"),
                                           row(1, 0, "0 1 -1 0", "1<2")]),
    ("on a discard", "qingyuan", [row(1, 0, "3 -3 0 0", "0<1")]),
    ("too long", "mcr", [row(n, (n - 1) % 4, "0 0 0 0") for n in range(1, 18)]),
    ("too short", "two-rounds.toml", [row(1, 0, "0 0 0 0")]),
    ("wrong table points", "mcr", [row(1, 0, "-8 32 -16 -8", "1<2"),
                                   result("-8 32 -16 -8", "1 4 0 2")]),
    ("amount missing", "sichuan", [row(1, 0, "4 -4 0 0", tenpai="0,2,3")]),
    ("ready missing", "sichuan-club.toml", [row(1, 0, "0 0 0 0")]),
    ("draw paid wrongly", "sichuan-club.toml", [row(1, 0, "3 3 -3 -3", tenpai="0,1")]),
    ("fine missing", "mcr", [row(1, 0, "10 10 10 -30", outcome="penalty")]),
    ("wrong fine", "mcr-club.toml", [row(1, 0, "20 20 20 -60", outcome="penalty")]),
    ("another bird", "changsha-club.toml", [
        row(1, 0, "-12 18 -6 -6", "1", "123m456p789p55p22s:2s", "", haitei="yes", bird="1p")]),
    ("after the last tile", "sichuan-club.toml", [
        row(1, 0, "-1 3 -1 -1", "1", "234567m345678p99p:3p", haitei="yes"),
        row(1, 0, "0 0 1 -1", "2<3", "234567m345678p99p:4p")]),
    ("who left", "no-fan-club.toml", [row(1, 0, "-10 30 -10 -10", "1"),
                                      row(2, 1, "0 0 -1 1", outcome="penalty")]),
]  # fmt: skip


@pytest.mark.parametrize("session", SESSIONS)
def test_a_session_agrees_with_its_document(lake: Lake, session: str) -> None:
    found = verdicts(lake, session)
    judged = {subject for subject, *_ in found}
    assert {"round", "game"} <= judged
    wrong = [
        each for each in found if each[3] != "match" and each[4] != "the hand is not written down"
    ]
    assert wrong == []


@pytest.mark.parametrize("name", SPOILED)
def test_what_differs_is_said_in_words(lake: Lake, name: str) -> None:
    words = SPOILED[name][2]
    said = [
        f"{subject} {number}: {reason}"
        for subject, number, _, status, reason in verdicts(lake, name)
        if subject == "round" and status == "mismatch"
    ]
    assert any(each.startswith(words) for each in said), said


UNUSUAL = [
    (
        "two winners",
        "round",
        "illegal",
        "several seats won on one tile, but only the first in turn",
    ),
    ("two moments", "round", "illegal", "a seat won after the round had ended with a win"),
    ("on a discard", "round", "illegal", "only a self-drawn hand wins"),
    ("too long", "game", "mismatch", "the session ends after round 16"),
    ("too short", "game", "mismatch", "the session ends after round 2"),
    ("another bird", "round", "illegal", "the bird of a win on the last tile of the wall"),
    ("after the last tile", "round", "illegal", "a seat won after the last tile of the wall"),
    ("amount missing", "draw", "unscorable", "no amount for not_ready: set it in a TOML file"),
    ("ready missing", "draw", "unscorable", "does not say who was ready at the draw"),
    ("fine missing", "round", "unscorable", "no amount for false_win"),
]


@pytest.mark.parametrize(("session", "subject", "status", "words"), UNUSUAL)
def test_what_the_rules_do_not_allow_or_give(
    lake: Lake, session: str, subject: str, status: str, words: str
) -> None:
    found = [each for each in verdicts(lake, session) if each[0] == subject and each[3] == status]
    assert any(words in (reason or "") for *_, reason in found)


def differing(lake: Lake, session: str, subject: str) -> dict[str, tuple[str, str]]:
    return {
        field: (recorded, computed)
        for field, recorded, computed in lake.sql(
            """SELECT field, recorded, computed FROM verdict_fields JOIN games USING (game_id)
            WHERE lobby = $session AND subject = $subject""",
            session=session,
            subject=subject,
        ).fetchall()
    }


def test_the_fields_that_differ(lake: Lake) -> None:
    assert differing(lake, "draw paid wrongly", "draw") == {
        "delta_0": ("3", "8"), "delta_1": ("3", "8"),
        "delta_2": ("-3", "-8"), "delta_3": ("-3", "-8"),
    }  # fmt: skip
    fines = differing(lake, "wrong fine", "round")
    assert [fines[f"delta_{seat}"][1] for seat in range(4)] == ["10", "10", "10", "-30"]
    assert differing(lake, "wrong table points", "game") == {
        "result_0": ("1.0", "1.5"), "result_3": ("2.0", "1.5"),
    }  # fmt: skip


RESULTS = {
    "mcr": ([26, -29, 174, -171], [2, 1, 4, 0]),
    "mcr with fines": ([456, 576, 471, 497], [0, 4, 1, 2]),
    "qq no fan": ([0, 30, -20, -10], [0, 3000, -2000, -1000]),
    "who left": ([-10, 30, -11, -9], [0, 0, -5000, 0]),
    "sichuan": ([17, 22, -1, -38], [None] * 4),
}


@pytest.mark.parametrize("session", RESULTS)
def test_what_a_session_comes_to(lake: Lake, session: str) -> None:
    found = lake.sql(
        """SELECT points, result FROM computed_results JOIN games USING (game_id)
        WHERE lobby = $session ORDER BY seat""",
        session=session,
    ).fetchall()
    assert ([points for points, _ in found], [worth for _, worth in found]) == RESULTS[session]


def test_the_report_speaks_of_rounds_as_a_club_counts_them(folder: Path) -> None:
    report: Report = paifu.rescore(folder / "lake", force=True, jobs=1, examples=1000)
    told = "\n".join(report_lines(report))
    assert (
        "round in game 2026-11-30 01 stays after the draw, round 3 (East 2, dealer seat 1, "
        "outcome double ron): East should still deal after the draw" in told
    )


def test_matches_of_one_round_agree(corpus: Path, tmp_path: Path) -> None:
    """The matches of Botzone are rounds of Chinese Official: wins, rounds and totals agree."""
    paifu.ingest(corpus / "mcr", tmp_path / "lake", jobs=1)
    report = paifu.rescore(tmp_path / "lake", jobs=1)
    assert report.disagreements == 0
    assert report.count("game", "match") == report.count("round", "match") == 48
    assert report.count("draw", "match") == 2
