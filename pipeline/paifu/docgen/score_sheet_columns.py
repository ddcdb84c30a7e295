"""The columns of score sheets: the table in ``docs/clubs.md``, written from their definition.

``python -m paifu.docgen.score_sheet_columns docs/clubs.md`` writes it again; a test compares it.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from paifu.formats.score_sheet.columns import COLUMNS
from paifu.formats.score_sheet.guides import guide_of

_HEAD = "| column | Japanese | Chinese | what its cells say |\n| --- | --- | --- | --- |\n"


def columns_table() -> str:
    """Return the table in Markdown; columns of the four seats share a line."""
    lines = []
    for column in COLUMNS:
        if column.key[-2:] in ("_1", "_2", "_3"):
            continue
        titles = list(column.titles)
        guide = guide_of(column.key)
        if column.key.endswith("_0"):
            titles = [f"{title} …" for title in titles]
            guide = guide.replace("who began as East", "who began as East (South …)")
        lines.append(f"| {' | '.join(titles)} | {guide} |\n")
    return _HEAD + "".join(lines)


def main(page: Path) -> None:
    """Write the table into the page, in place of the one that is there."""
    text = page.read_text(encoding="utf-8")
    found = re.search(re.escape(_HEAD) + r"(?:\|.*\n|<!-- columns -->\n)*", text)
    if found is None:
        raise SystemExit(f"{page} has no table of columns")
    page.write_text(text[: found.start()] + columns_table() + text[found.end() :], encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
