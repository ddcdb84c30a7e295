"""docs/local-yaku.md: its file, its table and its examples agree with paifu."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import orjson
import pytest

from paifu.cli.main import run
from paifu.messages import yakuman_times
from paifu.rules import rulesets
from paifu.rules.riichi.all_yaku import YAKU_VALUES
from paifu.rules.riichi.local_yaku import LOCAL
from paifu.rules.riichi.ruleset import OPTIONS, YAKUMAN, Value
from paifu.rules.riichi.toml_rules import parse
from paifu.schema.yaku import YAKU, YAKU_INDEX

PAGE = (Path(__file__).parents[2] / "docs" / "local-yaku.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| `\w+` \| \S", line) and line.count("|") == 8
]


def told(han: int) -> str:
    if not han:
        return "–"
    return yakuman_times(han // YAKUMAN) if han % YAKUMAN == 0 else str(han)


def test_the_page_has_every_local_yaku_with_its_name_and_value() -> None:
    assert [row[0].strip("`") for row in ROWS] == [rule.key for rule in LOCAL]
    for key, name, closed, opened, *_ in ROWS:
        yaku = YAKU[YAKU_INDEX[key.strip("`")]]
        value = YAKU_VALUES[yaku.key]
        assert (name, closed, opened) == (yaku.japanese, told(value.closed), told(value.open))


@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip("`") for row in ROWS])
def test_the_example_of_a_yaku_has_it_where_it_is_allowed_and_only_there(
    row: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, example = row[0].strip("`"), row[6].strip("`")
    rules = tmp_path / "club.toml"
    allowed = ["open_riichi", key] if key == "open_double_riichi" else [key]
    rules.write_text(f'extends = "general"\n[yaku]\nallow = {allowed}\n', encoding="utf-8")
    found = []
    for name in (str(rules), "general"):
        run(["score", *shlex.split(example), "--rules", name, "--json"])
        answer = capsys.readouterr().out
        found.append(orjson.loads(answer)["yaku"] if answer else {})
    assert key in found[0]
    assert key not in found[1]


def test_the_file_of_the_page_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (toml,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "club.toml").write_text(toml, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    club = rulesets.load("club.toml")
    assert club.yaku["paarenchan"] == Value(13, 13)
    assert club.yaku["renhou"] == Value(5, 0)
    assert club.yaku["daisharin"] == Value(26, 0)
    assert club.yaku["honroutou"] == Value(3, 2)
    assert club.yaku["sanrenkou"] == Value(1, 1)
    assert "ippatsu" not in club.yaku
    (command,) = re.findall(r"\$ paifu (score .*)", PAGE)
    assert run(shlex.split(command)) == 0
    assert "48,000" in capsys.readouterr().out


def test_the_options_of_the_page_are_options() -> None:
    written = re.findall(r"^\| `(\w+ = [^`]+)` \|", PAGE, re.MULTILINE)
    assert len(written) == 8
    for line in written:
        base = rulesets.get("general")
        allowed = [rule.key for rule in LOCAL]
        text = f'extends = "general"\n{line}\n[yaku]\nallow = {allowed}\n[yaku.values]\nrenhou = 5'
        mine = parse(text, name="mine", get=rulesets.get, where="mine.toml")
        assert any(getattr(mine, spec.name) != getattr(base, spec.name) for spec in OPTIONS), line


@pytest.mark.parametrize("name", ["general", "jpml-a"])
def test_the_yaku_that_do_not_count_are_listed_with_what_they_would(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rulesets", name]) == 0
    text = capsys.readouterr().out
    for word in ("allow", "forbid", "values", "docs/local-yaku.md", f'extends = "{name}"'):
        assert word in text
    after = text.partition("yaku that do not count here")[2]
    assert all(rule.key in after for rule in LOCAL)
    assert run(["rulesets", name, "--json"]) == 0
    found = orjson.loads(capsys.readouterr().out)
    assert found["yaku"].keys() | found["yaku_not_counted"].keys() == set(YAKU_VALUES)
    assert not found["yaku"].keys() & found["yaku_not_counted"].keys()
    assert found["yaku_not_counted"]["daisharin"] == {"closed": 13, "open": 0}
    assert ("ippatsu" in found["yaku_not_counted"]) == (name == "jpml-a")
