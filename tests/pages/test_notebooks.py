"""The notebooks run on any lake, in every language, and kernels end with their pages."""

from __future__ import annotations

import ast
import json
import os
import warnings
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.errors import LakeError
from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest
from paifu.labels import labels_in, languages
from paifu.lake.lake import Lake
from paifu.pages.markup import Markup
from paifu.pages.notebooks import notebooks, run_notebook
from paifu.pages.site import Site
from paifu.query.filters import Filter
from paifu.query.statistics import run as run_statistic
from paifu.query.statistics import statistics

pytest.importorskip("altair", reason="pip install '.[notebooks]'")


def shown_by(name: str, lake: Path, **parameters: Any) -> str:
    """Return all HTML that a notebook shows on a lake, its cells run in this process."""
    book = json.loads(notebooks()[name].read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    shown = []
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)  # the page would show them
        for cell in book["cells"]:
            source = "".join(cell["source"])
            *lines, last = ast.parse(source).body
            ends_in_a_value = isinstance(last, ast.Expr)
            body = ast.Module(lines if ends_in_a_value else [*lines, last], [])
            exec(compile(body, name, "exec"), names)
            if "parameters" in cell["metadata"].get("tags", ()):
                known = {key: value for key, value in parameters.items() if key in names}
                names |= {"lake": str(lake)} | known
            if ends_in_a_value:
                value = eval(compile(ast.Expression(last.value), name, "eval"), names)
                html = getattr(value, "_repr_html_", None)
                shown.append(html() if html else json.dumps(value.to_dict()))
    return "\n".join(shown)


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lake of one game of three players, without names, acts and verdicts."""
    place = tmp_path_factory.mktemp("bare") / "lake"
    ingest(resource_dir("data") / "sanma.mjlog", lake=place, names="drop", actions=False)
    return place


@pytest.fixture(scope="session")
def other_game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The lake of a win sheet of another game than riichi."""
    folder = tmp_path_factory.mktemp("other")
    sheet = "ruleset,hand,win_tile,winner,loser\nmcr,123456789m123p55z,5z,0,1\n"
    (folder / "wins.csv").write_text(sheet, encoding="utf-8")
    ingest(folder / "wins.csv", lake=folder / "lake")
    return folder / "lake"


@pytest.mark.parametrize("name", sorted(notebooks()))
def test_a_page_of_a_lake_that_lacks_nearly_everything_says_so(name: str, bare: Path) -> None:
    text = shown_by(name, bare, players=3)
    assert "<h1>" in text
    assert "has nothing to show" in text or "have nothing to show" in text or "<table" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(notebooks()))
def test_a_page_of_a_lake_of_another_game_says_so(name: str, other_game: Path) -> None:
    assert "<h1>" in shown_by(name, other_game)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(notebooks()))
def test_a_page_of_an_empty_lake_says_so(name: str, empty_place: Path) -> None:
    assert "<h1>" in shown_by(name, empty_place)


def test_a_player_page_of_a_lake_without_names_says_so(bare: Path) -> None:
    assert "No player has a name in these games" in shown_by("player", bare, players=3)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("name", sorted(notebooks()))
def test_every_text_that_a_notebook_names_is_in_the_catalogue(name: str, language: str) -> None:
    labels = labels_in(language)
    assert labels.has(f"nav.{name}")
    book = json.loads(notebooks()[name].read_text(encoding="utf-8"))
    for cell in book["cells"]:
        for node in ast.walk(ast.parse("".join(cell["source"]))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            first = [a.value for a in node.args[:1] if isinstance(a, ast.Constant)]
            if node.func.attr in ("title", "section"):
                assert labels.has(f"page.{first[0]}.title"), first
                assert labels.has(f"page.{first[0]}.about"), first
            if node.func.attr == "table":
                given = {each.arg: each.value for each in node.keywords}
                if "rows" in given:  # then the page says which statistic has them all
                    assert ast.literal_eval(given["statistic"]) in statistics()
                for argument in node.args[1:]:
                    column = argument.elts[0] if isinstance(argument, ast.Tuple) else argument
                    assert labels.has(f"column.{ast.literal_eval(column)}"), ast.dump(column)


def test_a_page_shows_the_numbers_of_the_statistic(place: Path, answers: Any) -> None:
    text = shown_by("deal_in", place, language="en")
    for row in answers("deal_in").pl().filter(players=4).iter_rows(named=True):
        low, rate, high = (100 * row[f"deal_in_{end}"] for end in ("low", "rate", "high"))
        cell = f'{rate:.1f} %<span class="interval"> {low:.1f} % – {high:.1f} %</span>'
        assert cell in text


def test_every_page_counts_only_the_games_that_a_filter_chose(place: Path, lake: Lake) -> None:
    (east, everything) = lake.sql(
        "SELECT count(*) FILTER (room = 'joukyuu'), count(*) FROM games WHERE players = 4"
    ).fetchone()
    for name in ("yaku", "data_quality"):
        text = shown_by(
            name, place, where="room = 'joukyuu' AND players = 4", filters=("--room joukyuu",)
        )
        assert f"{east} game" in text
        assert "only --room joukyuu" in text
    assert f"{everything} games" in shown_by("yaku", place)


def test_a_page_of_games_without_values_names_the_command(bare: Path) -> None:
    text = shown_by("model", bare, players=3, language="en")
    assert "paifu value --lake LAKE computes them" in text
    assert "NaN" not in text


@pytest.mark.slow
def test_values_of_a_player_are_those_of_the_statistic(place: Path, lake: Lake) -> None:
    (player,) = lake.sql(
        "SELECT player FROM seats JOIN games USING (game_id) WHERE NOT anonymous AND players = 4 "
        "GROUP BY player ORDER BY count(*) DESC, player LIMIT 1"
    ).fetchone()
    text = shown_by("player", place, player=player, language="en")
    found = run_statistic(lake, "value_by_cause", only=Filter(player=player, players=4)).pl()
    deal_in = found.filter(cause="deal_in").row(0, named=True)
    cell = f"{deal_in['per_game']:+.1f}".replace("-", "−")
    assert f'<td class="number">{cell}<span class="interval">' in text
    assert text.count('<a href="game-') >= 10
    assert f"These {deal_in['n_games']} games tell the sum a game" in text


def test_a_report_says_which_games_have_no_page(place: Path, tmp_path: Path) -> None:
    site = Site(lake=str(place), out=tmp_path, labels=labels_in("en"), only=Filter())
    games = list(range(99))
    links = "".join(f'<li><a href="game-{game}.html#round=1">E1</a></li>' for game in (5, 200, 201))
    body = site._linked(Markup(links), games)
    assert games[99:] == [200]
    assert 'href="game-5.html' in body
    assert 'href="game-200.html' in body
    assert 'href="game-201.html' not in body
    assert "<li>E1</li>" in body
    assert "leads to no page: a report has pages of at most 100 games" in body


@pytest.mark.parametrize("command", [["stats", "yaku_pairs"], ["report", "yaku", "--out", "pages"]])
def test_a_wrong_condition_is_told_before_a_notebook_starts(
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


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["placements"], "did you mean 'placement'"),
        (["player", "--player", "nobody"], "there is nobody named 'nobody' in the lake"),
        (["player", "--versus", "nobody"], "there is nobody named 'nobody' in the lake"),
        (["yaku", "--player", "nobody"], "page yaku is not about a player"),
        (["player", "--top", "-1"], "--top is a number of players, 0 or more"),
    ],
)
def test_what_a_report_cannot_be_about_is_told(
    arguments: list[str],
    told: str,
    place: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = str(tmp_path / "pages")
    assert run(["report", *arguments, "--lake", str(place), "--out", out]) == 2
    assert told in capsys.readouterr().err


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


@pytest.mark.slow
def test_luck_is_shown_where_there_are_walls(tmp_path: Path) -> None:
    ingest(resource_dir("data") / "south_1.mjlog", lake=tmp_path / "lake")
    rescore(tmp_path / "lake")
    assert "<table" in shown_by("luck", tmp_path / "lake")
