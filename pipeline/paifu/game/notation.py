"""How people write a hand: MPSZ with words for melds, mjai's tiles, and keyboard letters.

=========== =====================================================================================
``mpsz``    ``234m067p345s88s67m chi:123s pon:777z kan:1111p kakan:2222s ankan:2222s kita``
``mjai``    ``2m 3m 4m 5pr 6p E E P``, melds ``pon:CCC``: E S W N, P white, F green, C red
``keyboard`` the letters of a JIS keyboard in a mahjong font: the rows ``qwertyuio`` manzu,
            ``asdfghjkl`` souzu, ``zxcvbnm,.`` pinzu and ``1234567`` east to red. A letter typed
            with shift is a tile laid sideways: in a meld the claimed tile, alone the winning one;
            ``9`` is a tile face down, two of them around a pair a concealed kan
=========== =====================================================================================
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from paifu.errors import HandError
from paifu.game.tiles import CODE, EAST, KIND_OF, parse_tiles, tiles_text

NOTATIONS = ("mpsz", "mjai", "keyboard")
MELD_TILES = {"chi": 3, "pon": 3, "kan": 4, "kakan": 4, "ankan": 4}
"""How many tiles each kind of meld has, by its word (``kan`` is an open kan)."""


@dataclass(slots=True)
class WrittenHand:
    """A hand as written: concealed tiles, melds and, if it says so, the winning tile (codes)."""

    tiles: list[int] = field(default_factory=list)
    melds: list[tuple[str, list[int]]] = field(default_factory=list)
    """Kind and tiles of each meld."""
    kita: int = 0
    """Norths set aside."""
    win: int | None = None

    @property
    def melds_text(self) -> str:
        """Melds as table ``wins`` has them: ``chi:123s pon:777z kita``."""
        words = [f"{word}:{tiles_text(tiles)}" for word, tiles in self.melds]
        return " ".join(words + ["kita"] * self.kita)


def read_hand(text: str, notation: str = "mpsz") -> WrittenHand:
    """Return a hand written in one of :data:`NOTATIONS`.

    >>> hand = read_hand("234m067p88s chi:345s")
    >>> tiles_text(hand.tiles), hand.melds_text
    ('234m067p88s', 'chi:345s')

    Raises :class:`~paifu.errors.HandError` for text that cannot be read; it says what and where.
    """
    if notation == "keyboard":
        return _read_keyboard(text)
    hand = WrittenHand()
    for word in text.split():
        name, colon, tiles = word.partition(":")
        if word == "kita":
            hand.kita += 1
        elif colon:
            hand.melds.append((name, _meld(name, read_tiles(tiles, notation), word)))
        else:
            hand.tiles += read_tiles(word, notation)
    return hand


def read_tiles(text: str, notation: str = "mpsz") -> list[int]:
    """Return the codes of tiles written in one of :data:`NOTATIONS`.

    >>> tiles_text(read_tiles("5pr E C", "mjai")), tiles_text(read_tiles("qaz7", "keyboard"))
    ('0p17z', '1m1p1s7z')
    """
    if notation == "mjai":
        return _read_mjai(text)
    if notation == "keyboard":
        return [_key(letter)[0] for letter in text if not letter.isspace()]
    if notation == "mpsz":
        return parse_tiles(text)
    raise HandError(f"there is no notation {notation!r}; there are {', '.join(NOTATIONS)}")


def _meld(name: str, tiles: list[int], word: str) -> list[int]:
    """Check that tiles make the meld they claim, and return them."""
    if name not in MELD_TILES:
        raise HandError(
            f"{word!r} is not a meld: they are written chi: pon: kan: kakan: ankan: and kita"
        )
    kinds = sorted(int(KIND_OF[tile]) for tile in tiles)
    if len(tiles) != MELD_TILES[name]:
        raise HandError(
            f"{name} is written with {MELD_TILES[name]} tiles, not {len(tiles)}: {word!r}"
        )
    run = kinds[0] < EAST and kinds == list(range(kinds[0], kinds[0] + 3)) and kinds[0] % 9 < 7
    if name == "chi" and not run:
        raise HandError(f"{word!r} is not a run")
    if name != "chi" and kinds[0] != kinds[-1]:
        raise HandError(f"{word!r} is not a set of like tiles")
    return tiles


# --- mjai

_MJAI = re.compile(r"([1-9][mps])(r?)|([ESWNPFC])")
_MJAI_HONOURS = "ESWNPFC"


def _read_mjai(text: str) -> list[int]:
    codes: list[int] = []
    at = 0
    while at < len(text):
        if text[at] in " ,\t":
            at += 1
            continue
        match = _MJAI.match(text, at)
        if not match:
            raise HandError(
                f"cannot read {text[at:]!r}: mjai tiles are written 1m 5pr E S W N P F C"
            )
        number, red, honour = match.groups()
        if honour:
            codes.append(CODE[f"{_MJAI_HONOURS.index(honour) + 1}z"])
        elif red and number[0] != "5":
            raise HandError(f"there is no red {number}: only fives are red")
        else:
            codes.append(CODE["0" + number[1] if red else number])
        at = match.end()
    return codes


# --- keyboard letters

FACE_DOWN = -1
_ROWS = (("m", "qwertyuio", "QWERTYUIO"), ("s", "asdfghjkl", "ASDFGHJKL"),
         ("p", "zxcvbnm,.", "ZXCVBNM<>"), ("z", "1234567", "!\"#$%&'"))  # fmt: skip
_KEYS: dict[str, tuple[int, bool]] = {
    letter: (CODE[f"{number}{suit}"], sideways)
    for suit, plain, shifted in _ROWS
    for sideways, letters in ((False, plain), (True, shifted))
    for number, letter in enumerate(letters, start=1)
} | {"9": (FACE_DOWN, False)}

_Tile = tuple[int, bool]


def _key(letter: str) -> _Tile:
    """Return the tile of a letter and whether the tile lies sideways."""
    tile = _KEYS.get(letter)
    if tile is None:
        raise HandError(f"{letter!r} is not a tile of the keyboard notation")
    return tile


def _read_keyboard(text: str) -> WrittenHand:
    hand = WrittenHand()
    for word in text.split():
        tiles = [_key(letter) for letter in word]
        if len(tiles) == 1 and tiles[0][1]:
            if hand.win is not None:
                raise HandError(f"{word!r} is a second winning tile")
            hand.win = tiles[0][0]
            continue
        concealed, melds = _split_melds(tiles, word)
        hand.tiles += concealed
        hand.melds += melds
    return hand


def _split_melds(
    tiles: Sequence[_Tile], word: str
) -> tuple[list[int], list[tuple[str, list[int]]]]:
    """Divide a word into concealed tiles and the melds at its end."""
    melds: list[tuple[str, list[int]]] = []
    end = len(tiles)
    while any(sideways or tile == FACE_DOWN for tile, sideways in tiles[:end]):
        for size in (4, 3):
            meld = _keyboard_meld(tiles[max(end - size, 0) : end])
            if meld is not None and len(meld[1]) == size:
                melds.insert(0, meld)
                end -= size
                break
        else:
            raise HandError(f"the tiles laid sideways in {word!r} do not make melds")
    return [tile for tile, _ in tiles[:end]], melds


def _keyboard_meld(tiles: Sequence[_Tile]) -> tuple[str, list[int]] | None:
    """Return the meld of these tiles: one lies sideways, or a pair is between two face down."""
    codes = [tile for tile, _ in tiles]
    sideways = sum(is_sideways for _, is_sideways in tiles)
    if len(tiles) == 4 and codes[0] == codes[3] == FACE_DOWN and codes[1] == codes[2] >= 0:
        return "ankan", [codes[1]] * 4
    if sideways != 1 or FACE_DOWN in codes or len(codes) < 3:
        return None
    if len(set(codes)) == 1:
        return ("pon" if len(codes) == 3 else "kan"), codes
    low = min(codes)
    if sorted(codes) == [low, low + 1, low + 2] and low < EAST and low % 9 < 7:
        return "chi", codes
    return None
