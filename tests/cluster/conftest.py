"""One cluster of two workers for all tests of this folder, which are skipped without Dask."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paifu.host.cluster import distributed
from tests.helpers.clusters import Processes


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if distributed is not None:
        return
    skip = pytest.mark.skip(reason="no distributed: pip install 'paifu[cluster]'")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(skip)


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """A scheduler and two workers; do not kill them."""
    with Processes(tmp_path_factory.mktemp("cluster"), workers=2) as processes:
        yield processes
