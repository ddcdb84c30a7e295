"""Disagreements for users: where, the hand and its circumstances, and both results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import polars as pl

from paifu.audit.comparison import ILLEGAL, KEY, MISMATCH, Verdicts
from paifu.audit.field_names import difference
from paifu.audit.wide_rounds import Play
from paifu.messages import counted

WINDS = ("East", "South", "West", "North")

_CIRCUMSTANCES = (
    "double_riichi", "riichi", "ippatsu", "rinshan", "haitei", "houtei", "chankan", "kita_ron",
    "first_turn", "after_kita",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One subject on which record and computation differ, or that was not allowed."""

    subject: str
    game_id: int
    log_id: str | None
    round_index: int | None
    win_index: int | None
    status: str
    reason: str | None
    fields: list[dict[str, str | None]]
    """``field``, ``recorded`` and ``computed`` of each field that differs."""
    context: list[str]
    """Lines that say what happened."""
    riichi: bool = True
    """The game is riichi."""

    def text(self) -> str:
        """Return it as a few lines."""
        name = f"game {self.log_id or self.game_id}"
        place = f"{name}, {self.context[0]}" if self.round_index is not None else name
        what = place if self.subject == "game" else f"{self.subject} in {place}"
        lines = [f"{what}: {self.reason or self.status}"]
        lines += [f"    {line}" for line in self.context[self.round_index is not None :]]
        lines += [f"    {difference(self.subject, row, riichi=self.riichi)}" for row in self.fields]
        return "\n".join(lines)


def first_disagreements(
    play: Play, verdicts: Verdicts, limit: int, *, riichi: bool = True
) -> list[Disagreement]:
    """Return the first ``limit`` mismatched or illegal subjects, wins first.

    If they are not ``riichi``, dora, honba and sticks are not mentioned.
    """
    wrong = verdicts.verdicts.filter(pl.col("status").is_in((MISMATCH, ILLEGAL))).head(limit)
    out: list[Disagreement] = []
    for row in wrong.iter_rows(named=True):
        same = pl.all_horizontal(
            pl.col("subject") == row["subject"],
            *(pl.col(name).eq_missing(pl.lit(row[name])) for name in KEY),
        )
        differing = verdicts.fields.filter(same).select("field", "recorded", "computed")
        game = play.games.row(by_predicate=pl.col("game_id") == row["game_id"], named=True)
        out.append(
            Disagreement(
                **{name: row[name] for name in ("subject", *KEY, "status", "reason")},
                log_id=game["log_id"],
                fields=differing.to_dicts(),
                context=_context(play, row, riichi),
                riichi=riichi,
            )
        )
    return out


def _context(play: Play, verdict: dict[str, Any], riichi: bool) -> list[str]:
    """Return what happened, beginning with the name of the round."""
    if verdict["round_index"] is None:
        return []
    in_round = (pl.col("game_id") == verdict["game_id"]) & (
        pl.col("round_index") == verdict["round_index"]
    )
    rounds = play.rounds.filter(in_round)
    found = rounds.row(0, named=True) if len(rounds) else None
    lines = ["a win sheet" if found is None else _round_line(found, riichi)]
    if verdict["win_index"] is not None:
        of_win = in_round & (pl.col("win_index") == verdict["win_index"])
        lines += win_lines(play.wins.row(by_predicate=of_win, named=True), riichi=riichi)
    return lines


def _round_line(row: dict[str, Any], riichi: bool) -> str:
    if not riichi:
        return (
            f"round {row['round_index'] + 1} ({round_name(row, riichi=False)},"
            f" dealer seat {row['dealer']}, outcome {row['outcome'].replace('_', ' ')})"
        )
    began = f" began with {counted(row['sticks'], 'stick')} on the table,"
    return (
        f"{round_name(row)} (round {row['round_index']},{began}"
        f" dealer seat {row['dealer']}, outcome {row['outcome'].replace('_', ' ')})"
    )


def round_name(row: dict[str, Any], *, riichi: bool = True) -> str:
    """Return how players name a round.

    >>> round_name({"wind": 1, "number": 3, "honba": 2})
    'South 3, honba 2'
    """
    name = f"{WINDS[row['wind']]} {row['number']}"
    return f"{name}, honba {row['honba']}" if riichi else name


def win_lines(win: dict[str, Any], *, riichi: bool = True) -> list[str]:
    """Return a row of table ``wins`` as lines: who won on what, the hand, its circumstances."""
    how = "tsumo" if win["tsumo"] else f"ron from seat {win['loser']}"
    won = f"wins by {how} on {win['win_tile']}"
    if not win["win_tile"]:  # in other games: a kong, a hand as dealt or by its name
        won = f"wins by {how}" if riichi else "is paid"
    seat_wind, round_wind = (WINDS[win[wind]].lower() for wind in ("seat_wind", "round_wind"))
    lines = [
        f"seat {win['winner']} ({seat_wind}) {won}, {round_wind} round"
        + (f"; {_on_top(win)}" if riichi and (win["honba"] or win["sticks"]) else ""),
        "  ".join(f"{part} {win[part]}" for part in ("hand", "melds") if win[part]),
    ]
    if riichi:
        indicators = [f"dora indicators {' '.join(win['dora_indicators'] or []) or 'none'}"]
        if win["ura_indicators"]:
            indicators.append(f"ura indicators {' '.join(win['ura_indicators'])}")
        if not win["aka"]:
            indicators.append("no red fives")
        if win["kuitan"] is False:
            indicators.append("no open tanyao")
        lines.append(", ".join(indicators))
    counts = [name.replace("_", " ") for name in _CIRCUMSTANCES if win[name]]
    counts += [
        f"{name} fed by seat {win[f'pao_{name}']}"
        for name in ("daisangen", "daisuushi", "suukantsu")
        if win[f"pao_{name}"] is not None
    ]
    counts += [counted(win["flowers"], "flower")] if win["flowers"] else []
    if riichi and win["furiten"] not in ("none", None):
        counts.append(f"{win['furiten']} furiten")
    return [*lines, ", ".join(counts)] if counts else lines


def _on_top(win: dict[str, Any]) -> str:
    """Return what a win gets besides the value of its hand."""
    sticks = f"takes {counted(win['sticks'], 'stick')}" if win["sticks"] else ""
    if win["riichi"] and sticks:
        sticks += ", including the winner's own"
    honba = f"is paid {win['honba']} honba" if win["honba"] else ""
    return ", ".join(part for part in (honba, sticks) if part)
