"""Fits the placement model on the complete games of a lake, and measures it on games held out.

The likelihood is that of the whole order in which a game ends, given the position at each of its
rounds; a ridge keeps coefficients small that the games say little about. The optimum is unique,
because the logarithm of a softmax is concave.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any

import duckdb
import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.errors import LakeError
from paifu.messages import counted
from paifu.models import baselines
from paifu.models.descent import minimised
from paifu.models.measures import Band, Games, calibration, log_loss, mean_and_error
from paifu.models.model_file import named
from paifu.models.permutations import Floats, place_chances
from paifu.models.placement_model import PlacementModel, Rules, chances_of, scores_of
from paifu.models.positions import SCHEDULED, Positions, features, rounds_left
from paifu.rules import rulesets

FEWEST_GAMES = 500
"""Fewer games are refused, unless forced: the coefficients would be noise."""
MOST_GAMES = 30_000
"""A fit uses at most so many games; more would change the coefficients by less than rounding."""
FOLDS = 5
"""Each game is held out once, from a fit on the other four fifths."""

_RIDGE = 1.0
_DECIMALS = 4

PERTURBED = (100, 1_000, 4_000)
"""Points added to one seat, to see whether its chances get worse."""
TOLERATED = 0.001
"""A chance that gets worse by less is not counted."""

_GAMES = f"""
    SELECT game_id, players, length, ruleset, room, played_at FROM games
    WHERE complete AND detail = 'play' AND game IS NULL AND len(flags) = 0
        AND length IN ({", ".join(map(repr, SCHEDULED))})
        AND (platform <> 'tenhou' OR coalesce(lobby, '0') = '0')
"""
_ROUNDS = """
    WITH chosen AS (
        SELECT game_id, length FROM ({games}) WHERE ruleset = $ruleset
        ORDER BY hash(game_id) LIMIT {most}
    ),
    ended AS (
        SELECT game_id, list(placement - 1 ORDER BY seat) AS places
        FROM seats SEMI JOIN chosen USING (game_id)
        GROUP BY game_id
        HAVING count(DISTINCT placement) = $players
    )
    SELECT game_id, length, wind, number, dealer, honba, scores_start, places
    FROM rounds JOIN chosen USING (game_id) JOIN ended USING (game_id)
    WHERE len(scores_start) = $players
    ORDER BY game_id, round_index
"""


@dataclass(frozen=True, slots=True)
class Sample:
    """Positions at the starts of rounds, with the places at which their games ended."""

    positions: Positions
    places: baselines.Places
    games: Games
    """(n,) The number of the game, from 0."""
    folds: npt.NDArray[np.int64]
    """(n,) The fifth of the games that the game is in."""

    @property
    def game_count(self) -> int:
        """Number of games."""
        return int(self.games.max()) + 1 if len(self.games) else 0


@dataclass(slots=True)
class Measured:
    """What held-out games say about a model."""

    players: int
    games: int
    rounds: int
    loss: dict[str, float] = field(default_factory=dict)
    """Log loss of the model and of each baseline."""
    more: dict[str, tuple[float, float]] = field(default_factory=dict)
    """How much more each baseline loses, paired, with its standard error by game."""
    calibration_error: list[float] = field(default_factory=list)
    """Expected calibration error of each place."""
    bands: list[list[Band]] = field(default_factory=list)
    """The bands of each place."""
    perturbed: int = 0
    """Perturbations tried."""
    worse: int = 0
    """Perturbations in which more points lowered a chance by more than is tolerated."""


def fit_placement(
    connection: duckdb.DuckDBPyConnection,
    *,
    where: str | None = None,
    force: bool = False,
    measure: bool = True,
    progress: Callable[[str], None] = lambda _: None,
) -> list[tuple[PlacementModel, Measured | None]]:
    """Fit a model for each number of players of which the lake has enough games.

    ``where`` is a condition on ``games``. For each number of players the rule set with the most
    games counts. Without ``measure`` nothing is held out. Raises
    :class:`~paifu.errors.LakeError` if there are too few games.
    """
    games = games_to_fit(where)
    found = connection.sql(
        f"SELECT players, ruleset, count(*) AS n FROM ({games}) GROUP BY ALL ORDER BY n DESC"
    ).fetchall()
    fitted: list[tuple[PlacementModel, Measured | None]] = []
    few: list[str] = []
    for players in (4, 3):
        of_players = [(ruleset, n) for p, ruleset, n in found if p == players]
        if not of_players:
            continue
        ruleset, n = of_players[0]
        if n < (2 if force else FEWEST_GAMES):
            few.append(f"{counted(n, 'game')} of {ruleset}")
            continue
        progress(f"fitting on {counted(min(n, MOST_GAMES), 'game')} of {ruleset} …")
        fitted.append(_fitted(connection, games, players, ruleset, measure))
    if not fitted:
        has = f"only {' and '.join(few)}" if few else "none"
        raise LakeError(
            f"a placement model needs {FEWEST_GAMES} complete east or south games without flags "
            f"of one rule set, the lake has {has}; --force fits it all the same"
        )
    return fitted


def games_to_fit(where: str | None = None) -> str:
    """Return SQL of the games that a model may be fitted on, under a condition on ``games``."""
    return f"{_GAMES} AND ({where})" if where else _GAMES


def rules_of(ruleset: str) -> Rules | None:
    """Return the rules of a rule set on which chances depend; None if they are not known."""
    if ruleset not in rulesets.names():
        return None
    options = rulesets.get(ruleset)
    if options.flow != "known" or not options.players:
        return None
    return Rules(**{field.name: getattr(options, field.name) for field in fields(Rules)})


def _fitted(
    connection: duckdb.DuckDBPyConnection, games: str, players: int, ruleset: str, measure: bool
) -> tuple[PlacementModel, Measured | None]:
    rules = rules_of(ruleset)
    if rules is None:
        raise LakeError(f"the rules of {ruleset} are not known: no placement model can be fitted")
    sample = read_sample(connection, games, players, ruleset)
    measured = measured_on(sample) if measure else None
    weights = fitted_weights(sample.positions, sample.places)
    lengths, population, _ = population_of(connection, games, ruleset, sample.game_count)
    model = PlacementModel(
        weights=np.round(weights, _DECIMALS), rules=rules, name="", population=population,
        rulesets=(ruleset,), lengths=lengths, games=sample.game_count,
        rounds=len(sample.positions), scores=dict(measured.loss) if measured else {},
    )  # fmt: skip
    return named(model), measured


def read_sample(
    connection: duckdb.DuckDBPyConnection, games: str, players: int, ruleset: str
) -> Sample:
    """Return the rounds of the games of a rule set, at most :data:`MOST_GAMES` games."""
    rows = connection.execute(
        _ROUNDS.format(games=games, most=MOST_GAMES), {"ruleset": ruleset, "players": players}
    ).pl()
    if not len(rows):
        raise LakeError(f"the lake has no rounds of {ruleset} with final places")
    winds = rows["length"].replace_strict(SCHEDULED, return_dtype=pl.Int16).to_numpy()
    left = rounds_left(rows["wind"].to_numpy(), rows["number"].to_numpy(), players, winds)
    points = rows["scores_start"].explode().to_numpy().reshape(-1, players)
    positions = Positions(
        points.astype(np.int32), left, rows["dealer"].to_numpy().astype(np.int16),
        rows["honba"].to_numpy().astype(np.int16),
    )  # fmt: skip
    places = rows["places"].explode().to_numpy().reshape(-1, players).astype(np.int8)
    ids, numbers = np.unique(rows["game_id"].to_numpy(), return_inverse=True)
    return Sample(positions, places, numbers, (ids % FOLDS)[numbers])


def fitted_weights(positions: Positions, places: baselines.Places) -> Floats:
    """Return the weights (features, players - 1) that fit the orders best."""
    seen = features(positions)
    count, players, n = seen.shape
    flat = seen.reshape(count, players * n)
    ended = np.zeros((players, players, n))
    np.put_along_axis(ended, places.T[:, None, :].astype(np.int64), 1.0, 1)
    observed = _moments(flat, ended)

    def loss(vector: Floats) -> tuple[float, Floats]:
        weights = vector.reshape(count, players - 1)
        chances, log_sum = place_chances(scores_of(weights, seen))
        value = log_sum.sum() - (weights * observed).sum() + _RIDGE / 2 * (weights**2).sum()
        slope = _moments(flat, chances) - observed + _RIDGE * weights
        return value / n, slope.ravel() / n

    return minimised(loss, np.zeros(count * (players - 1))).reshape(count, players - 1)


def _moments(flat: Floats, chances: Floats) -> Floats:
    """Return the sum of each feature over the seats at each place but the last."""
    players = len(chances)
    by_place = chances.transpose(1, 0, 2)[: players - 1].reshape(players - 1, -1)
    return np.asarray(flat @ by_place.T)


def held_out_chances(sample: Sample) -> dict[str, Floats]:
    """Return chances (n, players, players) of each position by fits on other games, by name."""
    found: dict[str, Floats] = {}
    for fold in range(FOLDS):
        held = sample.folds == fold
        if not held.any() or held.all():
            continue
        others, places = sample.positions[~held], sample.places[~held]
        asked = sample.positions[held]
        weights = fitted_weights(others, places)
        said = {
            "model": chances_of(weights, features(asked)).transpose(2, 0, 1),
            "rank_round": baselines.by_rank_and_round(others, places, asked),
            "gaps": baselines.by_gaps(others, places, asked),
        }
        for name, chances in said.items():
            shape = (len(sample.positions), *chances.shape[1:])
            found.setdefault(name, np.full(shape, 1 / asked.players))[held] = chances
    return found


def measured_on(sample: Sample) -> Measured:
    """Return what each model says about games that it was not fitted on."""
    chances = held_out_chances(sample)
    players = sample.positions.players
    result = Measured(players, sample.game_count, len(sample.positions))
    losses = {name: log_loss(said, sample.places) for name, said in chances.items()}
    result.loss = {name: float(loss.mean()) for name, loss in losses.items()}
    result.loss["uniform"] = float(np.log(players))
    for name in ("rank_round", "gaps"):
        result.more[name] = mean_and_error(losses[name] - losses["model"], sample.games)
    seats = np.repeat(sample.games, players)
    for place in range(players):
        said = chances["model"][:, :, place].ravel()
        error, bands = calibration(said, (sample.places == place).ravel(), seats)
        result.calibration_error.append(error)
        result.bands.append(bands)
    weights = fitted_weights(sample.positions, sample.places)
    result.perturbed, result.worse = perturbations(weights, sample.positions)
    return result


def perturbations(weights: Floats, positions: Positions, most: int = 100_000) -> tuple[int, int]:
    """Return how many perturbations were tried, and in how many more points were worse.

    In a perturbation one seat has more points (:data:`PERTURBED`); it is worse if the chance of
    any place or better falls by more than :data:`TOLERATED`.
    """
    players = positions.players
    rows = np.resize(np.arange(len(positions)), most // (players * len(PERTURBED)))
    asked = positions[rows]
    before = chances_of(weights, features(asked)).cumsum(axis=1)
    worse = 0
    for seat in range(players):
        for more in PERTURBED:
            points = asked.points.copy()
            points[:, seat] += more
            after = chances_of(weights, features(asked.with_points(points))).cumsum(axis=1)
            worse += int(((after - before)[seat] < -TOLERATED).any(axis=0).sum())
    return len(asked) * players * len(PERTURBED), worse


def population_of(
    connection: duckdb.DuckDBPyConnection, games: str, ruleset: str, used: int | None = None
) -> tuple[tuple[str, ...], str, int]:
    """Return the lengths of the games of a rule set, which games they are in words, and how many.

    ``used`` is how many of them were used, if not all.
    """
    parts: dict[str, Any] = {}
    for column in ("length", "room"):
        parts[column] = connection.execute(
            f"SELECT {column}, count(*) AS n FROM ({games}) WHERE ruleset = ? "
            f"AND {column} IS NOT NULL GROUP BY 1 ORDER BY n DESC",
            [ruleset],
        ).fetchall()
    first, last = connection.execute(
        f"SELECT min(year(played_at)), max(year(played_at)) FROM ({games}) WHERE ruleset = ?",
        [ruleset],
    ).fetchall()[0]
    written = [
        ", ".join(f"{name} {n:,}" for name, n in parts[column])
        for column in ("length", "room")
        if parts[column]
    ]
    years = f"; played {first}-{last}" if first is not None else ""
    lengths = tuple(name for name, _ in parts["length"])
    n = used or sum(count for _, count in parts["length"])
    return (
        lengths,
        f"{n:,} complete games of {ruleset} without flags ({'; '.join(written)}{years})",
        n,
    )
