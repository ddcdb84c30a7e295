"""How kernels are compiled: the two decorators of the package, ``njit`` and ``inner``.

A kernel takes and returns plain arrays and scalars. It never recurses: a cached kernel that calls a
recursive kernel crashes in the next process. It never uses an unchecked number as an index.

Nothing here changes the host process: no setting of numba, no environment variable, no listener.
Other people's code is compiled as if paifu were not there. docs/architecture.md lists the internals
of numba that this module uses.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, TypeVar, cast

from numba import types
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.types import unliteral

from paifu.kernels.cache import KernelCache
from paifu.kernels.inner_compiler import InnerCompiler

_ROOM = 1 << 17
"""Words of a frame that makes room for as many more: a megabyte, of which little is touched."""
_Dispatcher: Any = CPUDispatcher
_without_constant: Callable[[Any], Any] = unliteral
_F = TypeVar("_F", bound=Callable[..., Any])


def _general(kind: Any) -> Any:
    """Return the type under which a kernel takes an argument: no constant, one integer type."""
    general = _without_constant(kind)
    return types.int64 if general in types.signed_domain else general


def _with_room(function: _F) -> _F:
    """Run a function, and all it calls, in one large block of Python's stack.

    Python maps a page of 16 KiB for the call that does not fit into the last one, and unmaps it
    when that call returns: hundreds of thousands of times while Numba compiles. A frame that says
    it needs more than a page gets a block of twice that, and the calls below it use the rest.
    """

    def call(*args: Any, **kws: Any) -> Any:
        return function(*args, **kws)

    code = call.__code__.replace(co_stacksize=_ROOM)
    return cast(_F, FunctionType(code, call.__globals__, closure=call.__closure__))


class _Kernel(_Dispatcher):
    """Numba's function that is compiled at its first call, but compiled and cached paifu's way."""

    def enable_caching(self) -> None:
        """Use paifu's cache for machine code."""
        self._cache = KernelCache(self.py_func)

    @_with_room
    def _compile_for_args(self, *args: Any, **kws: Any) -> Any:
        """Compile for a call from Python without garbage collection, a tenth of the time.

        The lock is the one that numba compiles under: no other thread compiles meanwhile.
        """
        with global_compiler_lock:
            collects = gc.isenabled()
            gc.disable()
            try:
                return super()._compile_for_args(*args, **kws)
            finally:
                if collects:
                    gc.enable()

    def get_call_template(self, args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        """Let kernels call this kernel with a constant as with any other number.

        Otherwise Numba would compile it again for every constant, and every width of integer, with
        which another kernel calls it.
        """
        general = {name: _general(kind) for name, kind in kws.items()}
        return super().get_call_template([_general(kind) for kind in args], general)


def njit(function: _F) -> _F:
    """Compile a kernel: cached on disk, and without the GIL, so that worker threads scale."""
    kernel = _Kernel(function, targetoptions={"nopython": True, "nogil": True, "boundscheck": None})
    kernel.enable_caching()
    return cast(_F, kernel)


def inner(function: _F) -> _F:
    """Compile a kernel into the kernels that call it; it cannot be called from Python.

    It neither makes nor returns arrays, which is checked as it compiles: so numba need not count
    references to those it is given. That would take longer than what most kernels do with them.
    """
    return cast(_F, _inner(function, counts_references=False))


def inner_allocating(function: _F) -> _F:
    """Compile an ``inner`` kernel that makes arrays of its own."""
    return cast(_F, _inner(function, counts_references=True))


def _inner(function: _F, *, counts_references: bool) -> Any:
    options = {
        "nopython": True, "nogil": True, "boundscheck": None, "_nrt": counts_references,
        "no_cpython_wrapper": True, "no_cfunc_wrapper": True,
    }  # fmt: skip
    return _Kernel(function, targetoptions=options, pipeline_class=InnerCompiler)
