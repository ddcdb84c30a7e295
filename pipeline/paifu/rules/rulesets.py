"""Where rule sets come from: the presets by name, and a user's own in a TOML file."""

from __future__ import annotations

import os
import re
import unicodedata
from functools import cache
from pathlib import Path

from paifu.errors import RuleError, RuleNameError
from paifu.messages import did_you_mean
from paifu.rules.fan.game import Game
from paifu.rules.fan.toml_game import parse_game
from paifu.rules.games import all_games
from paifu.rules.games.mentioned import MENTIONED
from paifu.rules.riichi import presets
from paifu.rules.riichi.ruleset import OPTIONS, RuleSet
from paifu.rules.riichi.toml_rules import parse

__all__ = [
    "game_names", "get", "get_any", "load", "load_any", "load_scoring", "load_within", "names",
]  # fmt: skip


_ELSE = "paifu rulesets lists them, and one of your own is a file whose name ends in .toml"
_MOST_BYTES = 1 << 16
"""Size of a TOML file that could be a rule set."""


def names() -> tuple[str, ...]:
    """Return the names of the presets, in the order they are listed."""
    return presets.NAMES


def get(name: str) -> RuleSet:
    """Return a preset by its name.

    >>> get("tenhou-3p").start_points
    35000

    Raises :class:`~paifu.errors.RuleError` for an unknown name; it names the nearest presets.
    """
    if name not in presets.NAMES:
        raise RuleError(f"there is no rule set {name!r}: {did_you_mean(name, names(), _ELSE)}")
    return presets.resolve(name)


def game_names() -> tuple[str, ...]:
    """Return the names of the games other than riichi."""
    return tuple(all_games())


def get_any(name: str) -> RuleSet | Game:
    """Return a riichi preset or a game by its name.

    A name that people use will do too, in Chinese, Japanese or letters, with 麻将 or without.

    >>> get_any("mcr").options["minimum"]
    8
    >>> get_any("国标").name, get_any("Mahjong Soul").name
    ('mcr', 'majsoul-4p')

    Raises :class:`~paifu.errors.RuleError` for an unknown name, and for a game that is known only
    by name; the error says what is missing.
    """
    games = all_games()
    name = _called().get(_folded(name), name)
    if name in games:
        return games[name]
    if name in MENTIONED:
        raise RuleError(
            f"{name} cannot be scored. What the sources have of it: {MENTIONED[name].missing}"
        )
    if name not in presets.NAMES:
        known = (*presets.NAMES, *games, *MENTIONED)
        raise RuleError(f"there is no rule set {name!r}: {did_you_mean(name, known, _ELSE)}")
    return get(name)


_NEEDLESS = re.compile("麻将|麻將|麻雀|mahjong$")


def _folded(name: str) -> str:
    """Return a name without what people write differently: case, blanks, marks, 麻将.

    >>> _folded("M.League") == _folded("m-league"), _folded("长沙麻将") == _folded("长沙")
    (True, True)
    """
    plain = "".join(filter(str.isalnum, unicodedata.normalize("NFKC", name).casefold()))
    return _NEEDLESS.sub("", plain) or plain


@cache
def _called() -> dict[str, str]:
    """Return the rule sets by the folded names that people use for them."""
    found = {_folded(name): name for name in (*presets.NAMES, *all_games(), *MENTIONED)}
    names = [
        *(
            (game.name, (game.title.partition("·")[0], *game.called))
            for game in all_games().values()
        ),
        *presets.CALLED.items(),
        *((name, mentioned.called) for name, mentioned in MENTIONED.items()),
    ]
    for name, called in names:
        for each in called:
            found.setdefault(_folded(each), name)
    return found


def load(name_or_path: str | Path) -> RuleSet:
    """Return a riichi preset by its name, or the riichi rule set of a TOML file (``.toml``).

    Raises :class:`~paifu.errors.RuleError` if it does not exist or cannot be understood, or is a
    game other than riichi.
    """
    found = load_any(name_or_path)
    if isinstance(found, Game):
        raise RuleNameError(f"{found.name} is not a riichi rule set")
    return found


def load_any(name_or_path: str | Path) -> RuleSet | Game:
    """Return a rule set or game by its name, or from a TOML file (a path ending in ``.toml``).

    The rule set of a file has the name that the file gives it. Otherwise it has the name of the
    file without ``.toml``, or with it if a rule set that comes with paifu has that name.

    Raises :class:`~paifu.errors.RuleError` for what does not exist or cannot be understood. For a
    name that the user gave it is :class:`~paifu.errors.RuleNameError`.
    """
    text = str(name_or_path)
    if not text.endswith(".toml"):
        try:
            return get_any(text)
        except RuleError as error:
            raise RuleNameError(str(error)) from None
    path = Path(name_or_path)
    content = _text_of(path)
    taken = {*presets.NAMES, *all_games()}
    name = path.name if path.stem in taken else path.stem
    found = parse_game(content, name=name, games=all_games(), where=text) or parse(
        content, name=name, get=get, where=text
    )
    if found.name in taken:
        raise RuleError(
            f"{text}: {found.name} is the name of a rule set that comes with paifu; yours needs "
            "a name of its own"
        )
    return found


def load_scoring(name_or_path: str | Path) -> RuleSet | Game:
    """Return a rule set as :func:`load_any` does, to score hands and judge records by.

    Raises :class:`~paifu.errors.RuleError` as that does, and for a file that changes an option
    which only simulated games follow: the change would do nothing.
    """
    found = load_any(name_or_path)
    if isinstance(found, RuleSet) and found.extends:
        base = get(found.extends)
        idle = [
            spec.name
            for spec in OPTIONS
            if spec.metadata["simulator_only"]
            and getattr(found, spec.name) != getattr(base, spec.name)
        ]
        if idle:
            raise RuleError(
                f"{name_or_path}: {', '.join(idle)} changes nothing here, only what paifu simulate "
                "plays: a record shows it by itself. Leave it out"
            )
    return found


def load_within(name: str, folder: Path) -> RuleSet | Game:
    """Return the rules that a record names: a rule set, or a TOML file in a folder or below it.

    Raises :class:`~paifu.errors.RuleError` as :func:`load_any` does, and for a file elsewhere: a
    record that somebody else wrote must not read the rest of the disk.
    """
    if not name.endswith(".toml"):
        return get_any(name)
    path = folder / name
    if "\0" in name or not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise RuleError(
            f"the rule set {name} is not in {os.path.realpath(folder)} or below, where a record "
            "may name files"
        )
    return load_scoring(path)


def _text_of(path: Path) -> str:
    """Return the text of a TOML file; a pipe or device of such a name is refused."""
    try:
        if "\0" in str(path) or (path.exists() and not path.is_file()):
            raise RuleError(f"cannot read the rule set {path}: it is not a file")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise RuleError(f"{path} is larger than {_MOST_BYTES >> 10} KiB: no rule set is")
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except FileNotFoundError as error:
        beside = [each.name for each in path.parent.glob("*.toml")]
        hint = did_you_mean(path.name, beside, "is its folder right?")
        raise RuleError(f"cannot read the rule set {path}: no such file; {hint}") from error
    except OSError as error:
        raise RuleError(f"cannot read the rule set {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RuleError(f"the rule set {path} is not UTF-8 text (byte {error.start})") from error
