"""Cached machine code belongs to these sources, wherever they are installed."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import paifu
from paifu.kernels import cache

PACKAGE = Path(paifu.__file__).parent

RUN = """
import json
from paifu.counting import count
from paifu.kernels.cache import cache_dir, compiled
before = compiled("counting")
result = count(10)
print(json.dumps({
    "before": before, "result": int(result), "hits": sum(count.stats.cache_hits.values()),
    "after": [compiled("counting"), compiled("steps")], "folder": str(cache_dir()),
}))
"""


def installed(folder: Path, step: int = 2) -> Path:
    """Install what paifu compiles with, and a kernel that uses a constant of another module."""
    package = folder / "paifu"
    shutil.copytree(PACKAGE / "kernels", package / "kernels")
    shutil.copytree(PACKAGE / "host", package / "host")
    (package / "__init__.py").write_text("")
    (package / "counting.py").write_text(
        "from paifu import (\n    steps,\n)\nfrom paifu.kernels.compiling import njit\n"
        "@njit\ndef count(value):\n    return value + steps.STEP\n"
    )
    (package / "steps.py").write_text(f"STEP = {step}\n")
    return folder


def run(folder: Path, **environment: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        env=os.environ | environment | {"PYTHONPATH": str(folder)},
        capture_output=True, text=True, check=True, cwd=folder,
    )  # fmt: skip
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_another_installation_of_the_same_sources_uses_what_one_compiled(tmp_path: Path) -> None:
    named = str(tmp_path / "cache")
    first = run(installed(tmp_path / "here"), NUMBA_CACHE_DIR=named)
    assert (first["before"], first["result"], first["hits"]) == (False, 12, 0)
    assert first["after"] == [True, False]
    second = run(installed(tmp_path / "elsewhere"), NUMBA_CACHE_DIR=named)
    assert (second["before"], second["result"], second["hits"]) == (True, 12, 1)
    assert second["folder"] == first["folder"]


def test_no_old_code_is_used_in_a_cache_folder_named_by_hand(tmp_path: Path) -> None:
    named = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    folder = installed(tmp_path / "here")
    old = run(folder, **named)
    (folder / "paifu" / "steps.py").write_text("STEP = 7\n")
    new = run(folder, **named)
    assert (old["result"], new["result"], new["hits"]) == (12, 17, 0)
    checked = run(folder, **named, NUMBA_BOUNDSCHECK="1")
    slow = run(folder, **named, NUMBA_OPT="0")
    folders = {said["folder"] for said in (old, new, checked, slow)}
    assert len(folders) == 4
    assert all(Path(each).is_relative_to(tmp_path / "cache") for each in folders)


@pytest.mark.parametrize("place", ["a file", "read-only"])
def test_where_nothing_can_be_kept_the_process_has_a_folder_of_its_own(
    tmp_path: Path, place: str
) -> None:
    named = tmp_path / "cache"
    if place == "a file":
        named.write_bytes(b"")
    else:
        named.mkdir()
        named.chmod(0o500)
        if os.access(named, os.W_OK):  # root may write everywhere except here
            named = Path("/proc/self/fdinfo")
            if not named.is_dir():
                pytest.skip("this user may write everywhere")
    said = run(
        installed(tmp_path / "here"), NUMBA_CACHE_DIR=str(named), TMPDIR=str(tmp_path),
    )  # fmt: skip
    assert said["result"] == 12
    folder = Path(said["folder"])
    assert folder.parent == tmp_path
    assert not folder.exists()  # it was removed with the process


def test_without_a_named_folder_code_lies_in_the_users_cache(tmp_path: Path) -> None:
    folder = installed(tmp_path / "here")
    homes = {name: str(tmp_path / "home") for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA")}
    said = run(folder, **homes, NUMBA_CACHE_DIR="")
    assert Path(said["folder"]).is_relative_to(tmp_path / "home")
    assert re.fullmatch("[0-9a-f]{16}", Path(said["folder"]).name)


def test_the_sources_are_all_modules_that_kernels_take_anything_from() -> None:
    """Compared with the imports that Python's own parser finds."""

    def imports(path: Path) -> set[Path]:
        places = set()
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Import):
                assert not any(name.name.startswith("paifu") for name in node.names), path
            if isinstance(node, ast.ImportFrom):
                assert node.level == 0, path
                module = str(node.module).split(".")
                if module[0] == "paifu":
                    for parts in (module, *([*module, name.name] for name in node.names)):
                        places.add(PACKAGE.parent.joinpath(*parts).with_suffix(".py"))
        return {place for place in places if place.exists()}

    waiting = []
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if re.search(r"^@(njit|inner)\b", text, re.MULTILINE):
            waiting.append(path)
    needed: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in needed:
            needed.add(path)
            waiting += imports(path)
    assert len(needed) > 40
    assert set(cache.kernel_sources()) >= needed
