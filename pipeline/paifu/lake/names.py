"""What a lake keeps of names: the names, keyed hashes, or nothing.

With ``hash``, the names and accounts of players, ids of logs and paths become HMAC-SHA256 with a
salt. So a player stays one player, and nobody can look up a name without the salt. With ``drop``,
they are not stored. Excerpts of broken logs, what the reason of a reject quotes from it, and the
remarks of score sheets are stored only with ``keep``. The salt comes from
``PAIFU_SALT`` or from a file that only the user can read. It is never in the lake, which has only a
value to check the salt.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pyarrow as pa

from paifu.errors import LakeError, UsageError
from paifu.lake.layout import arrow_schema

Policy = Literal["keep", "hash", "drop"]

_HASHED = {
    "seats": ("player", "player_id"),
    "games": ("log_id", "member", "remarks"),
    "rounds": ("remarks",),
    "sources": ("path",),
    "rejects": ("member", "excerpt", "reason"),
}
"""Columns that identify a person, or lead to a log that does, by table. Excerpts and remarks are
dropped, and so is what a reason quotes."""

QUOTED = r"""(^|\W)(?:'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$))"""
"""What a sentence quotes as Python writes texts, for Python and for DuckDB."""
UNQUOTED = r"\1'…'"

_LENGTH = 20  # hexadecimal digits: 80 bits
_DIGEST = re.compile(rf"[0-9a-f]{{{_LENGTH}}}")


def salt_file() -> Path:
    """Return the file of the salt, which is used unless ``PAIFU_SALT`` is set."""
    if sys.platform == "win32":
        home = Path(os.environ.get("APPDATA", Path.home()))
    else:
        home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    return home / "paifu" / "salt"


def salt() -> bytes:
    """Return the user's salt; on first use its file (mode 0600) is made."""
    if given := os.environ.get("PAIFU_SALT"):
        return given.encode()
    path = salt_file()
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        text = path.read_bytes().strip()
        if not text:
            raise LakeError(f"the salt in {path} is empty: remove the file or fill it") from None
        return text
    with os.fdopen(handle, "wb") as file:
        text = secrets.token_hex(32).encode()
        file.write(text + b"\n")
    return text


def digest(key: bytes, kind: str, text: str) -> str:
    """Return the keyed hash of a name, 20 hexadecimal digits.

    >>> digest(b"salt", "player", "a") == digest(b"salt", "player", "a")
    True
    """
    message = f"{kind}\0{text}".encode("utf-8", "surrogatepass")
    return hmac.new(key, message, hashlib.sha256).hexdigest()[:_LENGTH]


def salt_check(key: bytes) -> str:
    """Return the value by which a lake recognises its salt."""
    return digest(key, "check", "paifu")


def verified_salt(check: str, place: str) -> bytes:
    """Return the salt if the lake was made with it.

    Raises :class:`~paifu.errors.LakeError` for another salt, or if there is no salt.
    """
    if not os.environ.get("PAIFU_SALT") and not salt_file().exists():
        raise LakeError(
            f"the salt of the lake at {place} is not at hand: set PAIFU_SALT, or bring the file "
            f"{salt_file()} from the machine the lake was made on"
        )
    key = salt()
    if not hmac.compare_digest(salt_check(key), check):
        raise LakeError(
            f"the lake at {place} was made with another salt: set PAIFU_SALT, or bring the file "
            f"{salt_file()} from the machine it was made on"
        )
    return key


def stored_name(policy: Policy, key: Callable[[], bytes | None], name: str) -> str:
    """Return a player's name as a lake stores it; ``key`` returns the salt if it is needed.

    A hash, as in the statistics of a lake of hashed names, is returned unchanged. Raises
    :class:`~paifu.errors.UsageError` if the lake stores no names.
    """
    if policy == "drop":
        raise UsageError("this lake keeps no names (--names drop): no player can be looked for")
    if policy == "keep" or _DIGEST.fullmatch(name):
        return name
    found = key()
    if found is None:
        raise ValueError("hashing names takes a salt")
    return digest(found, "player", name)


def without_quotes(reason: str) -> str:
    r"""Return a reason without what it quotes from the log, which may be a name.

    >>> without_quotes("row 3, winner: nobody is 'Akio': did you mean \"O'Ben\"? That's all")
    "row 3, winner: nobody is '…': did you mean '…'? That's all"
    """
    return re.sub(QUOTED, UNQUOTED, reason)


def apply_policy(
    policy: Policy, key: bytes | None, tables: dict[str, pa.Table]
) -> dict[str, pa.Table]:
    """Return the tables with only what the policy allows a lake to keep of names."""
    if policy == "keep":
        return tables
    changed = dict(tables)
    for name in changed.keys() & _HASHED.keys():
        for column in _HASHED[name]:
            index = changed[name].schema.get_field_index(column)
            if changed[name].column(index).null_count == changed[name].num_rows:
                continue
            kept = stored_texts(policy, key, name, column, changed[name].column(index).to_pylist())
            changed[name] = changed[name].set_column(index, column, pa.array(kept, pa.string()))
    return changed


def stored_texts(
    policy: Policy, key: bytes | None, table: str, column: str, texts: list[str | None]
) -> list[str | None]:
    """Return the texts of a column as a lake of this policy stores them.

    A text that is not stored becomes NULL, or empty where the column has no NULL.
    """
    if policy == "keep" or column not in _HASHED.get(table, ()):
        return texts
    change = _keeper(policy, key, "player" if table == "seats" else column)
    absent = None if arrow_schema(table).field(column).nullable else ""
    kept: dict[str | None, str | None] = {None: None}
    for text in texts:
        if text is not None and text not in kept:
            kept[text] = change(text)
    return [absent if kept[text] is None else kept[text] for text in texts]


def _keeper(policy: Policy, key: bytes | None, kind: str) -> Callable[[str], str | None]:
    if kind == "reason":
        return without_quotes
    if policy == "drop" or kind in ("excerpt", "remarks"):
        return lambda text: None
    if key is None:
        raise ValueError("hashing names takes a salt")
    return lambda text: digest(key, kind, text) if text else text
