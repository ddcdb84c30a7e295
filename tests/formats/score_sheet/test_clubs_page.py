"""docs/clubs.md, word for word: its files are saved, and its commands print what it shows."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from paifu.cli.main import run
from paifu.docgen.score_sheet_columns import columns_table

PAGE = Path(__file__).parents[3] / "docs" / "clubs.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"`([\w-]+\.(?:csv|toml))`:\s*$")
SAME = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_page_is_true(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    blocks = list(BLOCK.finditer(text))
    ran = 0
    for block in blocks:
        if name := NAME.search(text[: block.start()]):
            Path(name[1]).write_text(block[2], encoding="utf-8")
    for block in blocks:
        if name := NAME.search(text[: block.start()]):  # as the page says it at this place
            Path(name[1]).write_text(block[2], encoding="utf-8")
        if block[1] != "console":
            continue
        for part in block[2].split("$ ")[1:]:
            command, _, shown = part.partition("\n")
            assert run(shlex.split(command)[1:]) in (0, 3)
            printed = capsys.readouterr()
            expected = shown.replace("…", "...")
            told = (printed.out, printed.err)
            assert any(doctest.OutputChecker().check_output(expected, got, SAME) for got in told), (
                f"{command}\n{printed.out}\n{printed.err}"
            )
            ran += 1
    assert ran >= 8


def test_the_columns_are_listed() -> None:
    assert columns_table() in PAGE.read_text(encoding="utf-8")
