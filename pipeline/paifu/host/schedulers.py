"""The cluster that a user names by the address of its scheduler, if one is named."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from paifu.host.cluster import Cluster


def cluster_at(scheduler: str | Cluster | None) -> AbstractContextManager[Cluster | None]:
    """Connect to the cluster of a scheduler; a cluster that is given stays connected.

    Raises :class:`~paifu.host.cluster.ClusterError` if it cannot be used.
    """
    if not isinstance(scheduler, str):
        return nullcontext(scheduler)
    from paifu.host.cluster import Cluster  # loads Dask, which few runs need

    return Cluster(scheduler)
