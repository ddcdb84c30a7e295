"""Where compiled code comes from: the one ``njit`` of the package, and the cache behind it.

Numba keys its on-disk cache by a function's own file, so an edited callee in another module, or a
switch of bounds checking, would keep serving old machine code. Before numba is imported the cache
folder is therefore set to one named by everything that shapes the code: the text of every module
that uses this one and of all it imports, the versions, the processor and the bounds-check switch.

A kernel takes and returns plain arrays and scalars, never recurses (a cached kernel that calls a
recursive one crashes in the next process) and never indexes by a number it has not checked.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

_PACKAGE = Path(__file__).parents[1]
_USES_KERNELS = re.compile(
    rb"^from paifu\.kernels\.compiling import .*\b(njit|inner)\b", re.MULTILINE
)


_IMPORT = re.compile(rb"^from paifu\.([\w.]+) import", re.MULTILINE)


def kernel_sources() -> list[Path]:
    """Return the modules that shape compiled code, sorted by path.

    They are the ones that hold kernels and all that these import, whose constants are compiled in.
    """
    found: set[Path] = set()
    waiting = [path for path in _PACKAGE.rglob("*.py") if _USES_KERNELS.search(path.read_bytes())]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        for name in _IMPORT.findall(path.read_bytes()):
            waiting.append(_PACKAGE.joinpath(*name.decode().split(".")).with_suffix(".py"))
    return sorted(found)


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for path in kernel_sources():
        digest.update(path.read_bytes())
    for part in (
        sys.version,
        version("numba"),
        version("llvmlite"),
        version("numpy"),
        platform.machine(),
        platform.processor(),
        os.environ.get("NUMBA_CPU_NAME", ""),
        os.environ.get("NUMBA_BOUNDSCHECK", ""),
        os.environ.get("NUMBA_DISABLE_JIT", ""),
    ):
        digest.update(part.encode() + b"\0")
    return digest.hexdigest()[:16]


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")


def cache_dir() -> Path:
    """Return the folder compiled kernels are kept in, creating it if need be.

    ``NUMBA_CACHE_DIR`` wins; else a folder of the user's cache; else, where that is not writable,
    a private temporary one that lasts as long as the process.
    """
    if configured := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(configured)
    try:
        folder = _user_cache() / "paifu" / "kernels" / _fingerprint()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except (OSError, RuntimeError):
        folder = Path(tempfile.mkdtemp(prefix="paifu-kernels-"))
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    return folder


CACHE_DIR: Path = cache_dir()
"""The folder in use."""

# the third level of optimising takes a tenth longer to compile and makes nothing here quicker
os.environ.setdefault("NUMBA_OPT", "2")


def compiled(module: str) -> bool:
    """Tell whether kernels of ``paifu.<module>`` were compiled before, where it is installed now.

    What one command has compiled another may not use, nor another installation of the same paifu:
    the cache has a folder for each folder of source files, named by where that lies.
    """
    source = _PACKAGE.joinpath(*module.split(".")).with_suffix(".py")
    folder = _subfolder(str(source))
    # Numba writes an index for each kernel that it compiles
    return any((CACHE_DIR / folder).glob(f"{source.stem}.*.nbi"))


import numba  # noqa: E402  (all this has to be named before numba reads it)
from numba import types  # noqa: E402
from numba.core.caching import _CacheLocator  # noqa: E402
from numba.core.types import unliteral  # noqa: E402

from paifu.kernels.inner_compiler import InnerCompiler  # noqa: E402

# also where somebody else imported numba first
vars(numba.config)["CACHE_DIR"] = str(CACHE_DIR)

_ROOM = 1 << 17
"""Words of a frame that makes room for as many more: a megabyte, of which little is touched."""
_subfolder: Callable[[str], str] = _CacheLocator.get_suitable_cache_subpath
_without_constant: Callable[[Any], Any] = unliteral
_F = TypeVar("_F", bound=Callable[..., Any])


def _general(kind: Any) -> Any:
    """Return the type a kernel takes an argument as: no constants, and one kind of integer."""
    general = _without_constant(kind)
    return types.int64 if general in types.signed_domain else general


def _generalised(dispatcher: Any) -> Any:
    """Have kernels call a kernel as if every constant were a number like any other.

    Numba would compile it anew for every constant, and for every width of integer, that another
    kernel calls it with.
    """
    resolve = dispatcher.get_call_template

    def resolve_general(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        general = {name: _general(kind) for name, kind in kws.items()}
        return resolve([_general(kind) for kind in args], general)

    dispatcher.get_call_template = resolve_general
    return dispatcher


def _with_room(function: _F) -> _F:
    """Have a function run, and all it calls, in one large block of Python's stack.

    Python maps a page of 16 KiB for the call that does not fit into the last one, and unmaps it
    when that call returns: hundreds of thousands of times while Numba compiles. A frame that says
    it needs more than a page gets a block of twice that, and the calls below it use the rest.
    """

    def call(*args: Any, **kws: Any) -> Any:
        return function(*args, **kws)

    code = call.__code__.replace(co_stacksize=_ROOM)
    return cast(_F, FunctionType(code, call.__globals__, closure=call.__closure__))


def njit(function: _F) -> _F:
    """Compile a kernel: cached on disk, and without the GIL so that worker threads scale."""
    dispatcher: Any = numba.njit(cache=True, nogil=True)(function)
    dispatcher._compile_for_args = _with_room(dispatcher._compile_for_args)
    return cast(_F, _generalised(dispatcher))


def inner(function: _F) -> _F:
    """Compile a kernel that only kernels call, into these; it cannot be called from Python."""
    unwrapped: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    dispatcher = numba.njit(nogil=True, pipeline_class=InnerCompiler, **unwrapped)(function)
    return cast(_F, _generalised(dispatcher))
