"""Where rule sets come from: the presets by name, and a user's own in a TOML file."""

from __future__ import annotations

from pathlib import Path

from paifu.errors import RuleError
from paifu.rules import presets
from paifu.rules.ruleset import RuleSet
from paifu.rules.toml import nearest, parse

__all__ = ["get", "load", "names"]


def names() -> tuple[str, ...]:
    """Return the names of the presets, in the order they are listed."""
    return presets.NAMES


def get(name: str) -> RuleSet:
    """Return a preset by its name.

    >>> get("tenhou-3p").start_points
    35000

    Raises :class:`~paifu.errors.RuleError` naming the nearest and all presets.
    """
    if name not in presets.NAMES:
        raise RuleError(
            f"there is no rule set {name!r}{nearest(name, presets.NAMES)}; "
            f"there are {', '.join(presets.NAMES)}, and files ending in .toml"
        )
    return presets.resolve(name)


def load(name_or_path: str | Path) -> RuleSet:
    """Return a preset by its name, or the rule set of a TOML file (a path ending in ``.toml``).

    Raises :class:`~paifu.errors.RuleError` for what does not exist or cannot be understood.
    """
    text = str(name_or_path)
    if not text.endswith(".toml"):
        return get(text)
    path = Path(name_or_path)
    try:
        content = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RuleError(f"cannot read the rule set {text}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RuleError(f"the rule set {text} is not UTF-8 text (byte {error.start})") from error
    return parse(content, name=path.stem, get=get, where=text)
