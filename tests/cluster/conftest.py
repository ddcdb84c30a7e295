"""One cluster of two workers for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.helpers.clusters import Processes

pytest.importorskip("distributed", reason="no distributed: pip install 'paifu[cluster]'")


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Processes]:
    """A scheduler and two workers; do not kill them."""
    with Processes(tmp_path_factory.mktemp("cluster"), workers=2) as processes:
        yield processes
