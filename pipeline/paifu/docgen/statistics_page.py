"""The catalogue of statistics: the second part of ``docs/statistics.md``, written from ``sql/``.

``python -m paifu.docgen.statistics_page docs/statistics.md`` writes it again, below the line
:data:`OPENS`; a test compares the page with the files.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from paifu.query.statistics import GROUPS, Param, Statistic, statistics

OPENS = (
    "<!-- from here on written by: python -m paifu.docgen.statistics_page docs/statistics.md -->\n"
)
"""The line below which the page is generated."""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _param(param: Param) -> str:
    shown = str(param.default).lower() if isinstance(param.default, bool) else param.default
    default = "not set" if param.default is None else f"`{shown}`"
    choices = f" ({', '.join(param.choices)})" if param.choices else ""
    return f"- `{param.name}`{choices}, default {default}: {param.doc}"


def _statistic(found: Statistic) -> Iterator[str]:
    yield f"#### {found.name}\n"
    yield f"**{found.title}.** {found.answers}\n"
    yield f"- counted: {found.numerator}"
    yield f"- over: {found.denominator}"
    yield f"- source: {found.source}"
    yield from map(_param, found.params)
    yield f"- example: `{found.example}`\n"


def catalogue() -> str:
    """Return the catalogue in Markdown: every statistic by subject, with its definition."""
    found = statistics().values()
    lines = [
        "## Catalogue\n",
        "| statistic | title | counted | over |",
        "| --- | --- | --- | --- |",
    ]
    for group in GROUPS:
        lines += [
            f"| [{s.name}](#{s.name}) | {_cell(s.title)} | {_cell(s.numerator)} "
            f"| {_cell(s.denominator)} |"
            for s in found
            if s.group == group
        ]
    lines.append("")
    for group in GROUPS:
        lines.append(f"### {group.capitalize()}\n")
        for one in (s for s in found if s.group == group):
            lines += _statistic(one)
    return "\n".join(lines).rstrip() + "\n"


def main(page: Path) -> None:
    """Write the catalogue into a page, below the line :data:`OPENS`."""
    head, opens, _ = page.read_text(encoding="utf-8").partition(OPENS)
    if not opens:
        raise SystemExit(f"{page} has no line {OPENS.strip()}")
    page.write_text(head + opens + "\n" + catalogue(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
