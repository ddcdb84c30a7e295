"""The page on lakes beyond one machine: its recipe, done word for word."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from paifu.lake.location import _of_file
from tests.conftest import ROOT
from tests.helpers import servers
from tests.helpers.processes import environment

PAGE = (ROOT / "docs" / "scale.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_file_of_the_page_is_one(tmp_path: Path) -> None:
    path = tmp_path / "games.toml"
    path.write_text(blocks("toml")[0])
    found = _of_file(str(path))
    assert found.store is not None
    assert found.store.address == "s3://games/lake/"


@pytest.mark.slow
def test_the_recipe_of_the_page() -> None:
    if lacking := servers.missing():
        pytest.skip(f"there is no {lacking} to start for this test")
    (recipe,) = blocks("bash")
    with tempfile.TemporaryDirectory(prefix="paifu-scale-") as name:
        folder = Path(name)
        commands = folder / "bin"
        commands.mkdir()
        python = Path(sys.executable).resolve() if os.getuid() else Path(sys.executable)
        for command, does in {
            "paifu": f'exec "{python}" -m paifu "$@"',
            "moto_server": f'exec "{python}" -m moto.server "$@"',
            "pip": "exit 0",
        }.items():
            (commands / command).write_text(f"#!/bin/sh\n{does}\n")
            (commands / command).chmod(0o755)
        folder.chmod(0o755)
        if os.getuid() == 0:  # only PostgreSQL is run as somebody else
            for command in ("initdb", "pg_ctl"):
                program = servers._postgres()
                (commands / command).write_text(
                    "#!/bin/sh\n"
                    f"chmod 777 .; exec setpriv --reuid={servers._user()} --clear-groups"
                    f' "{program}/{command}" "$@"\n'
                )
                (commands / command).chmod(0o755)
        settings = environment(PATH=f"{commands}:{os.environ['PATH']}")
        for key in ("AWS_ENDPOINT_URL", "PGPASSWORD", "PAIFU_LAKE"):
            settings.pop(key, None)
        done = subprocess.run(
            ["bash", "-e", "-c", recipe], cwd=folder, env=settings, capture_output=True, text=True,
            timeout=600, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"games\s+━+\s+20\s", done.stdout), done.stdout
    assert "the lake is whole" in done.stdout
