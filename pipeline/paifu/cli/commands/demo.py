"""``paifu demo``: every step on the sample logs that come with paifu."""

from __future__ import annotations

import hashlib
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from paifu.cli.commands.run import run
from paifu.cli.options import JsonOption
from paifu.cli.output import say
from paifu.errors import LakeError, SourceError, UsageError
from paifu.host.shipped_files import resource_dir

NOT_LOGS = {".md"}


def demo(
    *,
    lake: Annotated[
        str | None,
        Parameter(name="--lake", help="Where to keep the lake; otherwise it is removed."),
    ] = None,
    json: JsonOption = False,
) -> int:
    """Run every step on the sample logs that come with paifu.

    Makes a lake, ingests the samples, checks their records against the rules and shows a few
    statistics.

    Example: paifu demo --lake demo.lake
    """
    samples = sample_logs()
    if lake is not None:
        _refuse_other_games(lake, samples)
        return run(*samples, lake=lake, json=json)
    with tempfile.TemporaryDirectory(prefix="paifu-demo-") as folder:
        place = str(Path(folder) / "demo.lake")
        status = run(*samples, lake=place, json=json)
    say("keep the lake and ask it yourself: paifu demo --lake demo.lake")
    return status


def _refuse_other_games(lake: str, samples: list[str]) -> None:
    """Raise an error for a lake with other games, whose statistics the sample games would spoil."""
    from paifu.lake.lake import Lake

    ours = [hashlib.sha256(Path(sample).read_bytes()).digest() for sample in samples]
    with suppress(LakeError), Lake.open(lake) as opened:  # if there is no lake, it is made
        query = "SELECT count(*) FROM sources WHERE sha256 NOT IN (SELECT unnest(?::BLOB[]))"
        if opened.connection.execute(query, [ours]).fetchone() != (0,):
            raise UsageError(
                f"the lake at {lake} holds other games: name a new folder for the demo"
            )


def sample_logs() -> list[str]:
    """Return the paths of the sample logs. Raises ``SourceError`` if there are none."""
    folder = resource_dir("data")
    found = sorted(p for p in folder.iterdir() if p.is_file() and p.suffix not in NOT_LOGS)
    if not found:
        raise SourceError(f"there are no sample logs in {folder}: make some with paifu simulate")
    return [str(path) for path in found]
