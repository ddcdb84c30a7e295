"""What a riichi rule set is: every option of scoring and of the flow of the game.

An option is a field of :class:`RuleSet`; its group, its sentence and its allowed values stand
beside it. The presets are in :mod:`paifu.rules.riichi.presets`, a user's own rule sets are read by
``toml_rules``. No preset uses a rule that has no option here (a pao for rinshan after daiminkan,
north as a value tile of sanma).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from paifu.rules.stable_hash import hash_of

GROUPS: Mapping[str, str] = {
    "game": "points, result and the end of the game",
    "draws": "several winners, draws and the dealer",
    "calls": "calls, yaku and dora",
    "fu": "fu and limits",
    "pao": "liability for a fed yakuman",
    "riichi": "rights in riichi",
    "sanma": "three players",
    "chips": "chips",
}
"""The groups in which options are listed."""

YAKUMAN = 13
"""A yaku of 13 han is a yakuman, of 26 a double one."""


class Value(NamedTuple):
    """Han of a yaku in a closed and in an open hand; 0: it does not count there."""

    closed: int
    open: int


def option(group: str, default: Any, doc: str, *values: Any, simulator_only: bool = False) -> Any:
    """Declare an option: its group, default, sentence and, if they are few, its allowed values.

    An option that is ``simulator_only`` decides what simulated games do. It changes nothing about
    records: a record shows by itself what was done.
    """
    about = {"group": group, "doc": doc, "values": values, "simulator_only": simulator_only}
    return field(default=default, metadata=about)


BY_GAME = ("by_game", "on", "off")


@dataclass(frozen=True, kw_only=True)
class RuleSet:
    """A rule set with all its options resolved. Equal options have equal :attr:`hash`.

    >>> RuleSet(name="mine", kiriage_mangan=True).kiriage_mangan
    True
    """

    name: str
    title: str = field(default="", compare=False)
    extends: str = field(default="", compare=False)
    """The preset that a user's own TOML file starts from."""
    yaku: Mapping[str, Value] = field(default_factory=dict)
    """The yaku that count, by key, with their values."""
    sources: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Tags of the documents each value was taken from, by option (see ``presets.SOURCES``)."""

    # --- points, result, end of the game
    flow: str = option(
        "game", "known", "Whether draws, carried scores and results follow these options; if a "
        "lobby's own settings are unknown, only its wins are scored.", "known", "unknown",
    )  # fmt: skip
    players: int = option("game", 4, "Seats; 0 leaves it to each game.", 0, 3, 4)
    length: str = option(
        "game",
        "by_game",
        "Scheduled winds: one, two, or as each game says.",
        "by_game",
        "east",
        "south",
    )
    start_points: int = option("game", 25000, "Points each seat starts with.")
    return_points: int = option("game", 30000, "Points a result is counted from.")
    target_points: int = option(
        "game", 30000, "Points first place needs to end the game early or to avoid the extra round."
    )
    uma: tuple[int, ...] = option("game", (20, 10, -10, -20), "Thousands by placement.")
    uma_floating: tuple[tuple[int, ...], ...] = option(
        "game",
        (),
        "Thousands by placement for 0, 1, 2 … players at return_points or more; replaces uma.",
    )
    oka: int = option("game", 20, "Thousands first place gets on top of uma.")
    ties: str = option(
        "game", "seat", "Equal points: the earlier seat of the first round places better; or the "
        "uma is shared (`shared_nearest`: an odd tenth to the seat nearest the first dealer).",
        "seat", "shared", "shared_nearest",
    )  # fmt: skip
    leftover_sticks: str = option(
        "game", "first", "Riichi sticks left at the end: to first place (tied firsts share them, "
        "to the full or rounded down), or to nobody.",
        "first", "first_shared", "first_shared_down", "stay",
    )  # fmt: skip
    result_rounding: str = option(
        "game", "none", "Results in tenths; in whole thousands, rounded half away from zero, with "
        "the balance to first place; or by the rule at the log's "
        "date.", "none", "thousands", "by_date",
    )  # fmt: skip
    tobi: str = option(
        "game", "below_zero", "When a bust ends the game.", "off", "below_zero", "zero"
    )
    agari_yame: bool = option(
        "game", True, "The last round ends with the dealer's win if he leads."
    )
    tenpai_yame: bool = option("game", True, "The last round ends with a tenpai dealer who leads.")
    yame_sole_first: bool = option(
        "game", True, "To lead, the dealer needs more points than every other seat."
    )
    yame_in_extra_round: bool = option(
        "game", False, "agari_yame and tenpai_yame also hold in the extra round."
    )
    extra_round: bool = option(
        "game",
        True,
        "One more wind is played while no seat has target_points; it ends when a seat has them.",
    )
    extra_round_dealer: bool = option(
        "game", True, "In the extra round a continuing dealer who does not lead plays on."
    )

    # --- several winners, draws, dealer
    multi_ron: str = option(
        "draws", "double", "Winners on one tile: only the nearest, two, or three.",
        "head_bump", "double", "triple",
    )  # fmt: skip
    multi_ron_payment: str = option(
        "draws", "nearest", "Honba and sticks go to the nearest winner; or honba go to every "
        "winner, his own stick to each, and the other sticks to the "
        "nearest.", "nearest", "honba_to_all",
    )  # fmt: skip
    sanchahou: bool = option("draws", True, "Three winners on one tile abort the round.")
    kyuushu: bool = option(
        "draws", True, "Nine kinds of terminals and honours may abort the round."
    )
    suufon: bool = option("draws", True, "Four equal winds as the first discards abort the round.")
    suucha: bool = option("draws", True, "Four riichi abort the round.")
    suukan: bool = option("draws", True, "Four kans of two or more seats abort the round.")
    nagashi_mangan: bool = option(
        "draws", True, "Nagashi mangan is paid, as a mangan tsumo at a draw."
    )
    nagashi_own_calls: bool = option("draws", True, "Nagashi mangan counts after own calls.")
    noten_pool: int = option("draws", 3000, "Points all noten together pay the tenpai at a draw.")
    exhausted_wait: str = option(
        "draws", "concealed", "A hand one tile short is noten if it holds all copies of its waits: "
        "in the concealed hand; in hand and melds together; or it is never "
        "noten.", "concealed", "own", "never",
    )  # fmt: skip
    tenpai_declared: bool = option("draws", False, "Tenpai may be kept hidden at a draw.")
    renchan: str = option(
        "draws", "tenpai", "The dealer stays after a win or tenpai, after a win, or never.",
        "tenpai", "win", "never",
    )  # fmt: skip
    abort_renchan: bool = option("draws", True, "The dealer stays after an abortive draw.")
    honba: int = option(
        "draws", 100, "Points per honba from each payer of a tsumo; a discarder pays for all seats."
    )
    wareme: bool = option(
        "draws", False, "The seat in front of which the dice broke the wall pays and gets double."
    )
    honba_noten_dealer: bool = option("draws", True, "A draw with a noten dealer adds a honba too.")

    # --- calls, yaku, dora
    kuitan: str = option("calls", "on", "Tanyao counts in an open hand.", *BY_GAME)
    kuikae: str = option(
        "calls", "suji", "Discards forbidden right after a call: none, the same tile, or also the "
        "other end of the run.", "allowed", "same", "suji",
    )  # fmt: skip
    atozuke: bool = option(
        "calls", True, "A yaku need not be certain before the winning tile; otherwise the hand "
        "needs a yaku on every tile it waits for, not counting haitei, houtei, rinshan and "
        "chankan.",
    )  # fmt: skip
    min_han: int = option("calls", 1, "Han of yaku a win needs, dora not counted.")
    two_han_honba: int = option("calls", 0, "Honba from which a win needs two han; 0: never.")
    min_han_ippatsu: bool = option("calls", True, "Ippatsu counts toward the han a win needs.")
    red_fives: str = option("calls", "on", "Red fives count as dora.", *BY_GAME)
    ura_dora: bool = option("calls", True, "Ura dora count after riichi.")
    kan_dora: bool = option("calls", True, "Kans turn up further dora.")
    kan_ura: bool = option("calls", True, "Kans also turn up further ura dora.")
    kan_dora_ankan: str = option(
        "calls", "at_once", "When an ankan's dora is turned up.", "at_once", "at_discard",
        simulator_only=True,
    )  # fmt: skip
    kan_dora_daiminkan: str = option(
        "calls", "at_discard", "When a daiminkan's dora is turned up.", "at_once", "at_discard",
        simulator_only=True,
    )  # fmt: skip
    kan_dora_kakan: str = option(
        "calls", "at_discard", "When a kakan's dora is turned up.", "at_once", "at_discard",
        simulator_only=True,
    )  # fmt: skip
    ippatsu_with_chankan: bool = option("calls", True, "A robbed kan leaves ippatsu standing.")
    haitei_with_rinshan: bool = option("calls", False, "Haitei counts together with rinshan.")
    houtei_after_rinshan: bool = option(
        "calls", True, "Houtei counts on the discard after a rinshan."
    )
    ryanpeikou_distinct: bool = option("calls", False, "The two pairs of runs must differ.")
    chuuren_manzu: bool = option("calls", False, "Nine gates only in manzu.")
    ryuuiisou_hatsu: bool = option("calls", False, "All green needs the green dragon.")
    renhou_combines: bool = option(
        "calls",
        True,
        "A renhou below yakuman adds to other yaku; else the higher of the two counts.",
    )
    tenhou_shows_wait: bool = option(
        "calls", True, "The dealer's fourteenth tile shows the wait of tenhou; else its special "
        "waits do not count.",
    )  # fmt: skip
    open_riichi_yakuman: bool = option(
        "calls", False, "Dealing into open riichi costs a yakuman, unless one is in riichi."
    )
    paarenchan: str = option(
        "calls", "dealt", "Eight dealer wins: the eighth round in a row that the winner deals, or "
        "wins as the dealer.", "dealt", "won",
    )  # fmt: skip
    daisharin_suits: str = option("calls", "pinzu", "Suits of big wheels.", "pinzu", "any")
    touhoku_souzu: bool = option(
        "calls", False, "North-east express only with a straight of souzu."
    )
    hyakumangoku: str = option(
        "calls", "at_least", "Million stones need a sum of 100, or above 100.", "at_least", "above"
    )
    daichisei_with_tsuuiisou: bool = option("calls", False, "Big seven stars adds to all honours.")
    shiisanpuutaa_with_tenhou: bool = option(
        "calls", False, "Thirteen unconnected adds to tenhou and chihou."
    )

    # --- fu and limits
    double_wind_pair_fu: int = option("fu", 4, "Fu of a pair of the round and seat wind.", 2, 4)
    rinshan_tsumo_fu: bool = option("fu", True, "Two fu for tsumo on a rinshan tile.")
    open_pinfu_fu: str = option(
        "fu", "30", "Fu of an open hand that has none by ron: 30, 20, or 30 only at one han.",
        "30", "20", "30_at_one_han",
    )  # fmt: skip
    pinfu_tsumo: bool = option(
        "fu", True, "Pinfu counts with tsumo, at 20 fu; else tsumo has 2 fu."
    )
    chiitoitsu_fu: int = option("fu", 25, "Fu of seven pairs.", 25, 30, 50)
    kiriage_mangan: bool = option("fu", False, "30 fu 4 han and 60 fu 3 han are paid as mangan.")
    counted_yakuman: str = option(
        "fu", "single", "13 han: paid as sanbaiman, as one yakuman, or one for each 13 han.",
        "off", "single", "multiple",
    )  # fmt: skip
    max_yakuman: int = option(
        "fu", 0, "The most yakuman that are paid at once; 0: all, 1: no stacking."
    )

    # --- pao
    pao: tuple[str, ...] = option(
        "pao", ("daisangen", "daisuushii"), "Yakuman that a seat can be liable for feeding.",
        "daisangen", "daisuushii", "suukantsu",
    )  # fmt: skip
    pao_scope: str = option(
        "pao", "hand", "Liability for all yakuman of the hand, or for the fed one.", "hand", "fed"
    )
    pao_honba: str = option("pao", "feeder", "Who pays honba on a ron.", "feeder", "discarder")

    # --- riichi and kan rights
    kokushi_ankan_ron: bool = option("riichi", False, "Thirteen orphans may rob an ankan.")
    riichi_ankan: str = option(
        "riichi", "waits", "Ankan in riichi with the drawn tile: never, if the waits stay, or if "
        "the readings stay too.", "off", "waits", "readings",
    )  # fmt: skip
    riichi_needs_points: bool = option("riichi", True, "Riichi needs 1000 points.")
    riichi_min_tiles: int = option("riichi", 4, "Tiles that must be left to draw for a riichi.")
    furiten_riichi: bool = option("riichi", True, "Riichi in furiten is allowed.")
    ronned_riichi_pays: bool = option(
        "riichi", False, "The stick is paid even if the riichi discard is ronned."
    )

    # --- three players
    tsumo_loss: str = option(
        "sanma", "lost", "The absent seat's share of a tsumo: not paid, halved between the two, or "
        "the whole ron value is paid in equal parts.", "lost", "halved", "equal",
    )  # fmt: skip
    kita_han: int = option("sanma", 1, "Han of each north set aside.")
    kita_under_west: bool = option("sanma", True, "A set-aside north is also dora under a west.")
    kita_ron: bool = option("sanma", True, "A north being set aside may be ronned.")
    kita_pass_furiten: bool = option("sanma", True, "Not ronning such a north is furiten.")
    rinshan_after_kita: bool = option("sanma", True, "A tile drawn for a north is rinshan.")
    kita_after_pon: bool = option("sanma", False, "North may be set aside right after a pon.")

    # --- chips
    chips: bool = option("chips", False, "Chips are paid, by each payer of the win.")
    chip_ippatsu: int = option("chips", 1, "Chips for ippatsu.")
    chip_red: int = option("chips", 1, "Chips for each red five.")
    chip_ura: int = option("chips", 1, "Chips for each ura dora.")
    chip_points: int = option("chips", 2000, "Points a chip is worth.", simulator_only=True)

    def __post_init__(self) -> None:
        """Freeze the mappings and sort the yaku, so that equal rule sets are equal."""
        yaku = {key: Value(*self.yaku[key]) for key in sorted(self.yaku)}
        object.__setattr__(self, "yaku", MappingProxyType(yaku))
        object.__setattr__(self, "sources", MappingProxyType(dict(self.sources)))

    @cached_property
    def hash(self) -> int:
        """A signed 64-bit hash of the options and yaku, the same on any machine.

        It covers the options that differ from their defaults, by name, and the yaku that count. So
        an option that is new to the engine changes neither the hash of any rule set nor the
        verdicts of any lake; and a default never changes its meaning without a new
        ``ENGINE_VERSION``. The hash does not cover the name: a rule set that is written again under
        another name has the same hash.
        """
        return hash_of({spec.name: getattr(self, spec.name) for spec in self.differing}, self.yaku)

    @property
    def differing(self) -> tuple[Field[Any], ...]:
        """The options that differ from their defaults."""
        options = (spec for spec in fields(self) if "group" in spec.metadata)
        return tuple(spec for spec in options if getattr(self, spec.name) != spec.default)

    def __hash__(self) -> int:
        """Return :attr:`hash`."""
        return self.hash


OPTIONS: tuple[Field[Any], ...] = tuple(
    spec for spec in fields(RuleSet) if "group" in spec.metadata
)
"""The fields of :class:`RuleSet` that are options."""
