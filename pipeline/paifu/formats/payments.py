"""Payments to several winners on one tile, if a record has only their sum."""

from __future__ import annotations

from collections.abc import Sequence

from paifu.formats.builder import NO_POINTS

_SEATS = 4


def payments_of_each(
    delta: Sequence[int], winners: Sequence[int], loser: int, players: int
) -> list[Sequence[int]]:
    """Return each win's payments (four numbers), from the sum of all seats' payments.

    The nearest winner also gets the sticks, which no seat pays now. If there are several winners
    and a third seat pays because it is liable, the payments are not known.

    >>> payments_of_each([2000, -5300, 4300, 0], [2, 0], 1, 4)
    [[0, -3300, 4300, 0], [2000, -2000, 0, 0]]
    """
    if len(winners) == 1:
        return [delta]
    nearest = min(winners, key=lambda seat: (seat - loser) % players)
    shares: list[Sequence[int]] = []
    for winner in winners:
        share = [0] * _SEATS
        share[winner] = delta[winner]
        share[loser] = (sum(delta) if winner == nearest else 0) - delta[winner]
        shares.append(share)
    if [sum(share[seat] for share in shares) for seat in range(_SEATS)] != list(delta):
        return [NO_POINTS] * len(winners)
    return shares
