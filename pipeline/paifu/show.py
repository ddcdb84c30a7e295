"""A game or a round as a person reads it: seats, haipai, discards in rows, calls, result, verdict.

:func:`read_game` and :func:`read_round` take what there is out of a lake as plain dicts (what
``paifu show --json`` prints); :func:`game_text` and :func:`round_text` set it out for a terminal.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from rich.cells import set_cell_size

from paifu.errors import UsageError
from paifu.schema import YAKU
from paifu.terminal import printable

if TYPE_CHECKING:
    from paifu.lake import Lake

Row = dict[str, Any]

WINDS = ("East", "South", "West", "North")
_ROUND_NAME = re.compile(r"([eswn])(?:ast|outh|est|orth)?[ -]?([1-4])(?:[.-](\d+))?", re.IGNORECASE)
_ROW = 6
"""Discards in a row, as on the table."""
_ENGLISH = {yaku.key: yaku.english for yaku in YAKU}

LEGEND = "discards: 5m from the hand, 5m↓ as drawn, 5m* riichi, 5m( called, 5m! ronned"


def json_ready(value: Any) -> Any:
    """Return rows as JSON carries them: ids as strings, since they do not fit a double."""
    if isinstance(value, dict):
        return {
            key: str(item) if key.endswith("_id") and isinstance(item, int) else json_ready(item)
            for key, item in value.items()
        }
    if isinstance(value, list):
        return [json_ready(item) for item in value]
    return value


# --- reading ---


def _rows(lake: Lake, query: str, **variables: Any) -> list[Row]:
    rows: list[Row] = lake.sql(query, **variables).pl().to_dicts()
    return rows


def find_game(lake: Lake, name: str) -> int:
    """Return the id of the game with this ``game_id`` or platform's own id.

    Raises :class:`~paifu.errors.UsageError` where there is none.
    """
    found = _rows(
        lake,
        "SELECT game_id FROM games WHERE log_id = $name OR CAST(game_id AS VARCHAR) = $name"
        " ORDER BY detail LIMIT 1",
        name=name,
    )
    if not found:
        raise UsageError(
            f"there is no game {printable(name)!r} in the lake: name its game_id or log_id, as in"
            ' paifu sql "SELECT game_id, log_id FROM games LIMIT 10"'
        )
    return int(found[0]["game_id"])


def find_round(game: Row, name: str) -> int:
    """Return the index of a round named by its index from 0, or as ``E1``, ``South 3``, ``S3.1``.

    ``.1`` is the honba; without it the first of that name is meant. Raises
    :class:`~paifu.errors.UsageError` where the game has no such round.
    """
    rounds: list[Row] = game["rounds"]
    chosen: list[int] = []
    if name.isascii() and name.isdigit():
        chosen = [row["round_index"] for row in rounds if row["round_index"] == int(name)]
    elif match := _ROUND_NAME.fullmatch(name.strip()):
        wind, number, honba = match.groups()
        chosen = [
            row["round_index"]
            for row in rounds
            if row["wind"] == "eswn".index(wind.lower())
            and row["number"] == int(number)
            and honba in (None, str(row["honba"]))
        ]
    if not chosen:
        names = ", ".join(_short_name(row) for row in rounds)
        raise UsageError(f"the game has no round {printable(name)!r}: it has {names}")
    return chosen[0]


def _short_name(row: Row) -> str:
    return f"{WINDS[row['wind']][0]}{row['number']}.{row['honba']}"


def read_game(lake: Lake, game_id: int) -> Row:
    """Return a game: its row with ``seats``, ``rounds`` and ``verdicts`` under it."""
    (game,) = _rows(
        lake,
        """SELECT game_id, log_id, platform, played_at, played_precision, players, length, ruleset,
            aka, kuitan, fast, room, lobby, ended_by, complete, flags
        FROM games WHERE game_id = $game""",
        game=game_id,
    )
    game["seats"] = _rows(
        lake, "SELECT * EXCLUDE (game_id) FROM seats WHERE game_id = $game ORDER BY seat",
        game=game_id,
    )  # fmt: skip
    game["rounds"] = _rows(
        lake,
        """SELECT r.* EXCLUDE (game_id),
            (SELECT list(s.delta ORDER BY s.seat) FROM round_seats AS s
             WHERE s.game_id = r.game_id AND s.round_index = r.round_index) AS deltas
        FROM rounds AS r WHERE game_id = $game ORDER BY round_index""",
        game=game_id,
    )
    game["verdicts"] = _verdicts(lake, "v.game_id = $game", game=game_id)
    return game


def _verdicts(lake: Lake, condition: str, **variables: Any) -> list[Row]:
    return _rows(
        lake,
        f"""SELECT v.subject, v.round_index, v.win_index, v.ruleset, v.status, v.reason,
            list({{'field': f.field, 'recorded': f.recorded, 'computed': f.computed}}
                ORDER BY f.field) FILTER (f.field IS NOT NULL) AS fields
        FROM verdicts AS v LEFT JOIN verdict_fields AS f
            ON f.subject = v.subject AND f.game_id = v.game_id
            AND f.round_index IS NOT DISTINCT FROM v.round_index
            AND f.win_index IS NOT DISTINCT FROM v.win_index AND f.ruleset_hash = v.ruleset_hash
        WHERE {condition} GROUP BY ALL
        ORDER BY v.ruleset, v.round_index NULLS LAST, v.win_index NULLS FIRST, v.subject""",
        **variables,
    )


def read_round(lake: Lake, game_id: int, round_index: int) -> Row:
    """Return a round: its row with ``seats``, ``actions``, ``wins`` and ``verdicts`` under it."""
    here = "game_id = $game AND round_index = $round"
    which = {"game": game_id, "round": round_index}
    (row,) = _rows(lake, f"SELECT * EXCLUDE (game_id) FROM rounds WHERE {here}", **which)
    for name, table, order in (
        ("seats", "round_seats", "seat"),
        ("actions", "actions", "seq"),
        ("wins", "wins", "win_index"),
    ):
        row[name] = _rows(
            lake,
            f"SELECT * EXCLUDE (game_id, round_index) FROM {table} WHERE {here} ORDER BY {order}",
            **which,
        )
    yaku = _rows(lake, f"SELECT win_index, yaku, han FROM yaku_facts WHERE {here}", **which)
    for win in row["wins"]:
        win["yaku"] = [
            {"yaku": found["yaku"], "han": found["han"]}
            for found in yaku
            if found["win_index"] == win["win_index"]
        ]
    row["verdicts"] = _verdicts(
        lake, "v.game_id = $game AND v.round_index = $round", game=game_id, round=round_index
    )
    return row


# --- setting out ---


def game_text(game: Row) -> str:
    """Return a game on a page: who played, every round's result, how it ended, the verdicts."""
    lines = [*_game_head(game), ""]
    lines += [
        f"  seat {row['seat']}  {set_cell_size(_name(row), 24)} {_number(row['final_points']):>8}"
        f"  {_place(row['placement'])}  {_result(row['result'])}"
        for row in game["seats"]
    ]
    lines.append("")
    for row in game["rounds"]:
        changes = " ".join(f"{delta:>+7}" for delta in row["deltas"] or ())
        outcome = row["outcome"].replace("_", " ")
        lines.append(f"  {row['round_index']:>2}  {_short_name(row):<5} {outcome:<11} {changes}")
    lines += ["", f"  ended by {game['ended_by'].replace('_', ' ')}"]
    lines += _verdict_lines(game["verdicts"], summary=True)
    return "\n".join(lines)


def _game_head(game: Row) -> list[str]:
    facts = [
        f"{str(game['played_at'])[:16]} UTC" if game["played_at"] else None,
        game["platform"],
        game["room"],
        f"{game['players']} players",
        game["length"],
        "no red fives" if game["aka"] is False else None,
        "no open tanyao" if game["kuitan"] is False else None,
        f"rules {game['ruleset']}",
    ]
    return [
        f"game {printable(game['log_id'] or str(game['game_id']))}",
        "  " + ", ".join(printable(fact) for fact in facts if fact),
    ]


def _name(seat: Row) -> str:
    return printable(seat["player"] or "-")


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _place(value: int | None) -> str:
    return "-" if value is None else ("1st", "2nd", "3rd", "4th")[value - 1]


def _result(value: float | None) -> str:
    return "" if value is None else f"{value:+.1f}"


def round_text(game: Row, row: Row) -> str:
    """Return a round on a page."""
    names = {seat["seat"]: _name(seat) for seat in game["seats"]}
    lines = [
        *_game_head(game),
        "",
        f"{WINDS[row['wind']]} {row['number']}, honba {row['honba']}"
        f"   sticks {row['sticks']}"
        f"   dora indicators {' '.join(row['dora_indicators']) or '-'}"
        + (f"   ura {' '.join(row['ura_indicators'])}" if row["ura_indicators"] else ""),
    ]
    for seat in row["seats"]:
        lines += ["", *_seat_lines(seat, names.get(seat["seat"], "-"), row["actions"])]
    lines += ["", *_result_lines(row, names)]
    lines += _verdict_lines(row["verdicts"], summary=False)
    if row["actions"]:
        lines += ["", LEGEND]
    else:
        lines += ["", "the lake keeps no discards and calls of this game"]
    return "\n".join(lines)


def _seat_lines(seat: Row, name: str, actions: list[Row]) -> Iterator[str]:
    dealer = ", dealer" if seat["is_dealer"] else ""
    yield f"seat {seat['seat']} {WINDS[seat['seat_wind']].lower()}{dealer}: {name}"
    yield (
        f"  points    {seat['points_start']} → {seat['points_end']} ({seat['delta']:+d})"
        f"   {seat['outcome'].replace('_', ' ')}"
    )
    yield f"  haipai    {seat['haipai']}   {_shanten(seat['haipai_shanten'])}"
    calls = [_call(act) for act in actions if act["seat"] == seat["seat"] and act["meld"]]
    if calls or seat["kita"]:
        norths = [f"{seat['kita']} north set aside"] if seat["kita"] else []
        yield f"  calls     {', '.join(calls + norths)}"
    discards = list(_discards(seat["seat"], actions))
    for start in range(0, len(discards), _ROW):
        head = "discards" if start == 0 else ""
        tiles = " ".join(f"{tile:<5}" for tile in discards[start : start + _ROW])
        yield f"  {head:<9} {tiles}".rstrip()
    if seat["riichi_turn"] is not None:
        double = "double riichi" if seat["riichi_double"] else "riichi"
        refused = "" if seat["riichi_accepted"] else ", stick not paid"
        wait = f"{seat['riichi_wait'] or 'nothing'} ({seat['riichi_live'] or 0} live)"
        yield f"  {double:<9} turn {seat['riichi_turn']}, waiting for {wait}{refused}"
    if seat["end_wait"] and not seat["won"]:
        yield f"  tenpai    on {seat['end_wait']}"


def _shanten(number: int) -> str:
    return "tenpai" if number == 0 else f"{number}-shanten"


def _call(act: Row) -> str:
    came = "" if act["from_seat"] in (None, act["seat"]) else f" from seat {act['from_seat']}"
    return f"{act['action']} {act['meld']}{came} (turn {act['turn']})"


def _discards(seat: int, actions: list[Row]) -> Iterator[str]:
    """Yield the seat's discards, marked as :data:`LEGEND` says."""
    for act, following in zip_longest(actions, actions[1:]):
        if act["seat"] != seat or act["action"] not in ("discard", "riichi"):
            continue
        tile = act["tile"] + "↓" * bool(act["tsumogiri"])
        if act["action"] == "riichi":
            tile += "*"
        if following and following["from_seat"] == seat and following["seat"] != seat:
            tile += "!" if following["action"] == "ron" else "("
        yield tile


def _result_lines(row: Row, names: dict[int, str]) -> Iterator[str]:
    if not row["wins"]:
        yield f"no win: {row['outcome'].replace('_', ' ')}, {row['tiles_left']} tiles left"
    for win in row["wins"]:
        how = "by tsumo" if win["tsumo"] else f"from seat {win['loser']}"
        name = names.get(win["winner"], "-")
        yield f"seat {win['winner']} {name} wins {how} on {win['win_tile']}"
        yield f"  hand      {win['hand']}" + (f"   {win['melds']}" if win["melds"] else "")
        yield f"  yaku      {', '.join(map(_yaku, win['yaku'])) or 'not recorded'}"
        yield f"  value     {_value(win)}"


def _yaku(found: Row) -> str:
    name = _ENGLISH.get(found["yaku"], found["yaku"])
    return f"{name} (yakuman)" if found["han"] >= 13 else f"{name} {found['han']}"


def _value(win: Row) -> str:
    parts = [
        None if win["han"] is None else f"{win['han']} han",
        None if win["fu"] is None else f"{win['fu']} fu",
        None if win["limit"] in (None, "none") else win["limit"],
        None if win["points"] is None else f"{win['points']} points",
        f"honba {win['honba_points']}" if win["honba_points"] else None,
        f"sticks {win['stick_points']}" if win["stick_points"] else None,
    ]
    return ", ".join(part for part in parts if part) or "not recorded"


def _verdict_lines(verdicts: list[Row], *, summary: bool) -> Iterator[str]:
    """Yield what the audit says; in a summary only how many agree, and what does not."""
    if not verdicts:
        yield "  not re-scored yet: paifu rescore"
        return
    for ruleset in dict.fromkeys(row["ruleset"] for row in verdicts):
        own = [row for row in verdicts if row["ruleset"] == ruleset]
        agreeing = sum(row["status"] == "match" for row in own)
        yield f"  verdict   {agreeing} of {len(own)} agree under {printable(ruleset)}"
        for row in own:
            if summary and row["status"] == "match":
                continue
            place = "" if row["round_index"] is None or not summary else f" {row['round_index']}"
            reason = f" ({row['reason']})" if row["reason"] else ""
            yield f"    {row['subject']}{place}: {row['status']}{reason}"
            for differing in row["fields"] or ():
                yield (
                    f"      {differing['field']}: recorded {differing['recorded']},"
                    f" computed {differing['computed']}"
                )
