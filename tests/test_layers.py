"""The layers of docs/architecture.md: no module imports from a layer above its own."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "pipeline" / "paifu"
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")

MODULES = {
    ".".join(path.relative_to(PACKAGE).with_suffix("").parts).removesuffix(".__init__"): path
    for path in PACKAGE.rglob("*.py")
    if path.parent != PACKAGE or path.stem in ("errors", "labels", "messages")
}


def layers(page: str) -> list[tuple[str, ...]]:
    """Return the layers in the page's block ``layers``, the lowest first."""
    (block,) = re.findall(r"```layers\n(.*?)```", page, re.DOTALL)
    lines = [line.partition("#")[0].split() for line in block.splitlines()]
    return [tuple(names) for names in reversed(lines) if names]


def imports(source: str) -> Iterator[str]:
    """Yield what a module imports of paifu, anywhere in the module: names below ``paifu.``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("paifu."):
            module = (node.module or "").removeprefix("paifu.")
            for alias in node.names:
                inner = f"{module}.{alias.name}"
                yield inner if inner in MODULES else module
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.startswith("paifu."):
                    yield alias.name.removeprefix("paifu.")


def layer_of(module: str, stated: list[tuple[str, ...]]) -> tuple[int, str]:
    """Return the number and the name of the layer a module is in: the longest name that fits."""
    fits = [
        (number, name)
        for number, names in enumerate(stated)
        for name in names
        if module == name or module.startswith(f"{name}.")
    ]
    assert fits, f"docs/architecture.md puts {module} into no layer"
    return max(fits, key=lambda found: len(found[1]))


def upward(sources: dict[str, str], stated: list[tuple[str, ...]]) -> list[str]:
    """Return the imports from a higher layer, or from another package of the same layer."""
    found = []
    for module, source in sources.items():
        number, name = layer_of(module, stated)
        for imported in imports(source):
            other, other_name = layer_of(imported, stated)
            if other > number or (other == number and other_name != name):
                found.append(f"{module} imports {imported}")
    return sorted(found)


def test_every_import_goes_down() -> None:
    sources = {name: path.read_text(encoding="utf-8") for name, path in MODULES.items()}
    assert upward(sources, layers(PAGE)) == []


def test_modules_do_not_import_each_other_in_a_circle() -> None:
    arrows = defaultdict(set)
    for module, path in MODULES.items():
        arrows[module] = {
            name for name in imports(path.read_text(encoding="utf-8")) if name in MODULES
        } - {module}
    while free := {module for module, needs in arrows.items() if not needs}:
        arrows = {module: needs - free for module, needs in arrows.items() if module not in free}
    assert sorted(arrows) == []


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("lake.lake", "from paifu.query.filters import Filter"),
        ("rules.hands.hands", "def f():\n    from paifu.rules.riichi import ruleset"),
        ("replay.acts", "import paifu.formats.builder"),
        ("audit.luck", "from paifu.query.statistics import run"),
    ],
)
def test_an_import_that_goes_up_is_found(module: str, line: str) -> None:
    assert upward({module: line}, layers(PAGE)) != []


def test_no_module_has_the_name_of_a_public_function() -> None:
    import paifu

    named = {path.stem for path in PACKAGE.glob("*.py")} | {
        path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()
    }
    assert named.isdisjoint(paifu.__all__)
