"""Nanchang-style 精 payments (南昌): one formula behind the forty entries of the table.

The source prints payments by the name of the hand and does not define the hands, so that tiles
cannot be scored; :func:`payment` gives the payments of a named hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from paifu.errors import HandError

UNITS = {"屁胡": 4, "七对": 8, "十三烂": 8, "七星": 16, "大七": 16, "天胡": 32, "地胡": 32}
"""What each other seat pays for a self-drawn hand, by its name."""
_DEGUO_BONUS = 5
_LEAST_JING = 5


@dataclass(frozen=True, slots=True)
class Payment:
    """What the seats pay for one hand."""

    discarder: int
    """What the discarder pays; for a self-drawn hand what each seat does."""
    other: int
    """What each other seat pays."""


def payment(
    hand: str, *, self_drawn: bool, deguo: bool = False, jingdiao: bool = False,
    gangkai: bool = False,
) -> Payment:  # fmt: skip
    """Return the payments of a hand of :data:`UNITS`.

    ``deguo`` (德国) doubles and adds 5; ``jingdiao`` (精吊) and ``gangkai`` (杠开) double, both of
    them (杠吊) twice. On a discard the others pay half the doubled unit, without the 5.

    >>> payment("大七", self_drawn=True, deguo=True, jingdiao=True, gangkai=True)
    Payment(discarder=133, other=133)
    >>> payment("七星", self_drawn=False, deguo=True)
    Payment(discarder=37, other=16)

    Raises :class:`~paifu.errors.HandError` for a hand the table does not have.
    """
    if hand not in UNITS:
        raise HandError(f"the table has no hand {hand!r}; it has {', '.join(UNITS)}")
    unit = UNITS[hand] * (2 if jingdiao else 1) * (2 if gangkai else 1) * (2 if deguo else 1)
    bonus = _DEGUO_BONUS if deguo else 0
    return Payment(unit + bonus, unit + bonus if self_drawn else unit // 2)


def chongguan(jing: int, *, alone: bool = False) -> int:
    """Return what each seat pays for 冲关 with so many 精: n(n - 3), twice that for 精霸.

    >>> [chongguan(jing) for jing in range(5, 11)]
    [10, 18, 28, 40, 54, 70]

    Raises :class:`~paifu.errors.HandError` below five, where the table begins.
    """
    if jing < _LEAST_JING:
        raise HandError(f"冲关 takes five 精 or more, not {jing}")
    return jing * (jing - 3) * (2 if alone else 1)
