"""Cuts sources into units of work: a bounded number of packed logs each, in order.

An archive may be divided over several units, and many small files share a unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from paifu.sources.containers import Member, Source, Unreadable

_PACKED_LIMIT = 32 << 20
"""Maximum bytes of packed logs in a unit (the last log may exceed it)."""


@dataclass(slots=True)
class Unit:
    """Logs, still packed, that are prepared and committed together, with their sources."""

    items: list[Member | Unreadable] = field(default_factory=list)
    sources: dict[int, Source] = field(default_factory=dict)
    """The sources of the unit's logs, by number."""
    ended: set[int] = field(default_factory=set)
    """Numbers of the sources that end in this unit."""
    packed: int = 0

    def add(self, item: Member | Unreadable) -> None:
        """Add one log."""
        self.items.append(item)
        if isinstance(item, Member):
            self.packed += len(item.packed)


def units(sources: Iterable[Source], logs: int, skip: Callable[[Source], bool]) -> Iterator[Unit]:
    """Yield the logs of the sources that ``skip`` does not skip, at most ``logs`` at a time."""
    unit = Unit()
    for source in sources:
        if skip(source):
            continue
        unit.sources[source.number] = source
        for item in source.members():
            if len(unit.items) >= logs or unit.packed >= _PACKED_LIMIT:
                yield unit
                unit = Unit(sources={source.number: source})
            unit.add(item)
        unit.ended.add(source.number)
        if len(unit.sources) >= logs:
            yield unit
            unit = Unit()
    if unit.sources:
        yield unit
