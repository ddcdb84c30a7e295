"""``paifu completion``: the script that completes commands and options in a shell."""

from __future__ import annotations

from typing import Literal


def completion(shell: Literal["bash", "zsh", "fish"], /) -> None:
    """Print the script that completes commands and options in a shell.

    bash: paifu completion bash > ~/.local/share/bash-completion/completions/paifu

    zsh: paifu completion zsh > a folder of fpath, as _paifu

    fish: paifu completion fish > ~/.config/fish/completions/paifu.fish

    Example: paifu completion bash

    Parameters
    ----------
    shell
        The shell.
    """
    from paifu.cli.main import build

    print(build().generate_completion(shell=shell))
