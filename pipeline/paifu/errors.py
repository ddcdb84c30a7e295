"""The errors that paifu raises for users: what is wrong, where, and what to do."""

from __future__ import annotations

from dataclasses import dataclass

from paifu.messages import shortened


class PaifuError(Exception):
    """Base of all errors that are caused by the input, not by a fault of the program.

    The command line prints its text without a traceback and exits with ``exit_status``.
    """

    exit_status = 3

    def __str__(self) -> str:
        """Return what is wrong; the middle of a very long input is cut out."""
        return shortened(super().__str__())


class UsageError(PaifuError):
    """An argument or option that cannot be used as given (exit status 2)."""

    exit_status = 2


class LogError(PaifuError):
    """A log that cannot be read.

    ``reason`` says why, ``position`` where: ``byte 1234``, ``line 3``, ``$.log[2][0]``.
    """

    def __init__(self, reason: str, position: str = "") -> None:
        super().__init__(f"{reason} (at {position})" if position else reason)
        self.reason = reason
        self.position = position


class SourceError(PaifuError):
    """A file or archive that cannot be opened or read to its end."""


class LakeError(PaifuError):
    """A lake that is not there, not a lake, locked, of another version, or of another policy."""


class RuleError(PaifuError):
    """A rule set that does not exist, or an option that it does not have."""


class RuleNameError(RuleError):
    """A name for a rule set that cannot be used (exit status 2)."""

    exit_status = 2


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a hand, as data; the sentence for users is made where it is printed."""

    key: str
    """What is wrong, such as ``five_copies``: a key of ``paifu.rules.hands.faults.FAULTS``, or the
    reason why a possible hand does not win: ``no_yaku``, ``uncertain_yaku``, ``not_complete``,
    ``unpriced``."""
    tiles: tuple[tuple[int, int], ...] = ()
    """The tiles with the fault, as codes (:mod:`paifu.game.tiles`), and the count of each."""
    number: int | None = None
    """A number that the fault is about: all tiles, han of yaku, or fan."""


class HandError(PaifuError):
    """A hand that cannot exist or cannot win.

    ``fault`` says why, as data; None for text that cannot be read.
    """

    def __init__(self, message: str, fault: Fault | None = None) -> None:
        super().__init__(message)
        self.fault = fault


class FactError(HandError):
    """A circumstance that does not exist: a wind, a number (exit status 2)."""

    exit_status = 2
