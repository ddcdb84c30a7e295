"""Workers of a Dask cluster: each has an object of its own, and does what it is asked.

As with :mod:`paifu.host.worker_processes`, the object is of a class that is named, and is made with
a setup. But what is asked may be done twice, because the scheduler asks another worker if one has
ended. So the methods must not change the object.

The setup may have secrets. It goes to the workers as a plugin, of which the scheduler has only the
name and pickled bytes. What is asked is pickled too, so that no log and none of the scheduler's
pages show it. The names of tasks are random.
"""

from __future__ import annotations

import logging
import pickle
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import Any, Self

from paifu import __version__
from paifu.errors import PaifuError, UsageError
from paifu.host.worker_processes import pickled
from paifu.messages import counted

try:
    import distributed
    from distributed.diagnostics.plugin import WorkerPlugin
except ImportError:  # :class:`Cluster` says so
    distributed, WorkerPlugin = None, object

_CONNECTING_S = 10.0
"""How long a scheduler may take to answer."""
_WORKERLESS_S = 30.0
"""How long a scheduler may be without a worker: those that were killed may be started again."""
_LOOK_S = 2.0
"""How often the workers are counted."""
_PAIFU = "__import__('paifu').__version__"
"""What a process answers that may have another paifu, or none."""
_SAME = ("python", "distributed", "paifu")
"""What must have the same version here, in the scheduler and in its workers."""

Kept = Any
"""A result that stays with the cluster, for what is asked next."""


class ClusterError(PaifuError):
    """A scheduler that is not there or was lost, or a worker that cannot do its work."""


@dataclass(frozen=True, slots=True)
class _Hidden:
    """A pickled object, which is not shown where a task is shown."""

    data: bytes

    def __repr__(self) -> str:
        return f"<{counted(len(self.data), 'byte')}>"


class _Setup(WorkerPlugin):
    """Makes the object of each thread of a worker when it is first asked something."""

    def __init__(self, name: str, work: str, setup: _Hidden) -> None:
        self.name = name
        self._work, self._setup = work, setup

    def setup(self, worker: Any) -> None:
        """Begin; called in each worker."""
        self._made: list[Any] = []
        self._own = threading.local()

    def teardown(self, worker: Any) -> None:
        """Close the objects."""
        for made in self._made:
            made.close()

    def make(self) -> Any:
        """Return a new object."""
        module, name = self._work.split(":")
        return getattr(import_module(module), name)(*pickle.loads(self._setup.data))

    def of_thread(self) -> Any:
        """Return the object of this thread."""
        if not hasattr(self._own, "made"):
            self._own.made = self.make()
            self._made.append(self._own.made)
        return self._own.made


def _call(name: str, method: str, asked: _Hidden, *kept: object) -> Any:
    """Call a method of the object that a worker has by the setup ``name``."""
    worker = distributed.get_worker()
    setup = worker.plugins.get(name)
    if setup is None:
        raise ClusterError(f"the worker {worker.address} did not get what it needs for this run")
    with _named(worker.address):
        return getattr(setup.of_thread(), method)(*kept, *pickle.loads(asked.data))


def _try(name: str, dask_worker: Any) -> None:
    """Make an object in a worker and close it, to see whether that goes well."""
    with _named(dask_worker.address):
        dask_worker.plugins[name].make().close()


@contextmanager
def _named(address: str) -> Iterator[None]:
    """Tell errors of files as those of a worker."""
    try:
        yield
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        raise ClusterError(f"on the worker {address}: {place}{error.strerror or error}") from None


class Cluster:
    """A connection to a scheduler, which has workers of the same versions."""

    def __init__(self, address: str) -> None:
        """Raises :class:`ClusterError` if that is not so."""
        if distributed is None:
            raise UsageError(
                "a scheduler takes the package distributed: pip install 'paifu[cluster]'"
            )
        self.address = address
        self._lost = False
        self._log = logging.getLogger("distributed")
        self._level = self._log.level
        self._log.setLevel(logging.CRITICAL + 1)  # what goes wrong is told once, as an error
        try:
            self.client = distributed.Client(
                address, timeout=_CONNECTING_S, set_as_default=False, name="paifu"
            )
        except (OSError, ValueError, TypeError, ImportError, RuntimeError) as error:
            self._log.setLevel(self._level)
            raise ClusterError(
                f"no scheduler answers at {address}: correct the address, or start one with "
                "dask scheduler"
            ) from error
        try:
            with self._told():
                self._check()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        with suppress(Exception):
            self.client.close(timeout=_LOOK_S)
        if not self._lost:  # else Dask still tries to connect, and would log that it failed
            self._log.setLevel(self._level)

    def run(self, function: Callable[..., Any], *arguments: object) -> dict[str, Any]:
        """Call a function in every worker; return what each returns, by its address."""
        with self._told():
            answers: dict[str, Any] = self.client.run(function, *arguments)
        return answers

    @property
    def count(self) -> int:
        """How many tasks the workers do at a time."""
        with self._told():
            threads: dict[str, int] = self.client.nthreads()
        return sum(threads.values()) or 1

    def _check(self) -> None:
        try:
            self.client.wait_for_workers(1, timeout=_WORKERLESS_S)
        except TimeoutError:
            raise self._without_worker() from None
        found = self.client.get_versions(check=False)
        mine = found["client"]["packages"] | {"paifu": __version__}
        others = {f"the scheduler at {self.address}": found["scheduler"]["packages"]}
        others |= {f"the worker {at}": said["packages"] for at, said in found["workers"].items()}
        for who, packages in others.items():
            _compare(who, "python", packages, mine)
            _compare(who, "distributed", packages, mine)
        try:
            said = {f"the scheduler at {self.address}": self.client.run_on_scheduler(eval, _PAIFU)}
        except ImportError:
            raise ClusterError(
                f"the scheduler at {self.address} has no paifu: install paifu {__version__} there"
            ) from None
        workers = self.client.run(eval, _PAIFU, on_error="return")
        said |= {f"the worker {at}": version for at, version in workers.items()}
        for who, version in said.items():
            known = version if isinstance(version, str) else None
            _compare(who, "paifu", {"paifu": known}, mine)

    def _without_worker(self) -> ClusterError:
        return ClusterError(
            f"the scheduler at {self.address} has no worker: start some with "
            f"dask worker {self.address}"
        )

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Raise what Dask raises as an error for people."""
        try:
            yield
        except distributed.KilledWorker as error:
            raise ClusterError(
                f"{counted(error.allowed_failures + 1, 'worker')} ended at the same task: perhaps "
                "memory ran out; see the logs of the workers"
            ) from error
        except (
            distributed.comm.CommClosedError, distributed.client.FutureCancelledError,
            distributed.client.FuturesCancelledError, TimeoutError,
        ) as error:  # fmt: skip
            self._lost = True
            raise ClusterError(
                f"the connection to the scheduler at {self.address} was lost; what was finished "
                "is kept: run the same command again"
            ) from error

    @contextmanager
    def workers(self, work: str, *setup: object) -> Iterator[Workers]:
        """Give each worker an object of the class ``work`` (``module:Class``), made with ``setup``.

        Raises what making such an object in any worker raises.
        """
        name = f"paifu-{uuid.uuid4().hex}"
        plugin = _Setup(name, work, _Hidden(pickled(setup)))
        with self._told():
            self.client.register_plugin(plugin, name=name)
        workers = Workers(self, name)
        try:
            self.run(_try, name)
            yield workers
        finally:
            workers.close()
            with suppress(Exception):
                self.client.unregister_worker_plugin(name)


def _compare(who: str, what: str, theirs: dict[str, Any], mine: dict[str, Any]) -> None:
    """Raise :class:`ClusterError` if a version differs from the version here."""
    if theirs.get(what) != mine[what]:
        named = {"python": "Python"}.get(what, what)
        has = f"{named} {_short(theirs[what])}" if theirs.get(what) else f"no {named}"
        raise ClusterError(
            f"{who} has {has}, and here is {named} {_short(mine[what])}: "
            "install the same version everywhere"
        )


def _short(version: str) -> str:
    return version.removesuffix(".final.0")


class Workers:
    """The workers of a cluster while each has an object of the same class."""

    def __init__(self, cluster: Cluster, name: str) -> None:
        self._cluster, self._name = cluster, name
        self._pending: dict[Future[Any], Any] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self.count = cluster.count
        """How many tasks the workers do at a time."""
        self._watch = threading.Thread(target=self._look, name="workers", daemon=True)
        self._watch.start()

    def ask(
        self, method: str, *arguments: object, of: tuple[Kept, ...] = (), first: bool = False
    ) -> Future[Any]:
        """Let a worker call a method of its object, with results ``of`` earlier tasks.

        ``first``: before what was asked earlier without it.
        """
        future = self._submitted(method, arguments, of, first)
        answer: Future[Any] = Future()
        with self._lock:
            self._pending[answer] = future
        future.add_done_callback(partial(self._answered, answer))
        return answer

    def keep(self, method: str, *arguments: object) -> Kept:
        """Let a worker call a method of its object, and keep the result while it is referred to."""
        return self._submitted(method, arguments, (), False)

    def _submitted(
        self, method: str, arguments: tuple[object, ...], of: tuple[Kept, ...], first: bool
    ) -> Any:
        with self._cluster._told():
            return self._cluster.client.submit(
                _call, self._name, method, _Hidden(pickled(arguments)), *of,
                key=f"paifu-{method}-{uuid.uuid4().hex}", pure=False, priority=int(first),
            )  # fmt: skip

    def _answered(self, answer: Future[Any], future: Any) -> None:
        try:
            with self._cluster._told():
                value = future.result()
        except BaseException as error:
            self._settle(answer, None, error)
        else:
            self._settle(answer, value, None)

    def _settle(self, answer: Future[Any], value: Any, error: BaseException | None) -> None:
        with self._lock:
            if self._pending.pop(answer, None) is None:
                return
        if error is None:
            answer.set_result(value)
        else:
            answer.set_exception(error)

    def _look(self) -> None:
        """Count the workers from time to time; give up if there is none for long."""
        without = 0.0
        while not self._closed.wait(_LOOK_S):
            count = 0
            with suppress(Exception):  # a lost scheduler is told by the tasks
                count = sum(self._cluster.client.nthreads().values())
            without = 0.0 if count else without + _LOOK_S
            self.count = count or self.count
            if without >= _WORKERLESS_S:
                for answer in list(self._pending):
                    self._settle(answer, None, self._cluster._without_worker())

    def close(self) -> None:
        """Drop what has not been answered."""
        self._closed.set()
        with self._lock:
            pending = list(self._pending.values())
            self._pending.clear()
        with suppress(Exception):
            self._cluster.client.cancel(pending)
