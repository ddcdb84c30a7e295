"""A user's own rule set, written in TOML: the preset it starts from, then the differences.

::

    extends = "tenhou-4p"
    name = "our club"            # else the file's name
    kiriage_mangan = true        # any option of `paifu rulesets tenhou-4p`
    uma = [30, 10, -10, -30]

    [yaku]
    allow = ["renhou"]           # at its usual value
    forbid = ["ippatsu"]

    [yaku.values]                # han, or "yakuman", "double_yakuman", "mangan" …
    daisharin = "double_yakuman"
    honroutou = { closed = 3, open = 2 }

Every mistake is a :class:`~paifu.errors.RuleError` naming the file, the key and what is allowed. So
is an option that has no effect beside the others, and an entry of ``[yaku]`` that changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from paifu.errors import RuleError
from paifu.messages import did_you_mean
from paifu.rules.riichi.all_yaku import CLOSED_ONLY, YAKU_VALUES
from paifu.rules.riichi.option_needs import unmet
from paifu.rules.riichi.ruleset import OPTIONS, YAKUMAN, RuleSet, Value
from paifu.rules.toml_document import read_document

_OPTIONS = {spec.name: spec for spec in OPTIONS}
_WORDS = {
    "mangan": 5, "haneman": 6, "baiman": 8, "sanbaiman": 11, "yakuman": YAKUMAN,
    "double_yakuman": 2 * YAKUMAN, "triple_yakuman": 3 * YAKUMAN,
}  # fmt: skip
_MOST_POINTS = 10_000_000
"""The largest amount of points that an option may hold, and with a minus sign the smallest."""
_LEAST = {"players": 0, "min_han": 1, "riichi_min_tiles": 0, "noten_pool": 0, "honba": 0,
          "two_han_honba": 0, "max_yakuman": 0, "kita_han": 0}  # fmt: skip


def _meant(word: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the nearest known words, or nothing."""
    hint = did_you_mean(word, known, "")
    return hint and f" ({hint})"


def parse(content: str, *, name: str, get: Callable[[str], RuleSet], where: str) -> RuleSet:
    """Return the rule set that TOML text describes; ``get`` returns a preset by its name."""
    document = read_document(content, where)
    extends = document.pop("extends", None)
    if not isinstance(extends, str):
        raise RuleError(f'{where}: needs a line like extends = "tenhou-4p" to start from')
    try:
        base = get(extends)
    except RuleError as error:
        raise RuleError(f"{where}, extends: {error}") from None
    title = document.pop("title", f"{name}, from {extends}")
    name = document.pop("name", name)
    if not isinstance(name, str) or not isinstance(title, str):
        raise RuleError(f"{where}: name and title are text")
    yaku = _yaku(dict(base.yaku), document.pop("yaku", {}), where)
    options = {key: getattr(base, key) for key in _OPTIONS}
    sources = dict(base.sources)
    for key, value in document.items():
        if key not in _OPTIONS:
            raise RuleError(f"{where}: there is no option {key!r}{_meant(key, _OPTIONS)}")
        options[key] = _option(key, value, where)
        sources[key] = where
    ruleset = RuleSet(
        name=name, title=title, extends=extends, yaku=yaku, sources=sources, **options
    )
    _check_lengths(ruleset, where)
    for key, need in unmet(ruleset, document):
        raise RuleError(f"{where}: {key} has no effect here, it needs {need}. Leave it out")
    return ruleset


def _option(key: str, value: Any, where: str) -> Any:
    """Return an option's value as the rule set holds it, checked against its type and values."""
    spec = _OPTIONS[key]
    allowed = spec.metadata["values"]
    default: Any = spec.default
    if isinstance(default, tuple):
        if not isinstance(value, list):
            raise RuleError(f"{where}: {key} is a list, not {value!r}")
        members = tuple(tuple(each) if isinstance(each, list) else each for each in value)
        for each in members:
            if allowed and each not in allowed:
                raise RuleError(f"{where}: {key} may hold {_listed(allowed)}, not {each!r}")
            if not allowed and not _is_thousands(each, nested=key == "uma_floating"):
                raise RuleError(f"{where}: {key} holds whole thousands, not {each!r}")
        return members
    if type(value) is not type(default):
        kinds = {bool: "true or false", int: "a whole number", str: f"one of {_listed(allowed)}"}
        raise RuleError(f"{where}: {key} is {kinds[type(default)]}, not {value!r}")
    if allowed and value not in allowed:
        hint = _meant(value, allowed) if isinstance(value, str) else ""
        raise RuleError(f"{where}: {key} is one of {_listed(allowed)}, not {value!r}{hint}")
    if type(default) is int and not _LEAST.get(key, -_MOST_POINTS) <= value <= _MOST_POINTS:
        raise RuleError(f"{where}: {key} = {value} is out of range")
    return value


def _is_thousands(value: Any, *, nested: bool) -> bool:
    if nested:
        return isinstance(value, tuple) and all(_is_thousands(each, nested=False) for each in value)
    return type(value) is int and abs(value) <= _MOST_POINTS


def _listed(values: Iterable[Any]) -> str:
    return ", ".join("true" if v is True else "false" if v is False else repr(v) for v in values)


def _check_lengths(ruleset: RuleSet, where: str) -> None:
    """Check that uma has a place for each player."""
    if ruleset.players == 0:
        return
    rows = {"uma": (ruleset.uma,), "uma_floating": ruleset.uma_floating}
    for key, places in rows.items():
        if any(len(row) != ruleset.players for row in places):
            raise RuleError(f"{where}: {key} needs a number for each of {ruleset.players} places")
    if ruleset.uma_floating and len(ruleset.uma_floating) != ruleset.players + 1:
        raise RuleError(f"{where}: uma_floating needs a row for 0 to {ruleset.players} players")


def _yaku(yaku: dict[str, Value], changes: Any, where: str) -> dict[str, Value]:
    """Return the yaku of a rule set after the ``[yaku]`` table's changes."""
    if not isinstance(changes, Mapping):
        raise RuleError(f"{where}: yaku is a table: [yaku] with allow, forbid and values")
    for key in changes:
        if key not in ("allow", "forbid", "values"):
            raise RuleError(f"{where}: [yaku] has allow, forbid and values, not {key!r}")
    for key in _keys(changes.get("allow", []), "allow", where):
        if yaku.get(key) == YAKU_VALUES[key]:
            raise RuleError(f"{where}: yaku.allow: {key} counts already. Leave it out")
        yaku[key] = YAKU_VALUES[key]
    for key in _keys(changes.get("forbid", []), "forbid", where):
        if key not in yaku:
            raise RuleError(f"{where}: yaku.forbid: {key} does not count anyway. Leave it out")
        del yaku[key]
    values = changes.get("values", {})
    if not isinstance(values, Mapping):
        raise RuleError(f"{where}: [yaku.values] is a table of yaku and han")
    for key in _keys(list(values), "values", where):
        value = _value(key, values[key], where)
        if yaku.get(key) == value:
            raise RuleError(f"{where}: yaku.values: {key} has this value already. Leave it out")
        yaku[key] = value
    return yaku


def _keys(keys: Any, name: str, where: str) -> list[str]:
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise RuleError(f"{where}: yaku.{name} is a list of yaku")
    for key in keys:
        if key not in YAKU_VALUES:
            raise RuleError(
                f"{where}: there is no yaku {key!r} in yaku.{name}{_meant(key, YAKU_VALUES)}"
            )
    return keys


def _value(key: str, value: Any, where: str) -> Value:
    """Return the value of a yaku: one number for both states of the hand, or a table of two."""
    if isinstance(value, Mapping):
        if set(value) - {"closed", "open"}:
            raise RuleError(f"{where}: yaku.values.{key} has closed and open, not {list(value)}")
        closed, opened = (_han(key, value.get(state, 0), where) for state in ("closed", "open"))
    else:
        closed = _han(key, value, where)
        opened = 0 if YAKU_VALUES[key].open == 0 else closed
    if opened and key in CLOSED_ONLY:
        raise RuleError(f"{where}: yaku.values.{key}: an open hand cannot have it")
    if max(closed, opened) >= YAKUMAN and opened not in (0, closed):
        raise RuleError(f"{where}: yaku.values.{key}: a yakuman is a yakuman both closed and open")
    if not closed and not opened:
        raise RuleError(f"{where}: yaku.values.{key}: to switch a yaku off, list it in yaku.forbid")
    return Value(closed, opened)


def _han(key: str, value: Any, where: str) -> int:
    han = _WORDS.get(value) if isinstance(value, str) else value
    if type(han) is not int or han < 0 or (han > YAKUMAN and han % YAKUMAN) or han > 5 * YAKUMAN:
        raise RuleError(
            f"{where}: yaku.values.{key} is han from 0 to 13 or a word of "
            f"{', '.join(_WORDS)}, not {value!r}"
        )
    return han
