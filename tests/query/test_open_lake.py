"""An open lake from Python: its dictionary, its comments, what it holds, and docs/python.md."""

from __future__ import annotations

import doctest
import json
from dataclasses import asdict
from pathlib import Path

import pytest

import paifu
from paifu.cli.commands.demo import sample_logs
from paifu.cli.main import run
from paifu.errors import UsageError
from paifu.lake.lake import Lake
from paifu.query.dictionary import described
from paifu.query.open_lake import CONDITIONS, OpenLake
from paifu.schema.tables import LAKE_TABLES, TABLES
from paifu.schema.views import VIEWS

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_page_is_true(tmp_path: Path) -> None:
    names = {"sample_logs": sample_logs(), "games_lake": str(tmp_path / "games.lake")}
    test = doctest.DocTestParser().get_doctest(PAGE.read_text(encoding="utf-8"), names, "page",
                                               str(PAGE), 0)  # fmt: skip
    runner = doctest.DocTestRunner(
        optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL, verbose=False
    )
    runner.run(test)
    assert runner.failures == 0
    assert runner.tries > 15


def test_everything_public_is_listed_and_nothing_else() -> None:
    assert set(dir(paifu)) == {*paifu.__all__, "__version__"}
    assert all(getattr(paifu, name) is not None for name in paifu.__all__)


def test_the_catalog_says_what_every_table_view_and_column_is(place: Path) -> None:
    with Lake.open(place) as lake:
        tables = dict(
            lake.sql("SELECT table_name, comment FROM duckdb_tables() WHERE database_name = 'lake'")
            .fetchall()
        )  # fmt: skip
        views = dict(
            lake.sql("SELECT view_name, comment FROM duckdb_views() WHERE database_name = 'lake'")
            .fetchall()
        )  # fmt: skip
        columns = lake.sql(
            "SELECT table_name, column_name, comment FROM duckdb_columns() "
            "WHERE database_name = 'lake'"
        ).fetchall()
    assert tables == {name: table.doc for name, table in (TABLES | LAKE_TABLES).items()}
    assert views == {name: view.doc for name, view in VIEWS.items()}
    told = {(table, name): comment for table, name, comment in columns if table in tables}
    assert len(told) == sum(len(table.columns) for table in (TABLES | LAKE_TABLES).values())
    for table in (TABLES | LAKE_TABLES).values():
        for column in table.columns:
            assert told[table.name, column.name].endswith(column.doc)


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_a_view_has_the_columns_its_description_names(lake: Lake, name: str) -> None:
    found = [column for column, *_ in lake.sql(f"DESCRIBE {name}").fetchall()]
    assert tuple(found) == VIEWS[name].names


def test_the_views_of_players_have_every_row_once(lake: Lake) -> None:
    for view, table in (("player_rounds", "round_seats"), ("player_actions", "actions")):
        assert lake.sql(f"SELECT count(*) FROM {view}").fetchone() == (
            lake.sql(f"SELECT count(*) FROM {table}").fetchone()
        )
    wrong = lake.sql("""SELECT count(*)
        FROM player_rounds AS p JOIN seats AS s USING (game_id, seat)
        WHERE p.player IS DISTINCT FROM s.player OR p.placement IS DISTINCT FROM s.placement""")
    assert wrong.fetchone() == (0,)


def test_conditions_are_those_of_the_command_line(place: Path) -> None:
    with OpenLake.open(place) as lake:
        for players in (3, 4):
            games = lake.stats("games", players=players).pl()
            assert (
                games["n"].sum()
                == lake.sql("SELECT count(*) FROM games WHERE players = $p", p=players).fetchone()[
                    0
                ]
            )  # type: ignore[index]
        with pytest.raises(UsageError, match="3 or 4"):
            lake.stats("games", players=5)
        with pytest.raises(UsageError, match="no parameter 'rom'") as refused:
            lake.stats("placement", rom="houou")
        assert all(name in str(refused.value) for name in ("min_games", *CONDITIONS))


def test_an_answer_is_safe_html(place: Path) -> None:
    with OpenLake.open(place) as lake:
        shown = lake.stats("placement", min_games=1)._repr_html_()
    assert "<b>" in shown
    assert "<table" in shown


def test_what_the_lake_holds_adds_up(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with OpenLake.open(place) as lake:
        info = lake.info()
        assert info.games == sum(count for *_, count in info.kinds)
        assert info.games == sum(count for _, count in info.rulesets)
        assert info.seats == lake.sql("SELECT count(*) FROM seats").fetchone()[0]  # type: ignore[index]
        for each in info.judged:
            assert each.n == each.matched + each.mismatched + each.illegal + each.unscorable
        assert sum(each.n for each in info.judged if each.subject == "win") == info.wins
    assert run(["info", "--lake", str(place), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == set(asdict(info))
    assert run(["info", "--lake", str(place)]) == 0
    assert f"{info.games} games" in capsys.readouterr().out


def test_an_empty_lake_says_that_nothing_is_there(
    empty_place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["info", "--lake", str(empty_place)]) == 0
    printed = capsys.readouterr().out
    assert "0 games" in printed
    assert "nothing is re-scored yet" in printed


def test_the_dictionary_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["tables"]) == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in described())
    assert run(["tables", "wins", "--json"]) == 0
    assert [c["column"] for c in json.loads(capsys.readouterr().out)] == [*TABLES["wins"].names]
    assert run(["tables", "win"]) == 2
    assert "did you mean 'wins'" in capsys.readouterr().err
