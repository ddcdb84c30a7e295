"""Agreement with two independent engines, PyPI ``mahjong`` and ``riichienv``, on random hands."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from paifu.rules import rulesets
from paifu.rules.riichi.ruleset import RuleSet
from paifu.rules.riichi.toml_rules import parse
from paifu.schema.yaku import YAKU
from tests.helpers.random_hands import RandomHand, by_mahjong, by_riichienv, is_open, random_hand
from tests.helpers.winning_hands import Row, scored, yaku_lists

TENHOU_ID = {yaku.key: yaku.tenhou for yaku in YAKU} | {"kita": 52}
PLAYERS = {"tenhou-4p": 4, "tenhou-3p": 3}
FEW, MANY = 5_000, 100_000


def changed(name: str, lines: str) -> RuleSet:
    return parse(f'extends = "{name}"\n{lines}', name="test", get=rulesets.get, where="test.toml")


def hands_of(players: int, count: int, seed: int) -> list[RandomHand]:
    rng = random.Random(f"{seed} {players}")
    return [random_hand(rng, players) for _ in range(count)]


def score_all(hands: list[RandomHand], ruleset: RuleSet) -> list[tuple[Row, dict[str, int]]]:
    found = scored([hand.row() for hand in hands], ruleset)
    return list(zip(found.wins.iter_rows(named=True), yaku_lists(found, len(hands)), strict=True))


def tenhou_ids(yaku: dict[str, int]) -> dict[int | None, int]:
    """Return han by Tenhou's id, with norths counted as dora."""
    out: Counter[int | None] = Counter()
    for key, han in yaku.items():
        out[TENHOU_ID[key]] += han
    return dict(out)


def shares(hand: RandomHand, row: Row) -> tuple[int, int]:
    """Return the payments of one loser (the dealer first, if it pays) and of another non-dealer."""
    each = row["honba_points"] // (hand.players - 1) if hand.tsumo else row["honba_points"]
    paid = [
        -row[f"delta_{seat}"] - each
        for seat in range(hand.players)
        if seat != hand.seat_wind and row[f"delta_{seat}"] < 0
    ]
    return paid[0], paid[-1] if hand.tsumo else 0


def mahjong_view(hand: RandomHand, row: Row, yaku: dict[str, int]) -> Any:
    """Return our score in the form of :func:`by_mahjong`."""
    if row["status"] != "ok":
        return None
    ids = tenhou_ids(yaku)
    han = 13 * row["yakuman"] if row["yakuman"] else row["han"]
    return ids, han, row["fu"], *shares(hand, row)


def differing(hands: list[RandomHand], ruleset: RuleSet, **options: Any) -> list[Any]:
    out = []
    for hand, (row, yaku) in zip(hands, score_all(hands, ruleset), strict=True):
        ours, theirs = mahjong_view(hand, row, yaku), by_mahjong(hand, **options)
        if ours is not None and theirs is not None and row["yakuman"]:
            # mahjong counts 20 or more fu for a yakuman, also for kokushi
            ours, theirs = (*ours[:2], *ours[3:]), (*theirs[:2], *theirs[3:])
        if ours != theirs:
            out.append((hand.row(), ours, theirs))
    return out


@pytest.mark.parametrize("name", PLAYERS)
def test_mahjong_agrees_in_every_yaku_han_fu_and_payment(name: str) -> None:
    hands = hands_of(PLAYERS[name], FEW, seed=1)
    differ = differing(hands, rulesets.get(name))
    assert not differ, f"{len(differ)} differ; the first: {differ[0]}"


@pytest.mark.slow
@pytest.mark.parametrize("name", PLAYERS)
def test_mahjong_agrees_on_many_hands(name: str) -> None:
    for seed in range(10):
        differ = differing(hands_of(PLAYERS[name], MANY // 10, 100 + seed), rulesets.get(name))
        assert not differ, f"{len(differ)} differ; the first: {differ[0]}"


OPTIONS: dict[str, tuple[str, dict[str, Any]]] = {
    "kuitan": ('kuitan = "off"', {"has_open_tanyao": False}),
    "aka": ('red_fives = "off"', {"has_aka_dora": False}),
    "kiriage": ("kiriage_mangan = true", {"kiriage": True}),
    "open_pinfu": ('open_pinfu_fu = "20"', {"fu_for_open_pinfu": False}),
    "pinfu_tsumo": ("pinfu_tsumo = false", {"fu_for_pinfu_tsumo": True}),
    "sanbaiman_cap": ('counted_yakuman = "off"', {"kazoe_limit": 1}),
    "double_yakuman": (
        "[yaku.values]\n"
        + "\n".join(
            f'{key} = "double_yakuman"'
            for key in ("suuankou_tanki", "kokushi_13", "junsei_chuuren", "daisuushii")
        ),
        {"has_double_yakuman": True},
    ),
}  # fmt: skip


@pytest.mark.parametrize("option", OPTIONS)
def test_mahjong_agrees_under_each_option_it_shares(option: str) -> None:
    lines, options = OPTIONS[option]
    hands = hands_of(4, 1500, seed=2)
    if option == "open_pinfu":  # mahjong then also leaves out the fu for tsumo
        hands = [hand for hand in hands if not hand.tsumo]
    plain = score_all(hands, rulesets.get("tenhou-4p"))
    ruleset = changed("tenhou-4p", lines)
    assert [row for row, _ in score_all(hands, ruleset)] != [row for row, _ in plain]
    differ = differing(hands, ruleset, **options)
    assert not differ, f"{len(differ)} differ; the first: {differ[0]}"


MAJSOUL_ID = {yaku.key: yaku.majsoul for yaku in YAKU}
MAJSOUL_YAKUMAN = set(range(35, 51))


def riichienv_differences(players: int, count: int, seed: int) -> list[Any]:
    out = []
    hands = hands_of(players, count, seed)
    for hand, (row, yaku) in zip(
        hands, score_all(hands, rulesets.get(f"majsoul-{players}p")), strict=True
    ):
        theirs = by_riichienv(hand)
        if row["status"] != "ok" or not theirs.is_win:
            if (row["status"] == "ok") != theirs.is_win:
                out.append((hand.row(), row, theirs))
            continue
        if {"tenhou", "kokushi"} <= set(yaku):
            continue  # RiichiEnv reads the dealer's fourteen tiles as a thirteen-sided wait
        ours = sorted(MAJSOUL_ID[key] for key in yaku)
        paid = shares(hand, row)
        if hand.tsumo:
            told = (theirs.tsumo_agari_ko, theirs.tsumo_agari_ko)
            if hand.seat_wind:
                told = (theirs.tsumo_agari_oya, theirs.tsumo_agari_ko)
        else:
            told = (theirs.ron_agari, 0)
        han = 13 * row["yakuman"] if row["yakuman"] else row["han"]
        same = (ours, han, paid) == (sorted(theirs.yaku), theirs.han, told)
        if row["yakuman"] == 1 and theirs.han >= 13 and not MAJSOUL_YAKUMAN & set(theirs.yaku):
            assert paid == told  # of two yakuman readings, RiichiEnv names the counted one
            continue
        if not same or (not row["yakuman"] and row["fu"] != theirs.fu):
            out.append((hand.row(), row, yaku, theirs.yaku, theirs.han, theirs.fu, told))
    return out


@pytest.mark.parametrize("players", [4, 3])
def test_riichienv_agrees_under_mahjong_soul_rules(players: int) -> None:
    differ = riichienv_differences(players, FEW, seed=3)
    assert not differ, f"{len(differ)} differ; the first: {differ[0]}"


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 3])
def test_riichienv_agrees_on_many_hands(players: int) -> None:
    for seed in range(10):
        differ = riichienv_differences(players, MANY // 10, 200 + seed)
        assert not differ, f"{len(differ)} differ; the first: {differ[0]}"


def test_the_random_hands_reach_every_standard_yaku() -> None:
    hands = hands_of(4, 20_000, seed=4)
    found = {key for _, yaku in score_all(hands, rulesets.get("tenhou-4p")) for key in yaku}
    assert found >= set(rulesets.get("tenhou-4p").yaku) - {"chinroutou"}
    assert any(is_open(hand) for hand in hands)
