"""Reads JSON that others wrote: strictly, with a place for each error, each log by itself.

Logs in JSON come as one object, as one object per line, or as an array of objects. Each log is
parsed by itself. So only the broken log is rejected (cut off, NaN, a lone surrogate, nested without
end, a key written twice).
"""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from paifu.errors import LogError
from paifu.formats.json.embedded import value_end
from paifu.messages import counted

_BOM = b"\xef\xbb\xbf"
_EXCERPT = 80
_MANY = 64
"""From this many objects, writing a value again is quicker than counting its keys."""
_LINE_BEGINS = re.compile(rb'\{\s*"|\{\s*\}\Z|\[\s*\{')
_BETWEEN = re.compile(rb"\}\s*\{")
"""The text between two objects; within an object it can be only in a string."""
_NOT_BLANK = re.compile(rb"\S")
_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},]', re.DOTALL)


class Piece(NamedTuple):
    """The text of one JSON value of a file and its place, or why there is no text."""

    position: str
    text: bytes
    error: LogError | None = None


class Document(NamedTuple):
    """One JSON value of a file: its place, its text, and its value or why it has no value."""

    position: str
    text: bytes
    value: Any
    error: LogError | None = None


def parse(text: bytes) -> Any:
    """Return the value of JSON text.

    Raises :class:`LogError` with the byte or the path, if the text is not strict JSON or an object
    has a key twice.
    """
    # parsed JSON has no cycles, and the search for cycles takes longer than reading
    collecting = gc.isenabled()
    gc.disable()
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise _refusal(text, error) from None
    finally:
        if collecting:
            gc.enable()
    objects = text.count(b"{")
    if objects == 1 and type(value) is dict and text.count(b'":') == len(value):
        return value
    if objects > _MANY and len(orjson.dumps(value)) == len(text.strip()):
        return value  # the text is compact, and the value has all of it
    if text.count(b'":') != _keys(value, objects):
        _refuse_repeated_keys(text)
    return value


def _keys(value: Any, objects: int) -> int:
    """Return how many keys the objects within a value have; it has at most ``objects`` objects.

    It goes level by level, so a log with few objects at the top is not searched completely.
    """
    count, level = 0, [value]
    while level and objects:
        within: list[Any] = []
        for item in level:
            if type(item) is dict:
                objects -= 1
                count += len(item)
                within.extend(item.values())
            elif type(item) is list:
                within.extend(item)
        level = [item for item in within if type(item) is dict or type(item) is list]
    return count


def _refusal(text: bytes, error: orjson.JSONDecodeError) -> LogError:
    """Return what is wrong with text that is not JSON, and at which byte."""
    try:
        text.decode()
    except UnicodeDecodeError as wrong:
        return LogError("not JSON: not UTF-8", f"byte {wrong.start}")
    # the offset of the error counts characters
    byte = len(error.doc[: error.pos].encode("utf-8", "replace")) if error.doc else error.pos
    return LogError(f"not JSON: {error.msg}", f"byte {byte}")


def _refuse_repeated_keys(text: bytes) -> None:
    def pairs(items: list[tuple[str, Any]]) -> None:
        seen = set()
        for key, _ in items:
            if key in seen:
                raise LogError(f"the key {key[:_EXCERPT]!r} is written twice in one object", "$")
            seen.add(key)

    try:
        json.loads(text, object_pairs_hook=pairs)
    except RecursionError:
        raise LogError("nested too deeply", "$") from None


def documents(data: bytes) -> Iterator[Document]:
    """Yield the JSON values of a file, in order.

    An array of objects yields its elements (``$[3]``), a file with one value per line yields its
    lines (``line 3``), a file with one value after another yields these (``byte 1234``), and any
    other file yields the whole (``$``).
    """
    return map(document, pieces(data))


def pieces(data: bytes) -> Iterator[Piece]:
    """Yield the texts of the values that :func:`documents` yields.

    Line breaks within a document do not divide it.
    """
    data = data.removeprefix(_BOM)
    start = data.lstrip()[:1]
    lines = data.splitlines() if b"\n" in data or b"\r" in data else []
    if sum(1 for line in lines if line.strip()) > 1 and _are_values(lines) and not _is_one(data):
        for number, line in enumerate(lines, 1):
            if line.strip():
                yield Piece(f"line {number}", line)
    elif start == b"[":
        yield from _elements(data)
    elif start == b"{":
        yield from _one_or_more(data)
    else:
        yield Piece("$", data)


def _is_one(data: bytes) -> bool:
    """Return whether text is one value; of lines of values only the first is checked."""
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return True


def _are_values(lines: list[bytes]) -> bool:
    """Return whether lines are values by themselves: a line is, and most begin like values.

    Broken lines may come before it. A value over several lines may have ``{}`` on a line, but has
    few lines that begin like a value.
    """
    begun = [line for line in map(bytes.strip, lines) if line]
    if 2 * sum(map(bool, map(_LINE_BEGINS.match, begun))) < len(begun):
        return False
    for line in begun:
        if line[:1] + line[-1:] in (b"{}", b"[]") and _is_one(line):
            return True
    return False


def _one_or_more(data: bytes) -> Iterator[Piece]:
    """Yield the object of a text, or its objects one by one if there are several."""
    end = value_end(data, 0, len(data)) if _BETWEEN.search(data) else -1
    if end < 0 or not data[end:].strip():
        yield Piece("$", data)
        return
    yield from (Piece(f"byte {start}", data[start:end]) for start, end in values_after(data))


def values_after(data: bytes, between: re.Pattern[bytes] = _NOT_BLANK) -> Iterator[tuple[int, int]]:
    """Yield where the values of a text begin and end that follow one another.

    ``between`` finds the next byte that belongs to a value. A value without end ends with the text.
    """
    at = 0
    while found := between.search(data, at):
        end = value_end(data, found.start(), len(data))
        at = len(data) if end < 0 else end
        yield found.start(), at


def document(piece: Piece) -> Document:
    """Return a piece with its value, or with its error."""
    position, text, broken = piece
    if broken is not None:
        return Document(position, text, None, broken)
    try:
        return Document(position, text, parse(text))
    except LogError as error:
        place = error.position if position == "$" else f"{position}, {error.position}"
        return Document(position, text, None, LogError(error.reason, place))


def _elements(data: bytes) -> Iterator[Piece]:
    """Yield the elements of an array, found only by its brackets and strings."""
    depth, start, index = 0, 0, 0
    for match in _TOKEN.finditer(data):
        token = match[0]
        if token in (b"[", b"{"):
            depth += 1
            if depth == 1:
                start = match.end()
        elif token in (b"]", b"}") or (token == b"," and depth == 1):
            if depth == 1:
                if text := data[start : match.start()].strip():
                    yield Piece(f"$[{index}]", text)
                start, index = match.end(), index + 1
            if token != b",":
                depth -= 1
                if depth == 0:
                    if rest := data[match.end() :].strip():
                        place = f"byte {match.end()}"
                        yield Piece(place, rest, LogError("text after the array's end", place))
                    return
    yield Piece(f"$[{index}]", b"", LogError("the array has no end", f"$[{index}]"))


# --- values of a type, or an error with a place --------------------------------------------


def whole(value: Any, path: str, low: int = -(2**31), high: int = 2**31 - 1) -> int:
    """Return a whole number within bounds; ``25000.0`` counts as one."""
    if type(value) is float and value.is_integer():
        value = int(value)
    if type(value) is not int or not low <= value <= high:
        raise LogError(f"{_shown(value)} is not a whole number of {low} to {high}", path)
    return value


def number(value: Any, path: str) -> float:
    """Return a number."""
    if type(value) not in (int, float):
        raise LogError(f"{_shown(value)} is not a number", path)
    return float(value)


def items(value: Any, path: str) -> list[Any]:
    """Return a list."""
    if type(value) is not list:
        raise LogError(f"{_shown(value)} is not a list", path)
    return value


def fields(value: Any, path: str) -> dict[str, Any]:
    """Return an object's fields."""
    if type(value) is not dict:
        raise LogError(f"{_shown(value)} is not an object", path)
    return value


def text_or_none(value: Any) -> str | None:
    """Return text that is not empty; anything else is None."""
    return value if type(value) is str and value else None


def wholes(value: Any, path: str, length: int) -> list[int]:
    """Return a list of ``length`` whole numbers; a shorter list is filled up with zeros."""
    numbers = items(value, path)
    if len(numbers) > length:
        raise LogError(f"{counted(len(numbers), 'number')} where there are {length} seats", path)
    checked = [
        entry
        if type(entry) is int and -(2**31) <= entry < 2**31
        else whole(entry, f"{path}[{index}]")
        for index, entry in enumerate(numbers)
    ]
    return checked + [0] * (length - len(checked))


def _shown(value: Any) -> str:
    shown = repr(value) if not isinstance(value, (dict, list)) else type(value).__name__
    return shown if len(shown) <= _EXCERPT else shown[: _EXCERPT - 1] + "…"
