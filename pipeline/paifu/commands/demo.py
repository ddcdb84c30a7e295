"""``paifu demo``: the whole way on the sample logs that come with paifu."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paifu.commands.options import JsonOption
from paifu.commands.output import say
from paifu.commands.run import run
from paifu.errors import SourceError
from paifu.resources import resource_dir

NOT_LOGS = {".md"}


def demo(
    *,
    lake: Annotated[
        str | None,
        Parameter(name="--lake", help="Where to keep the lake; otherwise it is removed."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Go the whole way on the sample logs that come with paifu.

    Makes a lake, ingests the samples, holds their records against the rules and shows a few
    statistics.

    Example: paifu demo --lake demo.lake
    """
    samples = sample_logs()
    if lake is not None:
        return run(*samples, lake=lake, json=json)
    with tempfile.TemporaryDirectory(prefix="paifu-demo-") as folder:
        place = str(Path(folder) / "demo.lake")
        status = run(*samples, lake=place, json=json)
    say("keep the lake and ask it yourself: paifu demo --lake demo.lake")
    return status


def sample_logs() -> list[str]:
    """Return the paths of the sample logs. Raises ``SourceError`` where there are none."""
    folder = resource_dir("data")
    found = sorted(p for p in folder.rglob("*") if p.is_file() and p.suffix not in NOT_LOGS)
    if not found:
        raise SourceError(f"there are no sample logs in {folder}: make some with paifu simulate")
    return [str(path) for path in found]
