"""``paifu simulate``: games played by simple players, written as logs."""

from __future__ import annotations

import time
from typing import Annotated, Literal

from cyclopts import Parameter

from paifu.cli.clusters import SchedulerOption, cluster_for
from paifu.cli.options import FormatParameter, JsonOption, OutPath
from paifu.cli.output import print_json, progress_bar, say
from paifu.errors import UsageError
from paifu.messages import counted

_KERNELS, _SIMULATOR = "simulate.play_round", "the simulator"
_DEFAULT_RULES = {3: "tenhou-3p", 4: "tenhou-4p"}


def simulate(
    *,
    out: OutPath,
    games: int | None = None,
    players: Literal[3, 4] = 4,
    rules: Annotated[str | None, Parameter(alias="--ruleset")] = None,
    length: Literal["east", "south"] = "south",
    aka: Annotated[bool, Parameter(negative="--no-aka")] = True,
    kuitan: Annotated[bool, Parameter(negative="--no-kuitan")] = True,
    format: Annotated[
        Literal["mjlog", "tenhou-json", "mjai", "majiang", "all"], FormatParameter
    ] = "mjlog",
    seed: int = 1,
    jobs: int | None = None,
    scheduler: SchedulerOption = None,
    scenario: str | None = None,
    samples: bool = False,
    json: JsonOption = False,
) -> int:
    """Play games and write their logs, into a folder or an archive.

    The players are simple; the games are complete and legal under the rule set. The same seed gives
    the same bytes on any machine and with any number of jobs.

    Example: paifu simulate --games 1000 --out games.zip

    Parameters
    ----------
    out
        A folder, or an archive to write: its name ends in .zip, .tar or .tar.gz.
    games
        How many games to play.
    players
        How many players, 3 or 4.
    rules
        A rule set's name or TOML file; tenhou-4p or tenhou-3p by default.
    length
        East or south games, if the rule set leaves this to the game.
    aka
        Red fives, if the rule set leaves this to the game.
    kuitan
        Open tanyao, if the rule set leaves this to the game.
    format
        The log format; all writes each format into its own folder.
    seed
        Another seed gives other games.
    jobs
        Processes that work, this one among them; one per processor by default.
    scenario
        Instead of free play, a scripted game that shows a rare event: a name, or all.
    samples
        Instead of other games, write the sample logs that come with paifu.
    """
    from paifu.simulate.log_files import FORMATS, Output

    if (games is not None) + (scenario is not None) + samples > 1:
        raise UsageError("choose one of --games, --scenario and --samples")
    started = time.perf_counter()
    formats: list[str] = list(FORMATS) if format == "all" else [format]
    if players == 3 and format == "all":
        formats.remove("majiang")
    if samples or scenario is not None:
        from paifu.simulate.samples import sample_files, scenario_files

        with cluster_for(None, jobs, _KERNELS, _SIMULATOR):
            files = sample_files() if samples else scenario_files(scenario or "all", formats)
        total = len(files)
        with Output(out) as output:
            for name, data in files:
                output.add(name, data)
    else:
        if games is None or games < 1:
            raise UsageError("say how many games to play, as --games 1000")
        total = _free_play(
            out, games, players, rules, length, aka, kuitan, formats, seed, jobs, scheduler
        )
    seconds = time.perf_counter() - started
    what = counted(total, "file" if samples or scenario else "game")
    say(f"{what} in {seconds:.1f} s, in {out}")
    if json:
        print_json({"games": total, "out": str(out), "seed": seed, "seconds": round(seconds, 3)})
    return 0


def _free_play(
    out: OutPath,
    games: int,
    players: int,
    rules: str | None,
    length: str,
    aka: bool,
    kuitan: bool,
    formats: list[str],
    seed: int,
    jobs: int | None,
    scheduler: str | None,
) -> int:
    from paifu.host.threads import worker_count
    from paifu.rules import rulesets
    from paifu.simulate.flow import flow_of
    from paifu.simulate.log_files import Output
    from paifu.simulate.workers import written_games

    chosen = rulesets.load(rules or _DEFAULT_RULES[players])
    flow = flow_of(chosen, players, length, aka, kuitan)
    workers = worker_count(jobs)
    with (
        cluster_for(scheduler, jobs, _KERNELS, _SIMULATOR) as cluster,
        Output(out) as output,
        progress_bar(bytes=False) as bar,
    ):
        task = bar.add_task("simulate", total=games)
        played = written_games(
            games, seed, chosen, flow, formats, workers, cluster, deflate=output.deflates
        )
        for files in played:
            for name, data in files:
                output.add(name, data)
            bar.advance(task)
    return games
