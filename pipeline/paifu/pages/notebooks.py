"""Runs the notebooks of ``notebooks/`` and turns what they show into the body of a page.

A notebook has one cell tagged ``parameters``; a cell after it sets the lake and the filters.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from paifu.errors import LakeError, PaifuError, UsageError
from paifu.host.shipped_files import resource_dir
from paifu.messages import did_you_mean
from paifu.pages.markup import Markup, data_block, element, joined

if TYPE_CHECKING:
    from nbformat import NotebookNode

MISSING = "reports need the notebook extra: pip install 'paifu[notebooks]'"
_CELL_SECONDS = 600
_ASKED = "print(getattr(globals().get('page'), 'asked_seconds', 0.0))"
"""A cell that says how long the lake took to answer the questions of a notebook's page."""
_CHART = "application/vnd.vegalite"
"""The beginning of the name that Altair's charts have among the forms of an output."""


def notebooks() -> dict[str, Path]:
    """Return the notebooks that come with paifu, by name."""
    return {path.stem: path for path in sorted(resource_dir("notebooks").glob("*.ipynb"))}


class Kernel:
    """A process that runs notebooks one after the other, each with no names of the one before.

    A context: the process ends with it. Raises :class:`~paifu.errors.PaifuError` if the packages
    of the extra ``notebooks`` are missing.
    """

    def __enter__(self) -> Self:
        try:
            from jupyter_client.manager import AsyncKernelManager
        except ImportError as error:
            raise PaifuError(MISSING) from error
        # sockets of the file system if the system has them: nothing listens on a port
        transport = "tcp" if sys.platform == "win32" else "ipc"
        self._manager = AsyncKernelManager(kernel_name="python3", transport=transport)
        return self

    def __exit__(self, *_: object) -> None:
        if self._manager.has_kernel:
            from jupyter_core.utils import run_sync

            run_sync(self._manager.shutdown_kernel)(now=True)

    def run(self, book: NotebookNode, parameters: Mapping[str, Any]) -> float:
        """Run a notebook in place, its parameters set; return the seconds of its statistics.

        Raises :class:`LakeError` if a cell fails, with what it says.
        """
        from nbclient import NotebookClient
        from nbclient.exceptions import CellExecutionError
        from nbformat.v4 import new_code_cell

        lines = [f"{key} = {value!r}" for key, value in parameters.items()]
        at = _parameters_cell(book)
        book.cells.insert(at + 1, new_code_cell("\n".join(lines), metadata={"tags": ["injected"]}))
        book.cells.insert(0, new_code_cell("%reset -f"))
        book.cells.append(new_code_cell(_ASKED))
        # on a busy machine a kernel may take more than nbclient's minute to start
        client = NotebookClient(
            book, km=self._manager, timeout=_CELL_SECONDS, startup_timeout=_CELL_SECONDS
        )
        try:
            client.execute(cleanup_kc=False)
        except CellExecutionError as error:
            raise LakeError(f"the notebook stopped: {error.ename}: {error.evalue}") from None
        finally:
            del book.cells[0]
            asked = book.cells.pop()
        return float(asked.outputs[0].text)


def run_notebook(book: NotebookNode, parameters: Mapping[str, Any]) -> None:
    """Run one notebook in place in a process of its own; see :meth:`Kernel.run`."""
    with Kernel() as kernel:
        kernel.run(book, parameters)


def chosen(name: str | None) -> dict[str, Path]:
    """Return one notebook by its name, or all; :class:`UsageError` if there is no such notebook."""
    found = notebooks()
    if name is None:
        return found
    if name not in found:
        hint = did_you_mean(name, found, f"there are {', '.join(found)}")
        raise UsageError(f"there is no report {name!r}: {hint}")
    return {name: found[name]}


def read_notebook(path: Path) -> NotebookNode:
    """Return a notebook. Raises :class:`PaifuError` if the extra ``notebooks`` is missing."""
    try:
        import nbformat
    except ImportError as error:
        raise PaifuError(MISSING) from error
    return cast("NotebookNode", nbformat.read(path, as_version=4))


def _parameters_cell(book: NotebookNode) -> int:
    return next(i for i, c in enumerate(book.cells) if "parameters" in c.metadata.get("tags", ()))


def parameters_of(book: NotebookNode) -> list[str]:
    """Return the names that the parameters cell sets."""
    lines = book.cells[_parameters_cell(book)].source.splitlines()
    return [line.split("=")[0].strip() for line in lines if "=" in line.split("#")[0]]


def body_of(book: NotebookNode) -> Markup:
    """Return the outputs of a notebook that has run as HTML, by our own template of nbconvert.

    Charts are data in the page, which its script draws.
    """
    from nbconvert import TemplateExporter

    exporter = TemplateExporter(
        template_name="paifu",
        template_file="index.html.j2",
        extra_template_basedirs=[str(Path(__file__).parent / "template")],
        filters={"charts": _charts},
    )
    text, _ = exporter.from_notebook_node(book)
    return Markup(text)


def _charts(data: Mapping[str, Any]) -> str:
    """Return the charts among the forms of an output: a place for each, and its data."""
    specs = [value for kind, value in data.items() if kind.startswith(_CHART)]
    return joined(
        *(
            joined(element("div", class_="chart"), data_block(None, spec, class_="spec"))
            for spec in specs[:1]
        )
    )
