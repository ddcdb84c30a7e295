"""Rows of the lake's tables for the games of a score sheet, made column by column.

A sheet says who dealt, who won and what was paid, but nothing of the play: the columns about acts
and hands are 0, empty or NULL, as the schema has them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.compute as pc

from paifu.errors import LogError
from paifu.formats.base import Blob, Results
from paifu.formats.score_sheet import rounds as r
from paifu.formats.score_sheet.columns import WIN_COLUMNS
from paifu.formats.score_sheet.entries import plain_number
from paifu.formats.score_sheet.games import Game, placed
from paifu.formats.score_sheet.rounds import Round, Win
from paifu.formats.win_sheet.importer import game_of, recorded_fan, stored_name, win_columns
from paifu.formats.win_sheet.sheet import RECORDED, cell_value
from paifu.game.fingerprint import text_hash
from paifu.game.times import JAPAN
from paifu.rules.fan.game import Game as OtherGame
from paifu.schema.tables import TABLES

_EMPTY: dict[str, Any] = {
    "int16": 0, "int32": 0, "int64": 0, "bool": False, "text": "", "double": 0.0,
    "list<int16>": [], "list<int32>": [], "list<text>": [],
}  # fmt: skip
_NO_CELLS: dict[str, Any] = {name: cell_value(name, "") for name in WIN_COLUMNS}
"""A row of a win sheet with empty cells."""
_FILLED = ("games", "seats", "rounds", "round_seats", "wins", "win_yaku", "flags")

Rows = dict[str, list[dict[str, Any]]]


_MOST_PENDING = 500
"""Games that wait as rows; as Python objects they take ten times what they take as tables."""


class Books:
    """The games of sheets, in the order of their last entry: each game once, as entered last."""

    def __init__(self) -> None:
        self.repeated: list[int] = []
        """The sources of games that were entered again as they were."""
        self.superseded: list[int] = []
        """The sources of games that a later entry corrects."""
        self._pending: dict[int, Rows] = {}
        self._parts: list[dict[str, pa.Table]] = []
        self._left_out: list[list[int]] = []
        """For each part, the games that were entered again after it."""
        self._known: dict[int, tuple[int, int, int]] = {}
        """By game: what is said of it, its source, and its part."""

    def add(self, rows: Rows) -> None:
        """Add a game, in place of what was entered with its date, place, table and number."""
        ((game, said, source),) = (
            (row["game_id"], row["list_key"], row["source_id"]) for row in rows["games"]
        )
        if game in self._known:
            before, earlier, part = self._known[game]
            (self.repeated if before == said else self.superseded).append(earlier)
            if self._pending.pop(game, None) is None:
                self._left_out[part].append(game)
        self._pending[game] = rows
        self._known[game] = said, source, len(self._parts)
        if len(self._pending) >= _MOST_PENDING:
            self._close()

    def _close(self) -> None:
        """Make tables of the games that wait."""
        books = self._pending.values()
        self._parts.append(
            {name: _table(name, [row for book in books for row in book[name]]) for name in _FILLED}
        )
        self._left_out.append([])
        self._pending = {}

    def results(self) -> Results:
        """Return the games as tables; columns that no row names are 0, empty or NULL."""
        self._close()
        tables = {name: pa.concat_tables(self._taken(name)) for name in _FILLED}
        games, seats = tables.pop("games"), tables.pop("seats")
        return Results(games, seats, tables, self.repeated, self.superseded)

    def _taken(self, name: str) -> Iterator[pa.Table]:
        """Take a table out of each part, without the games that were entered again."""
        for part, games in zip(self._parts, self._left_out, strict=True):
            table = part.pop(name)
            if games:
                again = pc.is_in(table["game_id"], pa.array(games, pa.int64()))
                table = table.filter(pc.invert(again))
            yield table


def _table(name: str, rows: list[dict[str, Any]]) -> pa.Table:
    schema = TABLES[name].arrow()
    if not rows:
        return schema.empty_table()
    named = set(rows[0])
    columns = []
    for column, field in zip(TABLES[name].columns, schema, strict=True):
        if column.name in named:
            columns.append(pa.array([row[column.name] for row in rows], field.type))
        elif column.nullable:
            columns.append(pa.nulls(len(rows), field.type))
        else:
            empty = pa.scalar(_EMPTY[column.type], field.type)
            columns.append(pa.repeat(empty, len(rows)))
    return pa.table(columns, schema=schema)


def game_id_of(game: Game) -> int:
    """Return the id of a game, which is that of its date, place, table and number."""
    return text_hash(b"score sheet " + orjson.dumps(game.key))


def position_of(game: Game, sheet: str) -> str:
    """Return where a game begins in its file."""
    return f"{sheet}, row {game.first.row}" if sheet else f"row {game.first.row}"


def rows_of(game: Game, blob: Blob, sheet: str) -> Rows:
    """Return the rows of a game, by table.

    Without rows if the game has faults, also those of its wins that are found only here.
    """
    rows: Rows = {name: [] for name in _FILLED}
    if game.faults:
        return rows
    first = game.first
    rules = game.rules
    assert rules is not None
    assert first.at is not None
    players = len(game.people)
    said = orjson.dumps(
        [[entry.cells for entry in game.entries], game.number], option=orjson.OPT_SORT_KEYS
    )
    identity = {"game_id": game_id_of(game)}
    reasons = list(dict.fromkeys(reason for _, reason in game.flags))
    rows["games"].append(
        identity
        | {
            "list_key": text_hash(said),
            "log_id": game.name,
            "platform": "sheet",
            "format": "score_sheet",
            "source_id": blob.source,
            "member": blob.member,
            "position": position_of(game, sheet),
            "sha256": hashlib.sha256(said).digest(),
            "played_at": first.at - JAPAN,
            "played_precision": "minute" if first.has_time else "day",
            "players": players,
            "length": game.length,
            "ruleset": stored_name(first.cells["rules"], rules),
            "game": game_of(rules),
            "room": first.cells.get("place"),
            "lobby": first.cells.get("table"),
            "rounds": len(game.rounds),
            "ended_by": "unknown",
            "detail": "rounds" if game.rounds else "result",
            "complete": True,
            "flags": reasons,
            "remarks": game.remarks,
        }
    )
    _add_seats(rows, game, identity)
    for index, each in enumerate(game.rounds):
        key = identity | {"round_index": index}
        rows["rounds"].append(key | _round(each, game))
        rows["round_seats"] += [key | seat for seat in _round_seats(each, game)]
        for place, win in enumerate(each.wins):
            _add_win(rows, game, each, win, key | {"win_index": place})
    rows["flags"] += [
        identity | {"round_index": where, "seq": None, "seat": None, "reason": reason}
        for where, reason in game.flags
    ]
    return rows


def _add_seats(rows: Rows, game: Game, identity: dict[str, int]) -> None:
    players = len(game.people)
    results = game.results or [None] * players
    places: list[int] | None = None
    if game.final is not None:
        places = placed(game.final, game.rules)
    elif all(result is not None for result in results):
        places = placed([round(1000 * (result or 0)) for result in results], game.rules)
    rows["seats"] += [
        identity
        | {
            "seat": seat,
            "player": person,
            "anonymous": False,
            "final_points": game.final[seat] if game.final else None,
            "final_recorded": game.final_recorded,
            "placement": places[seat] if places else None,
            "result": results[seat],
            "disconnected": False,
        }
        for seat, person in enumerate(game.people)
    ]


def _round(each: Round, game: Game) -> dict[str, Any]:
    players = len(game.people)
    return {
        "wind": each.wind,
        "number": each.number,
        "honba": each.honba,
        "sticks": each.sticks,
        "sticks_end": each.sticks_end,
        "dealer": each.dealer,
        "is_all_last": _is_last_wind(game, each) and each.number == players,
        "is_extra": _is_extra(game, each),
        "outcome": each.outcome,
        "scores_start": each.start,
        "riichis": len(each.riichi or ()),
        "remarks": each.remarks,
        "abort_due": each.outcome if each.outcome in r.ABORTS else None,
    }


_LAST_WIND = {"east": 0, "south": 1}


def _is_last_wind(game: Game, each: Round) -> bool:
    return each.wind >= _LAST_WIND.get(game.length or "", r.MOST_ROUNDS)


def _is_extra(game: Game, each: Round) -> bool:
    return each.wind > _LAST_WIND.get(game.length or "", r.MOST_ROUNDS)


def _round_seats(each: Round, game: Game) -> list[dict[str, Any]]:
    """Return the row of each seat of a round."""
    players = len(game.people)
    ranks = placed(each.start, None)
    ranks_end = placed(each.end, None) if each.end else None
    ordered = sorted(each.start, reverse=True)
    wins = [win for win in each.wins if win.ends]
    tenpai = _tenpai(each, game)
    rows = []
    for seat in range(players):
        own = [win for win in wins if win.winner == seat]
        fed = [win for win in wins if win.loser == seat]
        drawn = [win for win in wins if win.loser is None and win.winner != seat]
        rows.append(
            {
                "players": players,
                "seat": seat,
                "round_wind": each.wind,
                "seat_wind": (seat - each.dealer) % players,
                "is_dealer": seat == each.dealer,
                "points_start": each.start[seat],
                "points_end": each.end[seat] if each.end else None,
                "delta": each.end[seat] - each.start[seat] if each.end else None,
                "rank_start": ranks[seat],
                "rank_end": ranks_end[seat] if ranks_end else None,
                "gap_to_next": ordered[ranks[seat] - 2] - each.start[seat]
                if ranks[seat] > 1
                else None,
                "gap_to_first": ordered[0] - each.start[seat],
                "state_end": "riichi" if seat in (each.riichi or ()) else "closed",
                "riichi_accepted": True if seat in (each.riichi or ()) else None,
                "won": bool(own),
                "won_by": None if not own else "tsumo" if own[0].loser is None else "ron",
                "win_points": _worth(own) if own else 0,
                "deal_ins": len(fed),
                "deal_in_points": _paid(fed, seat),
                "tsumo_paid": _paid(drawn, seat),
                "nagashi": each.outcome == "nagashi" and _gained(each, seat),
                "outcome": _seat_outcome(each, own, fed, drawn, tenpai, seat),
                "tenpai_shown": seat in tenpai if tenpai is not None else None,
                "three_suits": seat in each.three_suits if each.outcome == r.DRAW else None,
                "penalty": each.penalty[seat] if each.penalty else None,
            }
        )
    return rows


def _gained(each: Round, seat: int) -> bool:
    return each.end is not None and each.end[seat] > each.start[seat]


def _worth(wins: Sequence[Win]) -> int | None:
    """Return what the hands of a seat are worth, as the sheet says."""
    worth = [win.entry.number("points") for win in wins]
    known = [points for points in worth if points is not None]
    return sum(known) if len(known) == len(worth) else None


def _paid(wins: Sequence[Win], seat: int) -> int | None:
    """Return what a seat paid for wins; None without wins, or if it is not known."""
    if not wins or any(win.delta is None for win in wins):
        return None
    return sum(-win.delta[seat] for win in wins if win.delta is not None)


def _tenpai(each: Round, game: Game) -> frozenset[int] | None:
    """Return who was tenpai at a draw, as the sheet says or as riichi's payments show."""
    if each.outcome != r.DRAW or each.tenpai is not None:
        return each.tenpai if each.outcome in (r.DRAW, "nagashi") else None
    if isinstance(game.rules, OtherGame) or each.end is None or each.unbalanced:
        return None
    sticks = each.riichi or frozenset()
    got = [
        end - start + (r.STICK if seat in sticks else 0)
        for seat, (start, end) in enumerate(zip(each.start, each.end, strict=True))
    ]
    if each.riichi is None or not any(got):
        return None  # all or none were tenpai, or a stick hides what was paid
    return frozenset(seat for seat, change in enumerate(got) if change > 0)


def _seat_outcome(
    each: Round, own: Sequence[Win], fed: Sequence[Win], drawn: Sequence[Win],
    tenpai: frozenset[int] | None, seat: int,
) -> str:  # fmt: skip
    if own:
        return "won_tsumo" if own[0].loser is None else "won_ron"
    if fed:
        return "deal_in"
    if drawn:
        return "paid_tsumo"
    if each.outcome == "nagashi":
        return "nagashi" if _gained(each, seat) else "unknown"
    if each.outcome in r.ABORTS:
        return "abort"
    if each.outcome == r.DRAW:
        return "unknown" if tenpai is None else "draw_tenpai" if seat in tenpai else "draw_noten"
    return "bystander" if each.wins else "unknown"


def _add_win(rows: Rows, game: Game, each: Round, win: Win, key: dict[str, int]) -> None:
    """Add a win: what a win sheet's row of it would give, with what the round says."""
    entry, players = win.entry, len(game.people)
    cells = dict(_NO_CELLS)
    for name in WIN_COLUMNS & entry.cells.keys():
        text = entry.cells[name]
        try:
            cells[name] = cell_value(name, plain_number(text) if name in RECORDED else text)
        except LogError as error:
            entry.fault(name, error.reason)
            game.faults.append(entry.faults[-1])
            return
    cells |= {
        "winner": win.winner,
        "loser": win.loser,
        "dealer": each.dealer,
        "round_wind": each.wind,
        "tsumo": win.loser is None,
        "honba": each.honba,
        "sticks": each.sticks + len(each.riichi or ()) if _is_first(each, win) else 0,
        "riichi": win.winner in (each.riichi or ())
        or bool(cells.get("double_riichi") or cells.get("open_riichi")),
        "players": players,
        **_deltas(game, each, win),
    }
    try:
        yaku = recorded_fan(cells, game.rules, game.fan_names)
    except LogError as error:
        entry.fault("fan", error.reason)
        game.faults.append(entry.faults[-1])
        return
    if each.riichi is None:  # the sheet has no column for riichi, but lists what counted
        cells["riichi"] = cells["riichi"] or not {"riichi", "double_riichi"}.isdisjoint(yaku)
    rows["wins"].append(
        key
        | win_columns(cells, players)
        | {"yaku_recorded": len(yaku), "riichi_sticks": len(each.riichi or ())}
    )
    rows["win_yaku"] += [key | {"yaku": name, "han": han} for name, han in yaku.items()]


def _is_first(each: Round, win: Win) -> bool:
    return next((other for other in each.wins if other.ends), None) is win


def _deltas(game: Game, each: Round, win: Win) -> dict[str, int | None]:
    """Return ``delta_0`` … of a win, without the riichi sticks that the row's changes include."""
    names = [f"delta_{seat}" for seat in range(4)]
    if win.delta is None or (each.riichi is None and not isinstance(game.rules, OtherGame)):
        return dict.fromkeys(names)
    sticks = each.riichi if each.riichi and _is_first(each, win) else ()
    given = [change + (r.STICK if seat in sticks else 0) for seat, change in enumerate(win.delta)]
    return dict(zip(names, [*given, None][:4], strict=True))
