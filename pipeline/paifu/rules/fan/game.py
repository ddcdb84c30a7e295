"""Games other than riichi: what a fan is, what a game is, and how a batch of hands is scored.

A :class:`Game` is a rule set: its tiles, its fan, its options, and three expressions: which
readings may win, what a reading is worth, and who pays what. A :class:`Fan` is a Polars expression
that says how often the fan is in a reading, with its points and the fan that do not count beside
it. The readings come from ``shapes``, the hands from ``hands``. A game is one module (see
``docs/add-a-rule-set.md``); :mod:`paifu.rules.games` finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.errors import RuleError
from paifu.rules.fan.choices import NO_AMOUNT, Choice, Options, check_value
from paifu.rules.fan.flow import Flow, flow_choices, idle_options
from paifu.rules.fan.kernels import count_fan
from paifu.rules.hands.hands import MELD_WORDS, Hands
from paifu.rules.hands.shapes import DAIMINKAN, REGULAR
from paifu.rules.stable_hash import hash_of

Condition = pl.Expr | Callable[[Options], pl.Expr]
SpecialShapes = Callable[[Hands], tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]]
MoreColumns = Callable[[Hands, pl.DataFrame, Options], Mapping[str, npt.NDArray[Any]]]


class Expanded(NamedTuple):
    """Hands that other hands can stand for."""

    hands: Hands
    origin: npt.NDArray[np.int64]
    """Row of the hand that each expanded hand came from, ascending."""
    columns: Mapping[str, npt.NDArray[Any]]
    """Facts about each expanded hand, which become columns of the readings."""


FAN_COUNT = "{fan}"
"""The place in a refusal for the number of fan of the hand."""

TABLE_FACTS = frozenset(
    {"flowers", "wild", "bird", "liable", "out", "raised", "fed", "triple_ron", "riichi"}
)
"""Facts beside a hand that only some games know; for another game they are a fault."""


@dataclass(frozen=True, slots=True)
class Fan:
    """One scoring element of a game."""

    key: str
    name: str
    """The Chinese name in this game."""
    points: int
    """Points (or fan) each time it counts."""
    when: Condition
    """How often the fan is in a reading: a boolean or a number, or a function of the options."""
    strikes: tuple[str, ...] = ()
    """Fan that it implies and that do not count beside it; they stand later in the table."""

    def count(self, options: Options) -> pl.Expr:
        """Return how often the fan is in a reading, int8."""
        found = self.when if isinstance(self.when, pl.Expr) else self.when(options)
        return found.cast(pl.Int8).alias(self.key)


Payments = Callable[[Options], Mapping[str, pl.Expr]]


def _nothing(options: Options) -> Mapping[str, pl.Expr]:
    return {}


@dataclass(frozen=True, kw_only=True)
class Event:
    """What a game pays for without a complete hand, with a fan table of its own.

    Its columns are the circumstances (``scoring.CONTEXT``), ``is_dealer``, and the columns that
    ``columns`` adds or replaces (such as ``tsumo``).
    """

    what: str
    """What it is, for people."""
    fan: tuple[Fan, ...] = ()
    columns: Callable[[Hands, Options], Mapping[str, npt.NDArray[Any]]] = field(repr=False)
    may_win: Condition = field(default_factory=lambda: pl.lit(True), repr=False)
    refusal: str = "it is paid nothing"
    worth: Condition = field(default_factory=lambda: pl.col("fan"), repr=False)
    payments: Payments = field(default=_nothing, repr=False)


@dataclass(frozen=True, kw_only=True)
class ByName(Event):
    """Hands that a source names without saying which tiles they are."""

    names: str
    """How a name is composed, for people."""
    entries: tuple[str, ...] = field(repr=False)
    """The entries of the source's table."""
    facts: tuple[str, ...] = field(repr=False)
    """The facts that a name can say; each is a column."""
    read: Callable[[str], Mapping[str, int] | None] = field(repr=False)
    """Returns the facts that a name says; None for a name that is not in the table."""
    drawn: Callable[[str], bool | None] = field(repr=False)
    """Returns whether a name says that the hand was drawn; None if it does not say."""
    no_wins: frozenset[str] = field(default=frozenset(), repr=False)
    """Names of payments that are no win, after which the round goes on."""
    columns: Callable[[Hands, Options], Mapping[str, npt.NDArray[Any]]] = field(
        default=lambda hands, options: {}, repr=False
    )


@dataclass(frozen=True, kw_only=True)
class Game:
    """A rule set of a game other than riichi. Equal options have equal :attr:`hash`."""

    name: str
    title: str
    """Chinese and English name, with · between them."""
    called: tuple[str, ...] = ()
    """Further names that people use for it."""
    extends: str = ""
    """The game that a user's own TOML file starts from."""
    doc: str
    """What the source says and does not say, in a few sentences."""
    kinds: frozenset[int] | Callable[[Options], frozenset[int]]
    """The kinds of tile the game is played with; a function if it depends on an option."""
    facts: frozenset[str] | Callable[[Options], frozenset[str]] = frozenset()
    """Which of :data:`TABLE_FACTS` the game knows; a function if it depends on an option."""
    fan: tuple[Fan, ...] = ()
    """The fan table, highest first: of two fan that strike each other the first counts."""
    options: Options = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    players: int = 4
    chi: bool = True
    otherwise: str | Callable[[Options], str] = ""
    """The fan of a hand that has no other fan except flowers."""
    bonus: tuple[str, ...] = ()
    """Fan that give points only, and do not help a hand to win."""
    may_win: Condition = field(default_factory=lambda: pl.lit(True), repr=False)
    """Which readings are a win, as an expression over their fan."""
    refusal: str | Callable[[Options], str] = "it has not what a win needs"
    """Why a complete hand may not win, for people; a function if it depends on an option. In a
    refusal for too few fan, :data:`FAN_COUNT` is replaced by the number of fan of the hand."""
    worth: Condition = field(default_factory=lambda: pl.col("fan"), repr=False)
    """What a reading is worth in points, from ``fan`` (the sum of fan), ``bonus`` (the sum of bonus
    fan) and the counted fan; NULL if an amount is missing."""
    payments: Payments = field(default=_nothing, repr=False)
    """What the winner gets, from ``worth`` and the circumstances. If he drew the tile:
    ``from_each`` seat. Otherwise: ``from_loser`` (the seat that discarded it or was robbed) and
    ``from_other`` seats. ``extra_0`` … ``extra_3``: what a seat pays in addition. ``times_0`` …
    ``times_3``: the factor of all that a seat pays. ``liable``: the seat that pays for all."""
    kong: Event | None = field(default=None, repr=False)
    """What is paid at once for a kong, if the game does so: a single meld; ``loser`` fed it."""
    dealt: Event | None = field(default=None, repr=False)
    """What is paid for a hand as dealt, if the game does so."""
    by_name: ByName | None = field(default=None, repr=False)
    """The table of a source that pays hands by their names, instead of tiles."""
    flow: Flow = field(default=Flow(), repr=False)
    """How a session goes: who deals next, what a draw pays, when it ends. Its options are options
    of the game; :attr:`course` is the flow under them."""
    forms: tuple[int, ...] | Callable[[Options], tuple[int, ...]] = (REGULAR,)
    """Forms of :mod:`paifu.rules.hands.shapes` that are complete hands."""
    special: SpecialShapes | None = field(default=None, repr=False)
    """Finds the game's own shapes: their forms and their special tiles (see ``readings``)."""
    columns: MoreColumns | None = field(default=None, repr=False)
    """Further columns that the fan need, beside those of ``readings`` and of the hands."""
    expand: Callable[[Hands], Expanded] | None = field(default=None, repr=False)
    """Returns the hands that each hand with wild tiles can stand for."""

    def __post_init__(self) -> None:
        """Add the options of the flow, fill in the defaults and freeze them."""
        of_flow = flow_choices(self.flow)
        names = {field.name for field in fields(Flow)}
        own = tuple(choice for choice in self.choices if choice.name not in names)
        object.__setattr__(self, "choices", (*own, *of_flow))
        defaults = {choice.name: choice.default for choice in self.choices}
        object.__setattr__(self, "options", MappingProxyType({**defaults, **self.options}))
        for table in (self.fan, *(event.fan for event in self.events)):
            places = {fan.key: place for place, fan in enumerate(table)}
            for fan in table:
                for struck in fan.strikes:
                    if places[struck] <= places[fan.key]:
                        raise ValueError(f"{fan.key} strikes {struck}, which stands before it")

    @property
    def events(self) -> tuple[Event, ...]:
        """What the game pays for without a complete hand."""
        return tuple(event for event in (self.kong, self.dealt, self.by_name) if event)

    @property
    def every_fan(self) -> tuple[Fan, ...]:
        """The fan of hands and of events, each key once."""
        tables = (self.fan, *(event.fan for event in self.events))
        return tuple({fan.key: fan for table in tables for fan in table}.values())

    @cached_property
    def hash(self) -> int:
        """A signed 64-bit hash of the game, the same on any machine.

        It covers the game that this one extends, the fan, and the options that differ from their
        defaults, by name. So an option that is new to the game does not change the hash. The name
        and title of a user's own game are not covered.
        """
        table = [(fan.key, fan.points, fan.strikes) for fan in self.every_fan]
        return hash_of(self.differing, [self.extends or self.name, table])

    @property
    def differing(self) -> Options:
        """The options that differ from their defaults, with their values."""
        defaults = {choice.name: choice.default for choice in self.choices}
        return {name: value for name, value in self.options.items() if value != defaults.get(name)}

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and (self.hash, self.name) == (other.hash, other.name)

    def with_options(self, changes: Options, where: str = "options") -> Game:
        """Return the game with some options changed.

        Raises :class:`~paifu.errors.RuleError`, which names the option and the allowed values.
        """
        choices = {choice.name: choice for choice in self.choices}
        for name, value in changes.items():
            if name not in choices:
                known = f"it has {', '.join(choices)}" if choices else "it has none"
                raise RuleError(f"{where}: {self.name} has no option {name!r}; {known}")
            check_value(choices[name], value, where)
        given = {name: tuple(v) if isinstance(v, list) else v for name, v in changes.items()}
        changed = replace(self, options={**self.options, **given})
        idle = idle_options(changed.course, changed.options) | {
            choice.name: choice.needs.said
            for choice in self.choices
            if choice.needs and not choice.needs.holds(changed.options)
        }
        for name, need in idle.items():
            if name in given and given[name] != choices[name].default:
                raise RuleError(f"{where}: {name} changes nothing without {need}. Leave it out")
        return changed

    @property
    def course(self) -> Flow:
        """The flow of a session under the options of the game."""
        names = [choice.name for choice in flow_choices(self.flow)]
        return replace(self.flow, **{name: self.options[name] for name in names})

    @property
    def tile_kinds(self) -> frozenset[int]:
        """The kinds of tile the game is played with, under its options."""
        return self.kinds(self.options) if callable(self.kinds) else self.kinds

    @property
    def known_facts(self) -> frozenset[str]:
        """Which of :data:`TABLE_FACTS` the game knows, under its options."""
        return self.facts(self.options) if callable(self.facts) else self.facts

    @property
    def needs(self) -> str:
        """Why a complete hand may not win, under its options."""
        return self.refusal(self.options) if callable(self.refusal) else self.refusal

    @property
    def missing(self) -> tuple[str, ...]:
        """Amounts of hands that neither the source nor a TOML file has given."""
        return tuple(c.name for c in self.own_choices if self.options[c.name] is NO_AMOUNT)

    @property
    def own_choices(self) -> tuple[Choice, ...]:
        """The options that are not of the flow."""
        return self.choices[: len(self.choices) - len(flow_choices(self.flow))]

    def how_to_give(self, amounts: pl.Expr) -> pl.Expr:
        """Return the sentence that asks for amounts; ``amounts`` are their names, as text."""
        where = (
            f"add it to the TOML file of {self.name}"
            if self.extends
            else f"set it in a TOML file with extends = {self.name!r}"
        )
        return pl.format("the rules give no amount for {}: " + where, amounts)


def amounts_needed(rows: pl.DataFrame, worth: Condition, game: Game) -> pl.Series:
    """Return, for each row, the missing amounts that ``worth`` needs; NULL if it has ``worth``."""
    given = dict.fromkeys(game.missing, 0)
    lacking = [
        pl.when(resolved(worth, {**game.options, **given, name: NO_AMOUNT}).is_null()).then(
            pl.lit(name)
        )
        for name in game.missing
    ]
    needed = pl.concat_str(lacking, separator=", ", ignore_nulls=True)
    return rows.select(needed=pl.when(pl.col("worth").is_null()).then(needed)).to_series()


def resolved(condition: Condition, options: Options) -> pl.Expr:
    """Return an expression, given the options if it depends on them."""
    return condition if isinstance(condition, pl.Expr) else condition(options)


def count_rows(rows: pl.DataFrame, table: tuple[Fan, ...], game: Game) -> pl.DataFrame:
    """Return, for each row, how often each fan of a table counts, and the sums.

    The sums are columns ``fan`` and ``bonus``.

    Fan are taken in the order of the table. A fan that counts strikes the fan it implies.
    """
    places = {fan.key: place for place, fan in enumerate(table)}
    found = np.zeros((len(table), len(rows)), dtype=np.int8)
    frame = rows.lazy().select(fan.count(game.options) for fan in table).collect()
    for key, place in places.items():
        found[place] = frame[key].to_numpy()
    strikes = np.zeros((len(table), len(table)), dtype=np.bool_)
    for place, fan in enumerate(table):
        strikes[place, [places[key] for key in fan.strikes]] = True
    points = np.array([fan.points for fan in table], dtype=np.int16)
    is_bonus = np.array([fan.key in game.bonus for fan in table], dtype=np.bool_)
    totals = np.zeros((2, len(rows)), dtype=np.int16)
    if table:
        named = game.otherwise(game.options) if callable(game.otherwise) else game.otherwise
        otherwise = places.get(named, -1)
        count_fan(found, strikes, points, is_bonus, otherwise, totals)
    return pl.DataFrame(
        {
            **{column_of(key): found[place] for key, place in places.items()},
            "fan": totals[0],
            "bonus": totals[1],
        }
    )


def column_of(key: str) -> str:
    """Return the name of the column that says how often a fan counts."""
    return f"fan.{key}"


def any_of(*keys: str) -> pl.Expr:
    """Return whether at least one of the fan counts."""
    return pl.any_horizontal(pl.col(column_of(key)) > 0 for key in keys)


def is_drawn(game: Game, name: str, kong: str) -> bool | None:
    """Return whether the hand or kong was drawn, if its text already says so; else None.

    A single kong was fed if it is a ``kan``. The name of a hand that is paid by name may say it.
    ``name`` is the text in the place of the tiles, ``kong`` the word of a single meld, "" if there
    is no such meld.
    """
    if game.by_name:
        return game.by_name.drawn(name)
    return kong != MELD_WORDS[DAIMINKAN] if game.kong and kong else None


def kong_alone(hand: str | None, melds: str | None) -> str:
    """Return the word of a meld that is written alone, "" if there are other tiles or no meld.

    >>> kong_alone("", "kan:1111p"), kong_alone("11z", "kan:1111p"), kong_alone("", "")
    ('kan', '', '')
    """
    words = (melds or "").split()
    return words[0].partition(":")[0] if len(words) == 1 and not (hand or "").strip() else ""
