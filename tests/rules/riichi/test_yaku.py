"""What each yaku needs, its value, what it excludes, and the options that change this."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from paifu.rules import rulesets
from paifu.rules.riichi.all_yaku import RULES, STANDARD_YAKU, YAKU_VALUES
from paifu.rules.riichi.ruleset import RuleSet
from paifu.rules.riichi.toml_rules import parse
from paifu.schema.yaku import YAKU
from tests.helpers.winning_hands import Row, result, win


def ruleset(lines: str = "") -> RuleSet:
    text = f'extends = "{"tenhou-3p" if "kita" in lines else "tenhou-4p"}"\n{lines}'
    return parse(text, name="test", get=rulesets.get, where="test.toml")


def allow(*keys: str) -> str:
    return f"[yaku]\nallow = {list(keys)}\n"


PLAIN = ruleset()


def yaku(hand: Row, lines: str = "") -> dict[str, int]:
    found: dict[str, int] = result(hand, ruleset(lines) if lines else PLAIN)["yaku"]
    return found


def test_every_rule_is_in_the_vocabulary_and_only_there_once() -> None:
    keys = [rule.key for rule in RULES]
    assert len(keys) == len(set(keys))
    riichi = {each.key for each in YAKU if each.family == "riichi"}
    assert set(keys) <= riichi
    assert riichi - set(keys) == {
        "dora", "ura_dora", "aka_dora", "kita", "nagashi_mangan",
    }  # fmt: skip
    for rule in RULES:
        assert set(rule.instead_of) <= set(keys)


# Each hand has exactly these yaku under Tenhou's rules. Seat 1 (south) wins in an east round.
STANDARD: list[tuple[str, str, dict[str, Any], dict[str, int]]] = [
    ("menzen_tsumo", "123m456p789s33322z 2z", {"by": "tsumo"}, {"menzen_tsumo": 1}),
    ("riichi", "123m456p789s333s22z 2z", {"riichi": True}, {"riichi": 1}),
    ("double_riichi", "123m456p789s333s22z 2z", {"riichi": True, "double_riichi": True},
     {"double_riichi": 2}),
    ("ippatsu", "123m456p789s333s22z 2z", {"riichi": True, "ippatsu": True},
     {"riichi": 1, "ippatsu": 1}),
    ("chankan", "123m456p789s333s22z 9s", {"chankan": True}, {"chankan": 1}),
    ("rinshan", "123m456p789s22z 2z", {"by": "tsumo", "rinshan": True, "melds": "kan:3333s"},
     {"rinshan": 1}),
    ("haitei", "123m456p789s22z 2z", {"by": "tsumo", "haitei": True, "melds": "pon:333s"},
     {"haitei": 1}),
    ("houtei", "123m456p789s22z 2z", {"houtei": True, "melds": "pon:333s"}, {"houtei": 1}),
    ("pinfu", "123m456p789s678s99m 8s", {}, {"pinfu": 1}),
    ("pinfu with a guest wind pair", "123m456p789s678s33z 8s", {}, {"pinfu": 1}),
    ("no pinfu on a penchan", "123m456p678s99m789s 3m", {"riichi": True}, {"riichi": 1}),
    ("no pinfu on the seat wind", "123m456p789s678s22z 8s", {"riichi": True}, {"riichi": 1}),
    ("tanyao", "345m567p22s678s 4m", {"melds": "pon:888p"}, {"tanyao": 1}),
    ("iipeikou", "112233m567p999s22z 2m", {}, {"iipeikou": 1}),
    ("no iipeikou in an open hand", "112233m567p22z 2m", {"melds": "pon:999s", "houtei": True},
     {"houtei": 1}),
    ("ryanpeikou", "112233m667788p22z 2m", {}, {"ryanpeikou": 3}),
    ("ryanpeikou of four like runs", "11112222333344m 4m", {}, {"chinitsu": 6, "ryanpeikou": 3,
                                                              "pinfu": 1}),
    ("ittsuu", "123456789m567p22z 2z", {}, {"ittsuu": 2}),
    ("ittsuu open", "456789m567p22z 2z", {"melds": "chi:123m"}, {"ittsuu": 1}),
    ("sanshoku_doujun", "234m234p234s678s22z 2z", {}, {"sanshoku_doujun": 2}),
    ("sanshoku_doujun open", "234m234p678s22z 2z", {"melds": "chi:234s"}, {"sanshoku_doujun": 1}),
    ("sanshoku_doukou", "333m333p456s22z 6s", {"melds": "pon:333s"}, {"sanshoku_doukou": 2}),
    ("toitoi", "333m777p22z 2z", {"melds": "pon:999s pon:444z"}, {"toitoi": 2}),
    ("sanankou", "333m777p999s456s22z 6s", {}, {"sanankou": 2}),
    ("no third concealed triplet by ron", "333m777p999s456s99p 9s", {"riichi": True},
     {"riichi": 1}),
    ("sankantsu", "456s22z 6s", {"melds": "kan:3333m ankan:7777p kakan:9999s"}, {"sankantsu": 2}),
    ("value tiles", "555z66m456s 6s", {"melds": "pon:111z pon:222z"},
     {"seat_south": 1, "round_east": 1, "haku": 1}),
    ("double wind", "456s789p22z 6s", {"melds": "pon:111z chi:123m", "seat_wind": 0},
     {"seat_east": 1, "round_east": 1}),
    ("guest wind", "456s789p22z 6s", {"melds": "pon:333z chi:123m", "houtei": True},
     {"houtei": 1}),
    ("shousangen", "55566677z456s123m 6s", {}, {"shousangen": 2, "haku": 1, "hatsu": 1}),
    ("chanta", "123m789p999s123s44z 4z", {}, {"chanta": 2}),
    ("chanta open", "123m789p123s44z 4z", {"melds": "pon:999s"}, {"chanta": 1}),
    ("junchan", "123m789p999s123s99m 9m", {}, {"junchan": 3}),
    ("junchan open", "123m789p123s99m 9m", {"melds": "pon:999s"}, {"junchan": 2}),
    ("honroutou", "111m999p33z 3z", {"melds": "pon:999s pon:444z"}, {"honroutou": 2, "toitoi": 2}),
    ("honroutou of pairs", "1199m1199p99s3344z 4z", {}, {"honroutou": 2, "chiitoitsu": 2}),
    ("honitsu", "123567999m222z44z 4z", {}, {"honitsu": 3, "seat_south": 1}),
    ("honitsu open", "123567m33344z 4z", {"melds": "pon:999m"}, {"honitsu": 2}),
    ("chinitsu", "12356799955m678m 8m", {}, {"chinitsu": 6}),
    ("chinitsu open", "12355678m678m 8m", {"melds": "pon:999m"}, {"chinitsu": 5}),
    ("chiitoitsu", "1133m5577p2288s44z 4z", {}, {"chiitoitsu": 2}),
    # yakuman
    ("tenhou", "123m456p789s333s22z 2z", {"by": "tsumo", "first_turn": True, "seat_wind": 0},
     {"tenhou": 13}),
    ("chihou", "123m456p789s333s22z 2z", {"by": "tsumo", "first_turn": True}, {"chihou": 13}),
    ("no renhou", "123m456p345s99m678s 8s", {"first_turn": True}, {"pinfu": 1}),
    ("kokushi", "19m19p19s12345677z 6z", {}, {"kokushi": 13}),
    ("kokushi_13", "19m19p19s12345677z 7z", {}, {"kokushi_13": 13}),
    ("suuankou", "333m777p999s111s22z 3m", {"by": "tsumo"}, {"suuankou": 13}),
    ("suuankou_tanki", "333m777p999s111s22z 2z", {}, {"suuankou_tanki": 13}),
    ("suukantsu", "22z 2z", {"melds": "kan:3333m ankan:7777p kakan:9999s kan:1111s"},
     {"suukantsu": 13}),
    ("daisangen", "555666z45699s 6s", {"melds": "pon:777z"},
     {"daisangen": 13}),
    ("shousuushii", "111222z456s44z 6s", {"melds": "pon:333z"}, {"shousuushii": 13}),
    ("daisuushii", "111222z99s 9s", {"melds": "pon:333z pon:444z"}, {"daisuushii": 13}),
    ("tsuuiisou", "111555z66z 6z", {"melds": "pon:333z pon:444z"}, {"tsuuiisou": 13}),
    ("tsuuiisou of pairs", "11223344556677z 7z", {}, {"tsuuiisou": 13}),
    ("chinroutou", "111m999p11s 1s", {"melds": "pon:999s pon:111p"}, {"chinroutou": 13}),
    ("ryuuiisou", "234234666s88s 8s", {"melds": "pon:666z"}, {"ryuuiisou": 13}),
    ("ryuuiisou without the dragon", "234234666s22s 4s", {"melds": "pon:888s"}, {"ryuuiisou": 13}),
    ("chuuren", "1112345678999p5p 1p", {}, {"chuuren": 13}),
    ("junsei_chuuren", "1112345678999p5p 5p", {}, {"junsei_chuuren": 13}),
    ("composite", "111222z33z 3z", {"melds": "pon:444z pon:555z"},
     {"shousuushii": 13, "tsuuiisou": 13}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("hand", "facts", "expected"),
    [case[1:] for case in STANDARD],
    ids=[case[0] for case in STANDARD],
)
def test_the_standard_yaku(hand: str, facts: dict[str, Any], expected: dict[str, int]) -> None:
    tiles, tile = hand.split()
    assert yaku(win(tiles, tile, **facts)) == expected


def test_every_standard_yaku_has_an_example() -> None:
    shown = {key for *_, expected in STANDARD for key in expected}
    assert set(STANDARD_YAKU) - shown == {
        "seat_west", "seat_north", "round_south", "round_west", "round_north", "chun",
    }  # fmt: skip


# --- options

CLOSED = "123m456p789s333s22z"


@pytest.mark.parametrize(
    ("lines", "hand", "expected"),
    [
        ("", win("345m567p22s678s", "4m", melds="pon:888p", kuitan=False), {}),
        ('kuitan = "on"', win("345m567p22s678s", "4m", melds="pon:888p", kuitan=False),
         {"tanyao": 1}),
        ('kuitan = "off"', win("345m567p22s678s", "4m", melds="pon:888p"), {}),
        ("pinfu_tsumo = false", win("123m456p345s99m678s", "8s", by="tsumo"), {"menzen_tsumo": 1}),
        ("ippatsu_with_chankan = false",
         win(CLOSED, "9s", riichi=True, ippatsu=True, chankan=True), {"riichi": 1, "chankan": 1}),
        ("haitei_with_rinshan = true",
         win("123m456p789s22z", "2z", by="tsumo", rinshan=True, haitei=True, melds="kan:3333s"),
         {"rinshan": 1, "haitei": 1}),
        ("", win("123m456p789s22z", "2z", by="tsumo", rinshan=True, haitei=True,
                 melds="kan:3333s"), {"rinshan": 1}),
        ("houtei_after_rinshan = false",
         win(CLOSED, "2z", riichi=True, houtei=True, after_rinshan=True), {"riichi": 1}),
        ("", win(CLOSED, "2z", riichi=True, houtei=True, after_rinshan=True),
         {"riichi": 1, "houtei": 1}),
        ("rinshan_after_kita = false",
         win("999m456p789s333s22z", "2z", by="tsumo", players=3, melds="kita", rinshan=True,
             after_kita=True, haitei=True), {"menzen_tsumo": 1, "haitei": 1, "kita": 1}),
        ("ryanpeikou_distinct = true", win("111122223333m55p", "5p"), {"sanankou": 2}),
        ("", win("111122223333m55p", "5p"), {"ryanpeikou": 3}),
        ("chuuren_manzu = true", win("1112345678999p5p", "1p"), {"chinitsu": 6}),
        ("ryuuiisou_hatsu = true", win("234234666s22s", "4s", melds="pon:888s"),
         {"chinitsu": 5, "tanyao": 1}),
        ('[yaku]\nforbid = ["chiitoitsu"]', win("112233m667788p22z", "2m"), {"ryanpeikou": 3}),
        ('[yaku]\nforbid = ["chiitoitsu"]', win("1133m5577p2288s44z", "4z"), {}),
        ("[yaku.values]\nhonroutou = {closed = 3, open = 2}",
         win("1199m1199p99s3344z", "4z"), {"honroutou": 3, "chiitoitsu": 2}),
        ("chiitoitsu_fu = 50\n[yaku.values]\nchiitoitsu = 1", win("1133m5577p2288s44z", "4z"),
         {"chiitoitsu": 1}),
        ("", win("19m19p19s11234567z", "1z", by="tsumo", first_turn=True, seat_wind=0),
         {"tenhou": 13, "kokushi_13": 13}),
        ("tenhou_shows_wait = false",
         win("19m19p19s11234567z", "1z", by="tsumo", first_turn=True, seat_wind=0),
         {"tenhou": 13, "kokushi": 13}),
        ("tenhou_shows_wait = false",
         win("333m777p999s111s22z", "2z", by="tsumo", first_turn=True, seat_wind=0),
         {"tenhou": 13, "suuankou": 13}),
        ("tenhou_shows_wait = false", win("1112345678999p5p", "5p", by="tsumo", first_turn=True),
         {"chihou": 13, "junsei_chuuren": 13}),
        ("[yaku.values]\ntenhou = 'double_yakuman'",
         win(CLOSED, "2z", by="tsumo", first_turn=True, seat_wind=0), {"tenhou": 26}),
    ],
)  # fmt: skip
def test_an_option_changes_what_counts(lines: str, hand: Row, expected: dict[str, int]) -> None:
    assert yaku(hand, lines) == expected


def test_two_han_are_needed_from_five_honba_on_where_the_rule_set_says_so() -> None:
    hand = win(CLOSED, "2z", riichi=True, dora_indicators=["2s"])
    for honba, status in ((4, "ok"), (5, "no_yaku")):
        assert result(hand | {"honba": honba}, ruleset("two_han_honba = 5"))["status"] == status
    double = hand | {"double_riichi": True, "honba": 5}
    assert result(double, ruleset("two_han_honba = 5"))["han"] == 5


def test_dora_alone_is_no_yaku() -> None:
    hand = win("234m567p22s999s", "4m", melds="chi:345s", dora_indicators=["8s"])
    assert result(hand, PLAIN)["status"] == "no_yaku"


# --- fu


@pytest.mark.parametrize(
    ("hand", "lines", "fu"),
    [
        (win("123m456p789s333s22z", "2z", riichi=True), "", 40),  # 20 + 10 + 4 + 2 pair + 2 tanki
        (win("123m456p789s333s22z", "2z", by="tsumo"), "", 30),  # 20 + 2 + 4 + 2 + 2
        (win("123m456p345s99m678s", "8s", by="tsumo"), "", 20),
        (win("123m456p345s99m678s", "8s", by="tsumo"), "pinfu_tsumo = false", 30),
        (win("345m567p22s", "4m", melds="chi:678s chi:456p"), "", 30),
        (win("345m567p22s", "5m", melds="chi:678s chi:456p"), "", 30),
        (win("345m567p22s", "5m", melds="chi:678s chi:456p"), 'open_pinfu_fu = "20"', 20),
        (win("345m567p22s", "5m", melds="chi:678s chi:456p"),
         'open_pinfu_fu = "30_at_one_han"', 30),
        (win("345m567p22s", "5m", melds="chi:678s chi:456p", dora_indicators=["1s"]),
         'open_pinfu_fu = "30_at_one_han"', 20),
        (win("123m789p11z", "2m", by="tsumo", melds="pon:555z chi:456s", seat_wind=0), "", 40),
        (win("123m789p11z", "2m", by="tsumo", melds="pon:555z chi:456s", seat_wind=0),
         "double_wind_pair_fu = 2", 30),
        (win("234m678m345s11z", "5s", seat_wind=0, by="tsumo", melds="ankan:5555p", rinshan=True),
         "rinshan_tsumo_fu = false", 40),
        (win("1133m5577p2288s44z", "4z"), "chiitoitsu_fu = 30", 30),
        (win("19m19p19s12345677z", "7z"), "", 0),
        # 20 + 32 + 32 + 16 + 4 pair of a double wind + 2 tanki + 2 tsumo = 108
        (win("234m11z", "1z", by="tsumo", seat_wind=0, melds="ankan:9999m ankan:9999p ankan:5555s"),
         "", 110),
    ],
)  # fmt: skip
def test_fu(hand: Row, lines: str, fu: int) -> None:
    assert result(hand | {"honba": 0}, ruleset(lines))["fu"] == fu


# --- local yaku


@pytest.mark.parametrize("key", [rule.key for rule in RULES if rule.key not in STANDARD_YAKU])
def test_a_local_yaku_counts_only_where_it_is_allowed(key: str) -> None:
    for name in rulesets.names():
        allowed = key in rulesets.get(name).yaku
        # rooms of Riichi City may have open riichi
        opened = key in ("open_riichi", "open_double_riichi") and name.startswith("riichicity")
        assert allowed == (opened or (key == "renhou" and name in ("wrc", "ema")))
    assert ruleset(allow(key)).yaku[key] == YAKU_VALUES[key]


STONES = win("5556777788899m9m", "6m", by="tsumo")
EXPRESS = win("123456789p11144z", "4z")
WHEELS = win("22334455667788p", "2p")
STARS = win("11223344556677z", "7z")
UNCONNECTED = win("147m258p369s12344z", "4z", seat_wind=0, by="tsumo", first_turn=True)
OPEN_RIICHI = win(CLOSED, "2z", riichi=True, open_riichi=True)


@pytest.mark.parametrize(
    ("lines", "hand", "expected"),
    [
        (allow("open_riichi"), OPEN_RIICHI, {"open_riichi": 2}),
        ("open_riichi_yakuman = true\n" + allow("open_riichi"), OPEN_RIICHI, {"open_riichi": 13}),
        ("open_riichi_yakuman = true\n" + allow("open_riichi"),
         OPEN_RIICHI | {"loser_state": "riichi"}, {"open_riichi": 2}),
        ("open_riichi_yakuman = true\n" + allow("open_riichi"),
         OPEN_RIICHI | {"tsumo": True, "loser": None}, {"open_riichi": 2, "menzen_tsumo": 1}),
        (allow("open_riichi", "open_double_riichi"), OPEN_RIICHI | {"double_riichi": True},
         {"open_double_riichi": 3}),
        (allow("sanshoku_tsuukan"), win("123m456p789s99p222s", "9p"), {"sanshoku_tsuukan": 2}),
        (allow("sanshoku_tsuukan"), win("123m789s99p222s", "9p", melds="chi:456p"),
         {"sanshoku_tsuukan": 1}),
        ("[yaku.values]\nsanshoku_tsuukan = {closed = 1}",
         win("123m789s99p222s", "9p", melds="chi:456p", houtei=True), {"houtei": 1}),
        (allow("isshoku_sanjun"), win("223344m24m22z567p3m", "3m"), {"isshoku_sanjun": 2}),
        (allow("isshoku_sanjun"), win("223344m22z567p", "7p", melds="chi:234m"),
         {"isshoku_sanjun": 2}),
        ("[yaku.values]\nisshoku_sanjun = {closed = 2, open = 1}",
         win("223344m22z567p", "7p", melds="chi:234m"), {"isshoku_sanjun": 1}),
        ("", win("223344m234m22z567p", "3m"), {"iipeikou": 1}),
        ("", win("223344m234m22z567p", "7p"), {"sanankou": 2}),
        (allow("sanrenkou"), win("444m22z567p", "7p", melds="pon:555m kan:6666m"),
         {"sanrenkou": 2}),
        (allow("sanrenkou"), win("444z22z567p", "7p", melds="pon:555z pon:666z"),
         {"haku": 1, "hatsu": 1, "honitsu": 2}),
        (allow("renhou"), win(CLOSED, "2z", first_turn=True), {"renhou": 13}),
        ("[yaku.values]\nrenhou = 'mangan'", win(CLOSED, "2z", first_turn=True, riichi=False),
         {"renhou": 5}),
        ("[yaku.values]\nrenhou = 'baiman'",
         win(CLOSED, "2z", first_turn=True, dora_indicators=["2s"]), {"renhou": 8, "dora": 3}),
        (allow("shiisanpuutaa"), UNCONNECTED, {"shiisanpuutaa": 13}),
        ("shiisanpuutaa_with_tenhou = true\n" + allow("shiisanpuutaa"), UNCONNECTED,
         {"shiisanpuutaa": 13, "tenhou": 13}),
        (allow("daichisei"), STARS, {"daichisei": 26}),
        ("daichisei_with_tsuuiisou = true\n" + allow("daichisei"), STARS,
         {"daichisei": 26, "tsuuiisou": 13}),
        (allow("daisharin"), WHEELS, {"daisharin": 13}),
        (allow("daisharin"), win("22334455667788s", "2s"),
         {"chinitsu": 6, "ryanpeikou": 3, "tanyao": 1, "pinfu": 1}),
        ('daisharin_suits = "any"\n' + allow("daisharin"), win("22334455667788s", "2s"),
         {"daisharin": 13}),
        (allow("daisharin"), win("22334455678p", "2p", melds="chi:678p"),
         {"chinitsu": 5, "tanyao": 1}),
        (allow("touhoku_shinkansen"), EXPRESS, {"touhoku_shinkansen": 13}),
        (allow("touhoku_shinkansen"), win("123456789s11444z", "1z"), {"touhoku_shinkansen": 13}),
        ("touhoku_souzu = true\n" + allow("touhoku_shinkansen"), EXPRESS,
         {"honitsu": 3, "ittsuu": 2, "round_east": 1}),
        ("[yaku.values]\ntouhoku_shinkansen = {closed = 'yakuman'}",
         win("456789p11144z", "4z", melds="chi:123p"),
         {"honitsu": 2, "ittsuu": 1, "round_east": 1}),
        (allow("hyakumangoku"), STONES, {"hyakumangoku": 13}),
        (allow("hyakumangoku"), win("88899m", "9m", melds="kan:7777m kan:6666m pon:555m"),
         {"hyakumangoku": 13}),
        (allow("junsei_hyakumangoku"), STONES, {"junsei_hyakumangoku": 26}),
        (allow("isshoku_yonjun"), win("11112222333344m", "4m"), {"isshoku_yonjun": 13}),
        (allow("isshoku_yonjun"), win("11122233344m", "4m", melds="chi:123m"),
         {"isshoku_yonjun": 13}),
        (allow("suurenkou"), win("333444m99p", "9p", melds="pon:555m pon:666m"),
         {"suurenkou": 13}),
        (allow("beni_kujaku"), win("111555s77s", "7s", melds="pon:999s pon:777z"),
         {"beni_kujaku": 13}),
        (allow("paarenchan"), win("123m456p345s99m678s", "8s", seat_wind=0, dealer_wins=7),
         {"paarenchan": 13}),
        (allow("paarenchan"), win("123m456p345s99m678s", "8s", seat_wind=0, dealer_wins=6),
         {"pinfu": 1}),
        (allow("paarenchan"), win("123m456p345s99m678s", "8s", dealer_wins=7), {"pinfu": 1}),
        (allow("paarenchan"), win("123m456p345s99m678s", "8s", seat_wind=0, dealer_rounds=7),
         {"paarenchan": 13}),
        (allow("paarenchan"), win("123m456p345s99m678s", "8s", seat_wind=0, dealer_rounds=6),
         {"pinfu": 1}),
        ('paarenchan = "won"\n' + allow("paarenchan"),
         win("123m456p345s99m678s", "8s", seat_wind=0, dealer_rounds=9, dealer_wins=6),
         {"pinfu": 1}),
        ('paarenchan = "won"\n' + allow("paarenchan"),
         win("123m456p345s99m678s", "8s", seat_wind=0, dealer_rounds=7, dealer_wins=7),
         {"paarenchan": 13}),
        (allow("junsei_ryuuiisou"), win("234234666s22s", "4s", melds="pon:888s"),
         {"junsei_ryuuiisou": 26}),
        (allow("junsei_ryuuiisou"), win("234234666s88s", "8s", melds="pon:666z"),
         {"ryuuiisou": 13}),
    ],
)  # fmt: skip
def test_local_yaku_and_their_variants(lines: str, hand: Row, expected: dict[str, int]) -> None:
    assert yaku(hand, lines) == expected


def test_a_renhou_that_adds_to_nothing_counts_alone_or_not_at_all() -> None:
    wrc = rulesets.get("wrc")
    cheap = result(win(CLOSED, "2z", first_turn=True, dora_indicators=["2s"]), wrc)
    assert (cheap["yaku"], cheap["points"], cheap["limit"]) == ({"renhou": 5}, 8000, "mangan")
    dear = result(win("12356799955m678m", "8m", first_turn=True), wrc)
    assert (dear["yaku"], dear["limit"]) == ({"chinitsu": 6}, "haneman")


def test_big_wheels_in_seven_pairs_and_in_sets_are_the_same_hand() -> None:
    for tile in "2345678":
        assert yaku(win("22334455667788p", f"{tile}p"), allow("daisharin")) == {"daisharin": 13}


# --- the han a win needs


@pytest.mark.parametrize(("counts", "status"), [(True, "ok"), (False, "no_yaku")])
def test_ippatsu_counts_toward_two_han_where_the_rule_set_has_it(counts: bool, status: str) -> None:
    """In Tenhou's yaku table, ippatsu and dora do not count towards the minimum han of a win."""
    assert rulesets.get("tenhou-4p").min_han_ippatsu is False
    assert rulesets.get("general").min_han_ippatsu is True
    two_han = replace(rulesets.get("general"), two_han_honba=5, min_han_ippatsu=counts)
    hand = win("13m456p789s99m678s2m", "2m", riichi=True, ippatsu=True, honba=5)
    assert result(hand, two_han)["status"] == status
    assert result(hand | {"honba": 4}, two_han)["status"] == "ok"
    tsumo = win("13m456p789s99m678s2m", "2m", by="tsumo", riichi=True, ippatsu=True, honba=5)
    assert result(tsumo, two_han)["yaku"] == {"menzen_tsumo": 1, "riichi": 1, "ippatsu": 1}


_THREE_RUNS = "chi:123m chi:456p chi:789p"
_SIMPLES = "chi:345p chi:678p chi:234s"
ATOZUKE = [
    ("a pair of a value tile and another", "11s55z5z", "5z", {"melds": _THREE_RUNS}, False),
    ("two pairs of value tiles", "66z55z5z", "5z", {"melds": _THREE_RUNS}, True),
    ("tanyao on one side", "23m4m55s", "4m", {"melds": _SIMPLES}, False),
    ("tanyao on both sides", "34m5m55s", "5m", {"melds": _SIMPLES}, True),
    ("a called value tile", "23m4m55s", "4m", {"melds": "pon:555z chi:678p chi:234s"}, True),
    ("pinfu", "23m1m55s345p678p234s", "1m", {}, True),
    ("riichi", "13m2m55s345p678p789s", "2m", {"riichi": True}, True),
    ("closed tsumo", "13m2m55s345p678p789s", "2m", {"by": "tsumo"}, True),
    ("houtei alone", "11s22s2s", "2s", {"melds": _THREE_RUNS, "houtei": True}, False),
    ("sanshoku on one side", "678m678p67s8s22z", "8s", {"melds": "chi:234p"}, False),
    ("the other side is in a kan", "678m678p67s8s22z", "8s", {"melds": "kan:5555s"}, True),
]


@pytest.mark.parametrize(
    ("hand", "tile", "facts", "certain"), [row[1:] for row in ATOZUKE], ids=[r[0] for r in ATOZUKE]
)
def test_without_atozuke_a_hand_needs_its_yaku_on_every_tile_it_waits_for(
    hand: str, tile: str, facts: dict[str, Any], certain: bool
) -> None:
    general = rulesets.get("general")
    row = win(hand, tile, **facts)
    free = result(row, general)
    assert free["status"] == "ok"
    bound = result(row, replace(general, atozuke=False))
    assert bound["status"] == ("ok" if certain else "uncertain_yaku")
    if certain:
        assert bound == free
