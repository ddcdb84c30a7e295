"""The data dictionary in the docs agrees with the schema."""

from __future__ import annotations

from pathlib import Path

from paifu.docgen.tables_page import dictionary

DOCS = Path(__file__).parents[2] / "docs"


def test_the_dictionary_in_the_docs_is_the_schemas() -> None:
    written = (DOCS / "tables.md").read_text(encoding="utf-8")
    assert written == dictionary(), "run: python -m paifu.docgen.tables_page > docs/tables.md"
