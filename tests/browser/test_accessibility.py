"""What a screen reader says: Chromium's own tree of what it tells one, of a game and of a report.

The tree has a role and a name for whatever is on a page (``Accessibility.getFullAXTree``). axe-core
finds violations of rules; these tests read the words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from paifu.labels import labels_in
from tests.browser.conftest import drawn
from tests.browser.test_report import written
from tests.browser.test_viewer import write_page

NAMED = ("image", "button", "combobox", "link", "table", "region", "navigation", "group", "heading")
"""Roles that mean nothing without a name."""


@dataclass(frozen=True)
class Told:
    """An element as a screen reader has it."""

    role: str
    name: str
    words: str
    """Its name and the names of all in it."""
    facts: dict[str, Any]


def told_by(page: Any) -> list[Told]:
    """Return what the browser tells a screen reader of a page, in reading order."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}
    found: list[Told] = []

    def walk(node: dict[str, Any]) -> list[str]:
        name = str(node.get("name", {}).get("value", "")).strip()
        role = str(node.get("role", {}).get("value", ""))
        at = len(found)
        own = [name] if name and not node.get("ignored") else []
        inner = [walk(by_id[each]) for each in node.get("childIds", ()) if each in by_id]
        words = own or [word for each in inner for word in each]
        if not node.get("ignored"):
            facts = {
                each["name"]: each["value"].get("value") for each in node.get("properties", ())
            }
            found.insert(at, Told(role, name, " ".join(words), facts))
        return words

    walk(nodes[0])
    return found


def unnamed(told: list[Told]) -> list[str]:
    return [each.role for each in told if each.role in NAMED and not each.name]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_game_is_told_in_words(
    place: Path, tmp_path: Path, opened: Callable[..., Any], language: str
) -> None:
    labels = labels_in(language)
    page = opened(write_page(place, tmp_path, language=language), "#round=0&step=30").page
    told = told_by(page)
    assert [role for role in unnamed(told) if role != "table"] == []
    (board, *rest) = [each for each in told if each.role == "image"]
    for what in ("dora", "sticks", "left"):
        assert f"{labels(f'viewer.{what}')}: " in board.name
    assert len(rest) < 40  # the tiles of a hand are one image, named by all of them
    pin = labels("tile.p", number=1)[1:]
    assert any(each.name.count(pin) >= 1 and each.name.count(" ") > 5 for each in rest)
    discards = [e for e in told if e.words.startswith(f"{labels('viewer.river')}: ")]
    assert len({each.words for each in discards if each.role == "paragraph"}) >= 3
    buttons = {each.name for each in told if each.role == "button"}
    assert {labels("viewer.next"), labels("viewer.previous")} <= buttons
    tables = [each.name for each in told if each.role == "table"]
    assert {labels("viewer.rounds"), labels("viewer.final")} <= set(tables)
    assert "" not in tables


def test_each_step_is_told_once_and_politely(
    place: Path, tmp_path: Path, opened: Callable[..., Any]
) -> None:
    page = opened(write_page(place, tmp_path), "#round=0&step=0").page
    live = page.locator("[aria-live]")
    assert live.count() == 1
    assert live.get_attribute("aria-live") == "polite"
    said = []
    for _ in range(12):
        said.append(live.inner_text())
        page.keyboard.press("ArrowRight")
    assert said[0] == "The deal"
    assert all(re.search("draws|discards|calls|declares|wins|aside", text) for text in said[1:])
    assert all(one != other for one, other in pairwise(said))


@pytest.mark.parametrize(
    ("name", "language"), [("wins", "en"), pytest.param("wins", "ja", marks=pytest.mark.slow)]
)
def test_charts_and_tables_are_told_with_their_numbers(
    place: Path, tmp_path: Path, opened: Callable[..., Any], name: str, language: str
) -> None:
    (path,) = written(place, tmp_path, language, name=name)
    page = opened(path).page
    drawn(page)
    told = told_by(page)
    headings = [each.name for each in told if each.role == "heading"]
    charts = [each.name for each in told if each.role == "image"]
    assert len(charts) == page.locator("script.spec").count() > 0
    for chart in charts:  # the question of its section, then what it shows
        assert any(chart.startswith(heading) for heading in headings)
        assert len(re.findall(r"\d+\.\d %", chart)) >= 3, chart
    assert not {each.role for each in told} & {"graphics-document", "form"}
    regions = [each.name for each in told if each.role == "region"]
    assert len(set(regions)) == len(regions) > 0
    for region in regions:
        assert any(heading in region for heading in headings), region
