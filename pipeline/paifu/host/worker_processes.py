"""Worker processes: each has an object of its own, and does what it is asked in order.

They are started as ``python -c``, not by :mod:`multiprocessing`, which would run the main program
again in each. What is asked and answered goes through pipes, pickled. A worker ignores Ctrl-C,
which its parent handles, and ends when the pipe from its parent ends.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import subprocess
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from importlib import import_module
from types import MappingProxyType, TracebackType
from typing import IO, Any, Self

from paifu.errors import PaifuError
from paifu.host import own_process

_START = (
    "import sys; sys.path[:] = {path!r};"
    " from paifu.host.worker_processes import serve; serve({work!r})"
)
_THREADS = ("POLARS_MAX_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")
"""Environment variables for how many threads libraries use."""
_PATIENCE_S = 10.0
"""How long a worker may take to end after its last task."""


class _Pickler(pickle.Pickler):
    """Also pickles mappings that cannot be changed, which rule sets have."""

    def reducer_override(self, value: object) -> Any:
        if isinstance(value, MappingProxyType):
            return _unchangeable, (dict(value),)
        return NotImplemented


def pickled(value: object) -> bytes:
    """Return a value pickled for another process with the same paifu."""
    out = io.BytesIO()
    _Pickler(out, protocol=5).dump(value)
    return out.getvalue()


def _unchangeable(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


class WorkerProcess:
    """A process with an object of the class ``work`` (``module:Class``), made with ``setup``."""

    def __init__(self, work: str, *setup: object) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START.format(path=sys.path, work=work)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env=os.environ | dict.fromkeys(_THREADS, "1"),
        )  # fmt: skip
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="worker")
        self._waiting = 0
        self._made = self.ask("", *setup)

    @property
    def ready(self) -> bool:
        """Whether the worker has started. Raises what went wrong if it could not."""
        return self._made.done() and self._made.result() is None

    @property
    def waiting(self) -> int:
        """How many of the tasks given have no answer yet."""
        return self._waiting

    def ask(self, method: str, *arguments: object) -> Future[Any]:
        """Let the worker call a method of its object after what it was asked before."""
        self._waiting += 1
        future = self._thread.submit(self._call, method, arguments)
        future.add_done_callback(self._answered)
        return future

    def _answered(self, future: Future[Any]) -> None:
        self._waiting -= 1

    def _call(self, method: str, arguments: tuple[object, ...]) -> Any:
        out, answers = self._process.stdin, self._process.stdout
        if out is None or answers is None:
            raise ValueError("a worker process has pipes")
        try:
            _Pickler(out, protocol=5).dump((method, arguments))
            out.flush()
            good, value = pickle.load(answers)
        except (OSError, EOFError, pickle.UnpicklingError) as error:
            code = self._process.wait(_PATIENCE_S)
            how = f"signal {-code}" if code < 0 else f"exit status {code}"
            raise PaifuError(
                f"a worker process ended before its work ({how}): perhaps memory ran out; "
                "try again with fewer --jobs"
            ) from error
        if not good:
            raise value
        return value

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process: in order, or at once if the work has failed."""
        if kind is not None:
            self._process.kill()
        self._thread.shutdown(wait=True, cancel_futures=True)
        if kind is None:
            self._call("close", ())
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe:
                    pipe.close()
        self._process.wait()


class WorkerProcesses:
    """Some worker processes that do the same; any of them can be asked."""

    def __init__(self, count: int, work: str, *setup: object) -> None:
        self._started = ExitStack()
        self._all = [WorkerProcess(work, *setup) for _ in range(count)]

    @property
    def count(self) -> int:
        """How many have started. Raises what went wrong if one could not."""
        return sum(worker.ready for worker in self._all)

    def ask(self, method: str, *arguments: object) -> Future[Any]:
        """Let the one that has least to do call a method of its object."""
        ready = [worker for worker in self._all if worker.ready]
        return min(ready, key=lambda worker: worker.waiting).ask(method, *arguments)

    def __enter__(self) -> Self:
        for worker in self._all:
            self._started.enter_context(worker)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the processes: in order, or at once if the work has failed."""
        self._started.__exit__(kind, error, trace)


def serve(work: str) -> None:
    """Do what the parent asks until it says ``close`` or ends: the main program of a worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    own_process.begin()
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)  # whatever a library prints must not get among the answers
    module, name = work.split(":")
    made: Any = None
    while True:
        try:
            method, arguments = pickle.load(requests)
        except EOFError:  # the parent was killed; what it left is cleared up by the next writer
            os._exit(1)
        try:
            if made is None:
                made = getattr(import_module(module), name)(*arguments)
                value = None
            else:
                value = getattr(made, method)(*arguments)
            answer = True, value
        except Exception as error:
            answer = False, error
        with suppress(BrokenPipeError):
            _send(answer, answers)
        if method == "close":
            own_process.leave(0)


def _send(answer: tuple[bool, Any], answers: IO[bytes]) -> None:
    try:
        data = pickle.dumps(answer, protocol=5)
        if not answer[0]:
            pickle.loads(data)  # some errors can be pickled, but not made again
    except Exception:
        data = pickle.dumps((False, RuntimeError(f"{type(answer[1]).__name__}: {answer[1]}")))
    answers.write(data)
    answers.flush()
