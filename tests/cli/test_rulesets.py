"""What ``paifu rulesets`` prints fits on a page and has all options."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from paifu.cli.main import run
from paifu.rules import rulesets
from paifu.rules.riichi.ruleset import OPTIONS


@pytest.mark.parametrize("name", ["mleague", "majsoul-3p", "changsha", "sichuan"])
def test_options_fit_a_page(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulesets", name]) == 0
    lines = list(map(str.rstrip, capsys.readouterr().out.splitlines()))
    options = [line for line in lines if line.startswith("  ") and " = " in line]
    sentences = [line for line in lines if line.startswith("      ")]
    assert options
    assert len(sentences) >= len(options)
    assert max(map(cell_len, options + sentences)) <= 80


def test_an_option_is_written_as_a_file_sets_it(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulesets", "mleague"]) == 0
    printed = capsys.readouterr().out
    assert "  multi_ron = head_bump   or double, triple   [O]" in printed
    for spec in OPTIONS:
        if spec.metadata["group"] not in ("sanma", "chips"):
            assert f"  {spec.name} = " in printed
    assert rulesets.get("mleague").title in printed
