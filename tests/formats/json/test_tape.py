"""The kernels of the JSON importers, compared with parsers in plain Python."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paifu.errors import LogError
from paifu.formats.json.memo import SPECIAL, TextMemo
from paifu.formats.json.tape import (
    KEY,
    OBJECT,
    TEXT,
    Nodes,
    Tape,
    fill_tape,
    kept_table,
    key_hash,
    nodes_for,
    tape,
)
from paifu.formats.json.text import parse

KEYS = ["seat", "tile", "data", "zhenting", "operation", "", "a b"]
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**17), 10**17) | st.text(max_size=6)
    | st.sampled_from([0.5, -2.25, 1234.75]),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=25,
)  # fmt: skip
PIECES = st.sampled_from(
    ["{", "}", "[", "]", ",", ":", '"a"', '"b"', '"\\u0041"', '"\\ud800"', '"\\ud83d\\ude00"', "1",
     "-", "01", "1.5", "1e9", "true", "nul", '"', "\\", " ", "\n", "\x01", "é", "9" * 30]
)  # fmt: skip


def written(value: Any, style: int) -> bytes:
    """Return JSON in one of the ways in which programs write it."""
    indent, ascii_only = (None, 2)[style & 1], bool(style & 2)
    return json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()


def is_strict(text: bytes) -> bool:
    try:
        parse(text)
    except LogError:
        return False
    return True


def value_of(nodes: Tape, node: int) -> Any:
    """Return the value of a node, built only from the tape, except scalars."""
    kind, end = nodes.kinds[node], nodes.after[node]
    if kind == OBJECT:
        members, at = {}, node + 1
        while at < end:
            assert nodes.kinds[at] == KEY
            members[value_of(nodes, at)] = value_of(nodes, at + 1)
            at = nodes.after[at + 1]
        return members
    text = nodes.text[nodes.starts[node] : nodes.stops[node]]
    if text[:1] == b"[":
        elements, at = [], node + 1
        while at < end:
            elements.append(value_of(nodes, at))
            at = nodes.after[at]
        return elements
    assert (text[:1] == b'"') is (kind in (TEXT, KEY))
    return json.loads(text)


@settings(max_examples=200)
@given(VALUES, st.integers(0, 3))
def test_a_tape_holds_the_value_its_text_holds(value: Any, style: int) -> None:
    nodes = tape(written(value, style))
    assert nodes is not None
    assert value_of(nodes, 0) == value


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=12).map("".join))
def test_json_that_is_not_strict_has_no_tape(text: str) -> None:
    data = text.encode("utf-8")
    if tape(data) is not None:
        assert is_strict(data)


@settings(max_examples=200)
@given(VALUES, st.integers(0, 3), st.data())
def test_no_damaged_text_has_a_tape_unless_it_is_strict(
    value: Any, style: int, data: st.DataObject
) -> None:
    text = bytearray(written(value, style))
    for _ in range(data.draw(st.integers(1, 3))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    if tape(bytes(text)) is not None:
        assert is_strict(bytes(text))


@pytest.mark.parametrize(
    "text",
    [
        b'{"a":1,"a":2}', b'[{"a":{"b":1,"b":1}}]', b'["\\ud800"]', b'["\\udc00\\ud800"]',
        b'["\xed\xa0\x80"]', b'["\xc0\x80"]', b'["\xf4\x90\x80\x80"]', b"[NaN]", b"[1,]", b"[01]",
        b'{"a":1,}', b"[1] 2", b"[" * 100 + b"]" * 100, b"", b" ", b'{"a"}', b'["a', b"[1}",
    ],
)  # fmt: skip
def test_hostile_texts_have_no_tape(text: bytes) -> None:
    assert tape(text) is None


def test_containers_that_are_never_closed_stay_within_the_room_for_nodes() -> None:
    """Each is a node of one byte, twice as many as JSON of that length can have."""
    for text in (b"[" * 48, b"[" * 47 + b"1", b'{"":' * 12 + b"[" * 36, b"[[], " + b"[" * 40):
        room = len(text) // 2 + 2
        whole = Nodes(*(np.full_like(part, -7) for part in nodes_for(2 * len(text))))
        assert fill_tape(np.frombuffer(text, np.uint8), Nodes(*(p[:room] for p in whole))) < 0
        assert all((part[room:] == -7).all() for part in whole)
        assert tape(text) is None
    closed = b"[" * 24 + b"]" * 24
    assert tape(closed) is not None


@settings(max_examples=150)
@given(st.lists(VALUES, min_size=1, max_size=5), st.integers(0, 3))
def test_pruned_texts_keep_keys_and_the_values_of_those_kept(values: Any, style: int) -> None:
    def pruned(value: Any) -> Any:
        if isinstance(value, dict):
            return {k: pruned(v) if k in ("seat", "data") else 0 for k, v in value.items()}
        return [pruned(part) for part in value] if isinstance(value, list) else value

    nodes = tape(written({"x": {"y": values}}, style))
    assert nodes is not None
    elements, node = [], 5  # after {, "x", {, "y" and [
    while node < nodes.after[4]:
        elements.append(node)
        node = int(nodes.after[node])
    out = nodes.pruned(np.array(elements), kept_table(["seat", "data"]))
    spans = zip(out.starts, out.stops, strict=True)
    assert [json.loads(out.text[a:b]) for a, b in spans] == pruned(values)
    assert nodes.keys_above(4) == ["x", "y"]


def test_the_longest_array_is_found_with_its_elements() -> None:
    nodes = tape(b'{"a": [[1, 2], [3]], "b": {"c": [4, [5, 6], {"d": 7}]}, "e": []}')
    assert nodes is not None
    longest, elements = nodes.longest_array()
    assert nodes.keys_above(longest) == ["b", "c"]
    assert [value_of(nodes, int(node)) for node in elements] == [4, [5, 6], {"d": 7}]
    inside = int(elements[1])
    assert nodes.keys_above(inside) is None  # an array is between


def test_a_key_has_one_hash_in_and_out_of_kernels() -> None:
    out = tape(b'[{"seat":[1],"tile":2}]')
    assert out is not None
    for kept, text in (("seat", b'{"seat":[1],"tile":0}'), ("tile", b'{"seat":0,"tile":2}')):
        assert out.pruned(np.array([1]), kept_table([kept])).text == text
    assert len({key_hash(key) for key in KEYS}) == len(KEYS)


# --- remembered texts -------------------------------------------------------------------------


@settings(max_examples=100)
@given(st.lists(st.lists(st.binary(max_size=5), max_size=30), min_size=1, max_size=6))
def test_a_memo_says_what_its_function_says(batches: list[list[bytes]]) -> None:
    def meaning(text: bytes) -> int:
        return SPECIAL if text[:1] == b"x" else int.from_bytes(text, "big")

    memo = TextMemo(meaning)
    for texts in batches:
        stops = np.cumsum([0, *map(len, texts)])
        found = memo.meanings(b"".join(texts), stops[:-1], stops[1:])
        assert found.tolist() == [meaning(text) for text in texts]


def test_a_memo_asks_once_for_what_it_can_remember() -> None:
    asked: list[bytes] = []

    def meaning(text: bytes) -> int:
        asked.append(text)
        return SPECIAL if text == b"each" else len(text)

    memo = TextMemo(meaning)
    text = b"each" + b"often" + b"-" * 300
    starts, stops = np.array([0, 4, 9]), np.array([4, 9, 309])
    for _ in range(3):
        assert memo.meanings(text, starts, stops).tolist() == [SPECIAL, 5, 300]
    assert asked.count(b"often") == 1
    assert asked.count(b"each") == asked.count(b"-" * 300) == 3
