"""A user's TOML document, read within limits; what is wrong with it is said in words."""

from __future__ import annotations

import tomllib
from typing import Any

from paifu.errors import RuleError

_LONGEST_LINE = 1000
"""Characters of a line. Nobody needs keys of thousands of parts or numbers of thousands of digits.
The standard library reads such keys in quadratic time, and cannot read such numbers."""


def read_document(content: str, where: str) -> dict[str, Any]:
    """Return the document of a TOML text.

    Raises :class:`~paifu.errors.RuleError` for text that is not TOML or that no person would write.
    """
    for number, line in enumerate(content.split("\n"), 1):
        if len(line) > _LONGEST_LINE:
            raise RuleError(f"{where}, line {number}: it is longer than {_LONGEST_LINE} characters")
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError as error:
        raise RuleError(f"{where} is not TOML: {error}") from error
    except RecursionError:
        raise RuleError(f"{where}: its tables or lists are nested too deeply") from None
