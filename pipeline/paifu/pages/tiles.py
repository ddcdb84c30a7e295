"""Tiles as SVG, drawn by strokes, so that a page needs no font for them.

:func:`symbols` returns all drawings as one hidden block. A page then shows a tile with ``<use>`` of
``#t-5p``; ``#t-back`` is a tile face down.
"""

from __future__ import annotations

from paifu.pages.markup import Markup, element

WIDTH, HEIGHT = 30, 40

_INK, _RED, _GREEN, _BLUE = "#1d2733", "#c02626", "#147a3c", "#1f4e9c"
_FACE, _EDGE, _BACK = "#fdfaf0", "#6f6a5c", "#2f7d5b"

_NUMBERS = (
    "M2 10H18",
    "M4 6H16M2 15H18",
    "M4 4H16M5 10H15M2 16H18",
    "M3 4H17V17H3ZM8 4Q8 9 5 12M12 4V10H15",
    "M3 3H17M9 3L7 17M4 9H14V17M2 17H18",
    "M10 1V6M2 7H18M7 10L3 18M13 10L17 18",
    "M2 9L18 7M9 2V15Q9 17 11 17H18V14",
    "M8 4Q7 12 2 18M11 3Q13 13 18 18",
    "M8 1Q8 13 2 18M3 7H13V15Q13 17 15 17H18V14",
)
"""Strokes of the numbers one to nine, on a field of 20 by 20."""
_MAN = "M1 4H19M7 1V6M13 1V6M5 7H15V12H5ZM5 9.5H15M10 7V16M3 19V14.5H17V19L15 18.5M7 17.5L13 16.5"
_HONOURS = (
    "M3 5H17M10 1V19M5 8H15V14H5ZM5 11H15M9 14L3 19M11 14L17 19",
    "M4 4H16M10 1V7M3 19V7H17V19M7 9L8 11M13 9L12 11M6 12H14M6 15H14M10 12V19",
    "M2 3H18M3 7H17V18H3ZM8 3V10Q8 12 6 13M12 3V11Q12 12 13 12H15",
    "M8 2V18M3 7H8M2 16L8 13M12 2V16Q12 18 14 18H18V14M18 5L12 9",
    "",
    "M3 3H8Q7 7 2 10M4 5L7 8M17 2L13 5M12 2Q14 8 18 10M15 8L18 5M7 10H13"
    "M3 12H8V15H3V17H8V20M12 12H16V15M12 12V14L10 15M11 16H17L10 20M12 17L18 20",
    "M3 6H17V13H3ZM10 1V19",
)
_CIRCLES = (
    (),
    ((15, 11), (15, 29)),
    ((8, 9), (15, 20), (22, 31)),
    ((9, 11), (21, 11), (9, 29), (21, 29)),
    ((8, 9), (22, 9), (15, 20), (8, 31), (22, 31)),
    ((9, 8), (21, 8), (9, 21), (21, 21), (9, 32), (21, 32)),
    ((7, 7), (15, 10), (23, 13), (9, 22), (21, 22), (9, 32), (21, 32)),
    ((9, 7), (21, 7), (9, 15.7), (21, 15.7), (9, 24.4), (21, 24.4), (9, 33), (21, 33)),
    ((7, 8), (15, 8), (23, 8), (7, 20), (15, 20), (23, 20), (7, 32), (15, 32), (23, 32)),
)
_CIRCLE_COLOURS = (
    "", "gb", "brg", "bggb", "bgrgb", "ggrrrr", "gggrrrr", "bbbbbbbb", "gggrrrbbb",
)  # fmt: skip
_STICKS = (
    (),
    ((15, 11), (15, 29)),
    ((15, 11), (9, 29), (21, 29)),
    ((9, 11), (21, 11), (9, 29), (21, 29)),
    ((7, 11), (23, 11), (15, 20), (7, 29), (23, 29)),
    ((7, 11), (15, 11), (23, 11), (7, 29), (15, 29), (23, 29)),
    ((15, 8), (7, 20), (15, 20), (23, 20), (7, 32), (15, 32), (23, 32)),
    ((6, 11), (12, 12), (18, 12), (24, 11), (6, 29), (12, 28), (18, 28), (24, 29)),
    ((7, 8), (15, 8), (23, 8), (7, 20), (15, 20), (23, 20), (7, 32), (15, 32), (23, 32)),
)
_STICK_COLOURS = (
    "", "gg", "ggg", "gbbg", "gbrbg", "gggbbb", "rgbggbg", "gggggggg", "grggrggrg",
)  # fmt: skip
_COLOURS = {"r": _RED, "g": _GREEN, "b": _BLUE}
_TALL = frozenset({1, 2, 3, 4, 5, 7})
"""Places in :data:`_STICKS` with room for long sticks."""


def symbols() -> Markup:
    """Return the drawings of all tiles as a hidden SVG."""
    names = [f"{number}{suit}" for suit in "mps" for number in range(10)]
    names += [f"{number}z" for number in range(8)] + [f"{number}f" for number in range(1, 9)]
    drawn = [_symbol(name, _face(name) + _drawing(name)) for name in names]
    back = element(
        "rect", x=0.75, y=0.75, width=28.5, height=38.5, rx=3, fill=_BACK, stroke=_EDGE,
        stroke_width=1.2,
    )  # fmt: skip
    inner = element(
        "rect", x=4, y=4, width=22, height=32, rx=2, fill="none", stroke="#9fd4bb", stroke_width=1
    )
    drawn.append(_symbol("back", back + inner))
    return element(
        "svg", *drawn, width=0, height=0, aria_hidden="true", focusable="false", class_="symbols"
    )


def _symbol(name: str, drawing: str) -> Markup:
    return element("symbol", Markup(drawing), id=f"t-{name}", viewBox=f"0 0 {WIDTH} {HEIGHT}")


def _face(name: str) -> str:
    face = element(
        "rect", x=0.75, y=0.75, width=28.5, height=38.5, rx=3, fill=_FACE, stroke=_EDGE,
        stroke_width=1.2,
    )  # fmt: skip
    if name[0] == "0" and name != "0z":  # not by its colour alone
        return face + element("circle", cx=25.6, cy=4.6, r=2.6, fill=_RED)
    return face


def _drawing(name: str) -> str:
    number, suit = int(name[0]), name[1]
    red = number == 0
    place = 4 if red else number - 1
    if suit == "m":
        ink = _RED if red else _INK
        return _strokes(_NUMBERS[place], 6.5, 2.5, 0.85, ink) + _strokes(_MAN, 6.5, 20, 0.85, _RED)
    if suit == "p":
        return _pin(place, red=red)
    if suit == "s":
        return _sou(place, red=red)
    if suit == "f":
        petals = "".join(
            element("circle", cx=15 + dx, cy=16 + dy, r=4, fill="#d4679a")
            for dx, dy in ((0, -5), (5, -1), (3, 5), (-3, 5), (-5, -1))
        )
        label = element("text", number, x=15, y=36, text_anchor="middle", font_size=11, fill=_INK)
        return petals + element("circle", cx=15, cy=16, r=3, fill="#e8b93c") + label
    if name == "0z":
        return element("text", "?", x=15, y=28, text_anchor="middle", font_size=22, fill=_EDGE)
    if name == "5z":
        return element(
            "rect", x=6, y=7, width=18, height=26, rx=2, fill="none", stroke=_BLUE, stroke_width=1.6
        )
    ink = {6: _GREEN, 7: _RED}.get(number, _INK)
    return _strokes(_HONOURS[place], 3.5, 8, 1.15, ink)


def _strokes(path: str, x: float, y: float, scale: float, colour: str) -> str:
    return element(
        "path", d=path, transform=f"translate({x} {y}) scale({scale})", fill="none", stroke=colour,
        stroke_width=2, stroke_linecap="round", stroke_linejoin="round",
    )  # fmt: skip


def _pin(place: int, *, red: bool) -> str:
    if place == 0:
        return "".join(
            element("circle", cx=15, cy=20, r=r, fill=fill, stroke=stroke, stroke_width=1.6)
            for r, fill, stroke in (
                (11, _FACE, _GREEN), (7.5, _FACE, _RED), (4, _RED, _RED),
            )
        )  # fmt: skip
    size = 5 if place < 5 else 4.2 if place in (5, 6) else 3.6
    drawn = ""
    for (x, y), letter in zip(_CIRCLES[place], _CIRCLE_COLOURS[place], strict=True):
        colour = _RED if red else _COLOURS[letter]
        drawn += element(
            "circle", cx=x, cy=y, r=size - 0.8, fill=_FACE, stroke=colour, stroke_width=1.8
        )
        drawn += element("circle", cx=x, cy=y, r=size * 0.34, fill=colour)
    return drawn


def _sou(place: int, *, red: bool) -> str:
    if place == 0:  # a bird
        body = element("path", d="M9 27Q8 17 16 15Q23 15 22 23Q20 31 9 27Z", fill=_GREEN)
        tail = element(
            "path", d="M10 26L4 35M12 27L8 36M15 28L13 36", stroke=_RED, stroke_width=2,
            stroke_linecap="round",
        )  # fmt: skip
        head = element("circle", cx=18, cy=11, r=4, fill=_BLUE)
        beak = element("path", d="M21.5 9.5L27 11.5L21.5 13Z", fill=_RED)
        eye = element("circle", cx=18.8, cy=10.2, r=1, fill=_FACE)
        wing = element("path", d="M12 22Q16 17 20 21Q17 26 12 22Z", fill=_FACE, opacity=0.75)
        return tail + body + wing + head + beak + eye
    height = 13 if place in _TALL else 10
    drawn = ""
    for (x, y), letter in zip(_STICKS[place], _STICK_COLOURS[place], strict=True):
        colour = _RED if red else _COLOURS[letter]
        slant = {(12, 12): -20, (18, 12): 20, (12, 28): 20, (18, 28): -20}.get((x, y))
        turned = f"rotate({slant} {x} {y})" if place == 7 and slant else None
        bar = element(
            "rect", x=x - 1.9, y=y - height / 2, width=3.8, height=height, rx=1.9, fill=colour
        )
        node = element("rect", x=x - 1.9, y=y - 0.6, width=3.8, height=1.2, fill=_FACE)
        drawn += element("g", bar, node, transform=turned)
    return drawn
