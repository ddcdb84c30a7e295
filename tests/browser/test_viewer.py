"""The viewer in a browser: it shows what replay finds, on any screen, whatever names there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from paifu.formats.base import Blob
from paifu.formats.registry import importer
from paifu.game import events as ev
from paifu.game.events import Batch
from paifu.game.tiles import TEXT
from paifu.ingestion.driver import ingest
from paifu.labels import labels_in
from paifu.lake.lake import Lake
from paifu.pages.viewer import viewer_page
from tests.browser.conftest import HOSTILE
from tests.replay import oracle

HELD = """() => [...document.querySelectorAll('.seat')].map(seat =>
    [...seat.querySelector('.held .tiles').querySelectorAll('use')]
        .map(use => use.getAttribute('href').slice(3)).sort())"""
"""The tiles that each seat holds, as the page shows them."""
EVERY_STEP = f"""steps => Array.from({{length: steps}}, () => {{
    const found = [location.hash, ({HELD})()]
    document.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', {{key: 'ArrowRight', bubbles: true}}))
    return found
}})"""
"""The address of each step of a round, and the tiles that each seat holds at it."""
_SHOWN = frozenset(
    {ev.DRAW, ev.DISCARD, ev.CHI, ev.PON, ev.DAIMINKAN, ev.ANKAN, ev.KAKAN, ev.KITA, ev.WIN}
)
"""Events that are a step of the viewer."""


def write_page(place: Path, out: Path, game: int | None = None, language: str = "en") -> Path:
    with Lake.open(place) as lake:
        (first,) = lake.sql("SELECT min(game_id) FROM games WHERE detail = 'play'").fetchone()
        text = viewer_page(lake, first if game is None else game, labels_in(language))
    path = out / "game.html"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.slow)])
def test_a_page_is_flawless_whatever_the_players_are_called(
    hostile: Path, tmp_path: Path, flawless: Callable[[Path], None], language: str
) -> None:
    flawless(write_page(hostile, tmp_path, language=language))


def test_a_name_stays_text(hostile: Path, tmp_path: Path, opened: Callable[..., Any]) -> None:
    found = opened(write_page(hostile, tmp_path), "#step=999")
    assert found.page.locator("img").count() == 0
    assert found.page.locator("script").count() == 2  # the data and the page's own
    shown = found.page.locator(".seat h3 bdi").all_text_contents()
    assert shown == list(HOSTILE)


def test_the_chances_follow_the_place_and_lead_to_rounds(
    place: Path, tmp_path: Path, opened: Callable[..., Any]
) -> None:
    page = opened(write_page(place, tmp_path), width=390).page
    lines = page.locator("#chances polyline")
    assert lines.count() == page.locator("#chances-now li").count() >= 3
    first = lines.first.get_attribute("points")
    page.locator("#place").select_option("1")
    assert lines.first.get_attribute("points") != first
    page.locator("#chances svg").click(position={"x": 340, "y": 60})  # near the end of the game
    assert "#round=0" not in page.url
    assert page.locator("#round").input_value() != "0"


def hands_of(batch: Batch, index: int) -> Iterator[list[list[list[str]]]]:
    """Yield for each round the hands after each step, by the replay that shares no code."""
    for r in range(batch.game_rounds[index], batch.game_rounds[index + 1]):
        play = oracle.Round(batch, r, batch.games[index].players)

        def held(play: oracle.Round = play) -> list[list[str]]:
            return [sorted(TEXT[code] for code in seat.hand) for seat in play.seats]

        after = [held()]
        for e in range(batch.round_events[r], batch.round_events[r + 1]):
            kind, seat = int(batch.event_kind[e]), int(batch.event_seat[e])
            if kind == ev.WIN:
                hands = held()
                if batch.event_from[e] != seat:  # a ron: the tile is beside the hand
                    hands[seat] = sorted([*hands[seat], TEXT[batch.event_tile[e]]])
                after.append(hands)
                continue
            oracle._happen(batch, play, e, 0, 0)
            if kind in _SHOWN:
                after.append(held())
        yield [*after, after[-1]]


def real_game(corpus: Path, folder: str, format: str) -> tuple[Path, Batch]:
    """Return a short real game of a folder of the corpus, and its events."""
    reader = importer(format)
    for path in sorted((corpus / folder).iterdir(), key=lambda path: (path.stat().st_size, path)):
        if not path.is_file() or path.suffix == ".gz":
            continue
        batch = reader.read([Blob(path.read_bytes(), 0, "", path.name)]).batch
        if len(batch.games) == 1 and batch.games[0].complete and len(batch.round_wind) >= 4:
            return path, batch
    raise AssertionError(f"no whole game in {folder}")


@pytest.mark.parametrize(
    ("folder", "format"),
    [
        ("mjlog3p", "mjlog"),
        pytest.param("mjlog", "mjlog", marks=pytest.mark.slow),
        pytest.param("tenhou6", "tenhou_json", marks=pytest.mark.slow),
        pytest.param("mjai", "mjai", marks=pytest.mark.slow),
        pytest.param("majsoul", "majsoul", marks=pytest.mark.slow),
        pytest.param("riichicity", "riichicity", marks=pytest.mark.slow),
        pytest.param("kobalab_paipu", "majiang", marks=pytest.mark.slow),
    ],
)
def test_every_hand_of_a_real_game_is_that_of_the_replay(
    corpus: Path, tmp_path: Path, opened: Callable[..., Any], folder: str, format: str
) -> None:
    path, batch = real_game(corpus, folder, format)
    ingest(path, lake=tmp_path / "lake")
    page = opened(write_page(tmp_path / "lake", tmp_path)).page
    page.focus("#board")
    for index, steps in enumerate(hands_of(batch, 0)):
        shown = page.evaluate(EVERY_STEP, len(steps))
        for number, (expected, (place, held)) in enumerate(zip(steps, shown, strict=True)):
            assert place in ("", f"#round={index}&step={number}")
            assert held == expected, (index, number)


def test_keys_buttons_taps_and_addresses_lead_to_the_same_step(
    place: Path, tmp_path: Path, opened: Callable[..., Any]
) -> None:
    found = opened(write_page(place, tmp_path), "#round=1&step=3", has_touch=True)
    page = found.page
    assert "Step 3 of" in page.locator("#step").text_content()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="On", exact=True).click()
    page.locator("#board").tap(position={"x": 500, "y": 300})
    assert page.evaluate("location.hash") == "#round=1&step=6"
    page.locator("#board").tap(position={"x": 20, "y": 300})
    assert page.evaluate("location.hash") == "#round=1&step=5"
    page.keyboard.press("ArrowUp")
    assert page.evaluate("location.hash") == "#round=0&step=0"
    page.keyboard.press("End")
    assert page.locator("section.result").locator("visible=true").count() == 1
    page.locator("table.rounds a").nth(2).click()
    page.wait_for_function("document.querySelector('#round').value === '2'")
    assert page.locator("tr.here th").text_content() == page.locator("#round option").nth(
        2
    ).text_content()  # fmt: skip
    page.goto(f"{page.url.partition('#')[0]}#round=0&step=99999&view=1")
    assert found.messages == []


def test_one_seats_view_hides_the_other_hands(
    place: Path, tmp_path: Path, opened: Callable[..., Any]
) -> None:
    page = opened(write_page(place, tmp_path), "#round=0&step=1&view=2").page
    names = page.locator(".held .tiles").evaluate_all("all => all.map(one => one.ariaLabel)")
    for seat, (hand, name) in enumerate(zip(page.evaluate(HELD), names, strict=True)):
        assert ("back" in hand) == (name == "hidden") == (seat != 2)
    page.keyboard.press("End")  # hands are shown when the round is over
    assert "back" not in {tile for hand in page.evaluate(HELD) for tile in hand}
