"""Random legal winning hands, and the results of two independent engines for them.

A hand is drawn set by set from the 136 tiles (108 with three players), in styles that make rare
yaku frequent. Its circumstances can occur together at a table.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from paifu.game.tiles import parse_tiles, tiles_text
from tests.helpers.winning_hands import Row, tile_text_136, win

STYLES = {
    "plain": 40, "one_suit": 14, "triplets": 12, "outside": 10, "simples": 8, "pairs": 8,
    "dragons": 3, "winds": 3, "orphans": 2, "green": 2, "gates": 2, "runs": 6, "kans": 2,
}  # fmt: skip
"""The relative frequency of each style."""

HONOURS = range(27, 34)
OUTSIDE = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]


@dataclass(slots=True)
class RandomHand:
    """A hand as tiles 0-135, ``concealed`` with the winning tile."""

    players: int
    concealed: list[int]
    melds: list[tuple[str, list[int]]]
    """Kind (chi pon kan kakan ankan) and tiles."""
    win_tile: int
    tsumo: bool
    seat_wind: int
    round_wind: int
    indicators: list[int]
    ura: list[int]
    kita: int = 0
    honba: int = 0
    flags: frozenset[str] = field(default_factory=frozenset)

    def row(self) -> Row:
        """Return the hand as a row of table ``wins``."""
        words = [
            f"{word}:{tiles_text(parse_tiles(''.join(map(tile_text_136, tiles))))}"
            for word, tiles in self.melds
        ]
        facts: dict[str, Any] = dict.fromkeys(self.flags, True)
        return win(
            tiles_text(parse_tiles("".join(map(tile_text_136, self.concealed)))),
            tile_text_136(self.win_tile), seat_wind=self.seat_wind, players=self.players,
            by="tsumo" if self.tsumo else "ron", melds=" ".join(words + ["kita"] * self.kita),
            round_wind=self.round_wind, honba=self.honba,
            dora_indicators=[tile_text_136(tile, red=False) for tile in self.indicators],
            ura_indicators=[tile_text_136(tile, red=False) for tile in self.ura], **facts,
        )  # fmt: skip


class _Deck:
    def __init__(self, rng: random.Random, players: int) -> None:
        self.rng = rng
        kinds = [kind for kind in range(34) if players == 4 or not 1 <= kind <= 7]
        self.left = {kind: [4 * kind + copy for copy in range(4)] for kind in kinds}
        for copies in self.left.values():
            rng.shuffle(copies)

    def take(self, kind: int, count: int) -> list[int] | None:
        copies = self.left.get(kind, [])
        if len(copies) < count:
            return None
        return [copies.pop() for _ in range(count)]

    def take_run(self, first: int) -> list[int] | None:
        if first >= 27 or first % 9 > 6:
            return None
        if any(not self.left.get(first + step) for step in range(3)):
            return None
        return [self.left[first + step].pop() for step in range(3)]

    def take_any(self) -> int:
        kind = self.rng.choice([kind for kind, copies in self.left.items() if copies])
        return self.left[kind].pop()


def _sets_and_pair(rng: random.Random, deck: _Deck, style: str) -> list[list[int]] | None:
    """Return four sets and a pair in a style, or None if the deck does not have them."""
    kinds = sorted(deck.left)
    chance_of_run = {"triplets": 0.05, "winds": 0.3, "dragons": 0.4, "kans": 0.1, "runs": 1.0,
                     "green": 0.4, "outside": 0.5}.get(style, 0.68)  # fmt: skip
    if style == "one_suit":
        suit = rng.choice([0, 1, 2] if len(kinds) == 34 else [1, 2])
        kinds = [kind for kind in kinds if kind // 9 == suit or (kind >= 27 and rng.random() < 0.4)]
    elif style == "outside":
        kinds = OUTSIDE
    elif style == "simples":
        kinds = [kind for kind in kinds if kind not in OUTSIDE]
    elif style == "green":
        kinds = [19, 20, 21, 23, 25, 32]
    sets: list[list[int]] = []
    wanted = {"dragons": [31, 32, 33], "winds": [27, 28, 29, 30]}.get(style, [])[:]
    rng.shuffle(wanted)
    if wanted and rng.random() < 0.5:
        wanted.pop()
    for kind in wanted:
        if (triplet := deck.take(kind, 3)) is None:
            return None
        sets.append(triplet)
    repeat: int | None = None
    while len(sets) < 4:
        kind = rng.choice(kinds)
        if rng.random() < chance_of_run:
            if style == "outside" and kind % 9 == 8 and kind < 27:
                kind -= 2
            if repeat is not None and rng.random() < 0.35:
                kind = rng.choice([repeat, (repeat + 9) % 27, repeat + 3])
            made = deck.take_run(kind)
            repeat = kind if made else repeat
        else:
            if sets and rng.random() < 0.2:
                kind = rng.choice([(sets[-1][0] // 4 + 9) % 27, sets[-1][0] // 4 + 1])
            made = deck.take(kind, 3)
        if made is not None:
            sets.append(made)
        elif rng.random() < 0.02:
            return None
    for _ in range(50):
        kind = rng.choice([*kinds, *HONOURS] if style in ("dragons", "winds") else kinds)
        if (pair := deck.take(kind, 2)) is not None:
            return [*sets, pair]
    return None


def _without_sets(rng: random.Random, deck: _Deck, style: str) -> list[int] | None:
    """Return fourteen tiles of seven pairs, thirteen orphans or nine gates."""
    kinds = sorted(deck.left)
    if style == "pairs":
        if rng.random() < 0.25:
            kinds = rng.choice(
                [OUTSIDE, [*range(9, 18), *HONOURS], list(HONOURS), [*range(18, 27)]]
            )
        elif rng.random() < 0.1:
            first = rng.choice([9, 10, 18, 19])
            kinds = list(range(first, first + 7))
        if len(kinds) < 7:
            return None
        return [tile for kind in rng.sample(kinds, 7) for tile in deck.take(kind, 2) or []]
    if style == "orphans":
        twice = rng.choice(OUTSIDE)
        return [tile for kind in OUTSIDE for tile in deck.take(kind, 1 + (kind == twice)) or []]
    suit = rng.choice([0, 1, 2] if len(kinds) == 34 else [1, 2])
    extra = rng.randrange(9)
    counts = [3, 1, 1, 1, 1, 1, 1, 1, 3]
    counts[extra] += 1
    return [
        tile
        for number, count in enumerate(counts)
        for tile in deck.take(9 * suit + number, count) or []
    ]


def _declare(
    rng: random.Random, deck: _Deck, sets: list[list[int]], style: str, open_hand: bool
) -> tuple[list[int], list[tuple[str, list[int]]]]:
    """Divide sets into concealed tiles and melds; some triplets become kans."""
    concealed = list(sets[-1])
    melds: list[tuple[str, list[int]]] = []
    for tiles in sets[:-1]:
        kind = tiles[0] // 4
        triplet = kind == tiles[1] // 4
        fourth = deck.left.get(kind, [])
        if triplet and fourth and rng.random() < (0.9 if style == "kans" else 0.12):
            kan = [*tiles, fourth.pop()]
            melds.append((rng.choice(["kan", "kakan", "ankan"]) if open_hand else "ankan", kan))
        elif open_hand and rng.random() < 0.55:
            melds.append(("pon" if triplet else "chi", tiles))
        else:
            concealed += tiles
    return concealed, melds


def random_hand(rng: random.Random, players: int = 4) -> RandomHand:
    """Return a random legal winning hand, with or without yaku."""
    while True:
        style = rng.choices(list(STYLES), list(STYLES.values()))[0]
        deck = _Deck(rng, players)
        melds: list[tuple[str, list[int]]] = []
        if style in ("pairs", "orphans", "gates"):
            concealed = _without_sets(rng, deck, style)
            if concealed is None:
                continue
        else:
            sets = _sets_and_pair(rng, deck, style)
            if sets is None:
                continue
            concealed, melds = _declare(rng, deck, sets, style, rng.random() < 0.45)
        if players == 3 and any(word == "chi" for word, _ in melds):
            continue
        rng.shuffle(concealed)
        kans = sum(len(tiles) == 4 for _, tiles in melds)
        is_open = any(word != "ankan" for word, _ in melds)
        tsumo = rng.random() < 0.45
        hand = RandomHand(
            players, concealed, melds, rng.choice(concealed), tsumo, rng.randrange(players),
            rng.randrange(3 if players == 3 else 4), [], [], honba=rng.choice([0, 0, 0, 1, 2, 5]),
        )  # fmt: skip
        if players == 3:
            norths = deck.left[30]
            hand.kita = sum(norths.pop() is not None for _ in range(rng.randint(0, len(norths))))
        hand.flags = _flags(rng, hand, is_open, kans)
        hand.indicators = [deck.take_any() for _ in range(1 + kans)]
        if "riichi" in hand.flags:
            hand.ura = [deck.take_any() for _ in range(1 + kans)]
        if any(tile // 4 == hand.win_tile // 4 for tile in (*hand.indicators, *hand.ura)):
            hand.flags -= {"chankan"}  # all four copies are in the kan that is robbed
        return hand


def _flags(rng: random.Random, hand: RandomHand, is_open: bool, kans: int) -> frozenset[str]:
    """Return circumstances that can occur together."""
    flags: set[str] = set()
    if not is_open and rng.random() < 0.5:
        flags.add("riichi")
        if not kans and not hand.kita and rng.random() < 0.06:
            flags.add("double_riichi")
        if rng.random() < 0.2:
            flags.add("ippatsu")
    draw = rng.random()
    if hand.tsumo:
        if draw < 0.04:
            flags.add("haitei")
        elif draw < 0.08 and not flags and not hand.melds and not hand.kita:
            flags.add("first_turn")
        elif (kans or hand.kita) and draw < 0.4:
            flags.add("rinshan")
            flags.discard("ippatsu")
    elif draw < 0.05:
        flags.add("houtei")
    elif draw < 0.10:
        copies = [*hand.concealed, *(tile for _, tiles in hand.melds for tile in tiles)]
        north = 30
        aside = hand.kita if hand.win_tile // 4 == north else 0
        if sum(tile // 4 == hand.win_tile // 4 for tile in copies) + aside == 1:
            flags.add("chankan")
    if "double_riichi" in flags and flags & {"haitei", "houtei"}:
        flags.discard("ippatsu")  # the last tile is not drawn in the first go-around
    return frozenset(flags)


# --- what other engines say: (yaku by Tenhou id with duplicates, han, fu, yakuman?, payments) ---

Verdict = tuple[Any, ...]


def by_mahjong(hand: RandomHand, **options: Any) -> Verdict | None:
    """Return PyPI ``mahjong``'s result: Tenhou yaku ids with han, han, fu, main, additional."""
    from mahjong.constants import EAST
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.hand_calculating.yaku_config import YAKU_ID_TO_TENHOU_ID
    from mahjong.meld import Meld

    words = {"chi": Meld.CHI, "pon": Meld.PON, "kakan": Meld.SHOUMINKAN}
    melds = [
        Meld(words.get(word, Meld.KAN), tiles=tiles, opened=word != "ankan")
        for word, tiles in hand.melds
    ]
    flags = hand.flags
    rules = {
        "has_open_tanyao": True, "has_aka_dora": True, "has_double_yakuman": False,
        "limit_to_sextuple_yakuman": False, "is_three_player": hand.players == 3,
    }  # fmt: skip
    config = HandConfig(
        is_tsumo=hand.tsumo, is_riichi="riichi" in flags and "double_riichi" not in flags,
        is_daburu_riichi="double_riichi" in flags, is_ippatsu="ippatsu" in flags,
        is_rinshan="rinshan" in flags, is_chankan="chankan" in flags, is_haitei="haitei" in flags,
        is_houtei="houtei" in flags,
        is_tenhou="first_turn" in flags and hand.seat_wind == 0,
        is_chiihou="first_turn" in flags and hand.seat_wind != 0,
        player_wind=EAST + hand.seat_wind, round_wind=EAST + hand.round_wind,
        num_nuki_dora=hand.kita, options=OptionalRules(**rules | options),
    )  # fmt: skip
    all_tiles = hand.concealed + [tile for _, tiles in hand.melds for tile in tiles]
    found = HandCalculator.estimate_hand_value(
        all_tiles, hand.win_tile, melds=melds, dora_indicators=hand.indicators, config=config,
        ura_dora_indicators=hand.ura,
    )  # fmt: skip
    if found.error is not None or found.yaku is None or found.cost is None:
        return None
    yaku = {
        YAKU_ID_TO_TENHOU_ID[each.yaku_id]: (each.han_open if is_open(hand) else each.han_closed)
        for each in found.yaku
    }
    return yaku, found.han, found.fu, found.cost["main"], found.cost["additional"]


def is_open(hand: RandomHand) -> bool:
    """Return whether the hand has an open meld."""
    return any(word != "ankan" for word, _ in hand.melds)


def riichienv_call(hand: RandomHand) -> tuple[Any, ...]:
    """Return evaluator class, its arguments, and the arguments of its ``calc``."""
    from riichienv import _riichienv as rust

    kinds = {
        "chi": rust.MeldType.Chi, "pon": rust.MeldType.Pon, "kan": rust.MeldType.Daiminkan,
        "kakan": rust.MeldType.Kakan, "ankan": rust.MeldType.Ankan,
    }  # fmt: skip
    winds = [rust.Wind.East, rust.Wind.South, rust.Wind.West, rust.Wind.North]
    melds = [rust.Meld(kinds[word], sorted(tiles), word != "ankan") for word, tiles in hand.melds]
    flags = hand.flags
    conditions = rust.Conditions(
        tsumo=hand.tsumo, riichi="riichi" in flags, double_riichi="double_riichi" in flags,
        ippatsu="ippatsu" in flags, haitei="haitei" in flags, houtei="houtei" in flags,
        rinshan="rinshan" in flags, chankan="chankan" in flags,
        tsumo_first_turn="first_turn" in flags, player_wind=winds[hand.seat_wind],
        round_wind=winds[hand.round_wind], kita_count=hand.kita, is_sanma=hand.players == 3,
        num_players=hand.players,
    )  # fmt: skip
    evaluator = rust.HandEvaluator3P if hand.players == 3 else rust.HandEvaluator
    return (
        evaluator, (sorted(hand.concealed), melds),
        (hand.win_tile, hand.indicators, hand.ura, conditions),
    )  # fmt: skip


def by_riichienv(hand: RandomHand) -> Any:
    """Return the result of RiichiEnv: its ``WinResult``."""
    evaluator, made_of, called_with = riichienv_call(hand)
    return evaluator(*made_of).calc(*called_with)
