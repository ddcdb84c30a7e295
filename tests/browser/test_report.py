"""The report in a browser: pages of a folder, charts drawn from data in the page, on any screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paifu.labels import labels_in
from paifu.lake.lake import Lake
from paifu.pages.site import Site, most_played
from paifu.query.filters import Filter
from tests.browser.conftest import HOSTILE, drawn

pytest.importorskip("altair", reason="pip install '.[notebooks]'")


def written(place: Path, out: Path, language: str = "en", **more: Any) -> list[Path]:
    with Lake.open(place) as lake:
        people = most_played(lake, 2, 4)
    site = Site(
        lake=str(place), out=out, labels=labels_in(language), only=Filter(), people=people[:1],
        versus=people[1] if len(people) > 1 else None, **more,
    )  # fmt: skip
    return [page.path for page in site.write()]


@pytest.mark.slow
def test_a_player_page_is_flawless_and_leads_to_games(
    place: Path,
    tmp_path: Path,
    flawless: Callable[[Path], None],
    opened: Callable[..., Any],
) -> None:
    path, *games = written(place, tmp_path, name="player")
    flawless(path)
    assert games
    found = opened(path)
    drawn(found.page)
    charts = found.page.locator(".chart svg")
    assert charts.count() == found.page.locator("script.spec").count() > 4
    described = charts.evaluate_all("all => all.map(one => one.getAttribute('aria-label'))")
    assert all(described)
    assert "No description" not in found.page.content()
    widths = charts.evaluate_all("all => all.map(one => one.getBoundingClientRect().width)")
    assert min(widths) > 600
    found.page.locator("ol a").first.click()
    found.page.wait_for_selector("#board svg")
    assert found.messages == []


def test_charts_answer_the_pointer(place: Path, tmp_path: Path, opened: Callable[..., Any]) -> None:
    (path,) = written(place, tmp_path, name="yaku", single=True)
    assert path.stat().st_size < 1_500_000
    assert not (tmp_path / "vega.js").exists()
    found = opened(path)
    drawn(found.page)
    found.page.locator(".chart svg .mark-symbol path").first.hover()
    found.page.wait_for_selector("#vg-tooltip-element.visible")
    assert found.requests == [path.as_uri()]
    assert found.messages == []


@pytest.mark.slow
@pytest.mark.parametrize("player", HOSTILE, ids=["img", "script", "marks", "long"])
def test_a_page_about_a_player_of_any_name_is_flawless(
    hostile: Path, tmp_path: Path, flawless: Callable[[Path], None], player: str
) -> None:
    site = Site(
        lake=str(hostile), out=tmp_path, labels=labels_in("en"), only=Filter(), people=[player],
        versus=HOSTILE[0], name="player",
    )  # fmt: skip
    path, *_ = [page.path for page in site.write()]
    flawless(path)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_page_of_a_site_is_flawless(
    place: Path, tmp_path: Path, flawless: Callable[[Path], None], language: str
) -> None:
    paths = written(place, tmp_path, language)
    assert {"index.html", "yaku.html", "luck.html"} <= {path.name for path in paths}
    assert all(path.stat().st_size < 1_500_000 for path in paths)
    for path in paths:
        if not path.name.startswith("game-"):
            flawless(path)


@pytest.mark.slow
def test_links_of_a_site_lead_to_pages_of_it(place: Path, tmp_path: Path) -> None:
    import re

    names = {path.name for path in written(place, tmp_path)}
    for name in names:
        text = (tmp_path / name).read_text(encoding="utf-8")
        links = re.findall(r'href="([^"#]+\.html)', text)
        assert set(links) <= names, name
        if name != "index.html":
            assert "index.html" in links, name
