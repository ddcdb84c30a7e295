"""Wins scored by others: Tenhou's wins as another program lists them, and Mahjong Soul's yaku."""

from __future__ import annotations

from pathlib import Path

import pytest

from paifu.rules import rulesets
from paifu.schema.yaku import YAKU
from tests.helpers.winning_hands import cases, majiang_row, majsoul_row, scored, yaku_lists

TENHOU_NAMES = {
    "赤ドラ": "aka_dora", "立直": "riichi", "ドラ": "dora", "門前清自摸和": "menzen_tsumo",
    "断幺九": "tanyao", "平和": "pinfu", "裏ドラ": "ura_dora", "翻牌 中": "chun",
    "翻牌 發": "hatsu", "翻牌 白": "haku", "一発": "ippatsu", "場風 東": "round_east",
    "場風 南": "round_south", "場風 西": "round_west", "混一色": "honitsu",
    "三色同順": "sanshoku_doujun", "一盃口": "iipeikou", "七対子": "chiitoitsu",
    "自風 東": "seat_east", "自風 南": "seat_south", "自風 西": "seat_west",
    "自風 北": "seat_north", "一気通貫": "ittsuu", "対々和": "toitoi", "混全帯幺九": "chanta",
    "三暗刻": "sanankou", "清一色": "chinitsu", "海底摸月": "haitei", "純全帯幺九": "junchan",
    "河底撈魚": "houtei", "ダブル立直": "double_riichi", "嶺上開花": "rinshan",
    "四暗刻": "suuankou", "三色同刻": "sanshoku_doukou", "小三元": "shousangen",
    "混老頭": "honroutou", "二盃口": "ryanpeikou", "国士無双": "kokushi",
}  # fmt: skip
MAJSOUL_ID = {yaku.key: yaku.majsoul for yaku in YAKU}


def test_ten_thousand_tenhou_wins_agree_in_yaku_fu_han_and_every_payment(corpus: Path) -> None:
    expected = cases(corpus / "oracles" / "tenhou_wins_10000.json")
    found = scored([majiang_row(case) for case in expected], rulesets.get("tenhou-4p"))
    yaku = yaku_lists(found, len(expected))
    differ = []
    for index, (case, row) in enumerate(
        zip(expected, found.wins.iter_rows(named=True), strict=True)
    ):
        out = case["out"]
        limit_hand = out["damanguan"] is not None
        names = {
            TENHOU_NAMES[each["name"]]: 13 if limit_hand else each["fanshu"]
            for each in out["hupai"]
        }
        wanted = (names, out["fanshu"], out["defen"], out["fenpei"], out["damanguan"] or 0)
        got = (
            yaku[index], row["han"], row["points"], [row[f"delta_{seat}"] for seat in range(4)],
            row["yakuman"],
        )  # fmt: skip
        if wanted != got or (not limit_hand and out["fu"] != row["fu"]):
            differ.append((case, row, yaku[index]))
    assert not differ, f"{len(differ)} differ; the first: {differ[0]}"


@pytest.mark.parametrize(("name", "players"), [("majsoul-4p", 4), ("majsoul-3p", 3)])
def test_mahjong_soul_wins_agree_in_yaku_han_and_fu(corpus: Path, name: str, players: int) -> None:
    expected = cases(corpus / "oracles" / f"riichi_wins_{players}p.json")
    found = scored([majsoul_row(case) for case in expected], rulesets.get(name))
    yaku = yaku_lists(found, len(expected))
    differ = []
    for index, (case, row) in enumerate(
        zip(expected, found.wins.iter_rows(named=True), strict=True)
    ):
        out = case["expected"]
        han = 13 * row["yakuman"] if row["yakuman"] else row["han"]
        ids = sorted(MAJSOUL_ID[key] for key in yaku[index])
        if (out["han"], sorted(out["yaku"])) != (han, ids) or (
            not row["yakuman"] and out["fu"] != row["fu"]
        ):
            differ.append((case, row, yaku[index]))
    assert not differ, f"{len(differ)} differ; the first: {differ[0]}"
