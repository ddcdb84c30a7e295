"""What an option needs to have an effect: other options, or yaku that count."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from paifu.rules.riichi.ruleset import YAKUMAN, RuleSet


class Need(NamedTuple):
    """A condition of other options, and these options in words."""

    said: str
    holds: Callable[[RuleSet], bool]


def _counts(*yaku: str) -> Need:
    said = f"{' or '.join(yaku)} in yaku.allow"
    return Need(said, lambda rules: not rules.yaku.keys().isdisjoint(yaku))


_KNOWN_FLOW = Need('flow = "known"', lambda rules: rules.flow == "known")
_THREE = Need("a rule set for three players", lambda rules: rules.players != 4)
_FOUR = Need("a rule set for four players", lambda rules: rules.players != 3)
_SEVERAL_WINNERS = Need(
    'multi_ron = "double" or "triple"', lambda rules: rules.multi_ron != "head_bump"
)
_EXTRA_ROUND = Need("extra_round = true", lambda rules: rules.extra_round)
_CHIPS = Need("chips = true", lambda rules: rules.chips)
_URA = Need("ura_dora = true", lambda rules: rules.ura_dora)
_KAN_DORA = Need("kan_dora = true", lambda rules: rules.kan_dora)

NEEDS: tuple[tuple[Need, tuple[str, ...]], ...] = (
    (_KNOWN_FLOW, (
        "target_points", "return_points", "uma", "uma_floating", "oka", "ties", "leftover_sticks",
        "result_rounding", "tobi", "agari_yame", "tenpai_yame", "yame_sole_first",
        "yame_in_extra_round", "extra_round", "extra_round_dealer", "sanchahou", "kyuushu",
        "suufon", "suucha", "suukan", "nagashi_mangan", "nagashi_own_calls", "noten_pool",
        "exhausted_wait", "tenpai_declared", "renchan", "abort_renchan", "honba_noten_dealer",
        "kuikae", "riichi_ankan", "riichi_needs_points", "riichi_min_tiles", "furiten_riichi",
        "kita_after_pon", "chips", "chip_ippatsu", "chip_red", "chip_ura",
    )),
    (Need("uma_floating = []", lambda rules: not rules.uma_floating), ("uma",)),
    (
        Need(
            "agari_yame = true or tenpai_yame = true",
            lambda rules: rules.agari_yame or rules.tenpai_yame,
        ),
        ("yame_sole_first", "yame_in_extra_round"),
    ),
    (_EXTRA_ROUND, ("yame_in_extra_round", "extra_round_dealer")),
    (_SEVERAL_WINNERS, ("multi_ron_payment", "sanchahou")),
    (_FOUR, ("suufon", "suucha", "sanchahou")),
    (
        Need(
            "an abortive draw (kyuushu, suufon, suucha, suukan or sanchahou)",
            lambda rules: rules.kyuushu or rules.suufon or rules.suucha or rules.suukan
            or rules.sanchahou,
        ),
        ("abort_renchan",),
    ),
    (Need("nagashi_mangan = true", lambda rules: rules.nagashi_mangan), ("nagashi_own_calls",)),
    (Need("min_han = 1", lambda rules: rules.min_han < 2), ("two_han_honba",)),
    (
        Need(
            "min_han = 2 or two_han_honba",
            lambda rules: rules.min_han > 1 or rules.two_han_honba > 0,
        ),
        ("min_han_ippatsu",),
    ),
    (_URA, ("kan_ura", "chip_ura")),
    (_KAN_DORA, ("kan_ura", "kan_dora_ankan", "kan_dora_daiminkan", "kan_dora_kakan")),
    (Need("pao that is not empty", lambda rules: bool(rules.pao)), ("pao_scope", "pao_honba")),
    (_THREE, (
        "tsumo_loss", "kita_han", "kita_under_west", "kita_ron", "kita_pass_furiten",
        "rinshan_after_kita", "kita_after_pon",
    )),
    (Need("kita_ron = true", lambda rules: rules.kita_ron), ("kita_pass_furiten",)),
    (_CHIPS, ("chip_ippatsu", "chip_red", "chip_ura", "chip_points")),
    (Need('red_fives = "on"', lambda rules: rules.red_fives != "off"), ("chip_red",)),
    (_counts("ippatsu"), ("min_han_ippatsu", "ippatsu_with_chankan", "chip_ippatsu")),
    (_counts("rinshan"), ("rinshan_after_kita",)),
    (_counts("haitei"), ("haitei_with_rinshan",)),
    (_counts("houtei"), ("houtei_after_rinshan",)),
    (_counts("tanyao"), ("kuitan",)),
    (_counts("pinfu"), ("pinfu_tsumo",)),
    (_counts("chiitoitsu"), ("chiitoitsu_fu",)),
    (_counts("ryanpeikou"), ("ryanpeikou_distinct",)),
    (_counts("chuuren", "junsei_chuuren"), ("chuuren_manzu",)),
    (_counts("ryuuiisou"), ("ryuuiisou_hatsu",)),
    (_counts("kokushi", "kokushi_13"), ("kokushi_ankan_ron",)),
    (
        Need(
            "renhou in yaku.allow, below a yakuman",
            lambda rules: "renhou" in rules.yaku and rules.yaku["renhou"].closed < YAKUMAN,
        ),
        ("renhou_combines",),
    ),
    (_counts("open_riichi", "open_double_riichi"), ("open_riichi_yakuman",)),
    (_counts("paarenchan"), ("paarenchan",)),
    (_counts("daisharin"), ("daisharin_suits",)),
    (_counts("touhoku_shinkansen"), ("touhoku_souzu",)),
    (_counts("hyakumangoku"), ("hyakumangoku",)),
    (_counts("daichisei"), ("daichisei_with_tsuuiisou",)),
    (_counts("shiisanpuutaa"), ("shiisanpuutaa_with_tenhou",)),
)  # fmt: skip
"""What options need, and which options need it."""


def unmet(ruleset: RuleSet, options: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the options that have no effect in a rule set, and what they need.

    >>> list(unmet(RuleSet(name="mine", nagashi_mangan=False), ["nagashi_own_calls", "honba"]))
    [('nagashi_own_calls', 'nagashi_mangan = true')]
    """
    stated = frozenset(options)
    for need, about in NEEDS:
        if not need.holds(ruleset):
            yield from ((option, need.said) for option in about if option in stated)
