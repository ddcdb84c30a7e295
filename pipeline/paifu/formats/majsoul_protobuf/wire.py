"""The wire format of protocol buffers: the fields of a message that its schema names.

https://protobuf.dev/programming-guides/encoding/ describes the format. A number has at most ten
bytes, a length is compared with the bytes that are there, and messages are nested only as deeply as
their schemas. So memory and time are at most a small multiple of the length of the bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from paifu.errors import LogError

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5
"""Wire types."""
_LONGEST_VARINT = 10
_MOST_REPEATED = 1000
"""Elements of a repeated field; messages of a game have a few dozen at most."""


class Field(NamedTuple):
    """What a schema says about a field."""

    name: str
    kind: str
    """``uint``, ``int`` (of 32 bits, may be negative), ``bool``, ``string``, ``bytes`` or a
    message."""
    repeated: bool
    message: Mapping[int, Field] | None
    """The fields of a message, by their numbers."""


Schema = Mapping[int, Field]


class Raw(NamedTuple):
    """A field as it is in the bytes."""

    number: int
    wire_type: int
    value: int
    """The value of a ``VARINT``."""
    start: int
    """Where the content begins and, in ``stop``, ends."""
    stop: int


def read_varint(data: bytes, at: int, stop: int) -> tuple[int, int]:
    """Return a number of 64 bits and where it ends; raise ``LogError`` if it breaks off.

    >>> read_varint(bytes([0xAC, 0x02]), 0, 2)
    (300, 2)
    """
    value = shift = 0
    for place in range(at, min(at + _LONGEST_VARINT, stop)):
        byte = data[place]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & (1 << 64) - 1, place + 1
        shift += 7
    reason = "breaks off within a number" if at + _LONGEST_VARINT > stop else "a number is too long"
    raise LogError(reason, f"byte {at}")


def raw_fields(data: bytes, start: int, stop: int) -> Iterator[Raw]:
    """Yield the fields of the message within ``data[start:stop]``.

    Raises :class:`LogError` with the byte, from the start of ``data``, if it is not a message.
    """
    at = start
    while at < stop:
        begin = at
        key, at = read_varint(data, at, stop)
        number, wire_type = key >> 3, key & 7
        value = 0
        if wire_type == VARINT:
            value, end = read_varint(data, at, stop)
        elif wire_type == BYTES:
            length, at = read_varint(data, at, stop)
            end = at + length
        elif wire_type == FIXED64:
            end = at + 8
        elif wire_type == FIXED32:
            end = at + 4
        else:
            raise LogError(f"no field has wire type {wire_type}", f"byte {begin}")
        if number == 0:
            raise LogError("no field has the number 0", f"byte {begin}")
        if end > stop:
            raise LogError("a field is longer than the bytes that are left", f"byte {begin}")
        yield Raw(number, wire_type, value, at, end)
        at = end


def decode(data: bytes, schema: Schema, start: int = 0, stop: int | None = None) -> dict[str, Any]:
    """Return the fields of a message that the schema names, without absent fields.

    Raises :class:`LogError` if it is not such a message.

    >>> schema = {1: Field("seat", "uint", False, None), 2: Field("scores", "int", True, None)}
    >>> decode(bytes([0x08, 3, 0x12, 2, 1, 2]), schema)
    {'seat': 3, 'scores': [1, 2]}
    """
    message: dict[str, Any] = {}
    for raw in raw_fields(data, start, len(data) if stop is None else stop):
        field = schema.get(raw.number)
        if field is None:
            continue
        if not field.repeated:
            message[field.name] = _value(data, field, raw)
            continue
        values = message.setdefault(field.name, [])
        if raw.wire_type == BYTES and field.kind in _NUMBERS:
            at = raw.start
            while at < raw.stop and len(values) <= _MOST_REPEATED:
                number, at = read_varint(data, at, raw.stop)
                values.append(_NUMBERS[field.kind](number))
        else:
            values.append(_value(data, field, raw))
        if len(values) > _MOST_REPEATED:
            raise LogError(f"more than {_MOST_REPEATED} {field.name}", f"byte {raw.start}")
    return message


def _value(data: bytes, field: Field, raw: Raw) -> Any:
    if field.kind in _NUMBERS:
        if raw.wire_type == VARINT:
            return _NUMBERS[field.kind](raw.value)
    elif raw.wire_type == BYTES:
        if field.message is not None:
            return decode(data, field.message, raw.start, raw.stop)
        content = data[raw.start : raw.stop]
        if field.kind == "bytes":
            return content
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            place = f"byte {raw.start + error.start}"
            raise LogError(f"{field.name} is not UTF-8", place) from None
    raise LogError(f"{field.name} has another type ({raw.wire_type})", f"byte {raw.start}")


def _int32(number: int) -> int:
    """Return a signed number: negative numbers are written with 64 bits."""
    number &= (1 << 32) - 1
    return number - (1 << 32) if number >> 31 else number


_NUMBERS: dict[str, Callable[[int], int]] = {"uint": int, "int": _int32, "bool": bool}
"""How the value of a number is read, by the kind of its field."""
