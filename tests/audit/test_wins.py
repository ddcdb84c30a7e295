"""Wins compared with their record, and illegal wins, on hands written by hand."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from paifu.audit.legality import SEAT_COLUMNS
from paifu.audit.wide_rounds import YAKU_TYPE, Play
from paifu.audit.win_checks import audit_wins, score_wins
from paifu.rules import rulesets
from paifu.schema.tables import TABLES
from tests.audit.games_by_hand import EMPTY

TENHOU = rulesets.get("tenhou-4p")
SANMA = rulesets.get("tenhou-3p")
TYPES = {
    "int16": pl.Int16, "int32": pl.Int32, "int64": pl.Int64, "bool": pl.Boolean, "text": pl.String,
    "double": pl.Float64, "list<text>": pl.List(pl.String), "list<int16>": pl.List(pl.Int16),
}  # fmt: skip

# T4-4 of the worked examples: 30 fu 4 han by ron from the dealer
PINFU = {
    "players": 4, "winner": 2, "loser": 0, "tsumo": False, "dealer": 0, "round_wind": 0,
    "seat_wind": 2, "hand": "223344567m678s55s", "melds": "", "win_tile": "7m", "riichi": True,
    "furiten": "none", "dora_indicators": ["1z"], "ura_indicators": ["2z"], "aka": True,
    "kuitan": True, "kita_ron": False, "riichi_tiles_left": 30, "points_start": 25000,
    "han": 4, "fu": 30, "yakuman": 0, "limit": "none", "points": 7700, "honba_points": 0,
    "stick_points": 1000, "honba": 0, "sticks": 1, "dora_han": 0, "aka_han": 0, "ura_han": 0,
    "delta_0": -7700, "delta_1": 0, "delta_2": 8700, "delta_3": 0,
}  # fmt: skip
PINFU["hand"] = "22334456m678s55s7m"
PINFU_YAKU = {"riichi": 1, "pinfu": 1, "tanyao": 1, "iipeikou": 1}

# T3-1: two norths set aside, tsumo, honba 1
NORTHS = {
    "players": 3, "winner": 1, "loser": None, "tsumo": True, "dealer": 0, "round_wind": 0,
    "seat_wind": 1, "hand": "234567p345s678s99s", "melds": "kita kita", "win_tile": "8s",
    "riichi": True, "furiten": "none", "dora_indicators": ["1z"], "ura_indicators": ["2p"],
    "aka": True, "kuitan": True, "kita_ron": False, "riichi_tiles_left": 30,
    "points_start": 35000, "han": 6, "fu": 20, "yakuman": 0, "limit": "haneman", "points": 9000,
    "honba": 1, "sticks": 1, "honba_points": 200, "stick_points": 1000, "dora_han": 2,
    "aka_han": 0, "ura_han": 1, "delta_0": -6100, "delta_1": 10200, "delta_2": -3100,
}  # fmt: skip
NORTHS_YAKU = {"riichi": 1, "menzen_tsumo": 1, "pinfu": 1, "dora": 2, "ura_dora": 1}


def a_play(*wins, yaku=None):
    """Return the play of wins, given as dicts; ``yaku`` are those recorded for the first."""
    types = {column.name: TYPES[column.type] for column in TABLES["wins"].columns}
    types |= dict.fromkeys(SEAT_COLUMNS, pl.Int32) | {"furiten_riichi": pl.Boolean}
    types |= {"breach": pl.String, "table_honba": pl.Int16, "aborts_passed": pl.List(pl.String)}
    types |= {"dora_missing": pl.Boolean, "overdrawn": pl.Boolean, "own_yaku": pl.Boolean}
    types |= {"riichi_unknown": pl.Boolean}
    flags = {name: False for name, dtype in types.items() if dtype == pl.Boolean}
    counts = dict.fromkeys(SEAT_COLUMNS, 0)
    rows = [
        flags | counts | {"game_id": 7, "round_index": 0, "win_index": index, "dealer_wins": 0}
        | {"honba": 0, "sticks": 0, "table_honba": 0} | win
        for index, win in enumerate(wins)
    ]  # fmt: skip
    listed = [
        {"game_id": 7, "round_index": 0, "win_index": 0, "yaku": key, "han": han}
        for key, han in (yaku or {}).items()
    ]
    yaku_types = {"game_id": pl.Int64, "round_index": pl.Int16, "win_index": pl.Int16}
    return Play(
        players=wins[0]["players"],
        games=pl.DataFrame(schema=dict.fromkeys(("game_id", "ruleset", "detail"), pl.String)),
        seats=EMPTY,
        rounds=EMPTY,
        round_seats=EMPTY,
        wins=pl.DataFrame(rows, schema=types, orient="row"),
        win_yaku=pl.DataFrame(
            listed, schema=yaku_types | {"yaku": YAKU_TYPE, "han": pl.Int16}, orient="row"
        ),
        draws=EMPTY,
        seeds=EMPTY,
    )


def audited(*wins, yaku=None, rules=TENHOU):
    play = a_play(*wins, yaku=yaku)
    return audit_wins(play, score_wins(play, rules), rules, 1)


def status(verdicts):
    return verdicts.verdicts["status"].to_list()


def differing(verdicts):
    return {row["field"]: (row["recorded"], row["computed"]) for row in verdicts.fields.to_dicts()}


def reason(verdicts):
    assert status(verdicts) == ["illegal"]
    return verdicts.verdicts["reason"].item()


def test_a_win_recorded_as_it_is_worth():
    assert status(audited(PINFU, yaku=PINFU_YAKU)) == ["match"]


@pytest.mark.parametrize(
    ("field", "wrong", "computed"),
    [
        ("han", 3, "4"), ("fu", 40, "30"), ("points", 8000, "7700"), ("limit", "mangan", "none"),
        ("delta_0", -8000, "-7700"), ("stick_points", 0, "1000"), ("ura_han", 1, "0"),
        ("yakuman", 1, "0"), ("aka_han", 1, "0"), ("pao_seat", 3, None),
    ],
)  # fmt: skip
def test_each_field_that_differs_is_named(field, wrong, computed):
    verdicts = audited(PINFU | {field: wrong}, yaku=PINFU_YAKU)
    assert status(verdicts) == ["mismatch"]
    assert differing(verdicts) == {field: (str(wrong), computed)}


@pytest.mark.parametrize(
    ("recorded", "text"),
    [
        ({"riichi": 1, "pinfu": 1, "tanyao": 1}, "riichi 1, pinfu 1, tanyao 1"),
        (PINFU_YAKU | {"iipeikou": 2}, "riichi 1, pinfu 1, tanyao 1, iipeikou 2"),
        (
            {"riichi": 1, "ippatsu": 1, "tanyao": 1, "iipeikou": 1},
            "riichi 1, ippatsu 1, tanyao 1, iipeikou 1",
        ),
    ],
)
def test_a_list_of_yaku_that_differs_is_written_out(recorded, text):
    verdicts = audited(PINFU, yaku=recorded)
    assert differing(verdicts) == {"yaku": (text, "riichi 1, pinfu 1, tanyao 1, iipeikou 1")}


def test_a_record_without_yaku_or_value_is_not_compared():
    bare = dict.fromkeys(("han", "fu", "points", "limit", "yakuman", "delta_0"))
    assert status(audited(PINFU | bare)) == ["match"]


def test_set_aside_norths_are_folded_into_dora_where_the_record_does_so():
    assert status(audited(NORTHS, yaku=NORTHS_YAKU, rules=SANMA)) == ["match"]
    apart = NORTHS | {"dora_han": 0, "kita_han": 2}
    listed = NORTHS_YAKU | {"kita": 2}
    del listed["dora"]
    assert status(audited(apart, yaku=listed, rules=SANMA)) == ["match"]


def test_a_riichi_win_whose_ura_dora_nobody_knows_cannot_be_scored():
    unknown = PINFU | {"ura_indicators": []}
    assert status(audited(unknown, yaku=PINFU_YAKU)) == ["unscorable"]
    without = replace(TENHOU, ura_dora=False)
    assert status(audited(unknown, yaku=PINFU_YAKU, rules=without)) == ["match"]


# --- legality ---


def test_riichi_is_not_needed_for_a_legal_win_but_a_yaku_is():
    no_yaku = {"hand": "123m456p789s11z99m9m", "win_tile": "9m", "riichi": False, "seat_wind": 2}
    no_yaku |= {"ura_indicators": [], "dora_indicators": ["2z"]}
    assert reason(audited(PINFU | no_yaku)) == "the hand has no yaku"


def test_a_hand_that_is_not_complete_or_cannot_be():
    assert "not complete" in reason(audited(PINFU | {"hand": "22334456m678s15s7m"}))
    assert "four copies" in reason(audited(PINFU | {"dora_indicators": ["2m", "2m", "2m"]}))
    hidden = audited(PINFU | {"hand": "0z0z0z0z0z0z0z0z0z0z0z0z0z7m"})
    assert status(hidden) == ["unscorable"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"furiten": "own"}, "among the seat's own discards"),
        ({"furiten": "riichi"}, "passed in riichi"),
        ({"furiten": "temporary"}, "passed this turn"),
        ({"breach": "riichi_noten"}, "not tenpai"),
        ({"breach": "win_without_tile"}, "not just drawn"),
        ({"riichi_tiles_left": 3}, "fewer than 4 tiles"),
        ({"points_start": 900}, "less than 1000 points"),
        ({"riichi_broken": 1}, "other than the one drawn"),
        ({"riichi_kan_drawn": 1}, "without the tile just drawn"),
        ({"riichi_kan_wait": 1}, "changed the wait"),
        ({"kuikae": 1}, "the tile called"),
        ({"kuikae_suji": 1}, "other end"),
        ({"ankan_ron": True, "chankan": True}, "an ankan cannot be robbed"),
    ],
)
def test_what_is_not_allowed_has_its_reason(more, words):
    assert words in reason(audited(PINFU | more, yaku=PINFU_YAKU))


def test_a_tsumo_is_never_furiten():
    tsumo = NORTHS | {"furiten": "own"}
    assert status(audited(tsumo, yaku=NORTHS_YAKU, rules=SANMA)) == ["match"]


def test_what_another_rule_set_allows_is_legal_there():
    for more, option in (
        ({"points_start": 0}, {"riichi_needs_points": False}),
        ({"riichi_tiles_left": 1}, {"riichi_min_tiles": 1}),
        ({"kuikae": 1}, {"kuikae": "allowed"}),
        ({"kuikae_suji": 1}, {"kuikae": "same"}),
        ({"furiten_riichi": True}, {}),
    ):
        rules = replace(TENHOU, **option)
        assert status(audited(PINFU | more, yaku=PINFU_YAKU, rules=rules)) == ["match"]
    strict = replace(TENHOU, furiten_riichi=False)
    assert reason(audited(PINFU | {"furiten_riichi": True}, rules=strict)) == "riichi in furiten"


ORPHANS = {"hand": "19m19p19s1123456z7z", "win_tile": "7z", "riichi": False, "ankan_ron": True,
           "chankan": True, "ura_indicators": [], "dora_indicators": ["2m"],
           "sticks": 0}  # fmt: skip


@pytest.mark.parametrize(
    ("rule_set", "hand", "words"),
    [
        ("tenhou-4p", ORPHANS, "an ankan cannot be robbed"),
        ("majsoul-4p", ORPHANS, None),
        ("majsoul-4p", {"ankan_ron": True, "chankan": True}, "only thirteen orphans may rob"),
    ],
)
def test_an_ankan_is_robbed_by_thirteen_orphans_where_the_rule_set_lets_them(rule_set, hand, words):
    verdicts = audited(PINFU | hand, rules=rulesets.get(rule_set))
    if words is None:
        assert "illegal" not in status(verdicts)
    else:
        assert words in reason(verdicts)


def test_a_north_passed_as_it_is_set_aside_is_furiten_where_the_rule_set_counts_it():
    ron = NORTHS | {"tsumo": False, "loser": 0, "furiten": "riichi"}
    only_north, tile_too = ron | {"passed": 2}, ron | {"passed": 3}
    soul = rulesets.get("majsoul-3p")
    assert SANMA.kita_pass_furiten
    assert not soul.kita_pass_furiten
    assert "passed in riichi" in reason(audited(only_north, rules=SANMA))
    assert "passed in riichi" in reason(audited(tile_too, rules=soul))
    assert "illegal" not in status(audited(only_north, rules=soul))


def test_a_north_set_aside_right_after_a_pon_is_for_the_rule_set_to_allow():
    early = NORTHS | {"kita_after_pon": 1}
    assert "right after a pon" in reason(audited(early, yaku=NORTHS_YAKU, rules=SANMA))
    free = replace(SANMA, kita_after_pon=True)
    assert status(audited(early, yaku=NORTHS_YAKU, rules=free)) == ["match"]


def test_only_as_many_winners_of_a_tile_as_the_rules_have():
    later = {"honba": 0, "sticks": 0, "stick_points": 0, "delta_2": 7700}
    two = (PINFU, PINFU | later)
    assert status(audited(*two)) == ["match", "match"]
    league = rulesets.get("mleague")
    assert status(audited(*two, rules=league))[1] == "illegal"
    three = (*two, PINFU | later)
    assert status(audited(*three)) == ["illegal"] * 3  # three winners abort the round
    without = replace(TENHOU, sanchahou=False)
    assert status(audited(*three, rules=without)) == ["match", "match", "illegal"]
    assert status(audited(*three, rules=rulesets.get("majsoul-4p"))) == ["match"] * 3


def test_a_win_that_depends_on_settings_of_the_room_is_scored_by_rules_that_know_them_only():
    other = PINFU | {"own_yaku": True, "han": 13, "points": 32000}
    unknown, known = rulesets.get("majsoul-custom"), rulesets.get("majsoul-4p")
    verdicts = audited(other, rules=unknown)
    assert status(verdicts) == ["unscorable"]
    assert verdicts.verdicts["reason"].to_list() == ["the room has yaku or payments of its own"]
    assert status(audited(other, rules=known)) == ["mismatch"]
    none = PINFU | {"own_yaku": True, "hand": "22334456m678s99s7m", "riichi": False, "melds": ""}
    assert status(audited(none | {"furiten": "own"}, rules=unknown)) == ["illegal"]


def test_an_ankan_passed_is_furiten_for_thirteen_orphans_where_they_may_rob_it():
    ron = ORPHANS | {"ankan_ron": False, "chankan": False, "passed": 4}
    assert "illegal" not in status(audited(PINFU | ron, rules=TENHOU))
    words = "ron in furiten: a winning tile passed this turn"
    assert reason(audited(PINFU | ron, rules=rulesets.get("majsoul-4p"))) == words
