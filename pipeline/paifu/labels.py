"""The catalogue of labels: every text that a reader sees on pages and in ``show`` and ``score``.

A language is one file of ``data/labels``; a test compares the others with English. Names of yaku
are those of :mod:`paifu.schema.yaku`. A text names its values in braces, and gives the singular
before a bar if its value ``n`` can be 1: ``{n} round|{n} rounds``.
"""

from __future__ import annotations

import os
import re
import tomllib
from contextlib import contextmanager
from functools import cache, cached_property
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

from paifu.errors import PaifuError, UsageError
from paifu.host.shipped_files import resource_dir
from paifu.messages import did_you_mean
from paifu.schema.yaku import YAKU

if TYPE_CHECKING:
    from collections.abc import Iterator

ENGLISH = "en"
_LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""Names in the environment that give the user's language, the strongest first."""
_BAR = "|"
_VALUE = re.compile(r"\b(?:\d+|East|South|West|North)\b")
"""What varies in the reason of a verdict: numbers, and winds."""
_PLACE = re.compile(r"\{([a-z])\}")
_WINDS = ("East", "South", "West", "North")


class Labels:
    """The labels of one language; calling it with a key gives the text.

    >>> labels = labels_in("en")
    >>> labels("count.round", n=1), labels("count.round", n=1200)
    ('1 round', '1,200 rounds')
    >>> labels.yaku("tanyao"), labels_in("ja").yaku("tanyao")
    ('All simples', '断幺九')
    """

    def __init__(self, language: str, texts: dict[str, str]) -> None:
        self.language = language
        self._texts = texts
        self._yaku = {
            yaku.key: yaku.japanese if language == "ja" else yaku.english for yaku in YAKU
        }

    def __call__(self, key: str, **values: Any) -> str:
        """Return the text of a key, its values filled in; ``KeyError`` if there is none."""
        text = self._texts[key]
        if _BAR in text and "n" in values:
            one, _, several = text.partition(_BAR)
            text = one if values["n"] == 1 else several
        if not values:
            return text
        shown = {
            name: f"{value:,}" if isinstance(value, int) and name == "n" else value
            for name, value in values.items()
        }
        return text.format(**shown)

    def of(self, section: str, value: Any) -> str:
        """Return the text for a value of a column: ``of("outcome", "suufon")``.

        A value that the catalogue does not know, such as a platform's own word, is its own text.
        """
        return self._texts.get(f"{section}.{value}", str(value))

    def has(self, key: str) -> bool:
        """Return whether there is a text of this key."""
        return key in self._texts

    def section(self, name: str) -> dict[str, str]:
        """Return the texts of a section by the rest of their keys."""
        start = f"{name}."
        return {k.removeprefix(start): v for k, v in self._texts.items() if k.startswith(start)}

    def reason(self, sentence: str) -> str:
        """Return the text for an English sentence: the reason of a verdict, or of a refusal.

        The lake has reasons as English sentences, and errors are such sentences. One that the
        catalogue does not know is its own text. Several sentences, with semicolons between them,
        are each looked up.

        >>> labels_in("en").reason("riichi with less than 1000 points")
        'riichi with less than 1000 points'
        >>> labels_in("ja").reason("riichi with less than 1000 points")
        '1000点未満でのリーチ'
        >>> labels_in("ja").reason("mcr has no 0m")
        'mcr に 0m はない'
        """
        text = self._texts.get(reason_key(sentence))
        if text is None:
            return self._refused(sentence)
        values = (
            self(f"wind.{_WINDS.index(value)}") if value in _WINDS else value
            for value in _VALUE.findall(sentence)
        )
        return text.format(**dict(zip(ascii_lowercase, values, strict=False)))

    def _refused(self, sentence: str) -> str:
        """Return the text for a sentence of section ``refused``; its values are sentences too."""
        for pattern, text in self._refusals:
            if found := pattern.fullmatch(sentence):
                values = {name: self.reason(value) for name, value in found.groupdict().items()}
                return text.format(**values)
        parts = sentence.split("; ")
        return "; ".join(map(self.reason, parts)) if len(parts) > 1 else sentence

    @cached_property
    def _refusals(self) -> list[tuple[re.Pattern[str], str]]:
        """Section ``refused`` of a language that is not English, the most definite sentences first.

        The value of a text may be anything, so it is put into the text of another language only.
        """
        if self.language == ENGLISH:
            return []
        found = self.section("refused")
        definite = sorted(found, key=lambda key: len(_PLACE.sub("", key)), reverse=True)
        return [(_pattern(key), found[key]) for key in definite]

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Put the errors of what is done meanwhile into this language."""
        try:
            yield
        except PaifuError as error:
            error.args = (self.reason(str(error.args[0])), *error.args[1:])
            raise

    def yakuman(self, times: int) -> str:
        """Return how many yakuman a hand is worth, as players say it.

        >>> labels_in("en").yakuman(2), labels_in("ja").yakuman(4)
        ('double yakuman', '4倍役満')
        """
        return self._texts.get(f"yakuman.{times}") or self("yakuman.n", times=times)

    def yaku(self, key: str) -> str:
        """Return the usual name of a yaku or fan."""
        return self._yaku.get(key, key)


def _pattern(sentence: str) -> re.Pattern[str]:
    """Return the pattern of the sentences that a key of section ``refused`` stands for."""
    parts = _PLACE.split(sentence)  # text and names in turn
    written = (f"(?P<{p}>.+?)" if at % 2 else re.escape(p) for at, p in enumerate(parts))
    return re.compile("".join(written), re.DOTALL)


def reason_key(sentence: str) -> str:
    """Return the key of a reason: its sentence with letters for its numbers and winds.

    >>> reason_key("riichi with less than 1000 points")
    'reason.riichi with less than {a} points'
    """
    names = iter(ascii_lowercase)
    return "reason." + _VALUE.sub(lambda _: f"{{{next(names, '')}}}", sentence)


def languages() -> tuple[str, ...]:
    """Return the languages that there is a file for, such as ``en``."""
    return tuple(path.stem for path in sorted((resource_dir("data") / "labels").glob("*.toml")))


@cache
def labels_in(language: str) -> Labels:
    """Return the labels of a language. Raises :class:`~paifu.errors.UsageError` if it has none."""
    known = languages()
    if language not in known:
        hint = did_you_mean(language, known, f"there are {', '.join(known)}")
        raise UsageError(f"there is no language {language!r}: {hint}")
    path = resource_dir("data") / "labels" / f"{language}.toml"
    return Labels(language, dict(_flat("", tomllib.loads(path.read_text(encoding="utf-8")))))


def labels_for(language: str | None = None) -> Labels:
    """Return the labels of a language, by default of the user's locale, else English."""
    if language is not None:
        return labels_in(language)
    locale = next((os.environ[name] for name in _LOCALES if os.environ.get(name)), ENGLISH)
    spoken = locale.split("_")[0].split(".")[0].lower()
    return labels_in(spoken if spoken in languages() else ENGLISH)


def _flat(before: str, table: dict[str, Any]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for key, value in table.items():
        found += _flat(f"{before}{key}.", value) if isinstance(value, dict) else [
            (f"{before}{key}", value)
        ]  # fmt: skip
    return found
