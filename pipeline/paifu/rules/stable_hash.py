"""The hash that tells rule sets apart in a lake."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any


def hash_of(options: Mapping[str, Any], table: Any) -> int:
    """Return a signed 64-bit hash of options by name and of a table, the same on any machine.

    The order of the options does not matter; the order of a list in the table does. A mapping
    counts as the list of its items.

    >>> hash_of({"honba": 500, "tobi": "off"}, []) == hash_of({"tobi": "off", "honba": 500}, [])
    True
    """
    listed = list(table.items()) if isinstance(table, Mapping) else table
    text = json.dumps([dict(options), listed], sort_keys=True)
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "little", signed=True)
