"""Answers of statistics that several tests use."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from paifu.lake.lake import Lake
from paifu.query.filters import EVERYTHING, Filter
from paifu.query.statistics import Answer, run


class Answers:
    """Answers of statistics on one lake; each statistic runs once."""

    def __init__(self, lake: Lake) -> None:
        self._ask = cache(lambda name, params, only: run(lake, name, dict(params), only=only))

    def __call__(
        self, name: str, params: Mapping[str, Any] | None = None, only: Filter = EVERYTHING
    ) -> Answer:
        return self._ask(name, tuple(sorted((params or {}).items())), only)
