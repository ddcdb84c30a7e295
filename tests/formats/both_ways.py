"""A log read in both ways, with and without the kernels, must give the same."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from paifu.formats.base import Imported
from paifu.game.events import Batch


def assert_same(quick: Imported, slow: Imported) -> None:
    """Assert that the same games were read, with the same events, and the same logs refused."""
    assert quick.game_blob == slow.game_blob
    assert quick.rejects == slow.rejects
    for name in (field.name for field in fields(Batch)):
        np.testing.assert_equal(getattr(quick.batch, name), getattr(slow.batch, name), name)
