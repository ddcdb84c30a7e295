"""The option ``--scheduler``, and what commands say about the kernels of those who work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paifu.cli.output import say
from paifu.errors import UsageError
from paifu.messages import counted

if TYPE_CHECKING:
    from paifu.host.cluster import Cluster

SchedulerOption = Annotated[
    str | None,
    Parameter(
        name="--scheduler",
        env_var="PAIFU_SCHEDULER",
        help=(
            "Address of a Dask scheduler, such as tcp://10.0.0.1:8786: its workers do the work. "
            "They must see the same folders."
        ),
    ),
]


@contextmanager
def cluster_for(
    scheduler: str | Cluster | None, jobs: int | None, kernels: str, of: str
) -> Iterator[Cluster | None]:
    """Connect to the cluster that does the work, if one is named.

    Says who must compile the ``kernels`` of a module first; ``of`` names what they are for.
    """
    from paifu.host.schedulers import cluster_at
    from paifu.kernels.cache import compiled

    if scheduler and jobs is not None:
        raise UsageError(
            "choose one of --jobs and --scheduler (or PAIFU_SCHEDULER): a cluster has the workers "
            "that were started"
        )
    with cluster_at(scheduler or None) as cluster:
        if cluster is None:
            if not compiled(kernels):
                say(f"compiling the kernels of {of}, once (up to a minute) …")
        else:
            has = cluster.run(compiled, kernels)
            if without := [worker for worker, known in has.items() if not known]:
                say(
                    f"{len(without)} of {counted(len(has), 'worker')} compile the kernels of {of} "
                    f"(up to a minute), once if their folder of kernels stays: {without[0]}"
                )
        yield cluster
