"""Win sheets: recorded wins of any game, one per row, without their play.

Module ``sheet`` describes the form. Each row becomes a game of one win with ``detail`` ``sheet``:
rows of ``games``, ``seats``, ``wins`` and, if it names fan, ``win_yaku``.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa

from paifu.errors import LogError, PaifuError
from paifu.formats.base import Blob, Imported, Reject, Results
from paifu.formats.win_sheet.sheet import RECORDED, completed, fan_names, sheet_rows, written_fan
from paifu.game.events import Batch
from paifu.game.fingerprint import text_hash
from paifu.schema.tables import TABLES

KEY = "win_sheet"
TITLE = "Win sheets (CSV, JSON lines)"

_MOST_HEADER = 2000
_FLAGS = ("riichi", "double_riichi", "ippatsu", "rinshan", "haitei", "houtei", "chankan",
          "first_turn")  # fmt: skip
_SHEET_FLAGS = ("last_copy", "dealt", "triple_ron", "open_riichi", "after_rinshan")
_SEATS = 4


def sniff(head: bytes) -> bool:
    """Return whether content begins like a win sheet."""
    line = head.removeprefix(b"\xef\xbb\xbf").lstrip()[: 1 << 14].split(b"\n", 1)[0].strip()
    if line.startswith(b"{"):
        told = b'"win_tile"' in line or b'"rules"' in line
        return b'"hand"' in line and told and b'"type"' not in line
    columns = {cell.strip(b'" ') for cell in line[:_MOST_HEADER].split(b",")}
    return b"hand" in columns and not columns.isdisjoint({b"win_tile", b"rules"})


def read(blobs: Sequence[Blob]) -> Imported:
    """Read sheets; a row that cannot be read becomes a reject."""
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("games", "seats", "wins", "win_yaku")
    }
    rejects: list[Reject] = []
    rulesets = Rulesets()
    for index, blob in enumerate(blobs):
        text = blob.data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace")
        seen: Counter[bytes] = Counter()
        line = 0
        for line, cells in sheet_rows(text):
            try:
                if isinstance(cells, LogError):
                    raise cells
                for name, more in _tables(cells, blob, line, seen, rulesets).items():
                    rows[name] += more
            except LogError as error:
                rejects.append(Reject(index, f"line {line}", error.reason))
        if not line:
            rejects.append(Reject(index, "line 1", "the sheet has a header and no row"))
    tables = {
        name: pa.Table.from_pylist(each, schema=TABLES[name].arrow()) for name, each in rows.items()
    }
    games, seats = tables.pop("games"), tables.pop("seats")
    return Imported(Batch(), [], rejects, Results(games, seats, tables))


class Rulesets:
    """The rule sets that rows of sheets name; each is read once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Any, dict[str, str]] | str] = {}

    def get(self, name: str) -> tuple[Any, dict[str, str]]:
        """Return a rule set, and the key of each fan by its names.

        ``name`` is a rule set of paifu, or a TOML file in the working folder or below.
        """
        from paifu.rules import rulesets

        if name not in self._known:
            try:
                rules = rulesets.load_within(name, Path())
                self._known[name] = rules, fan_names(rules)
            except PaifuError as error:
                self._known[name] = str(error)
        known = self._known[name]
        if isinstance(known, str):
            raise LogError(known)
        return known


def stored_name(name: str, rules: Any) -> str:
    """Return the name under which a lake stores a rule set: a TOML file's, or that of paifu."""
    return name if name.endswith(".toml") else str(rules.name)


def _tables(
    cells: dict[str, Any], blob: Blob, line: int, seen: Counter[bytes], rulesets: Rulesets
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of every table for one row of a sheet."""
    if not cells.get("rules"):
        raise LogError("which game's rules? The column rules names a rule set")
    rules, names = rulesets.get(cells["rules"])
    _check_tiles(cells, rules)
    text = orjson.dumps(cells, option=orjson.OPT_SORT_KEYS)
    seen[text] += 1
    game_id = text_hash(b"win sheet %d " % seen[text] + text)
    players = cells.get("players") or rules.players or _SEATS
    for name, most in (("players", _SEATS), ("winner", 3), ("loser", 3), ("dealer", 3),
                       ("round_wind", 3), ("liable", 3), ("flowers", 8)):  # fmt: skip
        if cells.get(name) is not None and not 0 <= cells[name] <= most:
            raise LogError(f"{name} is from 0 to {most}, not {cells[name]}")
    key = {"game_id": game_id, "round_index": 0, "win_index": 0}
    game: dict[str, Any] = {
        "game_id": game_id, "platform": "sheet", "format": KEY, "source_id": blob.source,
        "member": blob.member, "position": f"line {line}",
        "sha256": hashlib.sha256(text).digest(), "players": players,
        "ruleset": stored_name(cells["rules"], rules),
        "game": game_of(rules),
        "rounds": 1, "detail": "sheet", "complete": True, "flags": [],
    }  # fmt: skip
    seats = [
        {
            "game_id": game_id,
            "seat": seat,
            "anonymous": True,
            "disconnected": False,
            "final_recorded": False,
        }
        for seat in range(players)
    ]
    yaku = recorded_fan(cells, rules, names)
    return {
        "games": [game],
        "seats": seats,
        "wins": [
            key | win_columns(completed(cells, rules), players) | {"yaku_recorded": len(yaku)}
        ],
        "win_yaku": [key | {"yaku": name, "han": han} for name, han in yaku.items()],
    }


def game_of(rules: Any) -> str | None:
    """Return the game that a rule set other than riichi's is or extends."""
    from paifu.rules.fan.game import Game

    return (rules.extends or rules.name) if isinstance(rules, Game) else None


def _check_tiles(cells: dict[str, Any], rules: Any) -> None:
    """Raise for a row that is neither a win nor an event that its game pays for."""
    from paifu.rules.fan.game import Game

    is_game = isinstance(rules, Game)
    if cells.get("hand") and (
        cells.get("win_tile") or cells.get("dealt") or (is_game and rules.by_name)
    ):
        return
    if is_game and rules.kong and not cells.get("hand") and cells.get("melds"):
        return
    raise LogError("a win has a hand and a win_tile")


def win_columns(cells: dict[str, Any], players: int) -> dict[str, Any]:
    """Return the columns of ``wins`` of a row, without those about play."""
    winner, dealer = cells["winner"], cells["dealer"]
    riichi = cells["riichi"]
    return {
        "seq": 0,
        "players": players,
        "winner": winner,
        "loser": cells["loser"],
        "tsumo": cells["tsumo"],
        "dealer": dealer,
        "round_wind": cells.get("round_wind") or 0,
        "seat_wind": (winner - dealer) % players,
        "hand": cells.get("hand") or "",
        "melds": cells.get("melds") or "",
        "win_tile": cells.get("win_tile") or "",
        "winner_state": "riichi" if riichi else "open" if _is_open(cells) else "closed",
        **{name: bool(cells.get(name)) for name in _FLAGS},
        "riichi": riichi,
        "kita_ron": False,
        "ankan_ron": None,
        "passed": None,
        "after_kita": False,
        "honba": cells.get("honba") or 0,
        "sticks": cells.get("sticks") or 0,
        "dora_indicators": cells.get("dora_indicators") or [],
        "ura_indicators": cells.get("ura_indicators") or [],
        "aka": True,
        "riichi_sticks": 0,
        "dealer_wins": cells.get("dealer_wins") or 0,
        "dealer_rounds": cells.get("dealer_rounds") or 0,
        "recorded_indicators": [],
        **{name: bool(cells.get(name)) for name in _SHEET_FLAGS},
        **{name: cells.get(name) or [] for name in ("out", "fed", "raised")},
        **{name: cells.get(name) for name in ("flowers", "liable", "wild", "bird", *RECORDED)},
    }


def _is_open(cells: dict[str, Any]) -> bool:
    melds = (cells.get("melds") or "").split()
    return any(not word.startswith(("ankan", "kita")) for word in melds)


def recorded_fan(cells: dict[str, Any], rules: Any, names: dict[str, str]) -> dict[str, int]:
    """Return the points of each fan in a row, by key; points not given come from the rules."""
    from paifu.rules.fan.game import Game

    found: dict[str, int] = {}
    for name, times, points in written_fan(cells.get("fan") or ""):
        key = names.get(name)
        if key is None:
            raise LogError(f"{rules.name} has no fan {name[:40]!r}")
        if points:
            found[key] = int(points)
        elif isinstance(rules, Game):
            value = next(fan.points for fan in rules.every_fan if fan.key == key)
            found[key] = found.get(key, 0) + value * int(times or 1)
        else:
            value = rules.yaku.get(key)  # None for dora, each of which counts one
            han = 1 if value is None else value.open if _is_open(cells) else value.closed
            found[key] = han * int(times or 1)
    return found
