"""Completion in a shell, as a user presses the tab key."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from paifu.cli.main import COMMANDS, run

PRESS = """
source /dev/stdin
COMP_WORDS=({words})
COMP_CWORD={at}
_paifu
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["paifu", "res"], {"rescore"}),
        (["paifu", "po"], {"points"}),
        (["paifu", "info", "--la"], {"--lake"}),
        (["paifu", "score", "--no-a"], {"--no-aka"}),
    ],
)
def test_bash_completes_commands_and_options(
    words: list[str], expected: set[str], capsys: pytest.CaptureFixture[str]
) -> None:
    if not shutil.which("bash"):
        pytest.skip("bash is not installed")
    assert run(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    press = PRESS.format(words=" ".join(words), at=len(words) - 1)
    done = subprocess.run(
        ["bash", "-c", press], input=script, capture_output=True, text=True, check=True
    )
    assert set(done.stdout.split()) == expected


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_every_command_is_in_the_script(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name, _, _ in COMMANDS)


def test_another_shell_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["completion", "csh"]) == 2
    assert "csh" in capsys.readouterr().err
