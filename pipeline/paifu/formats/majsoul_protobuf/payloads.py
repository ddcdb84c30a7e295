"""Finds the messages in a file: raw bytes, base64 or hex, in lines of text or anywhere in JSON."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson

from paifu.errors import LogError
from paifu.formats.json import text as json_text
from paifu.formats.majsoul.game_info import RECORD_ID

_DEEPEST = 3
"""The most levels of texts within texts: base64 of JSON of base64."""
_SHORTEST = 12
"""The least characters of a text that could be a message."""
_LOOK = 24
_BEGINS = re.compile(
    rb"\x0a[\x04-\x7f]\.lq\.|\x01\x0a[\x04-\x7f]\.lq\.|\x02..\x0a[\x04-\x7f]\.lq\.|\x03..[\x0a\x12]"
    rb"|\x0a.*\x1a|[\x1a\x22]",
    re.DOTALL,
)
"""The possible first bytes of a wrapper, a frame or the answer to a request for a record."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]+={0,2}")
_HEX = re.compile(r"(?:[0-9A-Fa-f]{2})+")
_TOKEN = re.compile(rb"[A-Za-z0-9+/_-]{24,}={0,2}")
_SPACE = b" \t\r\n"
_PLAIN = bytes.maketrans(b"-_", b"+/")


class Payload(NamedTuple):
    """Bytes that may be a message, their place, and the facts written beside them."""

    position: str
    """``""`` if the file itself is the message."""
    data: bytes
    head: dict[str, Any]
    """The head of a record, if JSON has it decoded."""
    record_id: str | None


def looks_like_message(data: bytes) -> bool:
    """Return whether bytes begin like a wrapper, a frame or an answer of Mahjong Soul's server."""
    return _BEGINS.match(data) is not None


def find_payloads(data: bytes) -> Iterator[Payload | LogError]:
    """Yield possible messages in order, and an error with a place for each broken text."""
    if looks_like_message(data):
        yield Payload("", data, {}, None)
        return
    text = data.removeprefix(b"\xef\xbb\xbf")
    if text.lstrip()[:1] in (b"{", b"["):
        yield from _in_json(text)
        return
    whole = decoded(text.translate(None, _SPACE).decode("latin-1"))
    if whole is not None:
        yield Payload("base64", whole, {}, None)
        return
    for number, line in enumerate(text.splitlines(), 1):
        for token in _TOKEN.findall(line):
            found = decoded(token.decode("latin-1"))
            if found is not None:
                yield Payload(f"line {number}", found, {}, None)


def decoded(text: str) -> bytes | None:
    """Return the bytes of base64 or hex text; None if they do not begin like a message.

    >>> decoded("ChUubHEuR2FtZURldGFpbFJlY29yZHMSAA")[2:6]
    b'.lq.'
    """
    if len(text) < _SHORTEST:
        return None
    if _HEX.fullmatch(text, 0, _LOOK) and looks_like_message(bytes.fromhex(text[:_LOOK])):
        return bytes.fromhex(text) if _HEX.fullmatch(text) else None
    if not _BASE64.match(text) or not looks_like_message(_from_base64(text[:_LOOK])):
        return None
    return _from_base64(text) if _BASE64.fullmatch(text) else None


def _from_base64(text: str) -> bytes:
    packed = text.rstrip("=").encode("latin-1", "replace").translate(_PLAIN)
    try:
        return base64.b64decode(packed + b"=" * (-len(packed) % 4))
    except binascii.Error:
        return b""


def _in_json(text: bytes) -> Iterator[Payload | LogError]:
    for piece in json_text.pieces(text):
        document = json_text.document(piece)
        if document.error is not None:
            yield document.error
        else:
            root = document.position if document.position[0] == "$" else f"{document.position}, $"
            yield from _within(document.value, root, {}, None, 0)


def _within(
    value: Any, path: str, head: dict[str, Any], record_id: str | None, depth: int
) -> Iterator[Payload]:
    """Yield the payloads within a JSON value in the order they are written.

    It uses a stack, not recursion, for objects and lists within each other.
    """
    waiting: list[tuple[Any, str, dict[str, Any], str | None]] = [(value, path, head, record_id)]
    while waiting:
        value, path, head, record_id = waiting.pop()
        if type(value) is dict:
            own = value.get("head")
            head = own if type(own) is dict else head
            record_id = _record_id(value) or record_id
            waiting += [
                (inner, f"{path}.{key[:40]}", head, record_id)
                for key, inner in reversed(value.items())
                if type(inner) in (str, dict, list)
            ]
        elif type(value) is list:
            if value and type(value[0]) is int:
                found = _from_numbers(value)
                if found is not None:
                    yield Payload(path, found, head, record_id)
                continue
            waiting += [
                (value[at], f"{path}[{at}]", head, record_id)
                for at in range(len(value) - 1, -1, -1)
                if type(value[at]) in (str, dict, list)
            ]
        elif (found := _from_text(value)) is not None:
            yield Payload(path, found, head, record_id)
        elif value[:1] in ("{", "[") and len(value) > _SHORTEST and depth < _DEEPEST:
            try:
                inner = orjson.loads(value)
            except orjson.JSONDecodeError:
                continue
            yield from _within(inner, path, head, record_id, depth + 1)


def _from_text(text: str) -> bytes | None:
    if text[:1] < " " and looks_like_message(text[:_LOOK].encode("latin-1", "replace")):
        try:
            return text.encode("latin-1")  # each character is a byte
        except UnicodeEncodeError:
            return None
    return decoded(text.rpartition(";base64,")[2] if text.startswith("data:") else text)


def _from_numbers(numbers: list[Any]) -> bytes | None:
    """Return the bytes in a list of numbers, as programs print arrays of bytes."""
    try:
        return bytes(numbers) if looks_like_message(bytes(numbers[:_LOOK])) else None
    except (TypeError, ValueError):
        return None


_ID_KEYS = ("uuid", "recordId", "record_id", "game_uuid", "gameUuid")


def _record_id(value: dict[str, Any]) -> str | None:
    for key in _ID_KEYS:
        text = value.get(key)
        if type(text) is str and RECORD_ID.fullmatch(text):
            return text
    return None
