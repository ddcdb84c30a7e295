"""Walls: do the deal, the draws, the indicators and the dice agree with the wall?

The wall follows from the game's seed, or was recorded with its digest.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from paifu.audit.comparison import Verdicts, judge, paired
from paifu.audit.wide_rounds import ROUND, Play, spread
from paifu.errors import LogError
from paifu.game.recorded_wall import RECORDED, RecordedWall, codes_of, read_walls, walls_of
from paifu.game.tile_text import hand_texts
from paifu.game.wall import Array, Walls, read_seed, regenerate, tiles_column
from paifu.rules.riichi.ruleset import RuleSet

_TILES = ("draws", "rinshan", "dora", "ura")
"""Fields with tiles in order; the record has only as many as the round used."""


@dataclass(frozen=True, slots=True)
class SeededRounds:
    """Rounds of games with a seed, and their walls."""

    known: pl.DataFrame
    """One row per round with a wall: ``wall``, ``layout``, ``dice``, ``haipai_0`` … (sorted),
    and ``draws``, ``rinshan``, ``dora``, ``ura``: all tiles in order, two characters each. Recorded
    walls have ``recorded_digest`` and ``computed_digest``; dice follow only from seeds."""
    unknown: pl.DataFrame
    """One row per round without a wall: ``unscorable`` says why."""


def seeded_rounds(play: Play) -> SeededRounds:
    """Return the walls of all rounds of ``play`` whose game has a seed, or recorded walls."""
    counts = play.rounds.group_by("game_id").agg(rounds=pl.col("round_index").max() + 1)
    seeded = (
        play.seeds.join(play.games.select("game_id", "aka"), on="game_id")
        .join(counts, on="game_id")
        .with_columns(pl.col("aka").fill_null(True))
    )
    dealers = play.rounds.select(*ROUND, "dealer")
    known = [_known(dealers.clear(), _none(play.players), [])]
    unknown = [dealers.clear().select(*ROUND, unscorable=pl.lit(None, dtype=pl.String))]
    for (kind,), games in seeded.partition_by("kind", as_dict=True).items():
        read = _read_recorded if kind == RECORDED else _regenerated
        found, reasons = read(str(kind), games, play.players)
        unreadable = pl.Series("unscorable", reasons, dtype=pl.String)
        if found is not None:
            rounds = (
                games.filter(unreadable.is_null())
                .select("game_id", round_index=pl.int_ranges(0, "rounds", dtype=pl.Int16))
                .explode("round_index")
            )
            placed = rounds.join(dealers, on=ROUND, how="left", maintain_order="left")
            known.append(_known(placed, *found))
        unknown.append(
            games.select("game_id", unreadable)
            .filter(pl.col("unscorable").is_not_null())
            .join(dealers, on="game_id")
            .select(*ROUND, "unscorable")
        )
    return SeededRounds(pl.concat(known), pl.concat(unknown))


_Found = tuple[Walls, list[RecordedWall]]
"""Walls of the rounds of all games that have them, with the recorded walls if there are any."""


def _regenerated(
    kind: str, games: pl.DataFrame, players: int
) -> tuple[_Found | None, list[str | None]]:
    """Return the walls that follow from the games' seeds, and by game why no wall follows."""
    keys: list[Array] = []
    reasons: list[str | None] = []
    for seed in games["seed"]:
        try:
            keys.append(read_seed(kind, seed))
            reasons.append(None)
        except LogError as error:
            reasons.append(str(error))
    readable = games.filter(pl.Series(reasons, dtype=pl.String).is_null())
    rounds, aka = readable["rounds"].to_numpy(), readable["aka"].to_numpy()
    walls = regenerate(kind, players, keys, rounds, aka)
    if walls is None:
        return None, [f"no wall follows from a {kind} seed"] * len(games)
    return (walls, []), reasons


def _read_recorded(
    _: str, games: pl.DataFrame, players: int
) -> tuple[_Found | None, list[str | None]]:
    """Return the recorded walls, and by game why they cannot be read."""
    codes: list[Array] = []
    recorded: list[RecordedWall] = []
    reasons: list[str | None] = []
    for seed, rounds in games.select("seed", "rounds").iter_rows():
        try:
            told = read_walls(seed)
            codes.append(codes_of(told, players, rounds))
            recorded += told[:rounds]
            reasons.append(None)
        except LogError as error:
            reasons.append(str(error))
    return (walls_of(codes, players), recorded), reasons


def _none(players: int) -> Walls:
    """Return a frame of walls without rows, for the types of its columns."""
    walls = regenerate(
        "mt19937ar-sha512-n288-base64", players, [], np.zeros(0, dtype=np.int64), np.zeros(0, bool)
    )
    assert walls is not None
    return walls


def _known(rounds: pl.DataFrame, walls: Walls, recorded: list[RecordedWall]) -> pl.DataFrame:
    """Return ``known`` rows for rounds with their ``dealer``, in the order of the walls."""
    digests = [(wall.digest, wall.computed()) if wall.digest else (None, None) for wall in recorded]
    stated, computed = zip(*digests, strict=True) if digests else ((None,) * len(rounds),) * 2
    dice = pl.Series("dice", walls.dice.astype(np.int16)).arr.to_list()
    dealer = rounds["dealer"].fill_null(0).to_numpy()
    haipai = walls.haipai(dealer)
    columns = {
        "draws": walls.draws(),
        "rinshan": walls.rinshan(),
        "dora": walls.dora(),
        "ura": walls.ura(),
        "wall": walls.tiles,
    }
    return rounds.select(
        *ROUND,
        pl.lit(walls.layout.name).alias("layout"),
        dice if not recorded else pl.Series("dice", [[]] * len(rounds), dtype=dice.dtype),
        pl.Series("recorded_digest", stated, dtype=pl.String),
        pl.Series("computed_digest", computed, dtype=pl.String),
        *(
            pl.Series(f"haipai_{seat}", hand_texts(np.ascontiguousarray(haipai[:, seat])))
            for seat in range(walls.players)
        ),
        *(pl.Series(name, tiles_column(codes)) for name, codes in columns.items()),
    ).filter(rounds["dealer"].is_not_null())


def audit_walls(play: Play, seeded: SeededRounds, rules: RuleSet, engine_version: int) -> Verdicts:
    """Return the verdicts on all rounds of games with a seed.

    The record is compared as far as it goes: the tiles drawn, the indicators turned up, and the
    ura indicators that a riichi win showed. A lake without actions has no draws to compare.
    """
    fields = paired(("haipai_", "dice", *_TILES, "digest"), play.players)
    haipai = spread(play.round_seats, ROUND, {"recorded_haipai": pl.col("haipai")}, play.players)
    draws = play.draws.select(
        *ROUND, recorded_draws=_shown(pl.col("live")), recorded_rinshan=_shown(pl.col("dead"))
    )
    recorded = (
        play.rounds.select(
            *ROUND,
            recorded_dice=_shown(pl.col("dice").cast(pl.List(pl.String)).list.join(" ")),
            recorded_dora=_shown(pl.col("dora_indicators").list.join("")),
            recorded_ura=_shown(pl.col("ura_indicators").list.join("")),
        )
        .join(draws, on=ROUND, how="left")
        .join(haipai, on=ROUND, how="left")
    )
    rows = seeded.known.join(recorded, on=ROUND, how="left", maintain_order="left").select(
        *ROUND,
        *(f"recorded_{field}" for field in fields if field != "dice"),
        "computed_digest",
        recorded_dice=pl.when(pl.col("dice").list.len() > 0).then("recorded_dice"),
        computed_dice=pl.col("dice").cast(pl.List(pl.String)).list.join(" "),
        **{f"computed_haipai_{seat}": pl.col(f"haipai_{seat}") for seat in range(play.players)},
        **{
            f"computed_{name}": pl.col(name).str.head(pl.col(f"recorded_{name}").str.len_chars())
            for name in _TILES
        },
    )
    rows = pl.concat([rows, seeded.unknown], how="diagonal")
    return judge("wall", rows, fields, rules, engine_version)


def _shown(text: pl.Expr) -> pl.Expr:
    """Return text, or NULL if it is empty because nothing was shown."""
    return pl.when(text != "").then(text)


def wall_rows(seeded: SeededRounds) -> pl.DataFrame:
    """Return the rows of table ``walls``."""
    return seeded.known.select(*ROUND, "wall", "layout", "dice")


def dealt_rounds(play: Play, seeded: SeededRounds) -> pl.DataFrame:
    """Return the ``known`` rounds whose deal agrees with their wall.

    If it does not agree (the seed is another game's, or the log was tampered with), the wall says
    nothing about the hidden tiles.
    """
    haipai = spread(play.round_seats, ROUND, {"dealt": pl.col("haipai")}, play.players)
    dealt = pl.all_horizontal(
        *(pl.col(f"dealt_{seat}") == pl.col(f"haipai_{seat}") for seat in range(play.players))
    )
    return seeded.known.join(haipai, on=ROUND).filter(dealt).select(seeded.known.columns)


def with_ura(play: Play, seeded: SeededRounds) -> Play:
    """Return the play with the ura indicators of riichi wins taken from their walls.

    There are as many as dora indicators. If the wall is not known, or is not the one that was
    dealt, they stay as recorded.
    """
    walls = dealt_rounds(play, seeded).select(*ROUND, in_wall="ura")
    shown = pl.col("in_wall").str.extract_all("..").list.head(pl.col("dora_indicators").list.len())
    wins = play.wins.join(walls, on=ROUND, how="left", maintain_order="left").with_columns(
        ura_indicators=pl.when("riichi", pl.col("in_wall").is_not_null())
        .then(shown)
        .otherwise("ura_indicators")
    )
    return replace(play, wins=wins.drop("in_wall"))
