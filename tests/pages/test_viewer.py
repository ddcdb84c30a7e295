"""The viewer's page of games of every kind: it says what is missing, and never fails."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import paifu
from paifu.audit.lake_audit import rescore
from paifu.cli.main import run
from paifu.errors import UsageError
from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import ingest
from paifu.labels import labels_in
from paifu.lake.lake import Lake
from paifu.models.round_values import value
from paifu.pages.markup import data_block, element
from paifu.pages.viewer import viewer_page

LIST = (
    "C0431 | 20:08 | 四般南喰赤－ | "
    '<a href="http://tenhou.net/0/?log=2015122220gm-0009-10431-355ea9f0">牌譜</a> | '
    "k(+56.0) l,m(+10.0) n&lt;b&gt;(-20.0) o(-46.0)<br>\n"
)


def page_of(place: Path, **more: Any) -> str:
    with Lake.open(place) as lake:
        (game,) = lake.sql("SELECT game_id FROM games").fetchone()
        return viewer_page(lake, game, labels_in("en"), **more)


def data_of(text: str) -> dict[str, Any]:
    return json.loads(re.search(r'id="game">(.*?)</script>', text)[1])


@pytest.mark.parametrize(
    "sample",
    [
        "south_1.mjlog", "sanma.mjlog", "pao_tsumo.mjlog", "east_tenhou.json", "east_mjai.mjson",
        "east_majiang.majiang.json",
    ],
)  # fmt: skip
def test_every_format_has_a_page(sample: str, tmp_path: Path) -> None:
    ingest(resource_dir("data") / sample, lake=tmp_path / "lake")
    data = data_of(page_of(tmp_path / "lake"))
    assert len(data["names"]) == data["players"]
    assert all(len(round_["steps"]) > 2 for round_ in data["rounds"])
    assert [len(r["steps"][0]["hands"]) for r in data["rounds"]] == [data["players"]] * len(
        data["rounds"]
    )


def test_recorded_and_computed_values_stand_side_by_side(tmp_path: Path) -> None:
    ingest(resource_dir("data") / "south_1.mjlog", lake=tmp_path / "lake")
    before = page_of(tmp_path / "lake")
    assert '<th scope="col">Recorded</th>' in before
    assert '<th scope="col">Computed</th>' not in before
    assert "not re-scored yet" in before
    rescore(tmp_path / "lake")
    after = page_of(tmp_path / "lake")
    assert after.count('<th scope="col">Recorded') == after.count('<th scope="col">Computed')
    assert 'class="status match">match</strong>' in after


def test_chances_are_lines_if_the_game_is_valued_and_else_a_note(tmp_path: Path) -> None:
    ingest(resource_dir("data") / "south_1.mjlog", lake=tmp_path / "lake")
    before = page_of(tmp_path / "lake")
    assert "paifu value --lake LAKE fills them" in before
    assert data_of(before)["chances"] == []
    value(tmp_path / "lake")
    after = page_of(tmp_path / "lake")
    assert 'id="chances"' in after
    data = data_of(after)
    chances = np.array(data["chances"])
    assert chances.shape == (4, 4, len(data["rounds"]) + 1)
    assert chances.sum(axis=0) == pytest.approx(1, abs=1e-3)
    assert chances.sum(axis=1) == pytest.approx(1, abs=1e-3)
    assert set(chances[:, :, -1].ravel()) == {0, 1}


def test_a_game_of_which_only_the_result_is_known_says_so(tmp_path: Path) -> None:
    (tmp_path / "scf20151222.html").write_text(LIST, encoding="utf-8")
    ingest(tmp_path / "scf20151222.html", lake=tmp_path / "lake")
    text = page_of(tmp_path / "lake")
    assert "Only the result of this game is known" in text
    assert "n&lt;b&gt;" in text
    assert data_of(text)["rounds"] == []


def test_a_lake_without_acts_or_names_has_pages_that_say_so(tmp_path: Path) -> None:
    log = resource_dir("data") / "south_1.mjlog"
    ingest(log, lake=tmp_path / "lake", names="drop", actions=False)
    text = page_of(tmp_path / "lake")
    assert "The lake keeps no discards and calls of this game" in text
    assert data_of(text)["names"] == ["Seat 0", "Seat 1", "Seat 2", "Seat 3"]
    assert "tenhou.net/6/#json" not in text


def test_the_page_opens_at_the_round_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest(resource_dir("data") / "south_1.mjlog", lake=tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        (game,) = lake.sql("SELECT game_id::VARCHAR FROM games").fetchone()
    out = tmp_path / "game.html"
    command = ["show", game, "E2", "--lake", str(tmp_path / "lake"), "--html", str(out), "--json"]
    assert run(command) == 0
    assert json.loads(capsys.readouterr().out) == {"written": [str(out)]}
    data = data_of(out.read_text(encoding="utf-8"))
    assert data["rounds"][data["first"]]["name"] == "East 2"
    assert run([*command[:-1], "--lang", "xx"]) == 2
    assert "there is no language 'xx': there are en, ja" in capsys.readouterr().err


def test_show_without_a_game_says_what_to_do(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["show", "--lake", str(place)]) == 2
    assert "paifu show --player NAME lists the games of a player" in capsys.readouterr().err


def test_games_of_a_player_are_listed_newest_first(
    lake: Lake, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    player, games = lake.sql(
        "SELECT player, list(log_id ORDER BY played_at DESC, log_id, game_id) FROM seats "
        "JOIN games USING (game_id) GROUP BY player ORDER BY count(*) DESC, player LIMIT 1"
    ).fetchone()
    assert run(["show", "--player", player, "--lake", str(place), "--json", "--limit", "3"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert listed["n_games"] == len(games)
    assert [game["log_id"] for game in listed["games"]] == games[:3]
    assert run(["show", "--player", player, "--lake", str(place), "--limit", "1"]) == 0
    text = capsys.readouterr().out
    assert " JST, Tenhou" in text
    assert f"the first 1 of {len(games)}" in text


def test_no_text_can_leave_the_data_or_an_element() -> None:
    text = "</script><!--\u2028&amp;"
    block = data_block("a", {"name": text})
    assert block.count("<") == 2
    assert json.loads(block.partition(">")[2].rpartition("<")[0]) == {"name": text}
    assert element("p", text, title='"<') == (
        '<p title="&quot;&lt;">&lt;/script&gt;&lt;!--\u2028&amp;amp;</p>'
    )


def test_a_game_shows_itself_in_jupyter_and_as_text(tmp_path: Path) -> None:
    ingest(resource_dir("data") / "south_1.mjlog", lake=tmp_path / "lake")
    with Lake.open(tmp_path / "lake") as lake:
        (game,) = lake.sql("SELECT game_id FROM games").fetchone()
    shown = paifu.show(tmp_path / "lake", game, "E2", language="en")
    assert "East 2, honba 0" in str(shown)
    assert shown._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html&gt;')
    shown.save(tmp_path / "game.html")
    assert data_of((tmp_path / "game.html").read_text(encoding="utf-8"))["first"] == 1
    with pytest.raises(UsageError, match="there is no game 'x'"):
        paifu.show(tmp_path / "lake", "x")


def test_a_report_from_python_refuses_a_condition_that_it_does_not_know(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no condition 'rom'; there are since"):
        paifu.report(tmp_path / "lake", tmp_path, rom="houou")
