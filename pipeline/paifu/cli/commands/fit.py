"""``paifu fit``: models fitted on the games of a lake."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from paifu.cli.options import GameFilterOptions, JsonOption, LakeOption
from paifu.cli.output import print_json, print_lines, say
from paifu.messages import counted

if TYPE_CHECKING:
    from paifu.models.event_fit import EventMeasured
    from paifu.models.event_models import EventModel
    from paifu.models.placement_fit import Measured
    from paifu.models.placement_model import PlacementModel


def fit(
    model: Literal["placement", "deal_in", "riichi"],
    *,
    lake: LakeOption,
    out: Path | None = None,
    report: bool = False,
    force: bool = False,
    only: GameFilterOptions = None,
    json: JsonOption = False,
) -> None:
    """Fit a model on the complete games of a lake.

    placement: the chance of each seat to end first to last, from points, rounds left, dealer and
    honba. deal_in: the chance that an opponent in riichi or with two open melds wins on a discard.
    riichi: the chance that an accepted riichi wins. For each number of players, the rule set with
    the most games counts.

    Example: paifu fit placement --lake games.lake --out own.json --report

    Parameters
    ----------
    model
        Which model: placement, deal_in or riichi.
    out
        Write the model to this file, for paifu value --model.
    report
        Hold each game out once, and print what the model says about games that it has not seen,
        beside plain tables, with standard errors by game.
    force
        Fit on fewer games than are enough.
    """
    from paifu.lake.lake import Lake
    from paifu.models.event_fit import fit_events
    from paifu.models.model_file import write_event_models, write_models
    from paifu.models.placement_fit import fit_placement
    from paifu.query.filters import Filter

    where = Filter.of(only).expression()
    if model != "placement":
        with Lake.open(lake) as opened:
            events = fit_events(opened.connection, model, where=where, force=force, measure=report)
        if out is not None:
            write_event_models(out, [each for each, _ in events])
        if json:
            print_json({"models": [_event_as_dict(*each) for each in events]})
        else:
            print_lines("\n".join(line for each in events for line in _event_lines(*each)))
        return
    with Lake.open(lake) as opened:
        fitted = fit_placement(
            opened.connection, where=where, force=force, measure=report, progress=say
        )
    if out is not None:
        write_models(out, [each for each, _ in fitted])
    if json:
        print_json({"models": [_as_dict(each, measured) for each, measured in fitted]})
    else:
        print_lines("\n".join(line for each in fitted for line in _lines(*each)))


def _as_dict(model: PlacementModel, measured: Measured | None) -> dict[str, Any]:
    return {
        "model_id": model.name,
        "population": model.population,
        "games": model.games,
        "rounds": model.rounds,
        "measured": None if measured is None else asdict(measured),
    }


_TABLES = {
    "uniform": "the same chance for every place",
    "rank_round": "shares by rank and rounds left",
    "gaps": "shares by rank, rounds left and both gaps",
    "model": "the model",
}


def _lines(model: PlacementModel, measured: Measured | None) -> Iterator[str]:
    yield f"{model.name}: {model.weights.size} numbers, fitted on {model.population}"
    if measured is None:
        return
    yield "log loss on games held out, and how much more than the model (standard error by game):"
    for name, said in _TABLES.items():
        more, error = measured.more.get(name, (None, None))
        paired = "" if more is None else f"  {more:+.4f} ({error:.4f})"
        yield f"  {measured.loss[name]:.4f}  {said}{paired}"
    ratio = measured.loss["model"] / measured.loss["rank_round"]
    yield f"  {ratio:.3f} of the shares by rank and rounds left"
    for place, (error, bands) in enumerate(
        zip(measured.calibration_error, measured.bands, strict=True), 1
    ):
        said = " ".join(f"{band.said:.3f}/{band.seen:.3f}" for band in bands)
        furthest = max(abs(band.z) for band in bands)
        yield f"place {place}: calibration error {error:.4f}, |z| at most {furthest:.1f}"
        yield f"  said/seen by tenths: {said}"
    share = measured.worse / measured.perturbed
    yield (
        f"{measured.worse:,} of {measured.perturbed:,} times more points lowered a chance by more "
        f"than 0.001 ({share:.3%})"
    )


def _event_as_dict(model: EventModel, measured: EventMeasured | None) -> dict[str, Any]:
    return {
        "model_id": model.name,
        "population": model.population,
        "games": model.games,
        "rows": model.rows,
        "measured": None if measured is None else asdict(measured),
    }


_EVENT_MODELS = {"model": "the model", "wall": "the model with the wall, where it is known"}


def _event_lines(model: EventModel, measured: EventMeasured | None) -> Iterator[str]:
    yield f"{model.name}: fitted on {counted(model.rows, 'row')} of {model.population}"
    if measured is None:
        return
    rate = measured.events / measured.rows
    rows, events = counted(measured.rows, "row"), counted(measured.events, "event")
    yield f"{rows}, {events} ({rate:.2%})"
    yield "log loss on games held out; less than the constant by (standard error by game):"
    yield f"  {measured.loss['constant']:.4f}  the constant"
    for name, (less, error) in measured.less.items():
        loss = measured.loss[name]
        ratio = loss / (loss + less)
        yield f"  {loss:.4f}  {_EVENT_MODELS[name]}  {less:.4f} ({error:.4f}), ratio {ratio:.3f}"
    furthest = max(abs(band.z) for band in measured.bands)
    said = " ".join(f"{band.said:.4f}/{band.seen:.4f}" for band in measured.bands)
    yield f"calibration error {measured.calibration_error:.4f}, |z| at most {furthest:.1f}"
    yield f"  said/seen by tenths: {said}"
