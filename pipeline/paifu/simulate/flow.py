"""The options of a rule set that play and settlement need, as plain numbers for kernels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from paifu.errors import RuleError, RuleNameError
from paifu.rules.riichi.ruleset import RuleSet

KUIKAE_ALLOWED, KUIKAE_SAME, KUIKAE_SUJI = range(3)
ANKAN_NEVER, ANKAN_SAME_WAITS, ANKAN_SAME_READINGS = range(3)
BUST_OFF, BUST_BELOW_ZERO, BUST_ZERO = range(3)
RENCHAN_TENPAI, RENCHAN_WIN, RENCHAN_NEVER = range(3)
STICKS_FIRST, STICKS_SHARED, STICKS_SHARED_DOWN, STICKS_STAY = range(4)


class Flow(NamedTuple):
    """Options of ``RuleSet`` with the same names; booleans are 0 and 1."""

    players: int
    winds: int
    """Scheduled winds: 1 for an east game, 2 for a south game."""
    start_points: int
    target_points: int
    aka: int
    kuitan: int
    max_winners: int
    """How many winners one tile can have."""
    honba_to_all: int
    sanchahou: int
    kyuushu: int
    suufon: int
    suucha: int
    suukan: int
    nagashi: int
    nagashi_own_calls: int
    noten_pool: int
    wait_in_melds_counts: int
    """0: a wait is not tenpai if the hand and melds hold all four copies of its tiles."""
    renchan: int
    abort_renchan: int
    honba: int
    honba_noten_dealer: int
    kuikae: int
    kan_dora: int
    dora_ankan: int
    """The indicator of an ankan is turned up at once; the next two are for other kans."""
    dora_daiminkan: int
    dora_kakan: int
    ura: int
    kan_ura: int
    pao_daisangen: int
    pao_daisuushii: int
    pao_suukantsu: int
    pao_whole_hand: int
    pao_honba_feeder: int
    kokushi_ankan_ron: int
    riichi_ankan: int
    riichi_points: int
    riichi_min_tiles: int
    furiten_riichi: int
    ronned_riichi_pays: int
    kita_ron: int
    kita_pass_furiten: int
    rinshan_after_kita: int
    houtei_after_rinshan: int
    kita_after_pon: int
    bust: int
    agari_yame: int
    tenpai_yame: int
    yame_sole_first: int
    yame_in_extra_round: int
    extra_round: int
    extra_round_dealer: int
    leftover_sticks: int

    def for_kernels(self) -> Any:
        """Return the options as one record, which is passed to kernels by reference."""
        return np.array(tuple(self), dtype=[(name, np.int64) for name in self._fields])[()]


def flow_of(rules: RuleSet, players: int, length: str, aka: bool, kuitan: bool) -> Flow:
    """Return the flow of a rule set for a game with this number of players.

    ``length``, ``aka`` and ``kuitan`` are used if the rule set leaves them to the game. Raises
    ``RuleError`` if the rule set is for another number of players or has a rule of flow that
    simulated games do not have.
    """
    if rules.players not in (0, players):
        raise RuleNameError(
            f"rule set {rules.name} is for {rules.players} players, not {players}; "
            f"choose another with --rules, or --players {rules.players}"
        )
    if rules.flow != "known":
        raise RuleError(f"rule set {rules.name} does not say how a game flows: choose another")
    for option, known in (
        ("min_han", (1,)), ("two_han_honba", (0,)), ("atozuke", (True,)),
        ("exhausted_wait", ("concealed", "own")), ("tsumo_loss", ("lost",)), ("wareme", (False,)),
    ):  # fmt: skip
        if getattr(rules, option) not in known:
            raise RuleError(
                f"simulated players know only {option} = {' or '.join(map(repr, known))}; rule set "
                f"{rules.name} has {getattr(rules, option)!r}"
            )
    winds = length if rules.length == "by_game" else rules.length
    options = Flow(
        players=players,
        winds=1 if winds == "east" else 2,
        start_points=rules.start_points,
        target_points=rules.target_points,
        aka=_by_game(rules.red_fives, aka),
        kuitan=_by_game(rules.kuitan, kuitan),
        max_winners=min(players - 1, ("head_bump", "double", "triple").index(rules.multi_ron) + 1),
        honba_to_all=rules.multi_ron_payment == "honba_to_all",
        sanchahou=rules.sanchahou and players == 4,
        kyuushu=rules.kyuushu,
        suufon=rules.suufon and players == 4,
        suucha=rules.suucha and players == 4,
        suukan=rules.suukan,
        nagashi=rules.nagashi_mangan,
        nagashi_own_calls=rules.nagashi_own_calls,
        noten_pool=rules.noten_pool,
        wait_in_melds_counts=rules.exhausted_wait != "own",
        renchan=("tenpai", "win", "never").index(rules.renchan),
        abort_renchan=rules.abort_renchan,
        honba=rules.honba,
        honba_noten_dealer=rules.honba_noten_dealer,
        kuikae=("allowed", "same", "suji").index(rules.kuikae),
        kan_dora=rules.kan_dora,
        dora_ankan=rules.kan_dora_ankan == "at_once",
        dora_daiminkan=rules.kan_dora_daiminkan == "at_once",
        dora_kakan=rules.kan_dora_kakan == "at_once",
        ura=rules.ura_dora,
        kan_ura=rules.kan_ura,
        pao_daisangen="daisangen" in rules.pao,
        pao_daisuushii="daisuushii" in rules.pao,
        pao_suukantsu="suukantsu" in rules.pao,
        pao_whole_hand=rules.pao_scope == "hand",
        pao_honba_feeder=rules.pao_honba == "feeder",
        kokushi_ankan_ron=rules.kokushi_ankan_ron,
        riichi_ankan=("off", "waits", "readings").index(rules.riichi_ankan),
        riichi_points=1000 if rules.riichi_needs_points else -(2**30),
        riichi_min_tiles=rules.riichi_min_tiles,
        furiten_riichi=rules.furiten_riichi,
        ronned_riichi_pays=rules.ronned_riichi_pays,
        kita_ron=rules.kita_ron,
        kita_pass_furiten=rules.kita_pass_furiten,
        rinshan_after_kita=rules.rinshan_after_kita,
        houtei_after_rinshan=rules.houtei_after_rinshan,
        kita_after_pon=rules.kita_after_pon,
        bust=("off", "below_zero", "zero").index(rules.tobi),
        agari_yame=rules.agari_yame,
        tenpai_yame=rules.tenpai_yame,
        yame_sole_first=rules.yame_sole_first,
        yame_in_extra_round=rules.yame_in_extra_round,
        extra_round=rules.extra_round,
        extra_round_dealer=rules.extra_round_dealer,
        leftover_sticks=("first", "first_shared", "first_shared_down", "stay").index(
            rules.leftover_sticks
        ),
    )
    return Flow(*map(int, options))


def _by_game(option: str, game: bool) -> int:
    return int(game if option == "by_game" else option == "on")
