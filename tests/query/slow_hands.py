"""Facts of a hand, computed in a slow and obvious way.

Shanten comes from the PyPI library ``mahjong``, waits from trying every tile, and the kind of a
wait from all ways to divide the completed hand.

Tiles are kinds here, 0-33 as everywhere: 0-8 m, 9-17 p, 18-26 s, 27-33 east to red. A hand is the
34 counts of its concealed tiles.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from mahjong.shanten import Shanten

ORPHANS = (0, 8, 9, 17, 18, 26, *range(27, 34))
Counts = tuple[int, ...]
Group = tuple[int, ...]

_SHANTEN = Shanten()


def counted(kinds: Iterable[int]) -> Counts:
    """Return the counts of some tiles."""
    counts = [0] * 34
    for kind in kinds:
        counts[kind] += 1
    return tuple(counts)


@cache
def shanten(hand: Counts) -> int:
    """Return the shanten of 13 tiles, or of the concealed tiles of a hand with melds."""
    return int(_SHANTEN.calculate_shanten(list(hand)))


def ways(hand: Counts) -> Iterator[list[Group]]:
    """Yield every way to divide concealed tiles into sets and one pair."""
    for pair in range(34):
        if hand[pair] >= 2:
            yield from ([(pair, pair), *sets] for sets in _sets(_without(hand, pair, pair)))


def _sets(hand: Counts) -> Iterator[list[Group]]:
    first = next((kind for kind in range(34) if hand[kind]), None)
    if first is None:
        yield []
        return
    groups = [(first, first, first)]
    if first < 27 and first % 9 <= 6:
        groups.append((first, first + 1, first + 2))
    for group in groups:
        if all(hand[kind] >= group.count(kind) for kind in group):
            yield from ([group, *rest] for rest in _sets(_without(hand, *group)))


def _without(hand: Counts, *kinds: int) -> Counts:
    left = list(hand)
    for kind in kinds:
        left[kind] -= 1
    return tuple(left)


def _with(hand: Counts, kind: int) -> Counts:
    return (*hand[:kind], hand[kind] + 1, *hand[kind + 1 :])


def seven_pairs(hand: Counts) -> bool:
    """Return whether a hand is seven different pairs."""
    return sorted(hand)[-8:] == [0, 2, 2, 2, 2, 2, 2, 2]


def thirteen_orphans(hand: Counts) -> bool:
    """Return whether a hand has every terminal and honour, and one of them twice."""
    return (
        sum(hand) == 14
        and all(hand[kind] for kind in ORPHANS)
        and sum(hand[kind] for kind in ORPHANS) == 14
    )


def complete(hand: Counts) -> bool:
    """Return whether concealed tiles are a complete hand."""
    return next(ways(hand), None) is not None or seven_pairs(hand) or thirteen_orphans(hand)


@cache
def waits(hand: Counts) -> tuple[int, ...]:
    """Return the kinds that complete a hand; empty if it is not tenpai."""
    if shanten(hand) != 0:
        return ()
    return tuple(kind for kind in range(34) if hand[kind] < 4 and complete(_with(hand, kind)))


def shapes(hand: Counts, kind: int) -> set[str]:
    """Return the kinds of wait that a tile may end in the hand that it completes."""
    found = set()
    for groups in ways(_with(hand, kind)):
        for group in groups:
            if kind not in group:
                continue
            if len(group) == 2:
                found.add("tanki")
            elif group[0] == group[1]:
                found.add("shanpon")
            elif kind == group[1]:
                found.add("kanchan")
            elif (kind == group[0] and kind % 9 == 6) or (kind == group[2] and kind % 9 == 2):
                found.add("penchan")
            else:
                found.add("ryanmen")
    return found


def _best(found: set[str]) -> str:
    order = ("ryanmen", "shanpon", "kanchan", "penchan", "tanki")
    return next(shape for shape in order if shape in found)


@cache
def wait_kind(hand: Counts) -> str | None:
    """Return the kind of a hand's wait, in the schema's words; None without a wait."""
    kinds = waits(hand)
    if not kinds:
        return None
    regular = [kind for kind in kinds if shapes(hand, kind)]
    if not regular:
        if any(thirteen_orphans(_with(hand, kind)) for kind in kinds):
            return "kokushi13" if len(kinds) == 13 else "kokushi"
        return "chiitoi"
    if len(kinds) == 1:
        return _best(shapes(hand, kinds[0]))
    if len(kinds) > 2:
        return "multi"
    low, high = kinds
    if high == low + 3 and low // 9 == high // 9 and high < 27:
        if "ryanmen" in shapes(hand, low) and "ryanmen" in shapes(hand, high):
            return "ryanmen"
    if all("shanpon" in shapes(hand, kind) for kind in kinds):
        return "shanpon"
    return "multi"


def won_kind(hand: Counts, kind: int) -> str | None:
    """Return the kind of wait of a win: the part that won, if the wait has several parts."""
    whole = wait_kind(hand)
    return _best(shapes(hand, kind)) if whole == "multi" else whole


def tile_class(kind: int, cannot: set[int], ruled_out: set[int], in_sight: Counts) -> str:
    """Return the class of a tile against an opponent.

    ``cannot`` are the kinds on which the opponent cannot win, ``ruled_out`` the kinds excluded by
    suji, ``in_sight`` the copies of each kind that the discarder sees.
    """
    if kind in cannot:
        return "genbutsu"
    if kind >= 27:
        return "honour"
    number = kind % 9 + 1
    sides = []  # for each ryanmen, how it is excluded
    for partner, between in ((kind - 3, (kind - 2, kind - 1)), (kind + 3, (kind + 1, kind + 2))):
        if partner // 9 == kind // 9 and partner >= 0:
            if partner in ruled_out:
                sides.append("suji")
            elif any(in_sight[other] == 4 for other in between):
                sides.append("wall")
            else:
                sides.append("open")
    name = {1: "19", 9: "19", 2: "28", 8: "28", 3: "37", 7: "37"}.get(number, "456")
    if "open" not in sides:
        return "no_chance" if "wall" in sides else f"suji_{name}"
    return "half_suji_456" if "suji" in sides else f"no_suji_{name}"


def dora_of(indicator: int, players: int) -> int:
    """Return the kind that an indicator makes dora; with three players 9m follows 1m."""
    if indicator >= 31:
        return 31 + (indicator - 31 + 1) % 3
    if indicator >= 27:
        return 27 + (indicator - 27 + 1) % 4
    if players == 3 and indicator == 0:
        return 8
    return indicator - 8 if indicator % 9 == 8 else indicator + 1
