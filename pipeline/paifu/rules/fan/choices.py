"""The options of a game: a point that its source leaves open, or about which tables differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from paifu.errors import RuleError

Options = Mapping[str, Any]

NO_AMOUNT = None
"""Default of an option that is an amount the source does not give."""


class Need(NamedTuple):
    """What other options must be so that an option has an effect."""

    said: str
    """The other options, in words."""
    holds: Callable[[Options], bool]


def amount(name: str) -> Need:
    """Return the need of an amount that the source does not give."""
    return Need(f"an amount {name}", lambda options: options[name] is not NO_AMOUNT)


@dataclass(frozen=True, slots=True)
class Choice:
    """An option of a game: a point that its source leaves open, or about which tables differ."""

    name: str
    default: Any
    doc: str
    values: tuple[Any, ...] = ()
    """The allowed values, if they are few. Otherwise it is any whole number from 0 up, or as many
    numbers as the default has."""
    needs: Need | None = None
    """Without it the option has no effect, and a user's own game may not change it."""


def check_value(choice: Choice, value: Any, where: str) -> None:
    """Raise :class:`~paifu.errors.RuleError` for a value that the option cannot have."""
    if choice.values:
        if value not in choice.values or type(value) not in {type(v) for v in choice.values}:
            allowed = ", ".join(repr(each) for each in choice.values)
            raise RuleError(f"{where}: {choice.name} is one of {allowed}, not {value!r}")
    elif isinstance(choice.default, tuple):
        count = len(choice.default)
        numbers = isinstance(value, list | tuple) and all(type(n) in (int, float) for n in value)
        if not numbers or len(value) != count or any(not abs(n) <= _MOST for n in value):
            raise RuleError(f"{where}: {choice.name} is a list of {count} numbers, not {value!r}")
    elif type(value) is not int or not 0 <= value <= _MOST:
        raise RuleError(f"{where}: {choice.name} is a whole number from 0 on, not {value!r}")


_MOST = 1_000_000
