"""The notebooks run on a small lake, and a report is one file that needs no other file."""

from __future__ import annotations

import ast
import os
import re
import warnings
from contextlib import nullcontext
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from paifu.cli.main import run
from paifu.errors import LakeError, UsageError
from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.pages.notebooks import notebooks, report, run_notebook, write_reports

LOADS = ("src", "srcset", "data", "poster", "background", "xlink:href")
"""Attributes for which a browser loads something, anywhere in a page."""


class Loaded(HTMLParser):
    """What a browser would load for a page: values of attributes and the text of its styles."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts = 0
        self.addresses: list[str] = []
        self.styles: list[str] = []
        self._in_style = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.scripts += tag == "script"
        self._in_style = tag == "style"
        names = (*LOADS, "href") if tag in ("link", "image", "use", "base") else LOADS
        self.addresses += [value or "" for name, value in attrs if name in names]

    def handle_data(self, data: str) -> None:
        if self._in_style:
            self.styles.append(data)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(notebooks()))
def test_a_report_stands_by_itself(place: Path, name: str, tmp_path: Path) -> None:
    (path,) = report(place, tmp_path, name)
    text = path.read_text(encoding="utf-8")
    page = Loaded()
    page.feed(text)
    assert page.scripts == 0
    outside = [a for a in page.addresses if not a.startswith(("data:", "#"))]
    assert outside == []
    style = " ".join(page.styles)
    assert "@import" not in style
    assert "url(http" not in style.replace("'", "").replace('"', "")
    assert "<svg" in text or "data:image/svg" in text or "<table" in text
    assert "Traceback" not in text


def test_small_counts_can_be_read_beside_large_ones() -> None:
    alt = pytest.importorskip("altair")
    vl_convert = pytest.importorskip("vl_convert")
    nbformat = pytest.importorskip("nbformat")
    book = nbformat.read(notebooks()["data_quality"], as_version=4)
    (source,) = (cell.source for cell in book.cells if "symlog" in cell.source)
    counts = {"kind": ["flagged"] * 2, "detail": ["a", "b"], "found": [3, 35471]}
    *lines, chart = ast.parse(source).body
    names = {"alt": alt, "ask": lambda _: pl.DataFrame(counts)}
    exec(compile(ast.Module(lines, []), "cell", "exec"), names)
    assert isinstance(chart, ast.Expr)
    drawn = eval(compile(ast.Expression(chart.value), "cell", "eval"), names)
    texts = re.findall(r">([\d,]+)</text>", vl_convert.vegalite_to_svg(drawn.to_json()))
    assert texts == ["0", "1", "10", "100", "1,000", "10,000"]


@pytest.mark.slow
def test_a_player_notebook_is_about_that_player(place: Path, lake: Lake, tmp_path: Path) -> None:
    (player,) = lake.sql(
        "SELECT player FROM seats WHERE NOT anonymous AND regexp_matches(player, '^[ァ-ヶ]+$') "
        "GROUP BY player ORDER BY count(*) DESC, player LIMIT 1"
    ).fetchone() or ("",)
    (path,) = report(place, tmp_path, "player", {"player": player})
    assert player in path.read_text(encoding="utf-8")


def test_an_unknown_report_suggests_the_nearest(place: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="did you mean 'placement'"):
        report(place, tmp_path, "placements")


def test_an_unknown_parameter_names_those_there_are(place: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no notebook takes 'room'; they take"):
        list(write_reports(place, tmp_path, None, {"room": "houou"}))


@pytest.mark.parametrize("command", [["stats", "yaku_pairs"], ["report", "yaku", "--out", "pages"]])
def test_a_wrong_condition_is_refused_before_a_notebook_starts(
    command: list[str],
    place: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*command, "--lake", str(place), "--where", "no_such_column = 1"]) == 2
    assert 'paifu: --where: Binder Error: Referenced column "no_such_column"' in (
        capsys.readouterr().err
    )
    assert not (tmp_path / "pages").exists()


def test_a_player_page_of_a_lake_without_names_says_so(tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("altair")
    ingest(resource_dir("data") / "south_1.mjlog", lake=tmp_path / "lake", names="drop")
    book = nbformat.read(notebooks()["player"], as_version=4)
    parameters, *cells = (cell.source for cell in book.cells if cell.cell_type == "code")
    names: dict[str, Any] = {}
    exec(parameters, names)
    names["lake"] = str(tmp_path / "lake")
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # the page would show them
        for cell in cells:
            exec(cell, names)
    (heading,) = (cell for cell in cells if "<h2>" in cell)
    shown = eval(heading.splitlines()[-1], names)
    assert shown.data == "<h2>No player has a name in these games.</h2>"


@pytest.mark.slow
def test_a_notebook_that_stops_says_why(place: Path, tmp_path: Path) -> None:
    with pytest.raises(LakeError, match="the notebook stopped"):
        report(place, tmp_path, "yaku", {"where": "no_such_column = 1"})


@pytest.mark.parametrize("last", ["pass", "1 / 0"])
def test_the_kernel_of_a_page_ends_with_it(last: str, tmp_path: Path) -> None:
    v4 = pytest.importorskip("nbformat.v4")
    process = tmp_path / "process"
    book = v4.new_notebook(
        cells=[
            v4.new_code_cell("place = ''", metadata={"tags": ["parameters"]}),
            v4.new_code_cell("import os; open(place, 'w').write(str(os.getpid()))"),
            v4.new_code_cell(last),
        ]
    )
    with nullcontext() if last == "pass" else pytest.raises(LakeError, match="ZeroDivisionError"):
        run_notebook(book, {"place": str(process)})
    with pytest.raises(ProcessLookupError):
        os.kill(int(process.read_text()), 0)
