"""Disagreements for a person to follow: where, the hand and its circumstances, and both results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from paifu.audit.judge import ILLEGAL, KEY, MATCH, MISMATCH, SUBJECTS, UNSCORABLE, Verdicts
from paifu.audit.play import Play
from paifu.words import counted

if TYPE_CHECKING:
    from paifu.rescore import Report

WINDS = ("East", "South", "West", "North")

_CIRCUMSTANCES = (
    "double_riichi", "riichi", "ippatsu", "rinshan", "haitei", "houtei", "chankan", "kita_ron",
    "first_turn", "after_kita",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One thing on which the record and the computation differ, or that was not allowed."""

    subject: str
    game_id: int
    log_id: str | None
    round_index: int | None
    win_index: int | None
    status: str
    reason: str | None
    fields: list[dict[str, str | None]]
    """``field``, ``recorded`` and ``computed`` of each that differs."""
    context: list[str]
    """Lines that say what happened."""

    def text(self) -> str:
        """Return it as a few lines."""
        name = f"game {self.log_id or self.game_id}"
        place = f"{name}, {self.context[0]}" if self.round_index is not None else name
        lines = [f"{self.subject} in {place}: {self.reason or self.status}"]
        lines += [f"    {line}" for line in self.context[self.round_index is not None :]]
        lines += [
            f"    {row['field']}: recorded {row['recorded']},"
            f" computed {'nothing' if row['computed'] is None else row['computed']}"
            for row in self.fields
        ]
        return "\n".join(lines)


def disagreements(play: Play, verdicts: Verdicts, limit: int) -> list[Disagreement]:
    """Return the first ``limit`` mismatched or illegal subjects, wins first."""
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
                context=_context(play, row),
            )
        )
    return out


def _context(play: Play, verdict: dict[str, Any]) -> list[str]:
    """Return what happened, the name of the round first."""
    if verdict["round_index"] is None:
        return []
    in_round = (pl.col("game_id") == verdict["game_id"]) & (
        pl.col("round_index") == verdict["round_index"]
    )
    rounds = play.rounds.filter(in_round)
    found = rounds.row(0, named=True) if len(rounds) else None
    lines = [
        "a win sheet"
        if found is None
        else f"{round_name(found)} (round {verdict['round_index']}, seat {found['dealer']} deals,"
        f" {found['sticks']} sticks, ended by {found['outcome']})"
    ]
    if verdict["win_index"] is not None:
        of_win = in_round & (pl.col("win_index") == verdict["win_index"])
        lines += win_lines(play.wins.row(by_predicate=of_win, named=True))
    return lines


def round_name(row: dict[str, Any]) -> str:
    """Return how players name a round.

    >>> round_name({"wind": 1, "number": 3, "honba": 2})
    'South 3, honba 2'
    """
    return f"{WINDS[row['wind']]} {row['number']}, honba {row['honba']}"


def win_lines(win: dict[str, Any]) -> list[str]:
    """Return a row of table ``wins`` as lines: who won on what, the hand, what counts for it."""
    how = "tsumo" if win["tsumo"] else f"ron from seat {win['loser']}"
    lines = [
        f"seat {win['winner']} by {how} on {win['win_tile']}, honba {win['honba']},"
        f" sticks {win['sticks']}; {WINDS[win['round_wind']].lower()} round,"
        f" seat wind {WINDS[win['seat_wind']].lower()}",
        f"hand {win['hand']}" + (f"  melds {win['melds']}" if win["melds"] else ""),
        f"dora indicators {' '.join(win['dora_indicators'] or []) or 'none'}"
        + (f", ura {' '.join(win['ura_indicators'])}" if win["ura_indicators"] else "")
        + (", red fives" if win["aka"] else "")
        + (", no open tanyao" if win["kuitan"] is False else ""),
    ]
    counts = [name.replace("_", " ") for name in _CIRCUMSTANCES if win[name]]
    counts += [
        f"{name} fed by seat {win[f'pao_{name}']}"
        for name in ("daisangen", "daisuushi", "suukantsu")
        if win[f"pao_{name}"] is not None
    ]
    counts += [counted(win["flowers"], "flower")] if win["flowers"] else []
    if win["furiten"] not in ("none", None):
        counts.append(f"{win['furiten']} furiten")
    return [*lines, ", ".join(counts)] if counts else lines


def report_lines(report: Report) -> list[str]:
    """Return a run of re-scoring as lines: how many of each subject agree, and what does not."""
    lines = []
    for subject, plural in SUBJECTS.items():
        total = report.count(subject)
        if not total:
            continue
        rest = [
            f"{report.count(subject, status)} {status}"
            for status in (MISMATCH, ILLEGAL, UNSCORABLE)
            if report.count(subject, status)
        ]
        lines.append(
            f"{plural:<7} {report.count(subject, MATCH)} of {total} match"
            + (f" ({', '.join(rest)})" if rest else "")
        )
    if not lines:
        lines.append("nothing to re-score: every game has its verdict")
    if report.stale:
        lines.append(f"{counted(report.stale, 'game')} had verdicts of another version or rule set")
    lines += [f"{counted(count, 'game')} left out: {why}" for why, count in report.left_out.items()]
    lines.append(f"{report.seconds:.1f} s")
    if report.examples:
        lines += ["", f"the first of {counted(report.disagreements, 'disagreement')}:"]
        for example in report.examples:
            lines += ["", example.text()]
    return lines
