"""HTML built from elements: every text is escaped unless it is markup already."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import orjson

_VOID = frozenset({"meta", "br", "link", "input"})
_NOTHING = "'none'"
_DRAWS = "vegaEmbed"
_UNSAFE_IN_SCRIPT = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def element(name: str, /, *children: object, **attributes: object) -> Markup:
    """Return an element; ``None`` and ``False`` leave an attribute or a child out.

    An underscore at the end of an attribute's name is dropped, and others become hyphens.

    >>> element("td", "<b>", class_="name", aria_label=None)
    '<td class="name">&lt;b&gt;</td>'
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(str(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{joined(*children)}</{name}>")


def joined(*children: object) -> Markup:
    """Return children one after the other, as markup; ``None`` and ``False`` are left out."""
    return Markup(
        "".join(
            child if isinstance(child, Markup) else escape(str(child))
            for child in children
            if child is not None and child is not False
        )
    )


def named(player: object) -> Markup:
    """Return a player's name, which may hold anything, apart from the direction of the text."""
    return element("bdi", player)


def plain_table(
    heads: Sequence[str], rows: Sequence[Sequence[object]], *, numbers: int, name: str = ""
) -> Markup:
    """Return a table whose last ``numbers`` columns hold numbers; ``None`` is a dash.

    ``name`` is what a screen reader calls it, by default its first heading.
    """
    look = [None] * (len(heads) - numbers) + ["number"] * numbers
    head = [element("th", text, scope="col", class_=c) for text, c in zip(heads, look, strict=True)]
    body = [
        element(
            "tr",
            *(
                element("td", "–" if v is None else v, class_=c)
                for v, c in zip(row, look, strict=True)
            ),
        )
        for row in rows
    ]
    table = element(
        "table", element("thead", element("tr", *head)), element("tbody", *body), class_="statistic"
    )
    return element(
        "div", table, class_="scroll", tabindex=0, role="region", aria_label=name or heads[0]
    )


def data_block(id_: str | None, data: Any, *, class_: str | None = None) -> Markup:
    """Return data for a script of the page, which no text in it can leave.

    >>> data_block("a", ["</script>"])
    '<script type="application/json" id="a">["\\\\u003c/script\\\\u003e"]</script>'
    """
    text = orjson.dumps(data).decode()
    for character, written in _UNSAFE_IN_SCRIPT.items():
        text = text.replace(character, written)
    return element("script", Markup(text), type="application/json", id=id_, class_=class_)


@cache
def asset(name: str) -> str:
    """Return the text of a file that pages hold: a script or a style sheet of this package."""
    return (Path(__file__).parent / "assets" / name).read_text(encoding="utf-8")


def page(
    title: str, language: str, *body: object, style: str, script: str = "", charts: str = ""
) -> str:
    """Return a whole page, which loads nothing from a network: its style and script are in it.

    Its policy lets a browser run this script and no other. ``charts`` is the address, relative to
    the page, of a script that draws charts; without it, ``script`` may draw them. Vega compiles
    expressions, which the policy must allow to pages with charts.
    """
    allowed = [f"'sha256-{_digest(script)}'"] if script else []
    allowed += ["'self'", "file:"] if charts else []
    allowed += ["'unsafe-eval'"] if charts or _DRAWS in script else []
    policy = (
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
        f"script-src {' '.join(allowed) or _NOTHING}; base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        element("link", rel="icon", href="data:,"),
        element("style", Markup(style)),
    )
    scripts = [
        element("script", src=charts) if charts else None,
        element("script", Markup(script)) if script else None,
    ]
    return "<!doctype html>\n" + element(
        "html", head, element("body", *body, *scripts), lang=language
    )


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
