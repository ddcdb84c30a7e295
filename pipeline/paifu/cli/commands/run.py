"""``paifu run``: ingest, re-score, value and summarise in one go."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Any, Literal

from paifu.cli.clusters import SchedulerOption, cluster_for
from paifu.cli.commands.ingest import (
    KERNELS,
    SourcesArgument,
    check_place,
    check_sources,
    followed,
)
from paifu.cli.commands.rescore import rescore_with_progress, strict_status
from paifu.cli.commands.stats import print_answer
from paifu.cli.commands.value import value_lines, value_with_progress
from paifu.cli.options import JsonOption, LakeOption
from paifu.cli.output import is_quiet, json_value, print_json, print_lines, say
from paifu.cli.run_log import UnattendedOptions, run_log
from paifu.host.terminal import printable

SUMMARY = ("placement", "deal_in", "yaku_frequency")
"""Statistics shown at the end."""


def run(
    *sources: SourcesArgument,
    lake: LakeOption,
    jobs: int | None = None,
    scheduler: SchedulerOption = None,
    names: Literal["keep", "hash", "drop"] | None = None,
    create: bool = False,
    strict: bool = False,
    strict_known: bool = False,
    unattended: UnattendedOptions = None,
    json: JsonOption = False,
) -> int:
    """Ingest, re-score, value and summarise in one go.

    Runs paifu ingest, paifu rescore, paifu value and paifu stats one after the other. Work that was
    done before is not done again.

    Example: paifu run 2019.zip --lake games.lake

    Parameters
    ----------
    sources
        Files, folders and archives; - for standard input.
    jobs
        Processes that work, this one among them; one per processor by default.
    names
        Policy of a new lake: keep names, hash them (salt from PAIFU_SALT), or drop them.
    create
        Make the folder of a new lake even if the folder around it does not exist.
    strict
        Exit with status 1 if a log was rejected that no earlier run has rejected for this reason,
        or if a record in the lake, from this run or an earlier run, differs from the rules.
    strict_known
        The same, and also if an earlier run has rejected the log.
    """
    check_sources(sources)
    check_place(lake, create=create)
    from paifu.ingestion.driver import ingest

    strict = strict or strict_known
    names_of_sources = [printable(source) for source in sources]
    with (
        run_log("run", unattended, sources=names_of_sources, lake=lake) as log,
        cluster_for(scheduler, jobs, KERNELS, "ingest") as cluster,
    ):
        work = partial(ingest, sources, lake, jobs=jobs, scheduler=cluster, names=names)
        ingested = followed(sources, work, log, strict=strict)
        status = ingested.status(strict=strict, strict_known=strict_known)
        log.write("ingested", **asdict(ingested.summary))
        if status < 3:
            rescored = rescore_with_progress(lake, jobs=jobs, scheduler=cluster)
            log.write("rescored", **rescored.as_dict())
            valued = value_with_progress(lake, jobs=jobs)
            log.write("valued", **valued.as_dict())
            if json:
                print_json(
                    {
                        "ingest": ingested.as_dict(),
                        "rescore": rescored.as_dict(),
                        "value": valued.as_dict(),
                        "stats": {name: _answer(lake, name) for name in SUMMARY},
                    }
                )
            elif not is_quiet():
                from paifu.audit.summary import report_lines

                say("")
                print_lines("\n".join([*report_lines(rescored), *value_lines(valued)]))
                show_summary(lake)
            if strict:
                status = max(status, strict_status(lake))
        log.write("finished", status=status)
    return status


def show_summary(lake: str) -> None:
    """Print the summary statistics of a lake."""
    from paifu.lake.lake import Lake
    from paifu.query.statistics import run as run_statistic

    with Lake.open(lake) as opened:
        for name in SUMMARY:
            print(f"\n{name}")
            print_answer(run_statistic(opened, name), 15, command=f"paifu stats {name} ")


def _answer(lake: str, name: str) -> list[dict[str, Any]]:
    from paifu.lake.lake import Lake
    from paifu.query.statistics import run as run_statistic

    with Lake.open(lake) as opened:
        answer = run_statistic(opened, name)
    return [
        {column: json_value(column, v) for column, v in zip(answer.columns, row, strict=True)}
        for row in answer.rows
    ]
