"""``paifu compact``: merge small files, drop superseded games and old snapshots."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from paifu.cli.options import JsonOption, KeepOption, LakeOption, NowOption, check_keep
from paifu.cli.output import print_json, say
from paifu.cli.run_log import UnattendedOptions, run_log
from paifu.messages import counted


def compact(
    *,
    lake: LakeOption,
    keep: KeepOption = None,
    now: NowOption = False,
    unattended: UnattendedOptions = None,
    json: JsonOption = False,
) -> None:
    """Merge small files, drop superseded games and old snapshots.

    Run it after large ingests: queries become faster and the lake smaller. Other programs may read
    and write the lake meanwhile. The old files are kept for some time for programs that read them;
    after that, the next command that writes to the lake removes them. If a file is missing or
    damaged, the lake is not changed, and the exit status is 3.

    Example: paifu compact --lake games.lake
    """
    check_keep(keep, now)
    from paifu.lake.compact import compact as compact_lake
    from paifu.lake.lake import Lake

    with run_log("compact", unattended, lake=lake) as log:
        with Lake.open(lake, write=True) as opened:
            done = compact_lake(opened, kept=keep, now=now)
        result = {
            "before": asdict(done.before),
            "after": asdict(done.after),
            "kept_until": until_text(done.kept_until),
        }
        if json:
            print_json(result)
        say(
            f"{counted(done.before.files, 'file')} of {done.before.bytes / 1e6:,.1f} MB: now "
            f"{done.after.files:,} of {done.after.bytes / 1e6:,.1f} MB"
        )
        if done.kept_until:
            say(
                f"the old files are kept until {until_text(done.kept_until)}; the next command "
                "that writes to the lake after that removes them (at once: --now)"
            )
        log.write("finished", status=0, **result)


def until_text(until: datetime | None) -> str | None:
    """Return a time in UTC in the form for messages and JSON."""
    return until.strftime("%Y-%m-%dT%H:%M:%SZ") if until else None
