"""The command line as a whole: its names, its help, and what it does not import."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from types import ModuleType

import pytest

import paifu
from paifu.__main__ import main
from paifu.cli.main import COMMANDS, INTERRUPTED, run
from tests.helpers.processes import python

HEAVY = ("numba", "polars", "duckdb", "pandas", "pyarrow")


def test_help_loads_no_data_library() -> None:
    code = f"""
import sys
from paifu.cli.main import run
assert run(["--help"]) == 0
import paifu
print([name for name in {HEAVY} if name in sys.modules])"""
    assert python("-c", code, check=True).stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("name", [name for name, *_ in COMMANDS])
def test_every_command_has_help_with_an_example(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([name, "--help"]) == 0
    printed = capsys.readouterr().out
    assert "Example: paifu" in printed
    assert "--json" in printed or name == "completion"  # which prints a script


def test_every_command_is_imported_without_the_data_libraries() -> None:
    names = [name for name, *_ in COMMANDS]
    code = f"""
import sys
from importlib import import_module
for name in {names}:
    import_module(f"paifu.cli.commands.{{name}}")
print([name for name in {HEAVY} if name in sys.modules])"""
    assert python("-c", code, check=True).stdout.splitlines()[-1] == "[]"


def test_the_public_names_stay_functions_whatever_is_imported() -> None:
    import_module("paifu.ingestion.driver")
    import_module("paifu.audit.lake_audit")
    for name in paifu.__all__:
        assert getattr(paifu, name) is not None
        assert name in dir(paifu)
    assert callable(paifu.ingest)
    assert callable(paifu.open)
    with pytest.raises(AttributeError, match="nothing"):
        paifu.nothing  # noqa: B018


def test_doctor_finds_nothing_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert result["problems"] == []
    assert result["lake"].startswith("works")
    assert result["paifu"] == paifu.__version__


def test_ctrl_c_while_modules_are_imported_is_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(name: str) -> None:
        raise KeyboardInterrupt

    module = ModuleType("paifu.cli.main")
    monkeypatch.setattr(module, "__getattr__", interrupted, raising=False)
    monkeypatch.setitem(sys.modules, "paifu.cli.main", module)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == INTERRUPTED
    assert capsys.readouterr().err == "paifu: interrupted\n"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.strip() == paifu.__version__
