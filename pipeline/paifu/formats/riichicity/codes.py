"""Riichi City's numbers for tiles, kinds of event and act, ends of rounds, and yaku."""

from __future__ import annotations

from typing import Any

from paifu.errors import LogError
from paifu.formats.json.text import items, whole
from paifu.formats.yaku_names import ROUND_WIND, SEAT_WIND
from paifu.game.events import (
    OUTCOME_EXHAUSTIVE,
    OUTCOME_KYUUSHU,
    OUTCOME_SANCHAHOU,
    OUTCOME_SUUCHA,
    OUTCOME_SUUFON,
    OUTCOME_SUUKAN,
)
from paifu.game.tiles import EAST, RED_5M, RED_5P, RED_5S
from paifu.schema.yaku import YAKU_INDEX

_RED = 0x100
_SUITS = ((0, 9), (1, 18), (2, 0))
"""Pinzu, souzu and manzu, with the code of their first tile."""
TILES: dict[int, int] = {
    **{suit << 4 | at + 1: first + at for suit, first in _SUITS for at in range(9)},
    **{0x31 + (at << 4): EAST + at for at in range(7)},
    **{_RED + 0x05: RED_5P, _RED + 0x15: RED_5S, _RED + 0x25: RED_5M},
}
"""Code of each tile."""
WINDS = (0x31, 0x41, 0x51, 0x61)

DEAL, TURN, OFFER, ACT, END, OVER, KAN_DORA = 1, 2, 3, 4, 5, 6, 7
SAYS_NOTHING = frozenset((OFFER, 8, 9, 10, 11))
"""Kinds of event without play: offers, settings, notices to a player, pauses."""

CHI_LOW, CHI_MIDDLE, CHI_HIGH, PON, DAIMINKAN, RON, ANKAN, KAKAN, TSUMO, DISCARD, ROUND_OVER = (
    range(2, 13)
)
KITA = 13
OPEN_RIICHI = (3, 4)
"""Kinds of riichi that show the hand."""

BY_RON, BY_TSUMO = 0, 1
DRAWS = {
    2: OUTCOME_SUUFON, 3: OUTCOME_SUUKAN, 4: OUTCOME_SUUCHA, 5: OUTCOME_SANCHAHOU,
    6: OUTCOME_KYUUSHU, 7: OUTCOME_EXHAUSTIVE,
}  # fmt: skip
"""Recorded outcome by the number of a round's end; with others, players or the server broke it
off."""
VOTED = 8

NAGASHI = 30
BONUS = frozenset((49, 50, 51, 55))
"""Numbers of the kinds of dora."""
YAKUMAN_HAN = 13
_YAKU: tuple[str | int, ...] = (
    "riichi", "menzen_tsumo", "ippatsu", "rinshan", "haitei", "houtei", "chankan", "chun", "hatsu",
    "haku", ROUND_WIND, SEAT_WIND, "iipeikou", "pinfu", "tanyao", "double_riichi", "toitoi",
    "chiitoitsu", "sanankou", "sankantsu", "honroutou", "chanta", "ittsuu", "sanshoku_doujun",
    "shousangen", "sanshoku_doukou", "junchan", "honitsu", "ryanpeikou", "chinitsu",
    "nagashi_mangan", "tenhou", "chihou", "renhou", "kokushi", "kokushi_13", "chuuren",
    "junsei_chuuren", "suuankou", "suuankou_tanki", "suukantsu", "chinroutou", "tsuuiisou",
    "daisuushii", "shousuushii", "daisangen", "ryuuiisou", "junsei_ryuuiisou", "paarenchan",
    "aka_dora", "dora", "ura_dora", "open_riichi", "open_double_riichi", "open_riichi", "kita",
)  # fmt: skip
YAKU: dict[int, int] = {
    number: YAKU_INDEX[key] if isinstance(key, str) else key for number, key in enumerate(_YAKU)
}
"""Index into ``schema.yaku.YAKU``, or the marker of a wind, by the number of a yaku."""


def tile(value: Any, path: str) -> int:
    """Return the code of a tile."""
    code = TILES.get(value) if type(value) is int else None
    if code is None:
        raise LogError(f"{str(value)[:40]!r} is not a tile", path)
    return code


def tiles(values: Any, path: str, most: int) -> list[int]:
    """Return the codes of a list of tiles; null is an empty list."""
    listed = items([] if values is None else values, path)
    if len(listed) > most:
        raise LogError(f"{len(listed)} tiles where there may be at most {most}", path)
    return [tile(value, f"{path}[{at}]") for at, value in enumerate(listed)]


def wind(value: Any, path: str) -> int:
    """Return a wind, 0 east to 3 north."""
    if value not in WINDS:
        raise LogError(f"{str(value)[:40]!r} is not a wind", path)
    return WINDS.index(whole(value, path))
