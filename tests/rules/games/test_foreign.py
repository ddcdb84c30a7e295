"""A rule set reports a tile or a fact that its game does not have."""

from __future__ import annotations

from typing import Any

import pytest

from paifu.calculator.hand_scores import score
from paifu.errors import HandError
from paifu.game.tiles import KINDS, TEXT
from paifu.rules import rulesets
from paifu.rules.fan.game import TABLE_FACTS, Game
from paifu.rules.hands.faults import FAULTS
from paifu.rules.riichi.ruleset import RuleSet

NAMES = (*rulesets.names(), *rulesets.game_names())
BY_TILES = [name for name in NAMES if name != "nanchang-jing"]
OTHERS = [name for name in rulesets.game_names() if name != "nanchang-jing"]
SOUZU = "111123456789s"
"""Four sets of a suit that every game has, to which a pair is added."""


def rules(name: str, **options: Any) -> RuleSet | Game:
    found = rulesets.get_any(name)
    return found.with_options(options) if isinstance(found, Game) else found


def foreign_kinds(game: RuleSet | Game) -> list[int]:
    if isinstance(game, Game):
        return [kind for kind in range(KINDS) if kind not in game.tile_kinds]
    return list(range(1, 8)) if game.players == 3 else []


def why_not(hand: str, win: str | None, game: RuleSet | Game, **facts: Any) -> str:
    with pytest.raises(HandError) as caught:
        score(hand, win, rules=game, **facts)
    return str(caught.value)


@pytest.mark.parametrize("name", BY_TILES)
def test_a_tile_the_game_does_not_have(name: str) -> None:
    game = rules(name)
    for kind in foreign_kinds(game):
        tile = TEXT[kind]
        said = why_not(f"{SOUZU} {tile}", tile, game)
        assert f"{name} has no {tile}" in said or f"three players have no 2m-8m: {tile}" in said
    if not isinstance(game, Game) or "flowers" not in game.known_facts:
        for flower in range(1, 9):
            said = why_not(f"{SOUZU} 9s{flower}f", "9s", game)
            assert f"{name} has no flowers: there is {flower}f" in said


@pytest.mark.parametrize(
    ("name", "options", "tiles"),
    [
        ("yingkou", {"tile_set": 108}, "1234567z"),
        ("kawuxing", {"removed_suit": "m"}, "123456789m1234z"),
        ("fushun-3p", {"tile_set": 116, "base": 1}, "2345678m"),
        ("fushun-3p", {"tile_set": 72, "base": 1}, "2345678m4z"),
    ],
)
def test_an_option_decides_which_tiles_there_are(
    name: str, options: dict[str, Any], tiles: str
) -> None:
    game = rules(name, **options)
    kinds = {TEXT[kind] for kind in foreign_kinds(game)}
    suit = ""
    for character in reversed(tiles):
        if character.isdigit():
            tile = character + suit
            assert tile in kinds
            if "s" not in {each[1] for each in kinds}:
                assert f"{name} has no {tile}" in why_not(f"{SOUZU} {tile}", tile, game)
        else:
            suit = character


def test_the_tiles_of_each_game() -> None:
    """The tiles and facts of each game, from its source; all others are foreign to it."""
    sizes = {name: 4 * len(rules(name).tile_kinds) for name in OTHERS}  # type: ignore[union-attr]
    assert sizes == {
        "mcr": 136, "qq-guobiao": 136, "qq-popular": 136, "qq-no-fan": 136, "guangdong-jph": 136,
        "qingyuan": 100, "changsha": 108, "chengdu": 108, "sichuan": 108, "yangzhou": 136,
        "datong": 136, "yingkou": 136, "kawuxing": 84, "fushun-3p": 108,
    }  # fmt: skip


@pytest.mark.parametrize("name", BY_TILES)
def test_red_fives(name: str) -> None:
    """One of each suit, in games that have them."""
    game = rules(name)
    hand = SOUZU.replace("5", "0") + " 9s"
    if isinstance(game, Game) or game.red_fives == "off":
        assert f"{name} has no red fives: write 5s for 0s" in why_not(hand, "9s", game)
        return
    twice = why_not("340067p345678s99s" if game.players == 3 else "340067m345678s99s", "9s", game)
    assert "one red five of each suit: there are 2 of 0" in twice
    in_indicator = why_not(hand, "9s", game, dora="0s")
    assert "there are 2 of 0s" in in_indicator


GIVEN: dict[str, dict[str, Any]] = {
    "flowers": {"flowers": 2},
    "wild": {"wild": "2s"},
    "bird": {"bird": "7s"},
    "liable": {"liable": "west"},
    "out": {"out": "west"},
    "raised": {"raised": "east, south"},
    "fed": {"fed": "south"},
    "triple_ron": {"triple_ron": True},
    "riichi": {"riichi": True},
}


@pytest.mark.parametrize("name", BY_TILES)
def test_a_fact_the_game_does_not_know(name: str) -> None:
    assert set(GIVEN) == TABLE_FACTS
    game = rules(name)
    known = game.known_facts if isinstance(game, Game) else frozenset({"riichi"})
    hand = f"2345677899s {'ankan' if 'fed' in known else 'kan'}:1111s"
    for fact, given in GIVEN.items():
        if fact in known:
            continue
        said = why_not(hand, "9s", game, tsumo=True, **given)
        expected = FAULTS[f"foreign_{fact}"].replace("the game", name, 1)
        assert expected in said, (fact, said)


@pytest.mark.parametrize("name", OTHERS)
def test_kongs_and_dealt_hands_are_paid_where_a_game_says_so(name: str) -> None:
    game = rules(name)
    assert isinstance(game, Game)
    if game.kong is None:
        assert "a kong by itself is not paid" in why_not("ankan:2222s", None, game)
    if game.dealt is None:
        assert "a hand as dealt is not paid" in why_not(SOUZU + "9s", None, game, dealt=True)


def test_riichi_pays_neither() -> None:
    assert "which tile was won on" in why_not("ankan:2222s", None, rules("tenhou-4p"))
    said = why_not(SOUZU + "9s", None, rules("tenhou-4p"), dealt=True)
    assert "as dealt" in said or "not one tile" in said


@pytest.mark.parametrize(
    ("hand", "facts", "says"),
    [
        ("ankan:2222s", {"out": "east"}, "neither wins nor pays again"),
        ("kan:2222s", {"out": "south"}, "neither wins nor pays again"),
        ("ankan:2222z", {}, "sichuan has no 2z"),
        ("ankan:2222s", {"bird": "2s"}, "sichuan has no bird tile"),
        ("ankan:2222s", {"out": "centre"}, "out is east, south, west, north, not 'centre'"),
        ("ankan:2222s", {"rinshan": True}, "not won on a tile"),
        ("kan:2222s", {"chankan": True}, "not won on a tile"),
        ("kan:2222s", {"last_copy": True}, "not won on a tile"),
    ],
)
def test_a_kong_that_cannot_be(hand: str, facts: dict[str, Any], says: str) -> None:
    assert says in why_not(hand, None, rules("sichuan", kong_unit=1), **facts)


@pytest.mark.parametrize(
    ("hand", "says"),
    [
        ("5555p123m1379s4m", "has thirteen tiles"),
        ("5555p123m1379s467m", "the dealer's also fourteen"),  # the winner is not the dealer
        ("5555p123m13s pon:999s", "no melds"),
        ("55555p123m1379s4m", "more than four copies"),
        ("5555p123m1379s4z6m", "changsha has no 4z"),
        ("1379m123p456789s", "shows none of"),
    ],
)
def test_a_dealt_hand_that_cannot_be(hand: str, says: str) -> None:
    game = rules("changsha", small_self_drawn=1)
    assert says in why_not(hand, None, game, dealt=True, seat="south")
    assert "not won on a tile" in why_not("5555p123m1379s4m", None, game, dealt=True, haitei=True)


def test_nobody_is_liable_to_himself_or_feeds_his_own_kong() -> None:
    won = "123p456p789p33s"
    assert "not the winner" in why_not(
        f"123s{won}", "3s", rules("guangdong-jph"), tsumo=True, seat="south", liable="south"
    )
    told = {"tsumo": True, "seat": "south"}
    assert "another seat" in why_not(
        f"{won} kan:1111s", "3s", rules("qingyuan"), fed="south", **told
    )
