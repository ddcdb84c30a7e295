"""The slow way to read an mjlog: any XML with the same content is rewritten in Tenhou's form.

Odd whitespace, entities, comments, byte order marks, other encodings, attribute orders and quotes
disappear here. Unknown elements and attributes are left out and noted. The parser is expat. A
document type declaration is refused, and so a log cannot define entities.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from urllib.parse import quote
from xml.parsers import expat
from xml.parsers.expat import errors

from paifu.errors import LogError
from paifu.formats.mjlog.grammar import GRAMMAR
from paifu.formats.mjlog.tokeniser import END, ROOT

_TURN = re.compile(r"[DEFGTUVW]\d{1,3}", re.ASCII)
_FREE_TEXT = frozenset({"n0", "n1", "n2", "n3", "title"})
_PLAIN = "".join(map(chr, range(32, 127))).translate({ord(c): None for c in '"<&'})
_ENDS_EARLY = frozenset(
    errors.codes[text]
    for text in (
        errors.XML_ERROR_NO_ELEMENTS,
        errors.XML_ERROR_UNCLOSED_TOKEN,
        errors.XML_ERROR_PARTIAL_CHAR,
        errors.XML_ERROR_UNCLOSED_CDATA_SECTION,
    )
)


_TWICE = errors.codes[errors.XML_ERROR_DUPLICATE_ATTRIBUTE]
_ELEMENT = re.compile(rb"""<[A-Za-z]\w*((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*+"|'[^'<]*+'))++)\s*/?>""")
_ATTRIBUTE = re.compile(rb"""\s+([\w:.-]+)\s*=\s*("[^"<]*+"|'[^'<]*+')""")


def _attributes_once(data: bytes) -> tuple[bytes, bool]:
    """Return XML with blanks in place of repeated attributes, and whether any had another value.

    All other text stays at its place.
    """
    differing = False

    def once(element: re.Match[bytes]) -> bytes:
        nonlocal differing
        text, offset = bytearray(element[0]), element.start()
        said: dict[bytes, bytes] = {}
        for attribute in _ATTRIBUTE.finditer(data, element.start(1), element.end(1)):
            key, value = attribute[1], attribute[2][1:-1]
            if key not in said:
                said[key] = value
                continue
            differing |= said[key] != value
            begin, end = attribute.start() - offset, attribute.end() - offset
            text[begin:end] = b" " * (end - begin)
        return bytes(text)

    return _ELEMENT.sub(once, data), differing


@dataclass(slots=True)
class Rewritten:
    """A log in the strict grammar, and how it relates to the original text."""

    data: bytes
    starts: list[int] = field(default_factory=list)
    """Where each element begins in ``data``."""
    origins: list[int] = field(default_factory=list)
    """Where each element began in the original text."""
    unknown: bool = False
    """Whether unknown elements, attributes or text were left out."""
    cut: int | None = None
    """Where the original text breaks off; None if it is whole."""
    differing: bool = False
    """Whether an element has an attribute twice with different values; the first value counts."""

    def origin(self, position: int) -> int:
        """Return where the element at a position of ``data`` was in the original text."""
        element = bisect_right(self.starts, position) - 1
        return self.origins[element] if element >= 0 else 0


def rewrite(data: bytes) -> Rewritten:
    """Return a log in the strict grammar.

    A log that breaks off is rewritten up to its last whole element. An attribute that an element
    has twice counts once. Raises :class:`~paifu.errors.LogError` for text that is not an mjlog, or
    is damaged in another way.
    """
    reader = _Reader()
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        if error.code == _TWICE:
            once, differing = _attributes_once(data)
            if once != data:
                again = rewrite(once)
                again.differing |= differing
                return again
        position = reader.parser.ErrorByteIndex
        if error.code not in _ENDS_EARLY:
            raise LogError(
                f"damaged XML: {expat.ErrorString(error.code)}", f"byte {position}"
            ) from None
        reader.out.cut = len(data)
    except (ValueError, LookupError) as error:
        # for the encoding in the XML declaration: expat knows UTF-8, UTF-16 and single bytes
        raise LogError(f"XML in an encoding that cannot be read: {error}", "byte 0") from None
    reader.out.data = ROOT + "".join(reader.parts).encode("ascii") + END
    return reader.out


class _Reader:
    """Takes expat's elements one by one."""

    def __init__(self) -> None:
        self.out = Rewritten(b"")
        self.parts: list[str] = []
        self.size = len(ROOT)
        self.begun = False
        self.typed = False
        self.parser = expat.ParserCreate()
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.CharacterDataHandler = self.text
        self.parser.StartDoctypeDeclHandler = self.doctype

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Write an element, or note that it is unknown."""
        if not self.begun:
            self._root(name, attributes)
            self.begun = True
        elif name in GRAMMAR:
            self._write(name, attributes)
        elif _TURN.fullmatch(name):
            self._put(f"<{name}/>")
            self.out.unknown |= bool(attributes)
        else:
            self.out.unknown = True

    def text(self, text: str) -> None:
        """Note text, because an mjlog has no text."""
        if text.strip():
            self.out.unknown = True

    def doctype(self, name: str, *_: object) -> None:
        """Refuse a document type declaration."""
        what = "a web page" if name.lower() == "html" else "a document type declaration"
        raise LogError(f"not an mjlog but {what}", f"byte {self.parser.CurrentByteIndex}")

    def _root(self, name: str, attributes: dict[str, str]) -> None:
        position = f"byte {self.parser.CurrentByteIndex}"
        if name != "mjloggm":
            raise LogError(f"not an mjlog: its outermost element is <{name}>", position)
        version = attributes.get("ver", "2.3")
        if not version.startswith("2."):
            raise LogError(f"mjlog of version {version}; version 2.3 is known", position)

    def _write(self, name: str, attributes: dict[str, str]) -> None:
        known = GRAMMAR[name]
        parts = [name]
        for key, value in attributes.items():
            if key not in known:
                self.out.unknown = True
                continue
            if key not in _FREE_TEXT:
                value = "".join(value.split())
            parts.append(f'{key}="{quote(value, safe=_PLAIN)}"')
        element = f"<{' '.join(parts)}/>"
        if name != "GO":
            self._put(element)
        elif self.typed:
            self.out.unknown = True
        else:
            self.typed = True
            self._put_first(element)

    def _put(self, element: str) -> None:
        self.parts.append(element)
        self.out.starts.append(self.size)
        self.out.origins.append(self.parser.CurrentByteIndex)
        self.size += len(element)

    def _put_first(self, element: str) -> None:
        """Write the game type first: it says what the tiles after it are."""
        self.parts.insert(0, element)
        self.out.starts = [len(ROOT), *(start + len(element) for start in self.out.starts)]
        self.out.origins.insert(0, self.parser.CurrentByteIndex)
        self.size += len(element)
