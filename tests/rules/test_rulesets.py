"""Rule sets as data: values of presets, a user's TOML file, and error messages."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, fields, replace
from pathlib import Path

import pytest

from paifu.errors import RuleError
from paifu.rules import rulesets
from paifu.rules.fan.choices import Choice
from paifu.rules.fan.game import Game
from paifu.rules.riichi.all_yaku import YAKU_VALUES
from paifu.rules.riichi.option_needs import NEEDS
from paifu.rules.riichi.presets import PRESETS, SOURCES
from paifu.rules.riichi.ruleset import GROUPS, OPTIONS, RuleSet, Value, option
from paifu.rules.riichi.toml_rules import parse
from tests.helpers.winning_hands import scored, win


def mine(text: str) -> RuleSet:
    return parse(text, name="mine", get=rulesets.get, where="mine.toml")


def test_the_presets_are_there() -> None:
    assert set(rulesets.names()) >= {
        "tenhou-4p", "tenhou-3p", "tenhou-chip", "tenhou-chip-5", "tenhou-custom",
        "tenhou-custom-3p", "majsoul-4p", "majsoul-3p", "mleague", "wrc", "ema", "jpml-a",
        "saikouisen", "general",
    }  # fmt: skip


@pytest.mark.parametrize("name", rulesets.names())
def test_every_value_of_a_preset_is_allowed_and_has_a_known_source(name: str) -> None:
    ruleset = rulesets.get(name)
    for spec in OPTIONS:
        value, allowed = getattr(ruleset, spec.name), spec.metadata["values"]
        assert type(value) is type(spec.default), spec.name
        if allowed:
            members = value if isinstance(value, tuple) else (value,)
            assert set(members) <= set(allowed), spec.name
        assert spec.metadata["doc"]
        assert spec.metadata["group"] in GROUPS
    assert len(ruleset.uma) == ruleset.players
    assert sum(ruleset.uma) == 0
    assert all(sum(row) == 0 for row in ruleset.uma_floating)
    oka = ruleset.players * (ruleset.return_points - ruleset.start_points)
    assert oka == 1000 * ruleset.oka


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_tag_stands_for_a_document(preset: object) -> None:
    cells = [*preset.options.values(), *preset.yaku.values()]  # type: ignore[attr-defined]
    for _, tags in cells:
        assert tags
        for tag in re.findall(r"[A-Z]+\d*", tags):
            assert tag in SOURCES or tag.rstrip("0123456789") in SOURCES, tag


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("tenhou-4p", "start_points", 25000), ("tenhou-4p", "oka", 20),
        ("tenhou-4p", "kuitan", "by_game"), ("tenhou-4p", "double_wind_pair_fu", 4),
        ("tenhou-3p", "uma", (20, 0, -20)), ("tenhou-3p", "noten_pool", 2000),
        ("tenhou-3p", "suufon", False), ("tenhou-3p", "suukan", True),
        ("tenhou-3p", "riichi_min_tiles", 3), ("tenhou-chip", "kiriage_mangan", True),
        ("tenhou-chip", "kan_dora_kakan", "at_once"), ("tenhou-custom", "flow", "unknown"),
        ("majsoul-4p", "multi_ron", "triple"), ("majsoul-4p", "pao_scope", "fed"),
        ("majsoul-4p", "target_points", 30000), ("majsoul-3p", "multi_ron", "double"),
        ("majsoul-3p", "kita_pass_furiten", False), ("mleague", "counted_yakuman", "off"),
        ("mleague", "double_wind_pair_fu", 2), ("mleague", "multi_ron", "head_bump"),
        ("wrc", "riichi_min_tiles", 0), ("wrc", "pao_honba", "discarder"),
        ("ema", "max_yakuman", 1), ("ema", "red_fives", "off"),
        ("jpml-a", "kan_dora", False), ("jpml-a", "max_yakuman", 4),
        ("saikouisen", "pao", ()), ("general", "counted_yakuman", "multiple"),
    ],
)  # fmt: skip
def test_a_value_of_the_preset_sheet(name: str, option: str, value: object) -> None:
    assert getattr(rulesets.get(name), option) == value


def test_yaku_that_differ_between_presets() -> None:
    assert rulesets.get("majsoul-4p").yaku["daisuushii"] == Value(26, 26)
    assert rulesets.get("tenhou-4p").yaku["daisuushii"] == Value(13, 13)
    assert "ippatsu" not in rulesets.get("jpml-a").yaku
    assert rulesets.get("wrc").yaku["renhou"] == Value(5, 0)


# --- the hash


def test_equal_options_have_equal_hashes_whatever_their_name() -> None:
    tenhou = rulesets.get("tenhou-4p")
    assert mine('extends = "tenhou-4p"').hash == tenhou.hash
    assert mine('extends = "tenhou-4p"\nkiriage_mangan = false').hash == tenhou.hash
    assert mine('extends = "tenhou-4p"\nkiriage_mangan = true').hash != tenhou.hash
    assert mine('extends = "tenhou-4p"\n[yaku]\nforbid = ["pinfu"]').hash != tenhou.hash
    assert -(2**63) <= tenhou.hash < 2**63


def test_each_option_is_in_the_hash() -> None:
    base = RuleSet(name="base")
    others = {bool: lambda v: not v, int: lambda v: v + 1, str: lambda v: v + "x",
              tuple: lambda v: (*v, 7)}  # fmt: skip
    for spec in OPTIONS:
        changed = others[type(spec.default)](spec.default)  # type: ignore[no-untyped-call]
        assert RuleSet(name="base", **{spec.name: changed}).hash != base.hash, spec.name


@dataclass(frozen=True, kw_only=True)
class Wider(RuleSet):
    """The rule sets of an engine that has one more option."""

    inert: bool = option("calls", False, "Changes nothing unless it is set.")


def test_an_option_that_is_new_to_the_engine_leaves_every_hash_as_it_was() -> None:
    """Otherwise the verdicts of every lake would be stale, of presets and of users' rule sets."""
    club = mine('extends = "ema"\numa = [30, 10, -10, -30]\n[yaku]\nallow = ["renhou"]')
    for before in (*map(rulesets.get, rulesets.names()), club):
        told = {spec.name: getattr(before, spec.name) for spec in fields(before)}
        after = Wider(**told)
        assert after.hash == before.hash, before.name
        assert replace(after, inert=True).hash != before.hash


def test_a_choice_that_is_new_to_a_game_leaves_its_hash_as_it_was() -> None:
    for name in rulesets.game_names():
        before = rulesets.get_any(name)
        assert isinstance(before, Game)
        inert = Choice("inert", False, "Changes nothing.")
        after = replace(before, choices=(*before.choices, inert))
        assert after.options["inert"] is False
        assert after.hash == before.hash, name
        assert after.with_options({"inert": 5}).hash != before.hash


def test_a_form_of_a_game_has_the_hash_of_its_options_whatever_its_name(tmp_path: Path) -> None:
    file = tmp_path / "ours.toml"
    changsha = rulesets.get_any("changsha")
    file.write_text('extends = "changsha"\n', encoding="utf-8")
    assert rulesets.load_any(file).hash == changsha.hash
    assert rulesets.load_any(file) != changsha  # it has another name
    file.write_text('extends = "changsha"\nsmall_discard = 2\n', encoding="utf-8")
    assert rulesets.load_any(file).hash != changsha.hash
    assert len({rulesets.get_any(name).hash for name in rulesets.game_names()}) == len(
        rulesets.game_names()
    )


def test_the_hash_is_the_same_on_every_machine() -> None:
    base = RuleSet(name="base", yaku={"riichi": Value(1, 0)}, honba=500, uma=(30, 10, -10, -30))
    assert base.hash == -6609988783514531396


# --- a user's own rule set


def test_a_rule_set_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    path.write_text(
        'extends = "tenhou-3p"\numa = [15, 0, -15]\noka = 0\nreturn_points = 35000\n'
        'pao = ["daisangen", "suukantsu"]\n[yaku]\nallow = ["renhou"]\nforbid = ["ippatsu"]\n'
        '[yaku.values]\ndaisharin = "double_yakuman"\nhonroutou = { closed = 3, open = 2 }\n',
        encoding="utf-8",
    )
    club = rulesets.load(path)
    assert (club.name, club.players, club.uma, club.oka) == ("club", 3, (15, 0, -15), 0)
    assert club.pao == ("daisangen", "suukantsu")
    assert club.yaku["renhou"] == Value(13, 0)
    assert club.yaku["daisharin"] == Value(26, 0)
    assert club.yaku["honroutou"] == Value(3, 2)
    assert "ippatsu" not in club.yaku
    assert club.sources["uma"] == str(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", 'extends = "tenhou-4p"'),
        ("extends = 3", "extends"),
        ("extends = ", "not TOML"),
        ('extends = "tenhou"', "did you mean 'tenhou-4p'"),
        ('extends = "tenhou-4p"\nkiriage = true', "did you mean 'kiriage_mangan'"),
        ('extends = "tenhou-4p"\nkiriage_mangan = "yes"', "true or false"),
        ('extends = "tenhou-4p"\nkiriage_mangan = 1', "true or false"),
        ('extends = "tenhou-4p"\nhonba = "300"', "whole number"),
        ('extends = "tenhou-4p"\nhonba = -100', "out of range"),
        ('extends = "tenhou-4p"\nhonba = true', "whole number"),
        ('extends = "tenhou-4p"\ntobi = "belowzero"', "'off', 'below_zero', 'zero'"),
        ('extends = "tenhou-4p"\ntobi = "belowzero"', "did you mean 'below_zero'"),
        ('extends = "tenhou-4p"\ndouble_wind_pair_fu = 3', "2, 4"),
        ('extends = "tenhou-4p"\numa = 20', "is a list"),
        ('extends = "tenhou-4p"\numa = [20, 0, -20]', "each of 4 places"),
        ('extends = "tenhou-4p"\numa = [20.5, 0, 0, -20.5]', "whole thousands"),
        ('extends = "tenhou-4p"\npao = ["kokushi"]', "'daisangen', 'daisuushii', 'suukantsu'"),
        ('extends = "jpml-a"\numa_floating = [[0, 0, 0, 0]]', "0 to 4 players"),
        ('extends = "tenhou-4p"\nyaku = 3', "[yaku]"),
        ('extends = "tenhou-4p"\n[yaku]\nadd = ["renhou"]', "allow, forbid and values"),
        ('extends = "tenhou-4p"\n[yaku]\nallow = "renhou"', "list of yaku"),
        ('extends = "tenhou-4p"\n[yaku]\nallow = ["renho"]', "did you mean 'renhou'"),
        ('extends = "tenhou-4p"\n[yaku.values]\npinfu = 2.5', "han from 0 to 13"),
        ('extends = "tenhou-4p"\n[yaku.values]\npinfu = 15', "han from 0 to 13"),
        ('extends = "tenhou-4p"\n[yaku.values]\npinfu = "two"', "mangan"),
        ('extends = "tenhou-4p"\n[yaku.values]\npinfu = {closed = 1, open = 1}', "open hand"),
        ('extends = "tenhou-4p"\n[yaku.values]\npinfu = 0', "yaku.forbid"),
        ('extends = "tenhou-4p"\n[yaku.values]\ntoitoi = {closed = 13, open = 2}', "both closed"),
        ('extends = "tenhou-4p"\n[yaku.values]\ntoitoi = {menzen = 2}', "closed and open"),
        ('extends = "tenhou-4p"\nname = 7', "text"),
    ],
)
def test_a_mistake_is_named_with_what_is_allowed(text: str, says: str) -> None:
    with pytest.raises(RuleError) as caught:
        mine(text)
    assert says in str(caught.value)
    assert "mine.toml" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "option", "needs"),
    [
        ('extends = "tenhou-4p"\nkita_ron = false', "kita_ron", "three players"),
        ('extends = "tenhou-4p"\nkita_ron = true', "kita_ron", "three players"),
        ('extends = "tenhou-3p"\nsuucha = false', "suucha", "four players"),
        ('extends = "tenhou-4p"\nmin_han_ippatsu = false', "min_han_ippatsu", "two_han_honba"),
        (
            'extends = "tenhou-4p"\nmulti_ron = "head_bump"\nmulti_ron_payment = "honba_to_all"',
            "multi_ron_payment", "multi_ron",
        ),
        ('extends = "mleague"\nsanchahou = true', "sanchahou", "multi_ron"),
        ('extends = "saikouisen"\npao_scope = "fed"', "pao_scope", "pao"),
        ('extends = "tenhou-4p"\npao = []\npao_honba = "discarder"', "pao_honba", "pao"),
        (
            'extends = "tenhou-4p"\nnagashi_mangan = false\nnagashi_own_calls = false',
            "nagashi_own_calls", "nagashi_mangan = true",
        ),
        ('extends = "tenhou-4p"\nura_dora = false\nkan_ura = false', "kan_ura", "ura_dora"),
        ('extends = "tenhou-4p"\nkan_dora = false\nkan_ura = false', "kan_ura", "kan_dora"),
        (
            'extends = "tenhou-4p"\nextra_round = false\nextra_round_dealer = false',
            "extra_round_dealer", "extra_round = true",
        ),
        (
            'extends = "tenhou-4p"\nextra_round = false\nyame_in_extra_round = true',
            "yame_in_extra_round", "extra_round = true",
        ),
        ('extends = "tenhou-custom"\numa = [30, 10, -10, -30]', "uma", 'flow = "known"'),
        ('extends = "jpml-a"\numa = [30, 10, -10, -30]', "uma", "uma_floating = []"),
        ('extends = "tenhou-4p"\ndaisharin_suits = "any"', "daisharin_suits", "daisharin"),
        ('extends = "tenhou-4p"\nchip_red = 2', "chip_red", "chips = true"),
        (
            'extends = "tenhou-4p"\nhaitei_with_rinshan = true\n[yaku]\nforbid = ["haitei"]',
            "haitei_with_rinshan", "haitei",
        ),
        ('extends = "tenhou-4p"\n[yaku]\nallow = ["pinfu"]', "pinfu", "counts already"),
        ('extends = "tenhou-4p"\n[yaku]\nforbid = ["renhou"]', "renhou", "not count anyway"),
        ('extends = "tenhou-4p"\n[yaku.values]\ntoitoi = 2', "toitoi", "this value already"),
    ],
)  # fmt: skip
def test_what_a_file_states_without_effect_is_refused(text: str, option: str, needs: str) -> None:
    with pytest.raises(RuleError) as caught:
        mine(text)
    assert option in str(caught.value)
    assert needs in str(caught.value)
    assert "Leave it out" in str(caught.value)


def test_only_what_the_file_itself_states_is_judged() -> None:
    for name in rulesets.names():
        mine(f'extends = "{name}"')
    assert mine('extends = "tenhou-4p"\npao = []').pao_scope == rulesets.get("tenhou-4p").pao_scope
    assert mine('extends = "tenhou-custom"\nflow = "known"\noka = 0').oka == 0
    assert mine('extends = "tenhou-4p"\ntwo_han_honba = 5\nmin_han_ippatsu = false')


def test_what_options_need_is_about_options() -> None:
    known = {spec.name for spec in OPTIONS}
    for need, about in NEEDS:
        assert set(about) <= known, need.said
        assert need.holds(rulesets.get("general")) in (True, False)
    for names in (line.said for line, _ in NEEDS if "yaku.allow" in line.said):
        keys = names.partition(" in yaku.allow")[0].split(" or ")
        assert set(keys) <= YAKU_VALUES.keys(), names


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    with pytest.raises(RuleError, match=r"nowhere\.toml"):
        rulesets.load("nowhere.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xe9")
    with pytest.raises(RuleError, match="UTF-8"):
        rulesets.load(tmp_path / "latin.toml")
    with pytest.raises(RuleError, match="did you mean 'mleague'"):
        rulesets.load("mleag")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("uma = " + "[\n" * 5000 + "]\n" * 5000, "too deep"),
        (".".join(["a"] * 20_000) + " = 1", "line 2: it is longer than 1000 characters"),
        ("honba = " + "9" * 10_000, "line 2: it is longer than 1000 characters"),
        ("# " + "\n# " * 40_000, "larger than 64 KiB"),
    ],
)
@pytest.mark.parametrize("base", ["tenhou-4p", "mcr"])
def test_a_hostile_file_is_no_rule_set(tmp_path: Path, base: str, line: str, says: str) -> None:
    file = tmp_path / "hostile.toml"
    file.write_text(f'extends = "{base}"\n{line}', encoding="utf-8")
    with pytest.raises(RuleError) as caught:
        rulesets.load_any(file)
    assert str(file) in str(caught.value)
    assert says in str(caught.value)


def test_a_folder_or_pipe_named_like_a_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "folder.toml").mkdir()
    for name in ("pipe.toml", "folder.toml", "zero\0.toml"):
        with pytest.raises(RuleError, match="it is not a file"):
            rulesets.load_any(tmp_path / name)


def test_a_file_of_another_systems_editor_is_read(tmp_path: Path) -> None:
    file = tmp_path / "club.toml"
    file.write_bytes(b'\xef\xbb\xbfextends = "tenhou-4p"\r\nhonba = 1500\r\n')
    assert rulesets.load(file).honba == 1500


def test_one_option_changed_changes_exactly_the_hands_it_is_about() -> None:
    rows = [
        win("223344m567p678s55s", "7p", riichi=True),  # 4 han 30 fu
        win("234567m345p22s678s", "8s", riichi=True),
        win("1133m5577p2288s44z", "4z", riichi=True, ippatsu=True),
    ]
    plain = scored(rows, rulesets.get("tenhou-4p")).wins["points"].to_list()
    raised = scored(rows, mine('extends = "tenhou-4p"\nkiriage_mangan = true')).wins["points"]
    assert plain == [7700, 3900, 6400]
    assert raised.to_list() == [8000, 3900, 6400]
