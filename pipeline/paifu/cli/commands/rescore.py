"""``paifu rescore``: check every record against the rules engine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paifu.cli.clusters import SchedulerOption, cluster_for
from paifu.cli.options import JsonOption, LakeOption
from paifu.cli.output import complain, is_quiet, print_json, print_lines, progress_bar
from paifu.cli.run_log import UnattendedOptions, run_log
from paifu.errors import UsageError
from paifu.messages import counted

if TYPE_CHECKING:
    from paifu.audit.summary import Report
    from paifu.host.cluster import Cluster

KERNELS = "rules.hands.scoring_kernels"
"""Of the modules whose kernels re-scoring needs, the one that takes longest."""


def rescore(
    *,
    lake: LakeOption,
    ruleset: Annotated[str | None, Parameter(alias="--rules")] = None,
    force: bool = False,
    strict: bool = False,
    jobs: int | None = None,
    scheduler: SchedulerOption = None,
    examples: int = 10,
    unattended: UnattendedOptions = None,
    json: JsonOption = False,
) -> int:
    """Check every win, draw, round, game and wall against the rules engine.

    Everything without a verdict is scored from the play alone and compared with its record, field
    by field. Verdicts go to the tables verdicts and verdict_fields, computed values to scored_wins
    and scored_yaku, final results with uma and oka to computed_results, walls regenerated from
    seeds to walls, and what they held for each seat to luck.

    Verdicts under --ruleset are stored beside the verdicts on the record and do not change them.
    To see them, name the rule set, as in paifu stats data_quality --param ruleset=mleague.

    Example: paifu rescore --lake games.lake --ruleset mleague

    Parameters
    ----------
    ruleset
        Preset or TOML file to score under; by default the rule set that each game's record names.
    force
        Score again what already has a verdict.
    strict
        Exit with status 1 if anything in the lake, from this run or an earlier run, differs from
        its record or was not allowed under the rule set.
    jobs
        Processes that work, this one among them; one per processor by default.
    examples
        How many disagreements to show.
    """
    if examples < 0:
        raise UsageError("--examples is a number of disagreements to show, 0 or more")
    with run_log("rescore", unattended, lake=lake, ruleset=ruleset) as log:
        report = rescore_with_progress(
            lake, ruleset=ruleset, force=force, jobs=jobs, scheduler=scheduler, examples=examples
        )
        if json:
            print_json(report.as_dict())
        elif not is_quiet():
            from paifu.audit.summary import report_lines

            print_lines("\n".join(report_lines(report)))
        status = strict_status(lake, ruleset) if strict else 0
        log.write("finished", status=status, **report.as_dict())
    return status


def strict_status(lake: str, ruleset: str | None = None) -> int:
    """Return 1 and say so if the lake's verdicts disagree with its records, else 0.

    ``ruleset`` is the rule set asked for; without it, the rule set that each record names counts.
    """
    from paifu.audit.lake_audit import disagreements
    from paifu.rules.rulesets import load_scoring

    rules = None if ruleset is None else load_scoring(ruleset)
    found = disagreements(lake, ruleset=rules)
    if found:
        of_whom = (
            "JOIN games USING (game_id, ruleset) WHERE"
            if rules is None
            else f"WHERE ruleset_hash = {rules.hash} AND"
        )
        complain(
            f"{counted(found, 'disagreement')} in the lake: paifu sql "
            f"\"SELECT v.* FROM verdicts AS v {of_whom} status IN ('mismatch', 'illegal')\""
        )
    return 1 if found else 0


def rescore_with_progress(
    lake: str,
    *,
    ruleset: str | None = None,
    force: bool = False,
    jobs: int | None = None,
    scheduler: str | Cluster | None = None,
    examples: int = 10,
) -> Report:
    """Re-score with a progress bar on standard error."""
    from paifu.audit.lake_audit import rescore

    with (
        cluster_for(scheduler, jobs, KERNELS, "re-scoring") as cluster,
        progress_bar(bytes=False) as bar,
    ):
        task = bar.add_task("rescore", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        return rescore(
            lake, ruleset=ruleset, force=force, jobs=jobs, scheduler=cluster, examples=examples,
            progress=progress,
        )  # fmt: skip
