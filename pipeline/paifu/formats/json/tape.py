"""Makes a list of the values and keys of a JSON text with their places, by a kernel.

The kernel reads strict JSON as programs write it. It refuses unusual text (a key twice, a lone
surrogate, numbers of twenty digits, deep nesting). :mod:`paifu.formats.json.text` reads such text,
or says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from paifu.game.events import Array
from paifu.kernels.compiling import inner, njit
from paifu.kernels.digits import ZERO, is_digit, read_digits
from paifu.kernels.fnv import BASIS, fnv, fold

OBJECT, ARRAY, TEXT, OTHER, KEY = range(5)
"""Kinds of node; ``OTHER`` are numbers, ``true``, ``false`` and ``null``."""

NOT_SIMPLE = -1
LONGEST = 16 << 20
"""The most bytes of a text for a tape; the tape takes at most seven times as many."""
_DEPTH, _KEYS, _DIGITS = 48, 96, 18
"""The most levels, keys of an object, and digits of a number."""

_VALUE, _VALUE_OR_END, _KEY, _KEY_OR_END, _MORE, _NOTHING = range(6)
"""What may come next."""
_QUOTE, _BACKSLASH, _COMMA, _COLON, _MINUS, _POINT = (ord(c) for c in '"\\,:-.')
_OPEN_OBJECT, _CLOSE_OBJECT, _OPEN_ARRAY, _CLOSE_ARRAY = (ord(c) for c in "{}[]")
_U = ord("u")

_SPACE = np.zeros(256, dtype=np.bool_)
_SPACE[[ord(c) for c in " \t\r\n"]] = True
_ESCAPES = np.zeros(256, dtype=np.bool_)
_ESCAPES[[ord(c) for c in '"\\/bfnrt']] = True
_PLAIN = np.zeros(256, dtype=np.bool_)
"""Bytes of a string that are not part of an escape or a multi-byte character."""
_PLAIN[32:128] = True
_PLAIN[[_QUOTE, _BACKSLASH]] = False
_HEX = np.full(256, -1, dtype=np.int64)
_HEX[[ord(c) for c in "0123456789abcdef"]] = range(16)
_HEX[[ord(c) for c in "ABCDEF"]] = range(10, 16)
_WORDS = tuple(np.frombuffer(word, dtype=np.uint8) for word in (b"true", b"false", b"null"))
_TRUE, _FALSE, _NULL = _WORDS


@inner
def _unit(text: Array, at: int) -> int:
    r"""Return the number of a ``\uXXXX`` at ``at``, or -1 if there is no escape."""
    if at + 6 > len(text) or text[at] != _BACKSLASH or text[at + 1] != _U:
        return -1
    number = 0
    for place in range(at + 2, at + 6):
        digit = _HEX[text[place]]
        if digit < 0:
            return -1
        number = number << 4 | digit
    return number


@inner
def _escape(text: Array, at: int) -> int:
    """Return the length of the escape at ``at``, 0 where there is no escape or half a pair."""
    if at + 1 < len(text) and _ESCAPES[text[at + 1]]:
        return 2
    unit = _unit(text, at)
    if unit < 0 or 0xDC00 <= unit < 0xE000:
        return 0
    if 0xD800 <= unit < 0xDC00:
        return 12 if 0xDC00 <= _unit(text, at + 6) < 0xE000 else 0
    return 6


@inner
def _utf8(text: Array, at: int) -> int:
    """Return the length of the UTF-8 character at ``at``, 0 where it is not valid UTF-8."""
    first = text[at]
    length = 2 if 0xC2 <= first < 0xE0 else 3 if 0xE0 <= first < 0xF0 else 4
    if first < 0xC2 or first > 0xF4 or at + length > len(text):
        return 0
    for place in range(at + 1, at + length):
        if text[place] & 0xC0 != 0x80:
            return 0
    second = text[at + 1]
    overlong = (first == 0xE0 and second < 0xA0) or (first == 0xF0 and second < 0x90)
    beyond = (first == 0xED and second >= 0xA0) or (first == 0xF4 and second >= 0x90)
    return 0 if overlong or beyond else length


@inner
def _string(text: Array, at: int) -> int:
    """Return where the string that begins with a quote at ``at`` ends; -1 if it has no end."""
    at += 1
    while at < len(text):
        if _PLAIN[text[at]]:
            at += 1
            continue
        if text[at] == _QUOTE:
            return at + 1
        length = 0
        if text[at] == _BACKSLASH:
            length = _escape(text, at)
        elif text[at] >= 128:
            length = _utf8(text, at)
        if length == 0:
            return -1
        at += length
    return -1


@inner
def _number(text: Array, at: int) -> int:
    """Return where the number at ``at`` ends; -1 if there is no number. No exponents."""
    first = at + (text[at] == _MINUS)
    _, stop = read_digits(text, first, len(text))
    if stop == first or (text[first] == ZERO and stop > first + 1) or stop - first > _DIGITS:
        return -1
    if stop < len(text) and text[stop] == _POINT:
        first = stop + 1
        _, stop = read_digits(text, first, len(text))
        if stop == first or stop - first > _DIGITS:
            return -1
    return stop


@inner
def _scalar(text: Array, at: int) -> int:
    """Return where the number, ``true``, ``false`` or ``null`` at ``at`` ends, or -1."""
    if text[at] == _MINUS or is_digit(text[at]):
        return _number(text, at)
    for word in (_TRUE, _NULL):
        if text[at] == word[0]:
            return at + 4 if _stands(text, at, word) else -1
    return at + 5 if _stands(text, at, _FALSE) else -1


@inner
def _stands(text: Array, at: int, word: Array) -> bool:
    if at + len(word) > len(text):
        return False
    for place in range(len(word)):
        if text[at + place] != word[place]:
            return False
    return True


@inner
def hash_within(text: Array, start: int, stop: int) -> int:
    """Return the hash of a key, or 0 if it is not plain ASCII."""
    h = BASIS
    for at in range(start + 1, stop - 1):
        if not _PLAIN[text[at]]:
            return 0
        h = fold(h, text[at])
    return int(np.int64(h))


def key_hash(key: str) -> int:
    """Return the hash that the kernels compute for a key, for tables of keys."""
    return (fnv(key.encode("ascii")) + 2**63) % 2**64 - 2**63


class Nodes(NamedTuple):
    """Room for the nodes of texts, as :class:`Tape` has them."""

    kinds: Array
    starts: Array
    stops: Array
    after: Array


def nodes_for(most: int) -> Nodes:
    """Return room for this many nodes: int8 kinds, int32 places."""
    return Nodes(np.empty(most, np.int8), *(np.empty(most, np.int32) for _ in range(3)))


class _Open(NamedTuple):
    """The containers that are not closed yet, the outermost first."""

    nodes: Array
    """int64[_DEPTH]"""
    names: Array
    """int64[_DEPTH, _KEYS]: hashes of the keys so far, if it is an object."""
    counts: Array
    """int64[_DEPTH]: number of keys so far."""


@inner
def _put(nodes: Nodes, count: int, kind: int, start: int, stop: int) -> None:
    """Write a node; the place after a container is written when it is closed."""
    nodes.kinds[count] = kind
    nodes.starts[count] = start
    nodes.stops[count] = stop
    nodes.after[count] = count + 1


@inner
def _after_space(text: Array, at: int) -> int:
    while at < len(text) and _SPACE[text[at]]:
        at += 1
    return at


@inner
def _read_key(text: Array, at: int, open_: _Open, level: int) -> int:
    """Return where the key at ``at`` ends; -1 if it is not a key, or its object has it already."""
    stop = _string(text, at) if text[at] == _QUOTE else -1
    name = hash_within(text, at, stop) if stop > 0 else 0
    keys = open_.counts[level]
    if keys == _KEYS or name == 0:
        return -1
    for key in range(keys):
        if open_.names[level, key] == name:
            return -1
    open_.names[level, keys] = name
    open_.counts[level] = keys + 1
    return stop


@inner
def _after_colon(text: Array, at: int) -> int:
    """Return where the value of a key that ends at ``at`` may begin; -1 without key or colon."""
    if at < 0:
        return -1
    at = _after_space(text, at)
    return at + 1 if at < len(text) and text[at] == _COLON else -1


@inner
def _read_leaf(text: Array, at: int, nodes: Nodes, count: int) -> int:
    """Write the string, number or word at ``at`` as a node; return where it ends, or -1."""
    is_text = text[at] == _QUOTE
    stop = _string(text, at) if is_text else _scalar(text, at)
    _put(nodes, count, TEXT if is_text else OTHER, at, stop)
    return stop


@inner
def _closes(byte: int, want: int) -> bool:
    """Return whether a byte may close a container here."""
    if byte == _CLOSE_OBJECT:
        return want == _KEY_OR_END or want == _MORE
    return byte == _CLOSE_ARRAY and (want == _VALUE_OR_END or want == _MORE)


@njit
def fill_tape(text: Array, nodes: Nodes) -> int:
    """Write the nodes of a text and return how many, or ``NOT_SIMPLE``.

    There is room for at least ``len(text) // 2 + 2`` nodes. JSON never has more, but text can open
    more containers than that and never close them.
    """
    open_ = _Open(
        np.empty(_DEPTH, np.int64), np.empty((_DEPTH, _KEYS), np.int64), np.zeros(_DEPTH, np.int64)
    )
    depth, count, want = 0, 0, _VALUE
    at = _after_space(text, 0)
    while at < len(text):
        byte = text[at]
        if count == len(nodes.kinds):
            return NOT_SIMPLE
        if _closes(byte, want):
            node = open_.nodes[depth - 1] if depth else 0
            if depth == 0 or (nodes.kinds[node] == OBJECT) != (byte == _CLOSE_OBJECT):
                return NOT_SIMPLE
            at += 1
            nodes.stops[node], nodes.after[node] = at, count
            depth -= 1
            want = _MORE if depth else _NOTHING
        elif want == _MORE and byte == _COMMA:
            at += 1
            want = _KEY if nodes.kinds[open_.nodes[depth - 1]] == OBJECT else _VALUE
        elif want == _MORE or want == _NOTHING:
            return NOT_SIMPLE
        elif want == _KEY or want == _KEY_OR_END:
            stop = _read_key(text, at, open_, depth - 1)
            _put(nodes, count, KEY, at, stop)
            count += 1
            at = _after_colon(text, stop)
            want = _VALUE
        elif byte == _OPEN_OBJECT or byte == _OPEN_ARRAY:
            if depth == _DEPTH:
                return NOT_SIMPLE
            _put(nodes, count, OBJECT if byte == _OPEN_OBJECT else ARRAY, at, at)
            open_.nodes[depth], open_.counts[depth] = count, 0
            depth += 1
            count += 1
            at += 1
            want = _KEY_OR_END if byte == _OPEN_OBJECT else _VALUE_OR_END
        else:
            at = _read_leaf(text, at, nodes, count)
            count += 1
            want = _MORE if depth else _NOTHING
        if at < 0:
            return NOT_SIMPLE
        at = _after_space(text, at)
    return count if want == _NOTHING else NOT_SIMPLE


@njit
def _longest_array(kinds: Array, after: Array, elements: Array) -> tuple[int, int]:
    """Return the array with the most elements, and how many; write its elements to ``elements``."""
    longest, most = -1, 0
    for node in range(len(kinds)):
        if kinds[node] == ARRAY:
            count, child = 0, node + 1
            while child < after[node]:
                count += 1
                child = after[child]
            if count > most:
                longest, most = node, count
    if longest >= 0:
        child = longest + 1
        for index in range(most):
            elements[index] = child
            child = after[child]
    return longest, most


@inner
def _copy(text: Array, start: int, stop: int, out: Array, at: int) -> int:
    for place in range(start, stop):
        out[at] = text[place]
        at += 1
    return at


@njit
def _write_pruned(
    text: Array, tape: Nodes, nodes: Array, kept: Array, out: Array, ends: Array
) -> int:
    """Write the texts of nodes one after the other, with 0 for the values of keys not kept.

    ``kept`` is a table of :func:`kept_table`. ``ends`` gets where each node's text ends in ``out``,
    which is as long as the text. Returns the number of bytes written.
    """
    at = 0
    for index in range(len(nodes)):
        cursor, node = tape.starts[nodes[index]], nodes[index]
        while node < tape.after[nodes[index]]:
            if tape.kinds[node] != KEY:
                node += 1
                continue
            name = hash_within(text, tape.starts[node], tape.stops[node])
            slot = name & (len(kept) - 1)
            while kept[slot] != 0 and kept[slot] != name:
                slot = (slot + 1) & (len(kept) - 1)
            node += 1
            if kept[slot] == 0:
                at = _copy(text, cursor, tape.starts[node], out, at)
                out[at] = ZERO
                at += 1
                cursor, node = tape.stops[node], tape.after[node]
        at = _copy(text, cursor, tape.stops[nodes[index]], out, at)
        ends[index] = at
    return at


def kept_table(keys: Iterable[str]) -> Array:
    """Return a table of keys for :meth:`Tape.pruned`: int64, 0 for a free slot."""
    names = [key_hash(key) for key in keys]
    table = np.zeros(1 << (4 * len(names)).bit_length(), dtype=np.int64)
    for name in names:
        slot = name % len(table)
        while table[slot]:
            slot = (slot + 1) % len(table)
        table[slot] = name
    return table


class Pruned(NamedTuple):
    """Texts one after the other, without the values of keys that are not kept."""

    text: bytes
    starts: Array
    stops: Array


class Tape(NamedTuple):
    """The nodes of a text, in order.

    A container comes before its content; ``after`` is the node after the content. A key comes
    before its value.
    """

    text: bytes
    kinds: Array
    """int8[N]"""
    starts: Array
    """int32[N]: the first byte; ``stops``: the byte after the last. Strings include their
    quotes."""
    stops: Array
    after: Array

    def longest_array(self) -> tuple[int, Array]:
        """Return the array with the most elements, and its elements; -1 if all arrays are empty."""
        elements = np.empty(len(self.kinds), dtype=np.int64)
        longest, count = _longest_array(self.kinds, self.after, elements)
        return longest, elements[:count]

    def keys_above(self, node: int) -> list[str] | None:
        """Return the keys from the root to a node; None if there is an array between."""
        start = self.starts[node]
        around = np.flatnonzero((self.starts[:node] < start) & (self.stops[:node] > start))
        keys = []
        for inside in [*around[1:].tolist(), node]:
            key = inside - 1
            if self.kinds[key] != KEY:
                return None
            keys.append(self.text[self.starts[key] + 1 : self.stops[key] - 1].decode())
        return keys

    def pruned(self, nodes: Array, kept: Array) -> Pruned:
        """Return the texts of nodes, with 0 for the value of every key that is not ``kept``."""
        out = np.empty(len(self.text), dtype=np.uint8)
        stops = np.empty(len(nodes), dtype=np.int64)
        size = _write_pruned(
            np.frombuffer(self.text, dtype=np.uint8), Nodes(*self[1:]), nodes, kept, out, stops
        )
        starts = np.concatenate([np.zeros(1, dtype=np.int64), stops[:-1]])
        return Pruned(out[:size].tobytes(), starts, stops)


def tape(text: bytes) -> Tape | None:
    """Return the tape of a text; None if the text is not simple enough.

    >>> tape(b'[1, {"a": "b"}]').kinds.tolist() == [ARRAY, OTHER, OBJECT, KEY, TEXT]
    True
    """
    if len(text) > LONGEST:
        return None
    most = len(text) // 2 + 2
    nodes = nodes_for(most)
    count = fill_tape(np.frombuffer(text, dtype=np.uint8), nodes)
    if count == NOT_SIMPLE:
        return None
    return Tape(text, *(part[:count] for part in nodes))
