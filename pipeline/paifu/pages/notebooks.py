"""Reports: runs the notebooks on a lake and writes them as self-contained HTML.

A notebook of ``notebooks/`` has one cell tagged ``parameters``; a cell after it sets the lake and
the filters. Charts are SVG inside the page, so that a report needs no script, no network and no
second file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from paifu.errors import LakeError, PaifuError, UsageError
from paifu.host.shipped_files import resource_dir
from paifu.messages import did_you_mean

if TYPE_CHECKING:
    from nbformat import NotebookNode

_MISSING = "reports need the notebook extra: pip install 'paifu[notebooks]'"
_CELL_SECONDS = 600
_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL | re.IGNORECASE)
"""The template has scripts for formulas and diagrams, some from the network; we use none."""


def notebooks() -> dict[str, Path]:
    """Return the notebooks that come with paifu, by name."""
    return {path.stem: path for path in sorted(resource_dir("notebooks").glob("*.ipynb"))}


def settable(name: str | None = None) -> set[str]:
    """Return the parameters of a notebook, or of all notebooks."""
    return {key for path in _chosen(name).values() for key in _parameters(_open(path))}


def report(
    lake: str | Path,
    out: str | Path,
    name: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Run one notebook, or all, on a lake and return the HTML files written into ``out``.

    ``parameters`` set what the notebook's parameters cell names (``where``, ``player`` …); each
    notebook uses those that it knows. Raises :class:`~paifu.errors.UsageError` for an unknown
    notebook, or for a parameter that no notebook knows.
    """
    return list(write_reports(lake, out, name, parameters))


def write_reports(
    lake: str | Path,
    out: str | Path,
    name: str | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> Iterator[Path]:
    """Do what :func:`report` does, giving each file as soon as it is written."""
    chosen = _chosen(name)
    opened = {title: _open(path) for title, path in chosen.items()}
    given = dict(parameters or {})
    unknown = set(given) - {key for book in opened.values() for key in _parameters(book)}
    if unknown:
        known = sorted({key for book in opened.values() for key in _parameters(book)} - {"lake"})
        raise UsageError(f"no notebook takes {min(unknown)!r}; they take {', '.join(known)}")
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    for title, book in opened.items():
        taken = {key: value for key, value in given.items() if key in _parameters(book)}
        run_notebook(book, {"lake": str(lake), **taken})
        path = folder / f"{title}.html"
        path.write_text(_html(book, title), encoding="utf-8")
        yield path


def run_notebook(book: NotebookNode, parameters: Mapping[str, Any]) -> None:
    """Run a notebook in place, its parameters set. Raises :class:`LakeError` if a cell fails."""
    try:
        from jupyter_client.manager import AsyncKernelManager
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError
        from nbformat.v4 import new_code_cell
    except ImportError as error:
        raise PaifuError(_MISSING) from error
    lines = [f"{key} = {value!r}" for key, value in parameters.items()]
    at = _parameters_cell(book)
    book.cells.insert(at + 1, new_code_cell("\n".join(lines), metadata={"tags": ["injected"]}))
    # sockets of the file system if the system has them: nothing listens on a port
    transport = "tcp" if sys.platform == "win32" else "ipc"
    kernel = AsyncKernelManager(kernel_name="python3", transport=transport)
    # on a busy machine a kernel may take more than nbclient's minute to start
    client = NotebookClient(book, km=kernel, timeout=_CELL_SECONDS, startup_timeout=_CELL_SECONDS)
    try:
        client.execute(cleanup_kc=True)  # else the kernel of each page keeps running
    except CellExecutionError as error:
        raise LakeError(f"the notebook stopped: {error.ename}: {error.evalue}") from None


def _chosen(name: str | None) -> dict[str, Path]:
    found = notebooks()
    if name is None:
        return found
    if name not in found:
        hint = did_you_mean(name, found, f"there are {', '.join(found)}")
        raise UsageError(f"there is no report {name!r}: {hint}")
    return {name: found[name]}


def _open(path: Path) -> NotebookNode:
    try:
        import nbformat
    except ImportError as error:
        raise PaifuError(_MISSING) from error
    return cast("NotebookNode", nbformat.read(path, as_version=4))


def _parameters_cell(book: NotebookNode) -> int:
    return next(i for i, c in enumerate(book.cells) if "parameters" in c.metadata.get("tags", ()))


def _parameters(book: NotebookNode) -> list[str]:
    """Return the names that the parameters cell sets."""
    lines = book.cells[_parameters_cell(book)].source.splitlines()
    return [line.split("=")[0].strip() for line in lines if "=" in line.split("#")[0]]


def _html(book: NotebookNode, title: str) -> str:
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(
        template_name="lab",
        exclude_input=True,
        exclude_output_prompt=True,
        exclude_input_prompt=True,
        embed_images=True,
        mathjax_url="",
        require_js_url="",
        jquery_url="",
        mermaid_js_url="",
    )
    text, _ = exporter.from_notebook_node(book, resources={"metadata": {"name": f"paifu: {title}"}})
    return _SCRIPT.sub("", str(text))
