"""Stored records: the answer to a request for a game, and its records one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from paifu.errors import LogError
from paifu.formats.majsoul_protobuf.messages import SCHEMAS
from paifu.formats.majsoul_protobuf.wire import BYTES, decode, raw_fields

DETAILS = ".lq.GameDetailRecords"
_RECORDS, _ACTIONS, _RESULT, _NAME, _DATA = 1, 3, 3, 1, 2
_NUMBERS_LEFT_OUT = ("dora_count", "shiduan")
"""Settings that are 0, and so absent, in a room without red fives or without open tanyao."""


class Wrapper(NamedTuple):
    """The name of a message, and where its bytes are."""

    name: str
    start: int
    """Where its bytes begin and, in ``stop``, end."""
    stop: int


def wrapper(data: bytes, start: int, stop: int) -> Wrapper:
    """Return the name of the message within ``data[start:stop]`` and where its bytes are."""
    name, begin, end = "", stop, stop
    for raw in raw_fields(data, start, stop):
        if raw.number == _NAME and raw.wire_type == BYTES:
            name = data[raw.start : raw.stop].decode("utf-8", "replace")
        elif raw.number == _DATA and raw.wire_type == BYTES:
            begin, end = raw.start, raw.stop
    return Wrapper(name, begin, end)


def record(data: bytes, start: int, stop: int) -> dict[str, Any] | None:
    """Return a wrapped record in the form of decoded JSON; None if there is no record."""
    name, begin, end = wrapper(data, start, stop)
    schema = SCHEMAS.get(name.removeprefix(".lq."))
    if not name.startswith(".lq.Record"):
        return None
    return {"name": name, "data": decode(data, schema, begin, end) if schema else {}}


def records(data: bytes, start: int, stop: int) -> Iterator[dict[str, Any]]:
    """Yield the records of a ``GameDetailRecords`` within ``data[start:stop]``.

    Before version 210715 they are in ``records``. Since then each record is in the ``result`` of an
    action, and other acts of players and the clock are skipped.
    """
    for raw in raw_fields(data, start, stop):
        spans = []
        if raw.number == _RECORDS and raw.wire_type == BYTES:
            spans = [(raw.start, raw.stop)]
        elif raw.number == _ACTIONS and raw.wire_type == BYTES:
            spans = [
                (inner.start, inner.stop)
                for inner in raw_fields(data, raw.start, raw.stop)
                if inner.number == _RESULT and inner.wire_type == BYTES
            ]
        for begin, end in spans:
            if end > begin and (found := record(data, begin, end)) is not None:
                yield found


def answer(data: bytes) -> dict[str, Any] | None:
    """Return a ``ResGameRecord``; None if the bytes are not a ``ResGameRecord``."""
    try:
        message = decode(data, SCHEMAS["ResGameRecord"])
    except LogError:
        return None
    head = message.get("head", {})
    known = bool(head.get("uuid") or head.get("accounts"))
    return message if known or message.get("data", b"").startswith(b"\n\x15.lq.") else None


def with_zeros(head: dict[str, Any]) -> dict[str, Any]:
    """Return the head of a record; if it has a room's settings, those left out are set to 0.

    Protocol buffers leave out a zero. In JSON an absent setting is not known.
    """
    mode = head.get("config", {}).get("mode", {})
    rule = mode.get("detail_rule", {}) if type(mode) is dict else {}
    if rule.get("init_point"):
        for name in _NUMBERS_LEFT_OUT:
            rule.setdefault(name, 0)
    return head
