"""A simulated table: one record of arrays per game, which kernels change and writers read.

The whole state of a round is one record of :data:`TABLE`, so that a kernel takes a single argument
and a batch of games is one structured array. Tiles are physical tiles, 0-135: kind * 4 + copy; the
red fives are the copies 0 of 5m, 5p and 5s. Seats are 0-3; seat 0 is the first dealer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from paifu.game.tiles import KINDS

Table = Any
"""One record of a :data:`TABLE` array, for kernels and writers."""

TILES = 4 * KINDS
RED_TILES = (16, 52, 88)
MAX_EVENTS = 288
"""More events than a round can have: 70 draws, 86 discards, 16 calls and the events with them."""
MAX_RIVER = 40
NOBODY = -1

# --- events of a round ----------------------------------------------------------------------------
(
    DRAW, DISCARD, CHI, PON, DAIMINKAN, ANKAN, KAKAN, KITA, RIICHI, RIICHI_PAID, DORA, WIN,
    DRAWN_GAME, LEAVE, RETURN,
) = range(15)  # fmt: skip
"""``DRAWN_GAME`` is a round that ends without a win; ``LEAVE`` and ``RETURN`` are connections."""

# --- where a drawn tile came from -----------------------------------------------------------------
LIVE_WALL, AFTER_KAN, AFTER_KITA = range(3)

# --- how a round ends -----------------------------------------------------------------------------
(
    TSUMO, RON, EXHAUSTIVE, NAGASHI, KYUUSHU, SUUFON, SUUCHA, SUUKAN, SANCHAHOU,
) = range(9)  # fmt: skip
PLAYING = -1

# --- how a game ends ------------------------------------------------------------------------------
LAST_ROUND, AGARI_YAME, TENPAI_YAME, BUST, SUDDEN_DEATH = range(5)

# --- styles of a player, in 256ths ---------------------------------------------------------------
CALLING, DECLARING, FOLDING, KANNING = range(4)

# --- feeders of a liable hand ---------------------------------------------------------------------
PAO_DAISANGEN, PAO_DAISUUSHII, PAO_SUUKANTSU = range(3)

TABLE = np.dtype(
    [
        # the game
        ("rng", np.uint64),
        ("scores", np.int32, 4),
        ("style", np.int16, (4, 4)),
        ("away", np.int8, 4),
        ("wind", np.int8),
        ("number", np.int64),
        ("honba", np.int16),
        ("sticks", np.int16),
        ("over", np.int8),
        ("ended_by", np.int8),
        # the wall
        ("wall", np.int16, TILES),
        ("dice", np.int8, 2),
        ("next", np.int16),
        ("left", np.int16),
        ("replacements", np.int8),
        ("shown", np.int8),
        ("pending", np.int8),
        # hands
        ("haipai", np.int16, (4, 13)),
        ("hand", np.int16, (4, 14)),
        ("size", np.int8, 4),
        ("count", np.int8, (4, KINDS)),
        ("drawn", np.int64),
        ("source", np.int8),
        ("melds", np.int64, 4),
        ("open_melds", np.int8, 4),
        ("meld_kind", np.int8, (4, 4)),
        ("meld_tile", np.int16, (4, 4, 4)),
        ("meld_from", np.int8, (4, 4)),
        ("norths", np.int8, 4),
        ("north_tile", np.int16, (4, 4)),
        ("kans", np.int8, 4),
        # rivers
        ("river", np.int16, (4, MAX_RIVER)),
        ("river_size", np.int8, 4),
        ("river_called", np.int8, 4),
        ("river_kinds", np.int64, 4),
        ("safe", np.int64, 4),
        ("seen", np.int8, KINDS),
        # riichi and furiten
        ("riichi", np.int8, 4),
        ("double", np.int8, 4),
        ("ippatsu", np.int8, 4),
        ("waits", np.int64, 4),
        ("passed", np.int8, 4),
        ("broken", np.int8),
        ("forbidden", np.int64),
        ("pao", np.int8, (4, 3)),
        # what happened
        ("events", np.int16),
        ("event_kind", np.int8, MAX_EVENTS),
        ("event_seat", np.int8, MAX_EVENTS),
        ("event_tile", np.int16, MAX_EVENTS),
        ("event_from", np.int8, MAX_EVENTS),
        ("event_used", np.int16, (MAX_EVENTS, 3)),
        # how it ended
        ("outcome", np.int8),
        ("wins", np.int8),
        ("winner", np.int64, 3),
        ("loser", np.int8),
        ("win_tile", np.int64),
        ("robbed", np.int8),
        ("tenpai", np.int8, 4),
        ("nagashi", np.int8, 4),
        ("declarer", np.int8),
        # the settlement
        ("start", np.int32, 4),
        ("start_sticks", np.int16),
        ("delta", np.int32, (3, 4)),
        ("end", np.int32, 4),
        ("end_sticks", np.int16),
    ],
    align=True,
)
"""The state of one game at its table, and the record of the round it plays.

    ``next`` is the wall position of the next draw and ``left`` the number of drawable tiles.
    ``drawn`` is the tile just drawn (-1 after a call) and ``source`` where it came from
    (:data:`LIVE_WALL` …). ``shown`` counts dora indicators; ``pending`` counts those of open kans
    that wait for the discard. ``riichi`` is 1 declared, 2 paid; ``passed`` is 1 in temporary
    furiten, 2 in furiten for the rest of the round. ``waits``, ``river_kinds``, ``safe`` and
    ``forbidden`` (kuikae) are bit sets of kinds. ``robbed`` is the ``KAKAN``, ``ANKAN`` or ``KITA``
    that a ron was on, or -1. ``delta`` has a row per win (or one row for a draw), with honba and
    sticks. ``start`` is before riichi sticks, ``end`` after all payments.
"""
