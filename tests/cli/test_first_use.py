"""What new users type: the words they choose, what they forget, and which messages they get."""

from __future__ import annotations

import io
import json
import re
import resource
import shutil
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from rich.cells import cell_len

from paifu.audit.lake_audit import rescore
from paifu.cli.commands.demo import sample_logs
from paifu.cli.main import COMMANDS, run
from paifu.errors import UsageError
from paifu.host.shipped_files import resource_dir
from paifu.ingestion.driver import BATCH_GAMES, ingest
from paifu.lake.lake import Lake
from paifu.pages.site import Site, Written
from paifu.query.adhoc_sql import time_limit
from paifu.query.filters import Filter
from paifu.simulate.scenarios import SCENARIOS

Captured = pytest.CaptureFixture[str]

RESULTS = """\
L1000 | 20:32 | 四般南喰赤－ | ヒヨドリ改(+48.0) 名無し(+6.0) 別の人(-18.0) もう一人(-36.0)<br>
"""
"""A line of a lobby list: a game with only its result."""


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of the sample logs."""
    folder = tmp_path_factory.mktemp("first") / "games.lake"
    ingest(sample_logs(), lake=folder)
    return folder


@pytest.fixture
def lake(samples: Path) -> list[str]:
    """The options that give the lake."""
    return ["--lake", str(samples)]


@pytest.fixture
def own(samples: Path, tmp_path: Path) -> Path:
    """A lake of the sample logs that tests may change."""
    return Path(shutil.copytree(samples, tmp_path / "own.lake"))


def rows(place: Path, query: str, **variables: Any) -> list[tuple[Any, ...]]:
    with Lake.open(place) as opened:
        return opened.sql(query, **variables).fetchall()


# --- paifu sql ---


@pytest.mark.parametrize("limit", ["0", "1", "2", "12"])
@pytest.mark.parametrize("width", [80, 60])
def test_a_wide_table_keeps_to_the_width_and_breaks_no_number(
    lake: list[str],
    samples: Path,
    width: int,
    limit: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    assert run(["sql", f"FROM games ORDER BY game_id LIMIT {limit}", *lake]) == 0
    printed = capsys.readouterr()
    assert max(map(cell_len, printed.out.splitlines())) <= width
    shown = set(printed.out.split())
    for game_id, deal_id in rows(
        samples, f"SELECT game_id, deal_id FROM games ORDER BY 1 LIMIT {limit}"
    ):
        assert {str(game_id), str(deal_id)} <= shown
    assert {"log_id", "room", "kuitan", "plays"} <= shown
    assert ("no rows" in printed.err) == (limit == "0")


def test_names_of_columns_on_their_side_start_the_line(
    lake: list[str], monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run(["sql", "FROM games LIMIT 1", *lake]) == 0
    assert capsys.readouterr().out.startswith("game_id ")


@pytest.mark.parametrize("columns", ["", "0", "many"])
def test_another_program_gets_one_table_a_row_a_line(
    lake: list[str], columns: str, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    assert run(["sql", "FROM games", *lake]) == 0
    head, rule, *lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 12
    assert {"game_id", "plays"} <= set(head.split())
    assert {len(rule)} == {cell_len(line) for line in (head, *lines)}
    assert run(["sql", "SELECT '🀄' || repeat('x', 3000) AS long, 7 AS n", *lake]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize(
    ("command", "told", "whole"),
    [
        ("stats shanten_by_turn", "the first 100 rows of {}; --limit {} shows all\n", 196),
        ("sql -", "the first 100 rows; --limit shows more\n", 196),
    ],
)
def test_a_table_shows_its_first_rows_and_a_file_has_all(
    command: str,
    told: str,
    whole: int,
    lake: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    def asked(*options: str) -> Any:
        monkeypatch.setattr("sys.stdin", io.StringIO("SELECT seq FROM actions LIMIT 196"))
        capsys.readouterr()
        assert run([*command.split(), *options, *lake]) == 0
        return capsys.readouterr()

    monkeypatch.setenv("COLUMNS", "200")
    head = 2
    table = asked()
    assert len(table.out.splitlines()) - head == 100
    assert table.err.endswith(told.format(whole, whole))
    for rows, told_more in ((2, 1), (whole, 0)):
        table = asked("--limit", str(rows))
        assert table.err.count("--limit") == told_more
    for options, rows in (([], whole), (["--limit", "2"], 2), (["--limit", "0"], 0)):
        assert len(json.loads(asked("--json", *options).out)["rows"]) == rows
        assert len(asked("--csv", *options).out.splitlines()) - 1 == rows
        parquet = tmp_path / f"{rows}.parquet"
        asked("--parquet", str(parquet), *options)
        assert pq.read_table(parquet).num_rows == rows


# --- simulate ---


@pytest.mark.parametrize(
    ("option", "bit"), [("--no-aka", 2), ("--no-kuitan", 4), ("--aka", 0), ("--kuitan", 0)]
)
def test_what_the_rules_leave_to_the_game_can_be_switched_off(
    tmp_path: Path, option: str, bit: int
) -> None:
    arguments = ["--games", "1", "--length", "east", "--out", str(tmp_path / "out.zip")]
    assert run(["simulate", option, *arguments]) == 0
    with zipfile.ZipFile(tmp_path / "out.zip") as archive:
        (log,) = (archive.read(name).decode() for name in archive.namelist())
    found = re.search(r'<GO type="(\d+)"', log)
    assert found
    assert int(found[1]) & 6 == bit  # Tenhou's bits of no red fives and no open tanyao


# --- strict ---


def test_strict_is_about_the_lake_not_about_the_run(own: Path, capsys: Captured) -> None:
    rescore(own)
    arguments = ["rescore", "--lake", str(own), "--strict"]
    assert run(arguments) == 0
    with Lake.open(own, write=True) as opened:
        opened.transact(
            lambda tx: tx.execute(
                "UPDATE verdicts SET status = 'mismatch' WHERE subject = 'game' AND game_id = "
                "(SELECT min(game_id) FROM verdicts WHERE subject = 'game')"
            )
        )
    capsys.readouterr()
    assert run(arguments) == 1
    told = capsys.readouterr()
    assert "nothing to re-score" in told.out
    assert "1 disagreement in the lake" in told.err
    assert run(arguments[:-1]) == 0
    assert run(["run", *sample_logs(), "--lake", str(own)]) == 0
    assert run(["run", *sample_logs(), "--lake", str(own), "--strict"]) == 1


def test_strict_holds_a_record_to_its_own_rules_and_to_others_where_asked(own: Path) -> None:
    others = ["--ruleset", "mleague"]
    place = ["--lake", str(own)]
    # Tenhou's games do not add up under the uma of the M-League
    assert run(["rescore", *place, *others, "--strict"]) == 1
    assert run(["rescore", *place, "--strict"]) == 0
    assert run(["rescore", *place, "--rules", "mleague", "--strict"]) == 1


# --- conditions ---


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (["--length", "hanchan"], "east, south, one_round, hand"),
        (["--length", "East"], "did you mean 'east'"),
        (["--players", "5"], "3 or 4, not 5"),
        (["--since", "2020-02", "--until", "2020-01-31"], "2020-02 is later than --until"),
        (["--since", "2020", "--until", "2019"], "2020 is later than --until 2019"),
        (["--since", "2020-13"], "not '2020-13'"),
        (["--until", "20"], "a day, month or year"),
    ],
)
@pytest.mark.parametrize("command", [["stats", "placement"], ["export", "--format", "mjai"]])
def test_a_condition_no_game_can_meet_is_refused(
    lake: list[str],
    tmp_path: Path,
    command: list[str],
    condition: list[str],
    words: str,
    capsys: Captured,
) -> None:
    out = ["--out", str(tmp_path / "out")] if command[0] == "export" else []
    assert run([*command, *condition, *lake, *out]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("since", "until", "days"),
    [
        ("2020", "2020", ("2020-01-01", "2020-12-31")),
        ("2020-02", "2020-02", ("2020-02-01", "2020-02-29")),
        ("2019-12", "2020", ("2019-12-01", "2020-12-31")),
    ],
)
def test_months_and_years_are_their_first_to_their_last_day_in_japan(
    own: Path, since: str, until: str, days: tuple[str, str]
) -> None:
    """A day in Japan starts at 15:00 UTC of the day before."""
    first, last = days
    around = f"""UPDATE games SET played_at = CASE
        WHEN g.n = 1 THEN TIMESTAMP '{first}' - INTERVAL '9 hours 1 minute'
        WHEN g.n = 2 THEN TIMESTAMP '{first}' - INTERVAL '9 hours'
        WHEN g.n = 3 THEN TIMESTAMP '{last}' + INTERVAL '14 hours 59 minutes'
        ELSE TIMESTAMP '{last}' + INTERVAL '15 hours' END
        FROM (SELECT game_id, row_number() OVER (ORDER BY game_id) AS n FROM games) AS g
        WHERE g.game_id = games.game_id"""
    with Lake.open(own, write=True) as opened:
        opened.transact(lambda tx: tx.execute(around))
        query = "SELECT game_id FROM games ORDER BY game_id"
        everything = opened.sql(query).fetchall()
        Filter(since=since, until=until).apply(opened.connection)
        assert opened.sql(query).fetchall() == everything[1:3]


def test_no_rows_says_which_name_the_lake_does_not_have(
    lake: list[str], samples: Path, capsys: Captured
) -> None:
    ((player,),) = rows(
        samples, "SELECT player FROM seats GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1"
    )
    for arguments, words in (
        (["--room", "Houuo"], "no game of room 'Houuo': it has houou"),
        (["--rules", "mleague"], "no game of rule set 'mleague': it has tenhou-4p"),
        (["--player", player + "x"], f"nobody named {player + 'x'!r} in the lake: did you mean"),
        (["--player", "nosuch"], "paifu stats players lists them"),
    ):
        assert run(["stats", "placement", *arguments, *lake]) == 0
        told = capsys.readouterr().err
        assert words in told
        assert told.count("in the lake") + told.count("the lake has no") == 1
    assert run(["stats", "placement", "--player", player, "--room", "houou", *lake]) == 0
    assert "nobody" not in capsys.readouterr().err


def test_a_page_about_nobody_is_not_written(
    lake: list[str], samples: Path, tmp_path: Path, capsys: Captured
) -> None:
    ((player,),) = rows(samples, "SELECT player FROM seats WHERE length(player) > 4 LIMIT 1")
    out = ["--out", str(tmp_path / "pages")]
    assert run(["report", "player", "--player", player[:-1] + "x", *lake, *out]) == 2
    told = capsys.readouterr().err
    assert "there is nobody named" in told
    assert repr(player) in told
    assert not (tmp_path / "pages").exists()


@pytest.fixture(scope="module")
def dated(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of the sample logs, re-scored, whose games were played in the last hours of 2024."""
    place = Path(shutil.copytree(samples, tmp_path_factory.mktemp("dated") / "lake"))
    rescore(place)
    with Lake.open(place, write=True) as lake:
        lake.transact(
            lambda tx: tx.execute("UPDATE games SET played_at = TIMESTAMP '2024-12-31 14:59:00'")
        )
    return place


@pytest.mark.parametrize(
    "only",
    [
        Filter(room="houou"),
        Filter(room="it's"),
        Filter(players=3, ruleset="tenhou-3p"),
        Filter(length="south", where="players = 3 OR aka"),
        Filter(since="2015-03", until="2024"),
        Filter(matched=True),
        Filter(riichi=True, where="rounds > 5 -- a comment"),
    ],
    ids=repr,
)
def test_conditions_written_as_one_expression_let_the_same_games_through(
    dated: Path, only: Filter
) -> None:
    with Lake.open(dated) as opened:
        query = "SELECT game_id FROM games ORDER BY game_id"
        everything = opened.sql(query).fetchall()
        only.apply(opened.connection)
        found = opened.sql(query).fetchall()
        Filter(where=only.expression()).apply(opened.connection)
        assert opened.sql(query).fetchall() == found
    assert (found == []) == (only.room == "it's")
    assert Filter(room="houou").expression() == "room = 'houou'"
    assert Filter().expression() is None
    assert len(everything) == 12


Pages = list[tuple[int, str | None, list[str]]]


@pytest.fixture
def set_of_pages(monkeypatch: pytest.MonkeyPatch) -> Pages:
    """Players, condition and people of the pages that would have been written."""
    told: Pages = []

    def write(site: Site) -> list[Written]:
        told.append((site.players, site.only.expression(), list(site.people)))
        return []

    monkeypatch.setattr(Site, "write", write)
    return told


def test_pages_count_the_games_that_statistics_count(
    lake: list[str],
    tmp_path: Path,
    set_of_pages: Pages,
    capsys: Captured,
) -> None:
    pytest.importorskip("nbformat")
    arguments = ["report", *lake, "--out", str(tmp_path / "pages"), "--top", "0"]
    assert run(arguments) == 0
    assert run([*arguments, "--players", "3", "--room", "houou"]) == 0
    assert run([*arguments, "--rules", "tenhou-3p", "--where", "aka"]) == 0
    assert set_of_pages == [
        (4, None, []),
        (3, "room = 'houou' AND players = 3", []),
        (3, "ruleset = 'tenhou-3p' AND (\naka\n)", []),
    ]
    capsys.readouterr()
    for condition, words in (
        (["--room", "tokujuo"], "it has houou"),
        (["--since", "2030"], "no game of the lake meets the conditions"),
        (["--length", "hanchan"], "east, south"),
    ):
        assert run([*arguments, *condition]) == 2
        assert words in capsys.readouterr().err
    assert len(set_of_pages) == 3


def test_a_page_about_a_player_of_games_of_three_says_which_they_are(
    lake: list[str],
    samples: Path,
    tmp_path: Path,
    set_of_pages: Pages,
    capsys: Captured,
) -> None:
    pytest.importorskip("nbformat")
    ((player,),) = rows(
        samples,
        "SELECT player FROM seats JOIN games USING (game_id) WHERE NOT anonymous "
        "GROUP BY player HAVING max(players) = 3 ORDER BY player LIMIT 1",
    )
    arguments = ["report", "player", *lake, "--out", str(tmp_path), "--player", player]
    assert run(arguments) == 2
    assert "has no game of 4 players that counts: --players 3 has" in capsys.readouterr().err
    assert run([*arguments, "--players", "3"]) == 0
    assert set_of_pages == [(3, "players = 3", [player])]


# --- forget ---


def test_a_game_is_forgotten_by_the_platforms_own_id(own: Path, capsys: Captured) -> None:
    with Lake.open(own, write=True) as opened:
        opened.transact(
            lambda tx: tx.execute(
                "UPDATE games SET log_id = 'the-log' "
                "WHERE game_id = (SELECT min(game_id) FROM games)"
            )
        )
    ((least,),) = rows(own, "SELECT min(game_id) FROM games")
    assert run(["forget", "--game", "the-log", "--lake", str(own)]) == 0
    assert capsys.readouterr().err.startswith("removed 1 game; ")
    assert rows(own, "SELECT count(*) FROM games WHERE game_id = $id", id=least) == [(0,)]
    capsys.readouterr()
    ingest(sample_logs(), lake=own, refresh=True)
    assert rows(own, "SELECT count(*) FROM games WHERE game_id = $id", id=least) == [(0,)]


def test_a_hashed_lake_knows_a_game_by_the_id_that_it_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.setenv("PAIFU_SALT", "salt")
    log = next(Path(name) for name in sample_logs() if name.endswith(".mjlog"))
    named = tmp_path / "2019010100gm-00a9-0000-0123abcd.mjlog"
    named.write_bytes(log.read_bytes())
    lake = tmp_path / "lake"
    ingest([named], lake=lake, names="hash")
    ((game_id, hashed),) = rows(lake, "SELECT game_id, log_id FROM games")
    for name in (named.stem, hashed, str(game_id)):
        capsys.readouterr()
        assert run(["show", name, "--lake", str(lake), "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["game_id"] == str(game_id)
    monkeypatch.setenv("PAIFU_SALT", "another")
    assert run(["show", str(game_id), "--lake", str(lake)]) == 0
    assert run(["show", named.stem, "--lake", str(lake)]) == 3
    assert "made with another salt: set PAIFU_SALT" in capsys.readouterr().err
    monkeypatch.setenv("PAIFU_SALT", "salt")
    assert run(["forget", "--game", named.stem, "--lake", str(lake)]) == 0
    assert rows(lake, "SELECT count(*) FROM games") == [(0,)]


def test_an_id_that_is_no_games_stops_before_anything_is_removed(
    own: Path, capsys: Captured
) -> None:
    ((least,),) = rows(own, "SELECT min(game_id) FROM games")
    arguments = ["forget", "--game", str(least), "--game", "no-such-log", "--lake", str(own)]
    assert run(arguments) == 2
    told = capsys.readouterr().err
    assert "there is no game 'no-such-log'" in told
    assert told.count("\n") == 1
    assert rows(own, "SELECT count(*) FROM games") == [(12,)]


def test_a_number_that_no_game_has_is_reported_once(own: Path, capsys: Captured) -> None:
    assert run(["forget", "--game", "-17", "--game", "-17", "--lake", str(own)]) == 2
    told = capsys.readouterr().err
    assert told == "there is no game -17 in the lake; no later ingest will bring it there\n"
    assert rows(own, "SELECT kind FROM forgotten") == [("game",)]


# --- formats ---


def test_export_tells_of_games_that_nothing_but_the_result_is_known_of(
    own: Path, tmp_path: Path, capsys: Captured
) -> None:
    listed = tmp_path / "sca20190101.log"
    listed.write_text(RESULTS, encoding="utf-8")
    assert run(["ingest", str(listed), "--lake", str(own)]) == 0
    capsys.readouterr()
    arguments = ["export", "--lake", str(own), "--format", "mjai", "--out", str(tmp_path / "out")]
    assert run(arguments) == 0
    assert "1 game left out: only the result is known" in capsys.readouterr().err
    assert run([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["files"], told["left_out"]) == (12, 1)
    assert len(list((tmp_path / "out").iterdir())) == 12
    ((game_id,),) = rows(own, "SELECT game_id FROM games WHERE detail = 'result'")
    assert run([*arguments, "--game", str(game_id)]) == 2
    assert f"of {game_id}: only the result is known" in capsys.readouterr().err


def test_export_tells_of_games_whose_acts_the_lake_does_not_keep(
    tmp_path: Path, capsys: Captured
) -> None:
    one, other = [name for name in sample_logs() if name.endswith(".mjlog")][:2]
    ingest([one], lake=tmp_path / "lake", actions=False)
    ingest([other], lake=tmp_path / "lake")
    out = ["--out", str(tmp_path / "out")]
    assert run(["export", "--lake", str(tmp_path / "lake"), "--format", "mjai", *out]) == 0
    assert "1 game left out: ingested without its acts" in capsys.readouterr().err
    assert len(list((tmp_path / "out").iterdir())) == 1


def test_export_leaves_other_games_than_riichi_out(
    corpus: Path, tmp_path: Path, capsys: Captured
) -> None:
    ingest(min((corpus / "mcr").glob("*.json")), lake=tmp_path / "lake")
    arguments = ["export", "--lake", str(tmp_path / "lake"), "--out", str(tmp_path / "out")]
    assert run([*arguments, "--format", "tenhou-json"]) == 0
    told = capsys.readouterr().err
    assert re.search(r"^0 files .*\n\d+ games? left out: not riichi", told)
    ((game_id,),) = rows(tmp_path / "lake", "SELECT min(game_id) FROM games")
    assert run([*arguments, "--format", "mjai", "--game", str(game_id)]) == 2
    assert "nothing can be written" in capsys.readouterr().err


@pytest.mark.parametrize("spelling", ["tenhou-json", "tenhou_json"])
def test_a_format_goes_by_either_spelling_everywhere(
    spelling: str, lake: list[str], tmp_path: Path
) -> None:
    out = tmp_path / "simulated"
    arguments = ["--games", "1", "--length", "east", "--out", str(out)]
    assert run(["simulate", "--format", spelling, *arguments]) == 0
    place = ["--lake", str(tmp_path / "lake")]
    assert run(["ingest", str(out), "--format", spelling, *place, "--strict"]) == 0
    assert rows(tmp_path / "lake", "SELECT format FROM games") == [("tenhou_json",)]
    ingest([out], lake=tmp_path / "again.lake", format=spelling)
    assert rows(tmp_path / "again.lake", "SELECT format FROM games") == [("tenhou_json",)]
    assert run(["export", "--format", spelling, "--out", str(tmp_path / "out"), *lake]) == 0


def test_ingest_names_the_size_of_a_batch_as_it_is(capsys: Captured) -> None:
    assert run(["ingest", "--help"]) == 0
    said = " ".join(re.sub("[│ ]+", " ", capsys.readouterr().out).split())
    assert f"By default {BATCH_GAMES:,}" in said


@pytest.mark.parametrize("option", ["--rules", "--ruleset"])
def test_rules_go_by_either_name(
    option: str, lake: list[str], tmp_path: Path, capsys: Captured
) -> None:
    assert run(["score", "123m456p789s22m34s", "--win", "2s", "--tsumo", option, "mleague"]) == 0
    assert "mleague" in capsys.readouterr().out
    out = ["--length", "east", "--games", "1", "--out", str(tmp_path / "out")]
    assert run(["simulate", option, "mleague", *out]) == 0
    capsys.readouterr()
    assert run(["stats", "placement", option, "tenhou-3p", "--json", *lake]) == 0
    found = json.loads(capsys.readouterr().out)["rows"]
    assert found
    assert {row["players"] for row in found} == {3}


# --- help and messages ---


@pytest.mark.parametrize("name", [name for name, *_ in COMMANDS])
def test_help_says_nothing_twice(name: str, capsys: Captured) -> None:
    assert run([name, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "default: False" not in told
    assert "default: None" not in told
    for sentence, choices in re.findall(r"--format CHOICE ([^\[]*)\[choices: ([^\]]+)\]", told):
        assert not set(choices.split(", ")) & set(re.findall(r"[\w-]+", sentence)) - {"all"}


def test_a_default_is_shown_if_there_is_one(capsys: Captured) -> None:
    assert run(["score", "--help"]) == 0
    told = capsys.readouterr().out
    assert "[default: tenhou-4p]" in told
    assert "[default: 0]" in told


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["score", "1m", "--rules", "tenhuo-4p"], "did you mean 'tenhou-4p'"),
        (["score", "1m", "--rules", "nosuch"], "paifu rulesets lists them"),
        (["stats", "placemnt"], "did you mean 'placement'"),
        (["stats", "nosuch"], "paifu stats lists them"),
        (["simulate", "--out", "out", "--scenario", "chancan"], "did you mean 'chankan'"),
        (["simulate", "--out", "out", "--scenario", "nosuch"], "--scenario all"),
        (["export", "--format", "csv", "--out", "out", "--table", "seat"], "did you mean 'seats'"),
        (["export", "--format", "csv", "--out", "out", "--table", "nosuch"], "SHOW TABLES"),
    ],
)
def test_a_word_not_known_is_answered_by_the_nearest_or_by_where_to_look(
    arguments: list[str],
    words: str,
    lake: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: Captured,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*arguments, *(lake if arguments[0] in ("stats", "export") else [])]) in (2, 3)
    told = capsys.readouterr().err.splitlines()[-1]
    assert words in told
    assert len(told) < 200
    assert not list(tmp_path.iterdir())


def test_a_table_by_a_wrong_name_in_python(samples: Path) -> None:
    with Lake.open(samples) as opened, pytest.raises(UsageError, match="did you mean 'rounds'"):
        opened.table("round")


def test_every_scenario_that_is_named_as_an_example_is_one(
    tmp_path: Path, capsys: Captured
) -> None:
    assert run(["simulate", "--out", str(tmp_path), "--scenario", "nosuch"]) == 2
    named = capsys.readouterr().err.rpartition("such as ")[2].split(", ")
    assert {name.strip() for name in named} <= SCENARIOS.keys()


# --- threads ---


@pytest.mark.parametrize("number", ["0", "-1", "257", "99999999999"])
@pytest.mark.parametrize(
    "command",
    [
        ["sql", "SELECT 1", "--threads"], ["ingest", str(resource_dir("data")), "--jobs"],
        ["rescore", "--jobs"],
        ["simulate", "--games", "1", "--out", "nowhere", "--jobs"],
    ],
)  # fmt: skip
def test_no_number_of_threads_takes_the_machine_down(
    command: list[str], number: str, lake: list[str], capsys: Captured
) -> None:
    where = [] if command[0] == "simulate" else lake
    assert run([*command, number, *where]) == 2
    told = capsys.readouterr().err
    assert told == f"paifu: {command[-1]} takes a number of threads from 1 to 256, not {number}\n"


# --- limits of a query ---


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone bounds a process's memory")
def test_no_text_of_a_query_takes_more_than_its_memory(lake: list[str], capsys: Captured) -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    query = "SELECT length(repeat('x', 4000000000))"
    assert run(["sql", query, "--memory", "200MB", *lake]) == 3
    assert capsys.readouterr().err == "paifu: the query needs more than --memory 200MB\n"
    assert resource.getrlimit(resource.RLIMIT_AS) == before


def test_a_query_that_cannot_be_stopped_is_left(lake: list[str]) -> None:
    told: list[str] = []
    with Lake.open(lake[1]) as opened, time_limit(opened.connection, -5, told.append):
        time.sleep(0.2)  # a step that cannot be stopped
    assert told == ["the query took longer than -5 s: narrow it, or raise --timeout"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["sql", "SELECT 1", "--memory", "0"], "--memory takes an amount such as 500MB or 2GB"),
        (["sql", "SELECT 1", "--memory", "much"], "--memory takes an amount such as 500MB or 2GB"),
        (["sql", "PIVOT games ON players"], "PIVOT takes its values here too"),
        (["rescore", "--examples", "-3"], "--examples is a number of disagreements"),
    ],
)
def test_a_limit_says_what_it_takes(
    arguments: list[str], said: str, lake: list[str], capsys: Captured
) -> None:
    assert run([*arguments, *lake]) == 2
    assert said in capsys.readouterr().err


def test_a_lake_that_is_not_named_is_asked_for(
    capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PAIFU_LAKE", raising=False)
    assert run(["sql", "SELECT 1"]) == 2
    assert "name the lake: --lake FOLDER, or PAIFU_LAKE" in capsys.readouterr().err


def test_a_lake_in_a_folder_that_does_not_exist_needs_to_be_asked_for(
    tmp_path: Path, capsys: Captured
) -> None:
    place = tmp_path / "gmaes" / "lake"
    arguments = [*sample_logs()[:1], "--lake", str(place)]
    for command in ("ingest", "run"):
        assert run([command, *arguments]) == 2
        assert "--create" in capsys.readouterr().err
        assert not place.parent.exists()
    assert run(["ingest", *arguments, "--create"]) == 0
    assert rows(place, "SELECT count(*) FROM games") == [(1,)]
