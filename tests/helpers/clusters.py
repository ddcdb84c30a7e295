"""A Dask cluster of real processes over TCP: workers can be started and killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.helpers.processes import environment


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Processes:
    """The processes of a cluster; their logs are in a folder."""

    def __init__(self, folder: Path, workers: int, **changes: str) -> None:
        self.folder = folder
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.scheduler = self._start(
            "scheduler", "distributed.cli.dask_scheduler", "--no-dashboard",
            "--host", "127.0.0.1", "--port", self.address.rpartition(":")[2],
        )  # fmt: skip
        for _ in range(workers):
            self.add_worker(**changes)

    def add_worker(self, **changes: str) -> subprocess.Popen[bytes]:
        """Start a worker, with changes of its environment."""
        name = f"worker-{len(self.workers)}"
        worker = self._start(
            name, "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-nanny",
            "--no-dashboard", "--host", "127.0.0.1", "--name", name,
            "--local-directory", str(self.folder), "--death-timeout", "60", **changes,
        )  # fmt: skip
        self.workers.append(worker)
        return worker

    def _start(
        self, name: str, module: str, *arguments: str, **changes: str
    ) -> subprocess.Popen[bytes]:
        with (self.folder / f"{name}.log").open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-m", module, *arguments], stdout=log, stderr=log,
                env=environment(POLARS_MAX_THREADS="1", OMP_NUM_THREADS="1", **changes),
            )  # fmt: skip

    def logs(self) -> str:
        """Return what all processes logged."""
        return "".join(path.read_text() for path in sorted(self.folder.glob("*.log")))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def kill(process: subprocess.Popen[bytes]) -> None:
    """End a process at once, as if its machine had failed."""
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
