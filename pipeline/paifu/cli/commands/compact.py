"""``paifu compact``: merge small files, drop superseded games and old snapshots."""

from __future__ import annotations

from dataclasses import asdict

from paifu.cli.options import JsonOption, LakeOption
from paifu.cli.output import print_json, say
from paifu.messages import counted


def compact(*, lake: LakeOption, json: JsonOption = False) -> None:
    """Merge small files, drop superseded games and old snapshots.

    Run it after large ingests: queries get quicker and the lake smaller. A query that another
    process is running on an older state may fail.

    Example: paifu compact --lake games.lake
    """
    from paifu.lake.compact import compact as compact_lake
    from paifu.lake.lake import Lake

    with Lake.open(lake, write=True) as opened:
        before, after = compact_lake(opened)
    if json:
        print_json({"before": asdict(before), "after": asdict(after)})
    say(
        f"{counted(before.files, 'file')} of {before.bytes / 1e6:,.1f} MB: now "
        f"{after.files:,} of {after.bytes / 1e6:,.1f} MB"
    )
