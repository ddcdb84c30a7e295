"""The cache of the machine code of paifu's kernels, and of nothing else.

Numba keeps the machine code of a function until the function's own file changes. After a change of
a callee or a constant in another module, old machine code would stay in use. So the name of this
cache's folder depends on everything that shapes the code: the text of every module with kernels and
of all modules that these import, the versions, and numba's settings.

Numba's own settings and the caches of other people's functions are not changed.
"""

from __future__ import annotations

import hashlib
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.runtime.nrt import rtsys

from paifu.host.cache_folder import cache_folder
from paifu.host.signals import held_back

_PACKAGE = Path(__file__).parents[1]
_NAME = _PACKAGE.name
_NAMES = rb"(\([^)]*\)|[^\n]*)"
_DECORATORS = b"\nfrom paifu.kernels.compiling import "
_IMPORT = re.compile(rb"^from paifu([\w.]*) import " + _NAMES, re.MULTILINE)
_WORD = re.compile(rb"\w+")
_config: Any = numba.config
_SETTINGS = ("BOUNDSCHECK", "OPT", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE")
"""Settings of numba that change machine code, but which numba does not check when it loads code."""


def _imported(text: bytes) -> Iterator[Path]:
    """Yield the paths of the modules that a module imports from paifu; some paths may not exist."""
    for module, names in _IMPORT.findall(text):
        place = _PACKAGE.joinpath(*module.decode().split("."))
        yield place.with_suffix(".py")
        for name in _WORD.findall(names):
            yield place / f"{name.decode()}.py"


def kernel_sources() -> dict[Path, bytes]:
    """Return the modules that shape compiled code and their texts, sorted by path.

    They are the modules with kernels and all modules that these import, because constants are
    compiled in.
    """
    texts = {path: path.read_bytes() for path in _PACKAGE.rglob("*.py")}
    found: set[Path] = set()
    waiting = [path for path, text in texts.items() if _DECORATORS in text]
    while waiting:
        path = waiting.pop()
        if path in texts and path not in found:
            found.add(path)
            waiting += _imported(texts[path])
    return {path: texts[path] for path in sorted(found)}


def _fingerprint() -> str:
    """Return the name of the folder: a hash of everything that shapes machine code."""
    digest = hashlib.sha256()
    for path, text in kernel_sources().items():
        digest.update(path.relative_to(_PACKAGE).as_posix().encode() + b"\0")
        digest.update(text + b"\0")
    settings = (repr(getattr(_config, name, None)) for name in _SETTINGS)
    for part in (sys.version, *map(version, ("numba", "llvmlite", "numpy")), *settings):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:16]


@cache
def _private_folder() -> Any:
    """Return a temporary folder that is removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="paifu-kernels-", ignore_cleanup_errors=True)


@cache
def cache_dir() -> Path:
    """Return the folder of compiled kernels; create it if necessary.

    It is ``paifu/kernels/<fingerprint>`` below ``NUMBA_CACHE_DIR``, or else below the user's cache
    folder. If that cannot be written, it is a private temporary folder that is removed when the
    process ends.
    """
    try:
        base = Path(_config.CACHE_DIR) / _NAME if _config.CACHE_DIR else cache_folder()
        folder = base / "kernels" / _fingerprint()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
        folder = Path(_private_folder().name)
    return folder


def compiled(module: str) -> bool:
    """Return whether kernels of ``paifu.<module>`` were compiled before.

    The question is about one module, because commands use different kernels.
    """
    # numba writes an index for each kernel that it compiles
    return any((cache_dir() / f"{_NAME}.{module}").glob("*.nbi"))


@cache
def _hash_of(file: str) -> bytes:
    return hashlib.sha256(Path(file).read_bytes()).digest()


class _Locator(_CacheLocator):
    """Puts the code of a kernel into a folder named by its module, wherever paifu is installed."""

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self._py_file = kernel.__code__.co_filename  # numba names it in a warning
        self._line = kernel.__code__.co_firstlineno
        self._folder = cache_dir() / kernel.__module__

    def get_cache_path(self) -> str:
        return str(self._folder)

    def get_source_stamp(self) -> bytes:
        # distinguishes test kernels; for modules of paifu, changed text already gives another
        # folder
        return _hash_of(self._py_file)

    def get_disambiguator(self) -> str:
        return str(self._line)


class _Implementation(CompileResultCacheImpl):
    """Numba's way to store compiled functions, with only one locator."""

    def __init__(self, kernel: Callable[..., Any]) -> None:
        self._lineno = kernel.__code__.co_firstlineno
        self._locator = _Locator(kernel)
        self._filename_base = self.get_filename_base(kernel.__qualname__, sys.abiflags)


class KernelCache(FunctionCache):
    """The cache of one kernel's machine code, for each kind of arguments it is compiled for."""

    _impl_class = _Implementation

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for some arguments, or None if it has to be compiled.

        Numba would first register all that it can compile, which takes longer than loading all
        kernels of an ingest; it does so too when it compiles. Loading needs the runtime only.
        Signals are held back because LLVM calls Python meanwhile, where Ctrl-C would be lost.
        """
        with held_back():
            rtsys.initialize(target_context)
            return self._load_overload(sig, target_context)
