"""Divides the server's side of Tenhou client traffic into tags.

There are three forms: lines of ``Get: …`` and ``Send: …`` with several tags each; hex dumps of both
directions, whose messages end in zero bytes and may break anywhere; and only tags. A client sends
tags of the same names with other attributes, so its tags are recognised even if nothing says who
sent them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

_SERVER = re.compile(rb"server\s*->\s*client")
_CLIENT = re.compile(rb"client\s*->\s*server")
_DUMPED = re.compile(rb"[0-9A-Fa-f]{4,8}\s?[|:]\s{1,3}((?:[0-9A-Fa-f]{2}\s{1,2}){1,32})")
_HEX_DUMP = re.compile(rb"^[0-9A-Fa-f]{4,8}\s?[|:]\s{1,3}(?:[0-9A-Fa-f]{2} ){2}", re.MULTILINE)
_LINE = re.compile(rb"^\s*(Get|Send)\s*:\s?", re.MULTILINE)
_TAG = re.compile(rb'<([A-Za-z]{1,16})(\d{0,3})((?:\s+\w{1,16}="[^"<>]*")*)\s*/?>')
_ATTRIBUTE = re.compile(rb'(\w{1,16})="([^"<>]*)"')
_SENT = {"D": "p", "N": "type", "REACH": "hai", "HELO": "tid"}
"""By name of a tag, the attribute that only a client sends."""


_BEGUN = re.compile(rb"\*\*\* Begin logging at (\w{3} \w{3} [ \d]\d [\d:]{8} \d{4})")


def begun_on(data: bytes) -> datetime | None:
    """Return when a dump began, by the client's clock, whose zone is not known."""
    said = _BEGUN.match(data.lstrip())
    try:
        return datetime.strptime(said[1].decode(), "%a %b %d %H:%M:%S %Y") if said else None
    except ValueError:
        return None


class Tag(NamedTuple):
    """A tag from the server."""

    name: str
    tile: int
    """The tile after the name of a draw or discard; -1 if there is no tile."""
    values: dict[str, str]
    at: int
    """The byte of the file where it begins."""


def is_traffic(head: bytes) -> bool:
    """Return whether content begins with client traffic."""
    if not (b"<" in head or b"->" in head) or b"<mjloggm" in head:
        return False
    if b"->" in head and (_SERVER.search(head) or _CLIENT.search(head)) and _HEX_DUMP.search(head):
        return True
    return b"<" in head and any(_SAYS_SO.get(tag.name, "?") in tag.values for tag in _tags(head))


_SAYS_SO = {"INIT": "hai", "REINIT": "hai", "HELO": "uname", "TAIKYOKU": "oya", "LN": "n"}
"""By name of a tag, the attribute by which client traffic is recognised."""


def server_tags(data: bytes) -> list[Tag]:
    """Return what the server sent, in order."""
    return list(_tags(data))


def _tags(data: bytes) -> Iterator[Tag]:
    text, starts, origins = _server_side(data)
    for match in _TAG.finditer(text):
        name = match[1].decode()
        values = {
            key.decode(): value.decode("ascii", "replace")
            for key, value in _ATTRIBUTE.findall(match[3])
        }
        if _SENT.get(name, "?") in values or (name == "N" and not values):
            continue
        part = bisect_right(starts, match.start()) - 1
        at = origins[part] + (match.start() - starts[part] if len(starts) == 1 else 0)
        yield Tag(name, int(match[2]) if match[2] else -1, values, at)


def _server_side(data: bytes) -> tuple[bytes, list[int], list[int]]:
    """Return the bytes from the server, where their parts begin, and where these parts were."""
    parts: list[bytes] = []
    starts, origins, size = [0], [0], 0
    if _HEX_DUMP.search(data):
        from_server = True
        at = 0
        for line in data.splitlines(keepends=True):
            if _SERVER.search(line):
                from_server = True
            elif _CLIENT.search(line):
                from_server = False
            elif from_server and (dumped := _DUMPED.match(line.strip(b" \t"))):
                parts.append(bytes.fromhex(dumped[1].decode()))
                starts.append(size)
                origins.append(at)
                size += len(parts[-1])
            at += len(line)
        return b"".join(parts), starts, origins
    if not _LINE.search(data):
        return data, starts, origins
    sent, at = True, 0
    for line in data.splitlines(keepends=True):
        if marked := _LINE.match(line):
            sent = marked[1] == b"Send"
        if not sent:
            said = line[marked.end() :] if marked else line
            parts.append(said)
            starts.append(size)
            origins.append(at + len(line) - len(said))
            size += len(said)
        at += len(line)
    return b"".join(parts), starts, origins
