"""``paifu info``: what is in a lake."""

from __future__ import annotations

from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Any

from paifu.cli.options import JsonOption, LakeOption
from paifu.cli.output import print_json, print_table
from paifu.messages import counted

if TYPE_CHECKING:
    from paifu.query.overview import Overview

_MOST = 12
"""Rooms and rule sets named, the most played first."""


def info(*, lake: LakeOption, json: JsonOption = False) -> None:
    """Say what is in a lake: games, dates, players, rule sets judged, sizes.

    Example: paifu info --lake games.lake
    """
    from paifu.lake.lake import Lake
    from paifu.query.overview import overview

    with Lake.open(lake) as opened:
        found = overview(opened)
    if json:
        print_json(_as_json(found))
    else:
        _print(found)


def _as_json(found: Overview) -> dict[str, Any]:
    names = ("platform", "format", "players", "length", "detail", "games")
    return {
        **asdict(found),
        "first_played": found.first_played and found.first_played.isoformat(),
        "last_played": found.last_played and found.last_played.isoformat(),
        "kinds": [dict(zip(names, row, strict=True)) for row in found.kinds],
        "rulesets": dict(found.rulesets),
        "rooms": dict(found.rooms),
    }


def _print(found: Overview) -> None:
    print(f"{found.lake}: {counted(found.games, 'game')}, {counted(found.rounds, 'round')}, "
          f"{counted(found.wins, 'win')}, {counted(found.players, 'named player')}")  # fmt: skip
    if found.first_played and found.last_played:
        print(f"played from {found.first_played:%Y-%m-%d} to {found.last_played:%Y-%m-%d} (UTC)")
    for what, counts in (("rooms", found.rooms), ("rule sets", found.rulesets)):
        if counts:
            told = ", ".join(f"{name} {count:,}" for name, count in counts[:_MOST])
            more = f", and {len(counts) - _MOST} more" if len(counts) > _MOST else ""
            print(f"{what}: {told}{more}")
    print(f"from {counted(found.sources, 'source')}; {counted(found.flagged, 'game')} flagged, "
          f"{counted(found.rejects, 'log')} rejected")  # fmt: skip
    print(f"{counted(found.files, 'file')}, {found.bytes / (1 << 20):,.1f} MiB, "
          f"{counted(found.snapshots, 'snapshot')}; schema {found.schema_version}, "
          f"names: {found.names}\n")  # fmt: skip
    if found.kinds:
        print_table(
            ("platform", "format", "players", "length", "detail", "games"),
            found.kinds,
        )
    if not found.judged:
        print("\nnothing is re-scored yet: paifu rescore checks every record")
        return
    for ruleset, judged in groupby(found.judged, key=lambda each: each.ruleset):
        print(f"\nre-scored under {ruleset}")
        print_table(
            ("subject", "n", "match", "mismatch", "illegal", "unscorable"),
            [(j.subject, j.n, j.matched, j.mismatched, j.illegal, j.unscorable) for j in judged],
        )
