"""Chinese Official compared with its book, another engine, and published cases."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from paifu.rules.games.mcr import FAN, MCR
from paifu.rules.hands.shapes import ANKAN, CHI, DAIMINKAN, KAKAN, PON
from tests.rules.games.mcr_hands import Win, fan_of, other_engine, random_wins, win

LATER_TABLES = MCR.with_options({"minimum": 0, "mixed_kongs": True, "exhausted_waits": True})
"""The options under which PyMahjongGB counts: its 明暗杠 is 5, and a wait is not unique where the
hand could also be completed by a fifth copy."""


def test_the_table_has_81_fan_of_the_book() -> None:
    later = {"two_concealed_kongs_8", "concealed_and_melded_kong"}
    grades = Counter(fan.points for fan in FAN if fan.key not in later)
    assert [grades[p] for p in (88, 64, 48, 32, 24, 16, 12, 8, 6, 4, 2, 1)] == [
        7, 6, 2, 3, 9, 6, 5, 9, 7, 4, 10, 13,
    ]  # fmt: skip


EXAMPLES: tuple[tuple[Win, dict[str, int], int, list[int]], ...] = (
    # winner, discarder, others
    (win("34p77z", "2p", [("chi", "123p"), ("pung", "444s"), ("chi", "789m")]), {"无番和": 8}, 8,
     [32, -16, -8]),
    (win("456s23m345p55m", "4m", [("chi", "123s")]), {"三色三步高": 6, "平和": 2, "连六": 1}, 9,
     [33, -17, -8]),
    (win("123456789m34p99s", "2p", tsumo=True), {"清龙": 16, "不求人": 4, "平和": 2}, 22,
     [90, -30, -30]),
    (win("33m22s77p1144z55z7z", "7z"), {"七对": 24, "五门齐": 6}, 30, [54, -38, -8]),
    (win("33m22s77p1144z55z7z", "7z", tsumo=True), {"七对": 24, "五门齐": 6, "自摸": 1}, 31,
     [117, -39, -39]),
    (win("147m258s369p2567z", "4z"), {"全不靠": 12, "组合龙": 12}, 24, [48, -32, -8]),
    (win("567m67m99m", "8m", [("pung", "777z"), ("chi", "123m")], flowers=2),
     {"混一色": 6, "箭刻": 2, "花牌": 2}, 10, [34, -18, -8]),
)  # fmt: skip


@pytest.mark.parametrize(("hand", "fan", "total", "deltas"), EXAMPLES)
def test_worked_examples(hand: Win, fan: dict[str, int], total: int, deltas: list[int]) -> None:
    (found,), (row,) = fan_of([hand], MCR)
    assert found == Counter(fan)
    assert row["han"] == total
    assert [row["delta_1"], row["delta_2"], row["delta_3"]] == deltas
    assert row["delta_0"] == row["delta_3"]


def test_flowers_do_not_make_up_the_minimum() -> None:
    hand = win("567m67m33z", "8m", [("chi", "123m"), ("pung", "444m")], flowers=2)
    _, (row,) = fan_of([hand], MCR)
    assert row["status"] == "no_yaku"
    assert row["delta_1"] is None
    assert fan_of([hand], MCR.with_options({"minimum": 6}))[1][0]["han"] == 8


@pytest.mark.parametrize(
    ("hand", "fan"),
    [
        # the book's examples: pages 58, 62 (three), 63, 64, 65, 71, and rules of pages 56, 64, 65,
        # 77, 79
        (win("444z2z123s", "2z", [("pung", "111z"), ("pung", "333z")], round_wind=1),
         {"小四喜": 64, "混一色": 6, "全带幺": 4, "单钓将": 1}),
        (win("1232343454561m", "1m"), {"一色四步高": 32, "清一色": 24, "门前清": 2, "平和": 2}),
        (win("123345567789s5p", "5p"),
         {"一色四步高": 32, "平和": 2, "门前清": 2, "缺一门": 1, "单钓将": 1}),
        (win("123456789123m7m", "7m"),
         {"清一色": 24, "清龙": 16, "平和": 2, "门前清": 2, "一般高": 1}),
        # four kongs do not count together with a kong or a single wait
        (win("5p", "5p", [("kong", "1111m"), ("kong", "3333m"), ("kong", "7777s"),
                          ("kong", "9999p")]),
         {"四杠": 88, "全求人": 6, "无字": 1, "幺九刻": 2}),
        # seven pairs may have four of a kind, and honours
        (win("1111m2233p4455s6m", "6m"), {"七对": 24, "四归一": 2, "无字": 1}),
        (win("112233445566z7z", "7z"), {"字一色": 64, "七对": 24}),
        # a knitted straight with a melded set
        (win("147m258s369p5z", "5z", [("pung", "333z")], round_wind=1),
         {"组合龙": 12, "五门齐": 6, "幺九刻": 1, "单钓将": 1}),
        # with little four winds and three winds, the pungs of seat and round wind count
        (win("444z2z123s", "2z", [("pung", "111z"), ("pung", "333z")], seat_wind=2),
         {"小四喜": 64, "混一色": 6, "全带幺": 4, "圈风刻": 2, "门风刻": 2, "单钓将": 1}),
        (win("444z2m", "2m", [("pung", "111z"), ("pung", "333z"), ("chi", "789s")], seat_wind=2),
         {"三风刻": 12, "圈风刻": 2, "门风刻": 2, "缺一门": 1, "单钓将": 1}),
        (win("222333444m333z5p", "5p", tsumo=True),
         {"四暗刻": 64, "一色三节高": 24, "自摸": 1, "单钓将": 1, "缺一门": 1, "幺九刻": 1}),
        (win("22s33s", "2s", [("kong", "2222m"), ("kong", "3333m"), ("kong", "4444m")]),
         {"三杠": 32, "一色三节高": 24, "小于五": 12, "碰碰和": 6, "断幺": 2, "双同刻": 2,
          "缺一门": 1}),
        (win("1122334455667m", "7m"), {"连七对": 88}),
        (win("1112345678999m", "9m", tsumo=True),
         {"九莲宝灯": 88, "清龙": 16, "四归一": 2, "自摸": 1}),
        (win("1112345678999m", "5m"), {"九莲宝灯": 88, "双暗刻": 2, "幺九刻": 1}),
        (win("1234567z17m25p36s", "9s"), {"七星不靠": 24}),
    ],
)  # fmt: skip
def test_hands_of_the_book(hand: Win, fan: dict[str, int]) -> None:
    (found,), _ = fan_of([hand], MCR)
    assert found == Counter(fan)


def compare(wins: list[Win]) -> Counter[tuple[tuple[str, int], ...]]:
    """Count the differences from PyMahjongGB, each as more (+) or fewer (-) fan."""
    found, rows = fan_of(wins, LATER_TABLES)
    differences: Counter[tuple[tuple[str, int], ...]] = Counter()
    for hand, mine, row in zip(wins, found, rows, strict=True):
        theirs = other_engine(hand)
        assert sum(mine.values()) == sum(theirs.values()) == row["han"], (hand, mine, theirs)
        more = {name: mine[name] - theirs[name] for name in mine | theirs}
        if any(more.values()):
            differences[tuple(sorted((n, d) for n, d in more.items() if d))] += 1
    return differences


EQUAL_READINGS = {
    (("坎张", 1), ("边张", -1)),
    (("坎张", -1), ("边张", 1)),
}
"""Two readings of equal value, with an edge wait and with a closed wait: both are right."""


def test_agrees_with_another_engine() -> None:
    assert set(compare(list(random_wins(1, 5000)))) <= EQUAL_READINGS


@pytest.mark.slow
def test_agrees_with_another_engine_on_many_hands() -> None:
    assert set(compare(list(random_wins(2, 100_000)))) <= EQUAL_READINGS


def test_random_wins_show_nearly_every_fan() -> None:
    found, _ = fan_of(list(random_wins(4, 30_000)), LATER_TABLES)
    seen = {name for each in found for name in each}
    rare = {"十三幺", "九莲宝灯", "一色双龙会", "三色双龙会", "推不倒"}
    assert {fan.name for fan in FAN} - seen <= rare


def test_payments_sum_to_zero_and_order_does_not_matter() -> None:
    wins = list(random_wins(6, 1500))
    turned = [
        Win(**{**vars(each), "tiles": each.tiles[::-1], "melds": each.melds[::-1]}) for each in wins
    ]
    found, rows = fan_of(wins, MCR)
    again, _ = fan_of(turned, MCR)
    for row in rows:
        deltas = [row[f"delta_{seat}"] for seat in range(4)]
        assert deltas == [None] * 4 if row["status"] != "ok" else sum(deltas) == 0
    assert [sum(each.values()) for each in found] == [sum(each.values()) for each in again]


# --- published cases, written like [EEE,2][SSSS,1]WWWNN55pN|EE1000

POINTS = {fan.name: fan.points for fan in FAN}
_HONOURS = {letter: 27 + kind for kind, letter in enumerate("ESWNPFC")}
_NAMES = {
    "DASIXI": "大四喜", "DASANYUAN": "大三元", "LVYISE": "绿一色", "JIULIANBAODENG": "九莲宝灯",
    "SIGANG": "四杠", "LIANQIDUI": "连七对", "SHISANYAO": "十三幺", "QINGYAOJIU": "清幺九",
    "XIAOSIXI": "小四喜", "XIAOSANYUAN": "小三元", "ZIYISE": "字一色", "SIANKE": "四暗刻",
    "YISESHUANGLONGHUI": "一色双龙会", "YISESITONGSHUN": "一色四同顺",
    "YISESIJIEGAO": "一色四节高", "YISESIBUGAO": "一色四步高", "SANGANG": "三杠",
    "HUNYAOJIU": "混幺九", "QIDUI": "七对", "QIXINGBUKAO": "七星不靠", "QUANSHUANGKE": "全双刻",
    "QINGYISE": "清一色", "YISESANTONGSHUN": "一色三同顺", "YISESANJIEGAO": "一色三节高",
    "QUANDA": "全大", "QUANZHONG": "全中", "QUANXIAO": "全小", "QINGLONG": "清龙",
    "SANSESHUANGLONGHUI": "三色双龙会", "YISESANBUGAO": "一色三步高", "QUANDAIWU": "全带五",
    "SANTONGKE": "三同刻", "SANANKE": "三暗刻", "QUANBUKAO": "全不靠", "ZUHELONG": "组合龙",
    "DAYUWU": "大于五", "XIAOYUWU": "小于五", "SANFENGKE": "三风刻", "HUALONG": "花龙",
    "TUIBUDAO": "推不倒", "SANSESANTONGSHUN": "三色三同顺", "SANSESANJIEGAO": "三色三节高",
    "WUFANHU": "无番和", "MIAOSHOUHUICHUN": "妙手回春", "HAIDILAOYUE": "海底捞月",
    "GANGSHANGKAIHUA": "杠上开花", "QIANGGANGHU": "抢杠和", "PENGPENGHU": "碰碰和",
    "HUNYISE": "混一色", "SANSESANBUGAO": "三色三步高", "WUMENQI": "五门齐",
    "QUANQIUREN": "全求人", "SHUANGANGANG": "双暗杠", "SHUANGJIANKE": "双箭刻",
    "MINGANGANG": "明暗杠", "QUANDAIYAO": "全带幺", "BUQIUREN": "不求人",
    "SHUANGMINGGANG": "双明杠", "HUJUEZHANG": "和绝张", "JIANKE": "箭刻", "QUANFENGKE": "圈风刻",
    "MENFENGKE": "门风刻", "MENQIANQING": "门前清", "PINGHU": "平和", "SIGUIYI": "四归一",
    "SHUANGTONGKE": "双同刻", "SHUANGANKE": "双暗刻", "ANGANG": "暗杠", "DUANYAO": "断幺",
    "YIBANGAO": "一般高", "XIXIANGFENG": "喜相逢", "LIANLIU": "连六", "LAOSHAOFU": "老少副",
    "YAOJIUKE": "幺九刻", "MINGGANG": "明杠", "QUEYIMEN": "缺一门", "WUZI": "无字",
    "BIANZHANG": "边张", "KANZHANG": "坎张", "QIANZHANG": "坎张", "DANDIAOJIANG": "单钓将",
    "ZIMO": "自摸", "HUAPAI": "花牌",
}  # fmt: skip


def kinds_in(text: str) -> list[int]:
    kinds: list[int] = []
    numbers: list[int] = []
    for character in text:
        if character.isdigit():
            numbers.append(int(character))
        elif character in _HONOURS:
            kinds.append(_HONOURS[character])
        else:
            kinds += [9 * "mps".index(character) + number - 1 for number in numbers]
            numbers.clear()
    return kinds


def published(text: str) -> Win:
    """Read a case: melds in brackets with the feeder, tiles, winds and four circumstances."""
    tiles, _, circumstances = text.partition("|")
    circumstances = circumstances or "EE0000"
    melds: list[tuple[int, int]] = []
    for meld, giver in re.findall(r"\[([^\],]+)(?:,(\d))?\]", tiles):
        kinds = kinds_in(meld)
        if len(set(kinds)) > 1:
            melds.append((CHI, min(kinds)))
        elif len(kinds) == 3:
            melds.append((PON, kinds[0]))
        else:
            kong = ANKAN if giver in ("", "0") else KAKAN if int(giver) > 3 else DAIMINKAN
            melds.append((kong, kinds[0]))
    *hand, tile = kinds_in(re.sub(r"\[[^\]]*\]", "", tiles))
    circumstances, _, flowers = circumstances.partition("|")
    round_wind, seat_wind = ("ESWN".index(wind) for wind in circumstances[:2])
    tsumo, last_copy, last_tile, about_kong = (flag == "1" for flag in circumstances[2:6])
    count = int(flowers) if flowers.isdigit() else len(flowers)
    return Win(
        hand, tile, melds, tsumo, count, seat_wind, round_wind, last_copy, about_kong, last_tile
    )


def test_published_cases(corpus: Path) -> None:
    cases: list[dict[str, Any]] = json.loads((corpus / "oracles" / "mcr_cases.json").read_text())[
        "fanCases"
    ]
    found, _ = fan_of([published(case["input"]) for case in cases], LATER_TABLES)
    differing = []
    for case, mine in zip(cases, found, strict=True):
        answers = [case["expectedNames"], case["altExpectedNames"] or []]
        wanted = [Counter(_NAMES[name.removeprefix("FAN_")] for name in each) for each in answers]
        times = Counter({name: points // POINTS[name] for name, points in mine.items()})
        if times not in wanted:
            differing.append((case["input"], times - wanted[0], wanted[0] - times))
    assert differing == []
