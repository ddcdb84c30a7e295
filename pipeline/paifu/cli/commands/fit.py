"""``paifu fit``: models fitted on the games of a lake."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Literal

from paifu.cli.options import GameFilterOptions, JsonOption, LakeOption, OutPath
from paifu.cli.output import print_json, print_lines, say
from paifu.messages import counted

if TYPE_CHECKING:
    from paifu.models.event_fit import EventMeasured
    from paifu.models.event_models import EventModel
    from paifu.models.measures import Band
    from paifu.models.placement_fit import Measured
    from paifu.models.placement_model import PlacementModel

    Model = PlacementModel | EventModel
    Measures = Measured | EventMeasured


def fit(
    model: Literal["placement", "deal_in", "riichi"],
    *,
    lake: LakeOption,
    out: OutPath | None = None,
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
    from paifu.models.model_file import write_models
    from paifu.models.placement_fit import fit_placement
    from paifu.query.filters import Filter

    where = Filter.of(only).expression()
    fitted: Sequence[tuple[Model, Measures | None]]
    with Lake.open(lake) as opened:
        if model == "placement":
            fitted = fit_placement(
                opened.connection, where=where, force=force, measure=report, progress=say
            )
        else:
            fitted = fit_events(opened.connection, model, where=where, force=force, measure=report)
    if out is not None:
        write_models(out, [each for each, _ in fitted])
    if json:
        print_json({"models": [_as_dict(*each) for each in fitted]})
    else:
        print_lines("\n".join(line for each in fitted for line in _lines(*each)))


def _as_dict(model: Model, measured: Measures | None) -> dict[str, Any]:
    from paifu.models.placement_model import PlacementModel

    return {
        "model_id": model.name,
        "population": model.population,
        "games": model.games,
        **({"rounds": model.rounds} if isinstance(model, PlacementModel) else {"rows": model.rows}),
        "measured": None if measured is None else asdict(measured),
    }


def _lines(model: Model, measured: Measures | None) -> Iterator[str]:
    """Yield what was fitted on what and, if it was measured, how good it is."""
    from paifu.models.placement_fit import Measured
    from paifu.models.placement_model import PlacementModel

    size = (
        f"{model.weights.size} numbers,"
        if isinstance(model, PlacementModel)
        else f"{counted(model.rows, 'row')},"
    )
    yield f"{model.name}: {size} fitted on {model.population}"
    if measured is None:
        return
    if isinstance(measured, Measured):
        yield from _placement_lines(measured)
    else:
        yield from _event_lines(measured)


_TABLES = {
    "uniform": "the same chance for every place",
    "rank_round": "shares by rank and rounds left",
    "gaps": "shares by rank, rounds left and both gaps",
    "model": "the model",
}


def _placement_lines(measured: Measured) -> Iterator[str]:
    yield "log loss on games held out, and how much more than the model (standard error by game):"
    for name, said in _TABLES.items():
        more, error = measured.more.get(name, (None, None))
        paired = "" if more is None else f"  {more:+.4f} ({error:.4f})"
        yield f"  {measured.loss[name]:.4f}  {said}{paired}"
    ratio = measured.loss["model"] / measured.loss["rank_round"]
    yield f"  {ratio:.3f} of the shares by rank and rounds left"
    pairs = zip(measured.calibration_error, measured.bands, strict=True)
    for place, (error, bands) in enumerate(pairs, 1):
        yield from _band_lines(f"place {place}: ", error, bands)
    share = measured.worse / measured.perturbed
    yield (
        f"{measured.worse:,} of {measured.perturbed:,} times more points lowered a chance by more "
        f"than 0.001 ({share:.3%})"
    )


_EVENT_MODELS = {"model": "the model", "wall": "the model with the wall, where it is known"}


def _event_lines(measured: EventMeasured) -> Iterator[str]:
    rate = measured.events / measured.rows
    rows, events = counted(measured.rows, "row"), counted(measured.events, "event")
    yield f"{rows}, {events} ({rate:.2%})"
    yield "log loss on games held out; less than the constant by (standard error by game):"
    yield f"  {measured.loss['constant']:.4f}  the constant"
    for name, (less, error) in measured.less.items():
        loss = measured.loss[name]
        ratio = loss / (loss + less)
        yield f"  {loss:.4f}  {_EVENT_MODELS[name]}  {less:.4f} ({error:.4f}), ratio {ratio:.3f}"
    yield from _band_lines("", measured.calibration_error, measured.bands)


def _band_lines(what: str, error: float, bands: Sequence[Band]) -> Iterator[str]:
    """Yield how far chances are from what happened, in all and by tenths."""
    furthest = max(abs(band.z) for band in bands)
    yield f"{what}calibration error {error:.4f}, |z| at most {furthest:.2f}"
    said = " ".join(f"{band.said:.4f}/{band.seen:.4f}" for band in bands)
    yield f"  said/seen by tenths: {said}"
