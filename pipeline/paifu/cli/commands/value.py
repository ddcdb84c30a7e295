"""``paifu value``: what the positions of every game were worth."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paifu.cli.options import JsonOption, LakeOption
from paifu.cli.output import is_quiet, print_json, print_lines, progress_bar
from paifu.cli.run_log import UnattendedOptions, run_log
from paifu.messages import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from paifu.models.round_values import Valued


def value(
    *,
    lake: LakeOption,
    model: Annotated[tuple[Path, ...], Parameter(name="--model")] = (),
    force: bool = False,
    jobs: int | None = None,
    unattended: UnattendedOptions = None,
    json: JsonOption = False,
) -> None:
    """Value every position: the chance of each seat to end first to last.

    Fills table round_values for complete games without flags: the chances before each deal, after
    riichi sticks, after payments, and at the next deal or the end. In SQL, value_changes('tenhou')
    turns them into place points. Stores the models behind the views deal_in_chances and
    riichi_chances. Games under rules for which there is no
    model are counted, with the reason.

    Example: paifu value --lake games.lake

    Parameters
    ----------
    model
        File written by paifu fit; may be repeated, for models of different kinds. By default, the
        models that come with paifu.
    force
        Value again what already has values of the model.
    jobs
        Batches of games processed at once; one per processor by default.
    """
    with run_log("value", unattended, lake=lake, model=list(map(str, model))) as log:
        report = value_with_progress(lake, models=model, force=force, jobs=jobs)
        if json:
            print_json(report.as_dict())
        elif not is_quiet():
            print_lines("\n".join(value_lines(report)))
        log.write("finished", **report.as_dict())


def value_with_progress(
    lake: str, *, models: Sequence[Path] = (), force: bool = False, jobs: int | None = None
) -> Valued:
    """Value a lake with a progress bar on standard error."""
    from paifu.models.round_values import value

    with progress_bar(bytes=False) as bar:
        task = bar.add_task("value", total=None)

        def progress(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        return value(lake, models=models, force=force, jobs=jobs, progress=progress)


def value_lines(report: Valued) -> Iterator[str]:
    """Yield the lines that say what was valued, and what was not and why."""
    known = f"; {report.known:,} before" if report.known else ""
    yield (
        f"{counted(report.games, 'game')} valued ({counted(report.rounds, 'round')}) in "
        f"{report.seconds:.1f} s{known}"
    )
    for what, n in report.stood_in.most_common():
        yield f"  {n:,} of them: {what}, under the same points, target, bust and ties"
    for reason, n in report.left_out.most_common():
        yield f"  {counted(n, 'game')} not valued: {reason}"
