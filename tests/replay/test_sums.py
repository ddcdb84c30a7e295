"""Table ``game_seats`` has the sums that its descriptions name, compared with counts in SQL."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from paifu.formats.base import Blob
from paifu.formats.registry import importer
from paifu.game.events import Batch
from paifu.replay.replay_batch import replay
from paifu.schema.tables import TABLES
from tests.helpers.handmade import batch_of

DRAWN = "outcome IN ('draw_tenpai', 'draw_noten', 'nagashi')"
RIICHI = "riichi_turn IS NOT NULL"
HIT = "is_dealer AND tsumo_paid > 0 AND tsumo_paid_limit IS NOT NULL"
COUNTED = {
    "rounds": "true",
    "wins": "won",
    "tsumo_wins": "won_by = 'tsumo'",
    "closed_wins": "won AND state_end = 'closed'",
    "deal_in_rounds": "deal_ins > 0",
    "deal_in_riichi": "deal_ins > 0 AND state_end = 'riichi'",
    "deal_in_open": "deal_ins > 0 AND state_end = 'open'",
    "riichis": RIICHI,
    "riichi_wins": f"{RIICHI} AND won",
    "riichi_deal_ins": f"{RIICHI} AND deal_ins > 0",
    "riichi_ronned": "riichi_ronned",
    "riichi_draws": f"{RIICHI} AND {DRAWN}",
    "first_riichis": "riichi_order = 1",
    "chased_riichis": "riichi_later > 0",
    "furiten_riichis": "furiten_riichi",
    "open_rounds": "calls > 0",
    "open_wins": "calls > 0 AND won",
    "open_deal_ins": "calls > 0 AND deal_ins > 0",
    "open_draws": f"calls > 0 AND {DRAWN}",
    "draws": DRAWN,
    "dealer_rounds": "is_dealer",
    "dealer_wins": "is_dealer AND won",
    "dealer_hits": HIT,
    "dealer_mangan_hits": f"{HIT} AND tsumo_paid_limit <> 'none'",
}
"""Columns that count rounds, each with its condition on a round."""

SUMMED = {
    "haipai_shanten": ("haipai_shanten", "true"),
    "delta": ("delta", "true"),
    "win_points": ("win_points", "won"),
    "win_turns": ("win_turn", "won"),
    "deal_ins": ("deal_ins", "true"),
    "deal_in_points": ("deal_in_points", "deal_ins > 0"),
    "deal_in_tenpai": ("(shanten_end = 0)::INTEGER", "deal_ins > 0"),
    "riichi_turns": ("riichi_turn", RIICHI),
    "riichi_delta": ("delta", RIICHI),
    "riichi_win_delta": ("delta", f"{RIICHI} AND won"),
    "riichi_deal_in_delta": ("delta", f"{RIICHI} AND deal_ins > 0"),
    "multi_wait_riichis": ("(riichi_wait_tiles >= 2)::INTEGER", RIICHI),
    "good_wait_riichis": ("(riichi_live >= 6)::INTEGER", RIICHI),
    "calls": ("calls", "true"),
    "draw_tenpai": ("tenpai_at_draw::INTEGER", DRAWN),
    "dealer_mangan_points": ("tsumo_paid", f"{HIT} AND tsumo_paid_limit <> 'none'"),
}
"""Columns that add up a value over the rounds that meet a condition; NULL if a value is NULL."""


def counted(round_seats: pa.Table) -> list[dict[str, object]]:
    """Return the rows of ``game_seats``, by game and seat."""
    columns = [f"count(*) FILTER ({of}) AS {name}" for name, of in COUNTED.items()] + [
        f"CASE WHEN count(*) FILTER ({of}) = count({value}) FILTER ({of}) "
        f"THEN coalesce(sum({value}) FILTER ({of}), 0)::BIGINT END AS {name}"
        for name, (value, of) in SUMMED.items()
    ]
    return (
        duckdb.sql(
            f"SELECT game_id, seat, any_value(players) AS players, {', '.join(columns)} "
            "FROM round_seats GROUP BY game_id, seat ORDER BY game_id, seat"
        )
        .to_arrow_table()
        .to_pylist()
    )


def check(batch: Batch) -> pa.Table:
    """Assert that replay gives the counted sums, and return the table."""
    tables = replay(batch, np.zeros(len(batch.games), np.int64))
    found = tables["game_seats"]
    expected = counted(tables["round_seats"])
    assert [set(row) for row in expected[:1]] == [set(TABLES["game_seats"].names)]
    rows = sorted(found.to_pylist(), key=lambda row: (row["game_id"], row["seat"]))
    assert rows == expected
    return found


@pytest.mark.parametrize("folder", ["mjlog", "mjlog3p"])
def test_sums_of_real_games(corpus: Path, folder: str) -> None:
    paths = [path for path in sorted((corpus / folder).iterdir()) if path.suffix != ".gz"][::20]
    read = importer("mjlog").read([Blob(p.read_bytes(), 0, "", p.name) for p in paths])
    found = check(read.batch)
    for name in (*COUNTED, *SUMMED):
        assert any(found[name].to_pylist()), name  # every column has values


HANDS = "haipai 123m456p789s1122z | 19m19p19s1234567z | 222m333p444s555z6z | 0m0p0s678m678p678s4z\n"


def test_unknown_values_have_no_sum() -> None:
    played = "0 draw 1z\n0 win 1z from 0"
    known = f"{HANDS}{played} delta 6000 -2000 -2000 -2000\n"
    hidden = known.replace("123m456p789s1122z", "123m456p789s112z0z")
    start = "game players=4 length=south\nround east 1 dora 3p scores 25000 25000 25000 25000\n"
    (first, *_) = check(batch_of(start + known)).to_pylist()
    assert (first["wins"], first["haipai_shanten"]) == (1, 0)
    (first, *_) = check(batch_of(start + hidden)).to_pylist()
    assert (first["wins"], first["haipai_shanten"]) == (1, None)


POINTS = ("delta", "riichi_delta", "riichi_win_delta", "riichi_deal_in_delta")


def test_points_that_are_not_known_are_no_sum() -> None:
    start = "game players=4 length=south\nround east 1 dora 3p scores 25000 25000 25000 25000\n"
    batch = batch_of(f"{start}{HANDS}0 draw 1z\n0 win 1z from 0\n")
    (first, second, *_) = check(batch).to_pylist()
    assert first["delta"] is second["delta"] is None
    assert [first[name] for name in POINTS[1:]] == [0, 0, 0]  # nobody is in riichi
