"""Names in the JSON formats: tiles by format, shares of a tsumo, limits, ranks."""

from __future__ import annotations

from paifu.simulate.settle import tsumo_share
from paifu.simulate.table_record import RED_TILES

LIMIT_JAPANESE = {
    "mangan": "満貫", "haneman": "跳満", "baiman": "倍満", "sanbaiman": "三倍満", "kazoe": "役満",
    "yakuman": "役満",
}  # fmt: skip
DAN_JAPANESE = (
    "新人", "９級", "８級", "７級", "６級", "５級", "４級", "３級", "２級", "１級",
    "初段", "二段", "三段", "四段", "五段", "六段", "七段", "八段", "九段", "十段", "天鳳位",
)  # fmt: skip
_HONOURS_MJAI = "ESWNPFC"


def tenhou_tile(tile: int, aka: bool) -> int:
    """Return a tile as tenhou.net/6 numbers it: 11-19 m, 21-29 p, 31-39 s, 41-47 z, reds 51-53.

    >>> tenhou_tile(16, True), tenhou_tile(16, False), tenhou_tile(135, True)
    (51, 15, 47)
    """
    kind = tile // 4
    if aka and tile in RED_TILES:
        return 51 + RED_TILES.index(tile)
    return 10 * (kind // 9 + 1) + kind % 9 + 1


def mjai_tile(tile: int, aka: bool) -> str:
    """Return a tile in mjai's notation.

    >>> mjai_tile(16, True), mjai_tile(17, True), mjai_tile(135, True)
    ('5mr', '5m', 'C')
    """
    kind = tile // 4
    if kind >= 27:
        return _HONOURS_MJAI[kind - 27]
    red = "r" if aka and tile in RED_TILES else ""
    return f"{kind % 9 + 1}{'mps'[kind // 9]}{red}"


def majiang_tile(tile: int, aka: bool) -> str:
    """Return a tile as majiang writes it.

    >>> majiang_tile(16, True), majiang_tile(17, True), majiang_tile(135, True)
    ('m0', 'm5', 'z7')
    """
    kind = tile // 4
    number = 0 if aka and tile in RED_TILES else kind % 9 + 1
    return f"{'mpsz'[kind // 9]}{number}"


def tsumo_words(base: int, by_dealer: bool) -> str:
    """Return the payments for a tsumo as Tenhou writes them: ``4000点∀`` or ``2000-4000点``."""
    if by_dealer:
        return f"{tsumo_share(base, True)}点∀"
    return f"{tsumo_share(base, False)}-{tsumo_share(base, True)}点"
