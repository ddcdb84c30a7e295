"""Several winners on one tile, in turn order from the discarder."""

from __future__ import annotations

import numpy as np

from paifu.replay.win_order import in_order_of_payment
from tests.helpers.handmade import batch_of

LOOSE, WHITE = "159m159p159s1234z", "234m456p234s2255z"


def test_what_the_log_recorded_of_a_win_moves_with_it() -> None:
    batch = batch_of(
        "game players=4 length=south\nround east 1 dora 9p scores 25000 25000 25000 25000\n"
        f"haipai {LOOSE} | {WHITE} | {WHITE} | {LOOSE}\n0 draw 5z\n0 discard 5z*\n"
        "2 win 5z from 0 points 20\n1 win 5z from 0 points 10\n"
    )
    batch.win_yaku = np.array([0, 1, 3])
    batch.yaku_id, batch.yaku_han = np.array([[7, 8, 9], [1, 2, 3]], dtype=np.int16)
    paid = in_order_of_payment(batch)
    paid.validate()
    assert paid.event_seat.tolist() == [0, 0, 1, 2]
    assert paid.win_points.tolist() == [10, 20]
    assert paid.win_yaku.tolist() == [0, 2, 3]
    assert (paid.yaku_id.tolist(), paid.yaku_han.tolist()) == ([8, 9, 7], [2, 3, 1])
    assert batch.win_points.tolist() == [20, 10]  # the batch itself stays
    assert in_order_of_payment(paid) is paid
