"""``paifu upgrade``: migrate a lake made by an older paifu."""

from __future__ import annotations

from paifu.cli.options import JsonOption, LakeOption
from paifu.cli.output import print_json, say


def upgrade(*, lake: LakeOption, json: JsonOption = False) -> None:
    """Migrate a lake made by an older paifu.

    Adds the new tables, columns and views; games that are already in the lake keep their rows. Fill
    new columns with paifu ingest --refresh.

    Example: paifu upgrade --lake games.lake
    """
    from paifu.lake.lake import Lake
    from paifu.lake.layout import check_not_newer
    from paifu.lake.upgrade import upgrade as upgrade_lake

    with Lake.open(lake, write=True, check=False) as opened:
        check_not_newer(opened.facts, lake)
        before, after = upgrade_lake(opened)
    if json:
        print_json({"before": before, "after": after})
    say(f"the lake has schema {after}" + (f", it had {before}" if before < after else " already"))
