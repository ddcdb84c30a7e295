"""Reads many JSON texts at once, as columns: kernels find the values of their fields and lists.

The texts become one tape (:mod:`paifu.formats.json.tape`). From a column of nodes one gets columns
with the values of a key, the elements of lists, whole numbers, or the meanings of short texts. A
node that is not there is ``NO_NODE``, and so are all nodes within it. So whole columns are read
without a check of each node, and unusual values are found by comparing columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import numpy as np

from paifu.formats.json.memo import TextMemo
from paifu.formats.json.tape import (
    ARRAY,
    LONGEST,
    NOT_SIMPLE,
    OBJECT,
    OTHER,
    TEXT,
    Nodes,
    fill_tape,
    hash_within,
    key_hash,
    nodes_for,
)
from paifu.game.events import Array
from paifu.kernels.compiling import inner, njit
from paifu.kernels.digits import read_digits

_T = TypeVar("_T")
NO_NODE = -1
NO_LIST = -1
"""Length of a node that is not a list."""
NOT_WHOLE = -(2**62)
"""Value of a node that is not a whole number."""
PORTION = 4 << 20
"""Bytes of text that are read at once; a tape takes at most seven times as many."""
_MINUS = ord("-")


@njit
def _fill_tapes(text: Array, begins: Array, ends: Array, nodes: Nodes, roots: Array) -> int:
    """Write the tapes of all texts one after the other, and return the number of nodes.

    The arrays of nodes have at least half as many elements as the texts have bytes, and two more
    for each text.
    """
    count = 0
    for index in range(len(begins)):
        begin, end = begins[index], ends[index]
        roots[index] = NO_NODE
        if end - begin > LONGEST:
            continue
        room = count + (end - begin) // 2 + 2
        part = Nodes(
            nodes.kinds[count:room], nodes.starts[count:room], nodes.stops[count:room],
            nodes.after[count:room],
        )  # fmt: skip
        filled = fill_tape(text[begin:end], part)
        if filled == NOT_SIMPLE:
            continue
        roots[index] = count
        for node in range(count, count + filled):
            nodes.starts[node] += begin
            nodes.stops[node] += begin
            nodes.after[node] += count
        count += filled
    return count


@njit
def _find_fields(
    text: Array, nodes: Nodes, objects: Array, keys: Array, found: Array, plain: Array
) -> None:
    """Write the node of each key's value in each object, and which objects have no other keys."""
    for index in range(len(objects)):
        found[index, :] = NO_NODE
        node = objects[index]
        plain[index] = node >= 0 and nodes.kinds[node] == OBJECT
        if not plain[index]:
            continue
        at = node + 1
        while at < nodes.after[node]:
            place = _place(keys, hash_within(text, nodes.starts[at], nodes.stops[at]))
            if place < 0:
                plain[index] = False
            else:
                found[index, place] = at + 1
            at = nodes.after[at + 1]


@inner
def _place(keys: Array, key: int) -> int:
    for place in range(len(keys)):
        if keys[place] == key:
            return place
    return -1


@njit
def _find_elements(nodes: Nodes, lists: Array, found: Array, counts: Array) -> None:
    """Write the first elements of each list, as many as fit, and its number of elements."""
    for index in range(len(lists)):
        found[index, :] = NO_NODE
        counts[index] = NO_LIST
        node = lists[index]
        if node < 0 or nodes.kinds[node] != ARRAY:
            continue
        count, at = 0, node + 1
        while at < nodes.after[node]:
            if count < found.shape[1]:
                found[index, count] = at
            count += 1
            at = nodes.after[at]
        counts[index] = count


@njit
def _read_wholes(text: Array, nodes: Nodes, asked: Array, absent: int, values: Array) -> None:
    """Write the whole number of each node in ``asked``."""
    for index in range(len(asked)):
        node = asked[index]
        if node < 0:
            values[index] = absent
            continue
        values[index] = NOT_WHOLE
        if nodes.kinds[node] != OTHER:
            continue
        start, stop = nodes.starts[node], nodes.stops[node]
        negative = text[start] == _MINUS
        number, after = read_digits(text, start + negative, stop)
        if after == stop:
            values[index] = -number if negative else number


class Columns:
    """The nodes of the texts within ``text`` from each of ``starts`` to its stop (int64).

    >>> text = b'{"a": [1, "x"]} [2]'
    >>> columns = Columns(text, np.array([0, 16]), np.array([15, 19]))
    >>> nodes, plain = columns.fields(columns.roots, ("a",))
    >>> plain.tolist()
    [True, False]
    >>> elements, counts = columns.elements(nodes[:, 0], 3)
    >>> counts.tolist(), (columns.wholes(elements) == 1).tolist()
    ([2, -1], [[True, False, False], [False, False, False]])
    """

    def __init__(self, text: bytes, starts: Array, stops: Array) -> None:
        self.text = text
        self._bytes = np.frombuffer(text, dtype=np.uint8)
        # one more, so that NO_NODE is also an index
        most = int(((stops - starts) // 2 + 2).sum()) + 1
        self.roots: Array = np.empty(len(starts), dtype=np.int32)
        """int32[N]: the root node of each text; ``NO_NODE`` if the text is not simple enough."""
        nodes = nodes_for(most)
        count = _fill_tapes(self._bytes, starts, stops, nodes, self.roots)
        self.nodes = Nodes(*(part[: count + 1] for part in nodes))

    def fields(self, objects: Array, keys: Sequence[str]) -> tuple[Array, Array]:
        """Return the nodes of the keys' values (int32[N, K]), and which are plain (bool[N]).

        A plain object has no other keys.
        """
        found = np.empty((len(objects), len(keys)), dtype=np.int32)
        plain = np.empty(len(objects), dtype=np.bool_)
        hashes = np.array([key_hash(key) for key in keys], dtype=np.int64)
        _find_fields(self._bytes, self.nodes, np.ascontiguousarray(objects), hashes, found, plain)
        return found, plain

    def elements(self, lists: Array, most: int) -> tuple[Array, Array]:
        """Return the first elements of lists (int32[N, most]) and the lists' lengths (int64[N]).

        The length is ``NO_LIST`` if a node is not a list.
        """
        found = np.empty((len(lists), most), dtype=np.int32)
        counts = np.empty(len(lists), dtype=np.int64)
        _find_elements(self.nodes, np.ascontiguousarray(lists), found, counts)
        return found, counts

    def wholes(self, nodes: Array, absent: int = 0) -> Array:
        """Return whole numbers (int64, shaped like the nodes), ``NOT_WHOLE`` for other values."""
        values = np.empty(nodes.size, dtype=np.int64)
        asked = np.ascontiguousarray(nodes).ravel()
        _read_wholes(self._bytes, self.nodes, asked, absent, values)
        return values.reshape(nodes.shape)

    def meanings(self, memo: TextMemo, nodes: Array, absent: int) -> Array:
        """Return the meanings of the nodes' texts (int64, in the shape of the nodes)."""
        there = nodes >= 0
        values = np.full(nodes.shape, absent, dtype=np.int64)
        starts, stops = (
            place[nodes[there]].astype(np.int64) for place in (self.nodes.starts, self.nodes.stops)
        )
        values[there] = memo.meanings(self.text, starts, stops)
        return values

    def are_texts(self, nodes: Array) -> Array:
        """Return which nodes are strings (bool, in the shape of the nodes)."""
        texts: Array = (nodes >= 0) & (self.nodes.kinds[nodes] == TEXT)
        return texts


class Reader:
    """Reads columns of similar things, and notes which of them are unusual."""

    def __init__(self, columns: Columns, count: int) -> None:
        self.columns = columns
        self.usual: Array = np.ones(count, dtype=np.bool_)
        """bool[count]"""

    def expect(self, holds: Array) -> None:
        """Note the things for which a condition is false (bool, one or several for each thing)."""
        if len(self.usual):
            self.usual &= holds.reshape(len(self.usual), -1).all(axis=1)

    def whole(self, nodes: Array, low: int, high: int) -> Array:
        """Return whole numbers within bounds."""
        numbers = self.columns.wholes(nodes, NOT_WHOLE)
        self.expect((numbers >= low) & (numbers <= high))
        return numbers

    def numbers(self, lists: Array, most: int) -> Array:
        """Return lists of at most ``most`` whole numbers, filled up with zeros."""
        nodes, counts = self.columns.elements(lists, most)
        numbers = self.columns.wholes(nodes)
        self.expect((counts >= 0) & (counts <= most))
        self.expect((numbers > -(2**31)) & (numbers < 2**31))
        return numbers


def portions(things: Iterable[_T], size: Callable[[_T], int]) -> Iterator[list[_T]]:
    """Yield things in lists of about ``PORTION`` bytes.

    >>> [len(portion) for portion in portions([1, PORTION, 1, 1], int)]
    [2, 2]
    """
    portion: list[_T] = []
    left = PORTION
    for thing in things:
        portion.append(thing)
        left -= size(thing)
        if left <= 0:
            yield portion
            portion, left = [], PORTION
    if portion:
        yield portion
