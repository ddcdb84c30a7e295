"""A browser for the pages: Debian's chromium driven by Playwright, or a skip that says why."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    '"></bdi></script><script>alert(2)</script>',
    "ab\u202ecd\u2066'&amp;",
    "長い名前" * 2500,
)
SCREENS = ((1280, False), (390, True))
"""Width of the window, and whether the reader likes it dark."""


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lake of a game whose players have dangerous names."""
    folder = tmp_path_factory.mktemp("hostile")
    log = (resource_dir("data") / "south_1.mjlog").read_text(encoding="utf-8")
    for seat, name in enumerate(HOSTILE):
        before, _, rest = log.partition(f' n{seat}="')
        log = f'{before} n{seat}="{quote(name)}"{rest.partition(chr(34))[2]}'
    (folder / "game.mjlog").write_text(log, encoding="utf-8")
    ingest(folder / "game.mjlog", lake=folder / "lake")
    return folder / "lake"


@dataclass
class Opened:
    """A page in the browser, with what it asked for and said."""

    page: Any
    requests: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)

    def width(self) -> int:
        """How wide the content is, in pixels of the window."""
        return self.page.evaluate("document.documentElement.scrollWidth")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="no Playwright: pip install '.[test]'"
    )
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip("no chromium: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Any) -> Iterator[Callable[..., Opened]]:
    """Open a file: ``opened(path, "#round=1", width=390, dark=True)``."""
    contexts = []

    def open_(
        path: Path, fragment: str = "", *, width: int = 1280, dark: bool = False, **more: Any
    ) -> Opened:
        context = chromium.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            **more,
        )
        contexts.append(context)
        found = Opened(context.new_page())
        page = found.page
        page.on("request", lambda asked: found.requests.append(asked.url))
        page.on("console", lambda message: found.messages.append(message.text))
        page.on("pageerror", lambda error: found.messages.append(str(error)))
        page.goto(f"{path.as_uri()}{fragment}")
        return found

    yield open_
    for context in contexts:
        context.close()


def drawn(page: Any) -> None:
    """Wait until the charts of a page are drawn, if it has any."""
    page.wait_for_function(
        "!document.querySelector('script.spec') || document.documentElement.dataset.drawn"
    )


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe-core, which finds what keeps people from using a page."""
    package = pytest.importorskip("axe_playwright_python", reason="pip install '.[test]'")
    return (Path(package.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def flawless(opened: Callable[..., Opened], axe: str) -> Callable[[Path], None]:
    """Assert what holds for every page, at both widths, light and dark."""

    def check(path: Path) -> None:
        for width, dark in SCREENS:
            found = opened(path, width=width, dark=dark)
            drawn(found.page)
            beside = (path.parent / "vega.js").as_uri()
            assert set(found.requests) <= {path.as_uri(), beside}
            assert found.messages == []
            assert found.width() <= width
            found.page.context.close()  # a site has many pages, and each takes a process
        for dark in (False, True):  # axe's own script is not among those that the page allows
            found = opened(path, dark=dark, bypass_csp=True)
            drawn(found.page)
            found.page.evaluate(axe)
            violations = found.page.evaluate("axe.run()")["violations"]
            assert [
                (each["id"], [node["html"] for node in each["nodes"]]) for each in violations
            ] == []
            found.page.context.close()

    return check
