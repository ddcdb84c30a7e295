"""What a hand waits for: the tiles that complete it, what each would score, or which tiles help.

>>> found = waits("234m067p345s88s67m", riichi=True)
>>> [(wait.tile, wait.left, wait.tsumo.points, wait.ron.points) for wait in found.waits]
[('5m', 4, 12000, 11600), ('8m', 4, 12000, 11600)]
>>> found = waits("1334m256p3388s11z")
>>> found.shanten, " ".join(each.tile for each in found.useful)
(2, '1m 4m 2p 5p 6p')

A tile is waited for if it makes a winning hand of the rule set; so the engine decides, for every
game that paifu scores. The distance of other hands is their shanten over the forms of the rule set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from paifu.calculator.circumstances import BeforeWin, Circumstances
from paifu.calculator.hand import Hand, typed
from paifu.calculator.hand_scores import HandScore, load_rules, try_hands
from paifu.errors import FactError, HandError
from paifu.game.notation import WrittenHand, read_hand, read_tiles
from paifu.game.tiles import FIRST_FLOWER, KIND_OF, KINDS, TEXT, tiles_text
from paifu.rules.fan.game import Game
from paifu.rules.hands.shanten import (
    COMPLETE,
    Counts,
    shanten_chiitoi,
    shanten_kokushi,
    shanten_regular,
)
from paifu.rules.hands.shapes import REGULAR, SEVEN_PAIRS, SEVEN_PAIRS_ALIKE, THIRTEEN_ORPHANS
from paifu.rules.hands.suit_tables import suit_tables
from paifu.rules.riichi.ruleset import RuleSet

COPIES = 4
HAND_TILES = 13
ANY_SET, ANY_PAIR = "999", "99"
"""Words for a set and a pair whose tiles are left open, as tiles lying face down."""
_NOT_WAITED_FOR = frozenset({"not_complete", "five_copies"})
"""Faults of a hand that the tile does not complete."""
_RIICHI_FORMS = (REGULAR, SEVEN_PAIRS, THIRTEEN_ORPHANS)
_NORTH = 30
_SANMA_ABSENT = frozenset(range(1, 8))
"""2m to 8m, which three players do not have."""


@dataclass(frozen=True, slots=True)
class Wait:
    """A tile that completes the hand."""

    tile: str
    """MPSZ; ``99`` for the tile of a pair that was left open."""
    left: int
    """Copies that are neither in the hand nor among the tiles seen."""
    tsumo: HandScore | None
    """What the hand would score by own draw; None if it may not win or has sets left open."""
    ron: HandScore | None
    no_tsumo: str | None
    """Why it may not win by own draw."""
    no_ron: str | None
    tsumo_fault: str | None = None
    """The same as a key (:class:`~paifu.errors.Fault`)."""
    ron_fault: str | None = None


@dataclass(frozen=True, slots=True)
class Useful:
    """A tile that brings the hand nearer to tenpai, or completes it."""

    tile: str
    left: int


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile to discard from fourteen, and the hand that is left."""

    tile: str
    shanten: int | None
    """As in :class:`Waits`."""
    useful: tuple[Useful, ...]
    left: int
    """All copies of the useful tiles."""


@dataclass(frozen=True, slots=True)
class Waits:
    """What a hand waits for."""

    ruleset: str
    hand: str
    """Concealed tiles as MPSZ, and ``999`` and ``99`` for what was left open."""
    melds: str
    shanten: int | None
    """0: tenpai, -1: complete. None if the hand is not tenpai in a game with shapes or wild tiles
    of its own: no distance is known for these."""
    waits: tuple[Wait, ...]
    """If the hand has thirteen tiles and is tenpai."""
    useful: tuple[Useful, ...]
    """Otherwise the tiles that lower the shanten; empty if the shanten is None."""
    discards: tuple[Discard, ...]
    """If the hand has fourteen tiles and is not complete: what to discard, the best first."""


def waits(
    hand: str, *, rules: str | Path | RuleSet | Game = "tenhou-4p", notation: str = "mpsz",
    seen: str = "", **circumstances: Any,
) -> Waits:  # fmt: skip
    """Return what a hand waits for under a rule set.

    Parameters
    ----------
    hand
        Thirteen tiles, a kan counted as three, with melds as words (``pon:777z``); or fourteen, to
        choose a discard. In the words ``999`` (any set) and ``99`` (any pair) tiles are left open.
    rules
        A preset's name, the path of a TOML file, or a :class:`~paifu.rules.RuleSet`.
    notation
        ``mpsz``, ``mjai`` or ``keyboard`` (:mod:`paifu.game.notation`).
    seen
        Tiles seen elsewhere: discards, melds of others. Dora indicators are counted by themselves.
    circumstances
        Fields of :class:`~paifu.calculator.circumstances.BeforeWin`, such as ``riichi=True``.

    Raises
    ------
    HandError
        The hand cannot be read or cannot exist, or has another number of tiles.
    RuleError
        The rule set cannot be found or understood.
    """
    ruleset = load_rules(rules)
    if isinstance(ruleset, Game) and ruleset.by_name:
        raise HandError(f"{ruleset.name} pays hands by their names, without tiles: none is waited "
                        "for")  # fmt: skip
    told = _told(circumstances, notation)
    sets, pairs, written = _read(hand, notation)
    counts = _counts(written.tiles)
    size = len(written.tiles) + 3 * (len(written.melds) + sets) + 2 * pairs
    if size not in (HAND_TILES, HAND_TILES + 1):
        raise HandError(
            "a hand has 13 tiles, or 14 to choose a discard, a kan counted as three: "
            f"this one has {size}"
        )
    shown = [*written.tiles, *(tile for _, tiles in written.melds for tile in tiles)]
    unseen = _unseen([*shown, *read_tiles(seen, notation), *read_tiles(told.dora or "")],
                     written.kita)  # fmt: skip
    asked = _Hand(ruleset, written, told, sets, pairs, counts, unseen)
    asked.check()
    text = " ".join(filter(None, [tiles_text(written.tiles), *[ANY_SET] * sets,
                                  *[ANY_PAIR] * pairs]))  # fmt: skip
    distance: int | None
    found: tuple[Wait, ...] = ()
    useful: tuple[Useful, ...] = ()
    discards: tuple[Discard, ...] = ()
    if size == HAND_TILES:
        found = asked.waits()
        distance = 0 if found else asked.distance(counts)
        useful = () if found or distance is None else asked.useful(counts, distance)
    else:
        distance = COMPLETE if asked.is_complete() else asked.distance(counts)
        discards = () if distance == COMPLETE else asked.discards()
        if distance is None and any(each.shanten == 0 for each in discards):
            distance = 0
    return Waits(ruleset.name, text, written.melds_text, distance, found, useful, discards)


def _told(circumstances: dict[str, Any], notation: str) -> BeforeWin:
    """Return the circumstances with tiles as MPSZ; those of a win itself are refused."""
    before = {spec.name for spec in fields(BeforeWin)}
    for name in circumstances:
        if name not in before and name in {spec.name for spec in fields(Circumstances)}:
            raise FactError(f"{name} is known only with the win: paifu score takes it")
    for name in ("dora", "wild"):
        if circumstances.get(name):
            circumstances[name] = tiles_text(read_tiles(circumstances[name], notation))
    return BeforeWin(**circumstances)


def _read(hand: str, notation: str) -> tuple[int, int, WrittenHand]:
    """Return how many sets and pairs are left open, and the rest of the hand."""
    words = hand.split()
    sets, pairs = words.count(ANY_SET), words.count(ANY_PAIR)
    written = read_hand(
        " ".join(word for word in words if word not in (ANY_SET, ANY_PAIR)), notation
    )
    if written.win is not None:
        raise HandError(
            f"{TEXT[written.win]} is a winning tile: leave it out to see what the hand waits for"
        )
    if pairs > 1:
        raise HandError("a hand has one pair: write 99 once")
    return sets, pairs, written


def _counts(tiles: Iterable[int]) -> Counts:
    kinds = [KIND_OF[tile] for tile in tiles if tile < FIRST_FLOWER]
    return np.bincount(kinds, minlength=KINDS).astype(np.int8)


def _unseen(tiles: Sequence[int], kita: int) -> Counts:
    """Return how many copies of each kind are not among the tiles."""
    left = COPIES - _counts(tiles)
    left[_NORTH] -= kita
    return np.maximum(left, 0).astype(np.int8)


@dataclass(frozen=True, slots=True)
class _Hand:
    """A hand that is asked about."""

    ruleset: RuleSet | Game
    written: WrittenHand
    told: BeforeWin
    sets: int
    """Sets left open."""
    pairs: int
    counts: Counts
    """int8[34]: the concealed tiles."""
    unseen: Counts
    """int8[34]"""

    def check(self) -> None:
        """Raise :class:`~paifu.errors.HandError` for a hand that cannot exist."""
        for kind, count in Counter(
            int(KIND_OF[tile]) for tile in (
                *self.written.tiles, *(t for _, tiles in self.written.melds for t in tiles)
            )
        ).items():  # fmt: skip
            if count > COPIES:
                raise HandError(f"there are more than four copies of a tile: {count} of "
                                f"{TEXT[kind]}")  # fmt: skip
            if kind not in self.kinds:
                raise HandError(f"{self.ruleset.name} has no {TEXT[kind]}")
        if any(tile >= FIRST_FLOWER for tile in self.written.tiles):
            raise HandError("give flowers as a number: --flowers 2 (in Python: flowers=2)")
        if (self.sets or self.pairs) and isinstance(self.ruleset, Game) and self.ruleset.expand:
            raise HandError(f"{self.ruleset.name} has wild tiles: name every tile of the hand")

    @property
    def kinds(self) -> frozenset[int]:
        """The kinds of tile that the game has."""
        if isinstance(self.ruleset, Game):
            return frozenset(self.ruleset.tile_kinds)
        return frozenset(range(KINDS)) - (
            _SANMA_ABSENT if self.ruleset.players == 3 else frozenset()
        )

    @property
    def melds(self) -> int:
        """Melds and sets left open."""
        return len(self.written.melds) + self.sets

    @property
    def forms(self) -> tuple[int, ...]:
        """Forms of a complete hand, as far as a distance is known for them."""
        if not isinstance(self.ruleset, Game):
            return _RIICHI_FORMS
        forms = self.ruleset.forms
        return forms(self.ruleset.options) if callable(forms) else forms

    @property
    def has_distance(self) -> bool:
        """Whether every form of the rule set has a distance."""
        if not isinstance(self.ruleset, Game):
            return True
        return self.ruleset.special is None and self.ruleset.expand is None

    def waits(self) -> tuple[Wait, ...]:
        """Return what thirteen tiles wait for, in the order of the tiles."""
        if self.sets or self.pairs:
            return self._open_waits()
        return self._scored_waits()

    def _scored_waits(self) -> tuple[Wait, ...]:
        kinds = [kind for kind in sorted(self.kinds) if self._held(kind) < COPIES]
        hands = [self._typed(kind, tsumo=tsumo) for kind in kinds for tsumo in (True, False)]
        results = iter(try_hands(hands, self.ruleset))
        found = []
        for kind in kinds:
            tsumo, ron = next(results), next(results)
            if not (_is_won(tsumo) or _is_won(ron)):
                continue
            own, other = (_refused(score) for score in (tsumo, ron))
            found.append(
                Wait(
                    TEXT[kind], int(self.unseen[kind]),
                    tsumo=None if isinstance(tsumo, HandError) else tsumo,
                    ron=None if isinstance(ron, HandError) else ron,
                    no_tsumo=own[0], no_ron=other[0], tsumo_fault=own[1], ron_fault=other[1],
                )
            )  # fmt: skip
        return tuple(found)

    def _open_waits(self) -> tuple[Wait, ...]:
        """Return the waits of a hand with sets or a pair left open, without scores."""
        pair = self.open_pair
        found = []
        for kind in sorted(self.kinds | ({pair} if self.pairs else set())):
            if self.counts[kind] < COPIES and self._distance_with(self.counts, kind) == COMPLETE:
                is_pair = kind == pair
                left = COPIES - 2 if is_pair else int(self.unseen[kind])
                found.append(
                    Wait(ANY_PAIR if is_pair else TEXT[kind], left, None, None, None, None)
                )
        return tuple(found)

    @property
    def open_pair(self) -> int:
        """The kind that stands for a pair left open, -1 without one.

        It has no neighbours in the hand: the last kind of which there is no tile, an honour unless
        the hand has all.
        """
        return int(np.flatnonzero(self.counts == 0)[-1]) if self.pairs else -1

    def _typed(self, win: int, *, tsumo: bool) -> Hand:
        """Return the hand, won on a tile."""
        told = {spec.name: getattr(self.told, spec.name) for spec in fields(self.told)}
        text = f"{tiles_text(self.written.tiles)} {self.written.melds_text}"
        return typed(text, TEXT[win], Circumstances(tsumo=tsumo, **told), self.ruleset)

    def is_complete(self) -> bool:
        """Return whether fourteen tiles are a winning hand."""
        if self.sets or self.pairs:
            return self.distance(self.counts) == COMPLETE
        if not self.written.tiles:
            return False
        drawn = self._typed(self.written.tiles[-1], tsumo=True)
        return _is_won(try_hands([drawn], self.ruleset)[0])

    def distance(self, counts: Counts) -> int | None:
        """Return the shanten of concealed tiles over the forms of the rule set, if it is known."""
        return self._distance(counts) if self.has_distance else None

    def _distance(self, counts: Counts) -> int:
        if self.pairs:
            counts = counts.copy()
            counts[self.open_pair] += 2
        players = 3 if self.kinds.isdisjoint(_SANMA_ABSENT) else 4
        best = int(shanten_regular(suit_tables(players), counts, self.melds))
        if self.melds or self.pairs:
            return best
        forms = self.forms
        if SEVEN_PAIRS_ALIKE in forms:
            best = min(best, 6 - int((counts // 2).sum()))
        elif SEVEN_PAIRS in forms:
            best = min(best, int(shanten_chiitoi(counts)))
        if THIRTEEN_ORPHANS in forms:
            best = min(best, int(shanten_kokushi(counts)))
        return best

    def _distance_with(self, counts: Counts, kind: int) -> int:
        more = counts.copy()
        more[kind] += 1
        return self._distance(more)

    def useful(self, counts: Counts, distance: int) -> tuple[Useful, ...]:
        """Return the tiles that lower the distance of concealed tiles."""
        return tuple(
            Useful(TEXT[kind], int(self.unseen[kind]))
            for kind in sorted(self.kinds)
            if self._held(kind) < COPIES
            and kind != self.open_pair
            and self._distance_with(counts, kind) < distance
        )

    def discards(self) -> tuple[Discard, ...]:
        """Return what to discard from fourteen tiles: the least shanten first, then most tiles."""
        found = []
        for tile in dict.fromkeys(sorted(self.written.tiles, key=lambda each: int(KIND_OF[each]))):
            rest = list(self.written.tiles)
            rest.remove(tile)
            counts = _counts(rest)
            distance = self.distance(counts)
            if distance is None:
                written = WrittenHand(rest, self.written.melds, self.written.kita)
                after = _Hand(
                    self.ruleset, written, self.told, 0, 0, counts, self.unseen
                ).waits()  # fmt: skip
                helps = tuple(Useful(wait.tile, wait.left) for wait in after)
                distance = 0 if helps else None
            else:
                helps = self.useful(counts, distance)
            found.append(Discard(TEXT[tile], distance, helps, sum(each.left for each in helps)))
        return tuple(
            sorted(found, key=lambda each: (99 if each.shanten is None else each.shanten,
                                            -each.left))
        )  # fmt: skip

    def _held(self, kind: int) -> int:
        """Return how many copies the concealed tiles and melds hold."""
        melded = sum(KIND_OF[tile] == kind for _, tiles in self.written.melds for tile in tiles)
        return int(self.counts[kind] + melded)


def _refused(score: HandScore | HandError) -> tuple[str | None, str | None]:
    """Return why a hand may not win, in words and as a key; None and None for one that wins."""
    if not isinstance(score, HandError):
        return None, None
    return str(score), score.fault.key if score.fault else None


def _is_won(result: HandScore | HandError) -> bool:
    """Return whether a hand is complete, if worth nothing; raise the error of an impossible one."""
    if isinstance(result, HandScore):
        return True
    if result.fault is not None and result.fault.key in _NOT_WAITED_FOR:
        return False
    if result.fault is not None and result.fault.key in ("no_yaku", "uncertain_yaku", "unpriced"):
        return True
    raise result
