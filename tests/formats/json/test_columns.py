"""Columns of many JSON texts, compared with the same texts parsed one by one."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from paifu.formats.json.columns import NO_LIST, NO_NODE, NOT_WHOLE, PORTION, Columns, portions
from paifu.formats.json.memo import SPECIAL, TextMemo

SCALARS = st.none() | st.booleans() | st.integers(-(10**18) + 1, 10**18 - 1) | st.text(max_size=3)
NUMBERS = SCALARS | st.sampled_from([0.5, -0.0, 12.0])
LISTS = NUMBERS | st.lists(NUMBERS | st.lists(NUMBERS, max_size=2), max_size=5)
OBJECTS = st.dictionaries(st.sampled_from(["a", "b", "c", "log"]), LISTS, max_size=4)


def columns_of(values: list[Any], *, indent: int | None = None) -> Columns:
    texts = [json.dumps(value, indent=indent).encode() for value in values]
    stops = np.cumsum([len(text) + 3 for text in texts]) - 3
    return Columns(b" , ".join(texts), stops - [len(text) for text in texts], stops)


@settings(max_examples=150)
@given(st.lists(OBJECTS | LISTS, min_size=1, max_size=5), st.sampled_from([None, 1]))
def test_fields_elements_and_numbers_are_those_of_the_values(
    values: list[Any], indent: int | None
) -> None:
    columns = columns_of(values, indent=indent)
    assert (columns.roots != NO_NODE).all()
    nodes, plain = columns.fields(columns.roots, ("a", "log"))
    elements, counts = columns.elements(nodes[:, 0], 3)
    numbers = columns.wholes(elements, absent=-7)
    for at, value in enumerate(values):
        fields = value if isinstance(value, dict) else {}
        assert plain[at] == (isinstance(value, dict) and set(value) <= {"a", "log"})
        assert (nodes[at] != NO_NODE).tolist() == ["a" in fields, "log" in fields]
        inside = fields.get("a")
        is_list = isinstance(inside, list)
        assert counts[at] == (len(inside) if is_list else NO_LIST)
        wholes = [part if type(part) is int else NOT_WHOLE for part in inside] if is_list else []
        assert numbers[at].tolist() == (wholes + [-7] * 3)[:3]
        texts = [type(part) is str for part in inside] if is_list else []
        assert columns.are_texts(elements)[at].tolist() == (texts + [False] * 3)[:3]


def test_a_text_that_is_not_simple_has_no_node_and_spares_its_neighbours() -> None:
    text = b'[1]{"a":1,"a":2}[2][3'
    columns = Columns(text, np.array([0, 3, 16, 19]), np.array([3, 16, 19, 21]))
    assert (columns.roots == NO_NODE).tolist() == [False, True, False, True]
    elements, counts = columns.elements(columns.roots, 2)
    assert counts.tolist() == [1, NO_LIST, 1, NO_LIST]
    assert columns.wholes(elements)[:, 0].tolist() == [1, 0, 2, 0]


def test_texts_are_looked_up_where_there_are_any() -> None:
    columns = columns_of([["x", 1], [[2], "x"], []])
    elements, _ = columns.elements(columns.roots, 2)
    memo = TextMemo(lambda text: len(text) if text[:1] != b"[" else SPECIAL)
    assert columns.meanings(memo, elements, -9).tolist() == [[3, 1], [SPECIAL, 3], [-9, -9]]


def test_no_text_at_all_is_no_node() -> None:
    nothing = np.empty(0, dtype=np.int64)
    columns = Columns(b"", nothing, nothing)
    assert columns.elements(columns.roots, 2)[0].shape == (0, 2)
    absent = np.array([NO_NODE])
    assert columns.elements(absent, 1)[1].tolist() == [NO_LIST]
    assert columns.are_texts(absent).tolist() == [False]


def test_portions_hold_everything_in_order_and_end_once_they_are_large() -> None:
    sizes = [1, PORTION - 1, 5, 3 * PORTION, 2]
    assert [*portions(sizes, int)] == [sizes[:2], sizes[2:4], sizes[4:]]
    assert not [*portions([], int)]
