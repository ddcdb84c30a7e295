"""Every message uses the singular for a count of one."""

from __future__ import annotations

import re
from pathlib import Path

from paifu.messages import counted, with_article

SOURCES = Path(__file__).parents[1] / "pipeline" / "paifu"
NOUNS = (
    "games", "rounds", "wins", "sources", "files", "rows", "lines", "logs", "seats", "statements",
    "disagreements", "flowers",
)  # fmt: skip
A_NUMBER = re.compile(r"\{[^{}'\"]*(?::,|len\([^{}]*\)|count)\} (?:" + "|".join(NOUNS) + r")\b")


def test_one_is_one() -> None:
    assert counted(1, "game") == "1 game"
    assert counted(2, "game") == "2 games"
    assert with_article("ankan") == "an ankan"


def test_messages_leave_their_plurals_to_one_place() -> None:
    found = [
        f"{path.name}: {match.group()}"
        for path in [*sorted((SOURCES / "cli").rglob("*.py")), SOURCES / "audit" / "summary.py"]
        for match in A_NUMBER.finditer(path.read_text(encoding="utf-8"))
    ]
    assert found == []
