"""What hands wait for: the documents' examples, the kernels of replay, and impossible questions."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from paifu.calculator.tile_waits import Waits, waits
from paifu.cli.main import run
from paifu.errors import HandError, RuleError
from paifu.game.tiles import KIND_OF, TEXT, parse_tiles, tiles_text
from paifu.rules.hands import shanten as kernels
from paifu.rules.hands.suit_tables import suit_tables
from tests.helpers.random_hands import random_hand


def tiles_of(found: Waits) -> str:
    return " ".join(wait.tile for wait in found.waits)


def some_tiles(rng: np.random.Generator, count: int) -> np.ndarray:
    """Concealed tiles, int8[34], near enough to a hand that some are tenpai."""
    while True:
        counts = np.zeros(34, dtype=np.int8)
        for _ in range(count // 3):
            if rng.random() < 0.6:
                start = 9 * rng.integers(3) + rng.integers(7)
                counts[start : start + 3] += 1
            else:
                counts[rng.integers(34)] += 3
        counts[rng.integers(34)] += count % 3
        for _ in range(rng.integers(3)):
            counts[rng.choice(np.flatnonzero(counts))] -= 1
            counts[rng.integers(34)] += 1
        if counts.max() <= 4:
            return counts


# --- the guide to the keyboard notation


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("xxxcvbtyudddf", "2s 4s 5s"),
        ("ertyuimmsd vvV", "1s 4s"),
        ("11122qwecvbdf", "2s 5s"),
        ("11122qwecvbsf", "3s"),
        ("11122qwecvbas", "3s"),
        ("11122qwecvbss", "2s 2z"),
        ("111222qwecvbs", "2s"),
        ("11qqrrzzvvass", "1s"),
        ("999 999 999 99 df", "2s 5s"),
        ("999 999 999 99 ss", "2s 99"),
        ("999 999 999 999 5", "5z"),
    ],
)
def test_the_examples_of_the_keyboard_notation(hand: str, expected: str) -> None:
    found = waits(hand, notation="keyboard")
    assert found.shanten == 0
    assert tiles_of(found) == expected


def test_a_wait_without_a_yaku_says_so() -> None:
    one, four = waits("ertyuimmsd vvV", notation="keyboard").waits
    assert (one.tile, four.tile) == ("1s", "4s")
    assert one.ron is None
    assert "no yaku" in str(one.no_ron)
    assert four.ron is not None
    assert list(four.ron.yaku) == ["tanyao"]


# --- against the kernels that replay uses


def test_waits_and_useful_tiles_are_those_of_the_kernels() -> None:
    rng, tables = np.random.default_rng(7), suit_tables()
    tenpai = 0
    for _ in range(60):
        counts = some_tiles(rng, 13)
        text = tiles_text(np.repeat(np.arange(34), counts))
        found = waits(text, riichi=True)
        assert found.shanten == kernels.shanten(tables, counts, 0), text
        mask = int(kernels.waits(tables, counts, 0))
        assert [wait.tile for wait in found.waits] == [
            TEXT[kind] for kind in range(34) if mask >> kind & 1
        ], text  # fmt: skip
        tenpai += found.shanten == 0
        if found.shanten:
            live = (4 - counts).astype(np.int8)
            useful, total = kernels.useful(tables, counts, 0, live)
            assert sum(each.left for each in found.useful) == total, text
            assert len(found.useful) == int(useful).bit_count(), text
    assert 10 < tenpai < 50


def test_every_winning_hand_was_waiting_for_its_tile() -> None:
    rng = random.Random(5)
    for _ in range(20):
        win = random_hand(rng)
        row = win.row()
        tiles = parse_tiles(row["hand"])
        tiles.remove(parse_tiles(row["win_tile"])[0])
        found = waits(f"{tiles_text(tiles)} {row['melds']}")
        kind = KIND_OF[parse_tiles(row["win_tile"])[0]]
        assert TEXT[kind] in tiles_of(found).split(), row


def test_the_best_discard_of_fourteen_comes_first() -> None:
    found = waits("234m067p345s88s679m")
    assert [(each.tile, each.shanten, each.left) for each in found.discards[:2]] == [
        ("9m", 0, 8), ("6m", 0, 4),
    ]  # fmt: skip
    assert all(each.shanten == 1 for each in found.discards[2:])
    assert waits("234m067p345s88s678m").shanten == -1


# --- tiles that are left


def test_tiles_seen_are_not_left() -> None:
    found = waits("123m pon:777z 45p99s chi:123s", seen="3p6p6p")
    assert [(wait.tile, wait.left) for wait in found.waits] == [("3p", 3), ("6p", 2)]
    found = waits("123m pon:777z 45p99s chi:123s", dora="3p", seen="3p3p3p")
    assert [wait.left for wait in found.waits] == [0, 4]


def test_a_hand_that_holds_all_its_waits_is_not_tenpai() -> None:
    """The fifth copy of a tile is nothing to wait for, as replay has it at a draw."""
    found = waits("1111m456m789p123s")
    assert found.shanten == 1
    assert found.waits == ()


def test_three_players_have_no_middle_manzu() -> None:
    found = waits("1999m123456p7899s", rules="tenhou-3p")
    assert not {wait.tile for wait in found.waits} & {f"{n}m" for n in range(2, 9)}
    with pytest.raises(HandError, match="tenhou-3p has no 2m"):
        waits("2999m123456p7899s", rules="tenhou-3p")


# --- other games


def test_knitted_tiles_of_chinese_official() -> None:
    found = waits("147m258s369p1234z", rules="mcr")
    assert tiles_of(found) == "5z 6z 7z"
    assert [wait.ron.han for wait in found.waits if wait.ron] == [24, 24, 24]
    assert waits("147m258s369p1123z", rules="mcr").shanten is None


def test_a_suit_too_many_is_a_wait_without_a_win() -> None:
    """四川 wants one suit missing (缺一门)."""
    found = waits("123m456p789s1122s3s", rules="sichuan")
    assert all(wait.ron is None and wait.no_ron for wait in found.waits)


# --- what cannot be asked


@pytest.mark.parametrize(
    ("hand", "options", "said"),
    [
        ("11m", {}, "13 tiles, or 14"),
        ("11111m23456p789s", {}, "more than four copies"),
        ("123456789m1234p", {"haitei": True}, "known only with the win"),
        ("1z", {"rules": "nanchang-jing"}, "pays hands by their names"),
        ("123m 99 99 999", {}, "one pair"),
        ("8m", {"notation": "mjai"}, "13 tiles"),
        ("xxxcvbtyudddf D", {"notation": "keyboard"}, "leave it out"),
    ],
)
def test_what_cannot_be_asked_is_told(hand: str, options: dict[str, object], said: str) -> None:
    with pytest.raises(HandError, match=said):
        waits(hand, **options)  # type: ignore[arg-type]


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["waits", "234m067p345s88s67m", "--riichi", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [wait["tile"] for wait in found["waits"]] == ["5m", "8m"]
    assert run(["waits", "234m067p345s88s67m", "--riichi", "--seat", "south"]) == 0
    assert "4 han 30 fu: 7,700" in capsys.readouterr().out
    assert run(["waits", "123m456p789s1122z", "--lang", "ja"]) == 0
    said = capsys.readouterr().out
    assert "聴牌" in said
    assert "待ちは2種4枚" in said
    assert "役なし" in said  # on 2z
    assert "東家、東場" in said
    assert run(["waits"]) == 2
    assert run(["waits", "123m", "--rules", "nosuch"]) == 2
    assert capsys.readouterr().err.count("\n") == 2
    with pytest.raises(RuleError):
        waits("123m", rules="nosuch")
