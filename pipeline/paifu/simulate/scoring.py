"""Scores wins of simulated rounds: passes them to the rules engine in one batch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from paifu.rules.engine import score
from paifu.rules.hands import reading_kernels as engine
from paifu.rules.hands.hands import MAX_INDICATORS, Hands
from paifu.rules.riichi.ruleset import RuleSet
from paifu.simulate.flow import Flow
from paifu.simulate.table_kernels import FIRST_DORA_3P, FIRST_DORA_4P
from paifu.simulate.table_record import (
    ANKAN,
    CHI,
    DAIMINKAN,
    KAKAN,
    KITA,
    PAO_DAISANGEN,
    PAO_DAISUUSHII,
    PAO_SUUKANTSU,
    PON,
    RED_TILES,
    RON,
    TSUMO,
)

Tables = npt.NDArray[Any]

_MELDS = {
    CHI: engine.CHI,
    PON: engine.PON,
    DAIMINKAN: engine.DAIMINKAN,
    KAKAN: engine.KAKAN,
    ANKAN: engine.ANKAN,
}


class FalseWinError(RuntimeError):
    """A player won with a hand that the engine does not accept: a fault of the simulator."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row = row


PAO_YAKU = ("daisangen", "daisuushii", "suukantsu")


@dataclass(frozen=True, slots=True)
class Value:
    """The value of a winning hand."""

    han: int | None
    fu: int
    yakuman: int
    limit: str
    points: int
    """Without honba and sticks."""
    yaku: tuple[tuple[str, int], ...]
    """Keys and han, including dora of each kind."""
    feeder: int
    """The seat liable for yakuman of the hand, or -1; ``fed`` is the number of these yakuman."""
    fed: int


def dora_tiles(table: Any, flow: Flow, *, ura: bool) -> list[int]:
    """Return the indicators turned up, or the ura indicators that count, in order."""
    first = FIRST_DORA_4P if flow.players == 4 else FIRST_DORA_3P
    shown = int(table["shown"])
    if ura:
        first -= 1
        shown = 0 if not flow.ura else shown if flow.kan_ura else 1
    return [int(table["wall"][first + 2 * nth]) for nth in range(shown)]


def hands_of(
    tables: Tables, rows: npt.NDArray[np.int64], nth: npt.NDArray[np.int64], flow: Flow
) -> Hands:
    """Return the engine's hands for the ``nth`` win of each table in ``rows``."""
    t = tables[rows]
    count = len(rows)
    every = np.arange(count)
    winner = t["winner"][every, nth].astype(np.int64)
    tsumo = t["outcome"] == TSUMO
    ron = t["outcome"] == RON
    hands = Hands.blank(count)
    hands.concealed[:] = t["count"][every, winner]
    hands.concealed[every[ron], t["win_tile"][ron] // 4] += 1
    kinds = t["meld_kind"][every, winner]
    for ours, theirs in _MELDS.items():
        hands.meld_kind[kinds == ours] = theirs
    laid = t["meld_tile"][every, winner].astype(np.int64)  # [n, meld, 4]
    lowest = np.where(laid >= 0, laid, 10_000).min(axis=2) // 4
    hands.meld_tile[:] = np.where(kinds >= 0, lowest, -1)
    hands.win_tile[:] = t["win_tile"] // 4
    if flow.aka:
        held = t["hand"][every, winner]
        for red in RED_TILES:
            hands.reds[:] += ((held == red).sum(axis=1) + (laid == red).sum(axis=(1, 2))).astype(
                np.int8
            )
            hands.reds[:] += (ron & (t["win_tile"] == red)).astype(np.int8)
    hands.kita[:] = t["norths"][every, winner]
    hands.players[:] = flow.players
    hands.winner[:] = winner
    hands.loser[:] = np.where(ron, t["loser"], -1)
    hands.dealer[:] = t["number"]
    hands.seat_wind[:] = (winner - t["number"]) % flow.players
    hands.round_wind[:] = t["wind"]
    hands.tsumo[:] = tsumo
    hands.riichi[:] = t["riichi"][every, winner] == 2
    hands.double_riichi[:] = hands.riichi & (t["double"][every, winner] == 1)
    hands.ippatsu[:] = t["ippatsu"][every, winner] == 1
    replaced = t["source"] > 0
    hands.rinshan[:] = tsumo & replaced
    hands.after_kita[:] = tsumo & (t["source"] == 2)
    hands.haitei[:] = tsumo & (t["left"] == 0)
    plain_ron = ron & (t["robbed"] < 0)
    hands.houtei[:] = plain_ron & (t["left"] == 0)
    hands.after_rinshan[:] = plain_ron & replaced
    hands.chankan[:] = ron & ((t["robbed"] == KAKAN) | (t["robbed"] == ANKAN))
    hands.kita_ron[:] = ron & (t["robbed"] == KITA)
    hands.first_turn[:] = (t["broken"] == 0) & (t["river_size"][every, winner] == 0)
    loser = np.maximum(hands.loser, 0)
    hands.loser_riichi[:] = ron & (t["riichi"][every, loser] > 0)
    hands.honba[:] = np.where(nth == 0, t["honba"], 0)
    hands.sticks[:] = np.where(nth == 0, t["sticks"], 0)
    hands.table_honba[:] = t["honba"]
    first = FIRST_DORA_4P if flow.players == 4 else FIRST_DORA_3P
    for turned in range(MAX_INDICATORS):
        is_shown = t["shown"] > turned
        at = first + 2 * turned
        hands.dora_indicators[:, turned] = np.where(is_shown, t["wall"][:, at] // 4, -1)
        if flow.ura and (turned == 0 or flow.kan_ura):
            seen = is_shown & hands.riichi
            hands.ura_indicators[:, turned] = np.where(seen, t["wall"][:, at - 1] // 4, -1)
    hands.kuitan[:] = bool(flow.kuitan)
    hands.aka[:] = bool(flow.aka)
    for name, pao in (
        ("pao_daisangen", PAO_DAISANGEN),
        ("pao_daisuushi", PAO_DAISUUSHII),
        ("pao_suukantsu", PAO_SUUKANTSU),
    ):
        getattr(hands, name)[:] = t["pao"][every, winner, pao]
    return hands


def values_of(
    tables: Tables,
    rows: npt.NDArray[np.int64],
    nth: npt.NDArray[np.int64],
    rules: RuleSet,
    flow: Flow,
) -> list[Value]:
    """Return the value of each win, in the order of ``rows``.

    Raises :class:`FalseWinError` for a win that the engine does not accept.
    """
    if len(rows) == 0:
        return []
    hands = hands_of(tables, rows, nth, flow)
    scored = score(hands, rules, jobs=1)
    yaku: list[list[tuple[str, int]]] = [[] for _ in rows]
    for hand, key, han in scored.yaku.select("hand", "yaku", "han").iter_rows():
        yaku[hand].append((key, han))
    values = []
    columns = ("status", "reason", "han", "fu", "yakuman", "limit", "points")
    for at, (status, reason, han, fu, yakuman, limit, points) in enumerate(
        scored.wins.select(columns).iter_rows()
    ):
        if status != "ok":
            raise FalseWinError(
                int(rows[at]),
                f"the win of seat {hands.winner[at]} does not score: {reason or status}",
            )
        feeder, fed = _liable(tables[rows[at]], int(hands.winner[at]), yaku[at], flow)
        values.append(Value(han, fu, yakuman, limit, points, tuple(yaku[at]), feeder, fed))
    return values


def _liable(table: Any, winner: int, yaku: list[tuple[str, int]], flow: Flow) -> tuple[int, int]:
    """Return who is liable for yakuman of a hand, and for how many of them (T20, T21)."""
    applies = (flow.pao_daisangen, flow.pao_daisuushii, flow.pao_suukantsu)
    worth = dict(yaku)
    for pao, key in enumerate(PAO_YAKU):
        feeder = int(table["pao"][winner, pao])
        if applies[pao] and feeder >= 0 and key in worth:
            every = sum(han for _, han in yaku)
            return feeder, (every if flow.pao_whole_hand else worth[key]) // 13
    return -1, 0
