"""Broadcast leagues, recognised by the titles that people give to games they write down."""

from __future__ import annotations

import re

_LEAGUES = (
    (re.compile(r"Mリーグ|Ｍリーグ|M\.?LEAGUE", re.IGNORECASE), "mleague", "mleague"),
    (re.compile(r"日本プロ麻雀連盟|十段位|鳳凰位"), "unknown", "jpml-a"),
    (re.compile(r"最高位戦"), "unknown", "saikouisen"),
    (re.compile(r"\bWRC\b"), "unknown", "wrc"),
)


def league_of(title: str) -> tuple[str, str] | None:
    """Return platform and rule set of the league in a title, or None if it names no league.

    >>> league_of("Mリーグ/2018レギュラーシーズン")
    ('mleague', 'mleague')
    """
    for words, platform, ruleset in _LEAGUES:
        if words.search(title):
            return platform, ruleset
    return None
