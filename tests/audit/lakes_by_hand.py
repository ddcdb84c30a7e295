"""A small lake written by hand: games of one round each, won with the hand of ``test_wins``."""

from __future__ import annotations

from datetime import datetime

import pyarrow as pa

from paifu.lake.lake import Lake
from paifu.schema.tables import TABLES
from tests.audit.test_wins import PINFU, PINFU_YAKU

_BLANK = {
    "int16": 0, "int32": 0, "int64": 0, "bool": False, "text": "", "double": 0.0,
    "timestamp": datetime(2020, 1, 1), "binary": b"", "list<int16>": [], "list<int32>": [],
    "list<text>": [],
}  # fmt: skip


def table_of(name, rows):
    """Return rows of a table; a column that a row leaves out is NULL if possible, or empty."""
    table = TABLES[name]
    filled = [
        {
            column.name: row.get(column.name, None if column.nullable else _BLANK[column.type])
            for column in table.columns
        }
        for row in rows
    ]
    return pa.Table.from_pylist(filled, schema=table.arrow())


def lake_of(folder, ids, *, ruleset="tenhou-4p", played=None, **changes):
    """Make (or add to) a lake with a game for each id; ``changes`` are columns of its win."""
    win = PINFU | changes
    tables = {
        "games": [
            {
                "game_id": game, "players": win["players"], "length": "south", "aka": True,
                "rounds": 1, "ended_by": "broken_off", "detail": "play", "complete": False,
                "ruleset": ruleset, "game": played, "log_id": f"log {game}", "platform": "tenhou",
                "format": "mjlog",
            }
            for game in ids
        ],
        "seats": [
            {"game_id": game, "seat": seat, "player": f"player {seat}"}
            for game in ids
            for seat in range(win["players"])
        ],
        "rounds": [
            {
                "game_id": game, "number": 1, "outcome": "ron", "tiles_left": 20,
                "scores_start": [25000] * 4, "dora_indicators": ["1z"],
            }
            for game in ids
        ],
        "round_seats": [
            {
                "game_id": game, "seat": seat, "points_start": 25000, "points_end": 25000,
                "won": seat == win["winner"], "outcome": "bystander",
                "riichi_accepted": True if seat == win["winner"] else None,
                "riichi_tiles_left": 30, "haipai": "123m456p789s1122z",
            }
            for game in ids
            for seat in range(win["players"])
        ],
        "wins": [{"game_id": game} | win for game in ids],
        "win_yaku": [
            {"game_id": game, "yaku": key, "han": han}
            for game in ids
            for key, han in PINFU_YAKU.items()
        ],
    }  # fmt: skip
    with Lake.open(folder, create=True) as lake:
        staged = lake.stage({name: table_of(name, rows) for name, rows in tables.items()})
        lake.transact(lambda transaction: transaction.add(staged))
    return folder
