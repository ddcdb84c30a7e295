"""The summary of a re-scoring run: counts, reasons and examples, as data and as text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from paifu.audit.comparison import ILLEGAL, MATCH, MISMATCH, SUBJECTS, UNSCORABLE
from paifu.audit.disagreements import Disagreement
from paifu.messages import counted


@dataclass(frozen=True, slots=True)
class Counted:
    """What the report says of some games."""

    counts: dict[str, dict[str, int]]
    """Subjects by status."""
    reasons: dict[tuple[str, str, str], int]
    """Subjects with a reason, by subject, status and reason."""
    examples: list[Disagreement]


@dataclass(slots=True)
class Report:
    """The summary of a run of :func:`rescore`. Counts are of this run."""

    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    """Subjects by status."""
    reasons: dict[tuple[str, str, str], int] = field(default_factory=dict)
    """Subjects with a reason, by subject, status and reason."""
    games: int = 0
    """Games of the lake of which more than the result is known."""
    stale: int = 0
    """Games with verdicts of another version of the engine or of the rule set."""
    left_out: dict[str, int] = field(default_factory=dict)
    """Games that were not audited, by reason: not riichi, or another number of players."""
    seconds: float = 0.0
    examples: list[Disagreement] = field(default_factory=list)

    def add(self, more: Counted) -> None:
        """Add counts."""
        for subject, statuses in more.counts.items():
            counted = self.counts.setdefault(subject, {})
            for status, number in statuses.items():
                counted[status] = counted.get(status, 0) + number
        for why, number in more.reasons.items():
            self.reasons[why] = self.reasons.get(why, 0) + number

    def count(self, subject: str, *statuses: str) -> int:
        """Return how many of a subject have one of these statuses, or any status."""
        counted = self.counts.get(subject, {})
        return sum(counted.get(status, 0) for status in statuses or tuple(counted))

    @property
    def disagreements(self) -> int:
        """How many subjects differ from the record or were not allowed."""
        return sum(self.count(subject, MISMATCH, ILLEGAL) for subject in self.counts)

    def as_dict(self) -> dict[str, Any]:
        """Return the result of ``paifu rescore --json``."""
        result: dict[str, Any] = {
            "wins": self.count("win"),
            "matched": self.count("win", MATCH),
            "mismatched": self.count("win", MISMATCH),
            "illegal": self.count("win", ILLEGAL),
            "unscorable": self.count("win", UNSCORABLE),
        }
        for subject, plural in SUBJECTS.items():
            if subject == "win":
                continue
            result[plural] = self.count(subject)
            result[f"{plural}_matched"] = self.count(subject, MATCH)
            result[f"{plural}_illegal"] = self.count(subject, ILLEGAL)
            result[f"{plural}_unscorable"] = self.count(subject, UNSCORABLE)
        return result | {
            "stale": self.stale,
            "left_out": sum(self.left_out.values()),
            "seconds": round(self.seconds, 3),
            "reasons": [
                {"subject": subject, "status": status, "reason": reason, "count": count}
                for (subject, status, reason), count in sorted(self.reasons.items())
            ],
            "disagreements": [
                {name: getattr(example, name) for name in Disagreement.__slots__}
                | {"game_id": str(example.game_id)}
                for example in self.examples
            ],
        }


def report_lines(report: Report) -> list[str]:
    """Return a re-scoring run as lines: how many of each subject agree, and what does not."""
    lines = []
    for subject, plural in SUBJECTS.items():
        total = report.count(subject)
        if not total:
            continue
        rest = [
            f"{report.count(subject, status):,} {status}"
            for status in (MISMATCH, ILLEGAL, UNSCORABLE)
            if report.count(subject, status)
        ]
        lines.append(
            f"{plural:<7} {report.count(subject, MATCH):,} of {total:,} match"
            + (f" ({', '.join(rest)})" if rest else "")
        )
    lines += _reason_lines(report)
    if not lines:
        why = (
            "every game has its verdict"
            if report.games
            else "the lake has no game whose play or wins are known"
        )
        lines.append(f"nothing to re-score: {why}")
    if report.stale:
        lines.append(f"{counted(report.stale, 'game')} had verdicts of another version or rule set")
    lines += [f"{counted(count, 'game')} left out: {why}" for why, count in report.left_out.items()]
    lines.append(f"{report.seconds:.1f} s")
    if report.examples:
        lines += ["", _heading(len(report.examples), report.disagreements)]
        for example in report.examples:
            lines += ["", example.text()]
    return lines


_REASONS_TOLD = 3


def _reason_lines(report: Report) -> list[str]:
    """Return the most frequent reasons why something is illegal or cannot be scored."""
    found: dict[tuple[str, str], dict[str, int]] = {}
    for subject in SUBJECTS:
        for (judged, status, reason), count in report.reasons.items():
            if judged == subject:
                found.setdefault((status, reason), {})[subject] = count
    most = sorted(found.items(), key=lambda each: -sum(each[1].values()))
    told = [
        f"{status}: {reason} ({', '.join(counted(n, subject) for subject, n in counts.items())})"
        for (status, reason), counts in most[:_REASONS_TOLD]
    ]
    if len(most) > len(told):
        others = counted(len(most) - len(told), "other reason")
        told.append(f"{others}; paifu stats data_quality lists all")
    return told


def _heading(shown: int, disagreements: int) -> str:
    """Return the line above the examples.

    >>> _heading(1, 1), _heading(10, 104), _heading(3, 3)
    ('the disagreement:', 'the first 10 of 104 disagreements:', 'the 3 disagreements:')
    """
    if shown < disagreements:
        return f"the first {shown:,} of {counted(disagreements, 'disagreement')}:"
    return "the disagreement:" if shown == 1 else f"the {counted(shown, 'disagreement')}:"
