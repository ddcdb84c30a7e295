"""A TOML document of a user's: read within limits, and refused in words."""

from __future__ import annotations

import tomllib
from typing import Any

from paifu.errors import RuleError

_LONGEST_LINE = 1000


def read_document(content: str, where: str) -> dict[str, Any]:
    """Return the document of a TOML text.

    Raises :class:`~paifu.errors.RuleError` for what is not TOML or not of a person's making.
    """
    for number, line in enumerate(content.split("\n"), 1):
        if len(line) > _LONGEST_LINE:
            raise RuleError(f"{where}, line {number}: it is longer than {_LONGEST_LINE} characters")
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{where} is not TOML: {error}") from error
    except RecursionError:
        raise RuleError(f"{where}: its tables or lists lie too deep in each other") from None
