"""A game or a round as a person reads it: seats, haipai, discards in rows, calls, result, verdict.

:func:`read_game` and :func:`read_round` read a lake into plain dicts (``paifu show --json`` prints
these). :func:`game_text` and :func:`round_text` format the dicts for a terminal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from rich.cells import set_cell_size

from paifu.audit.field_names import difference
from paifu.errors import UsageError
from paifu.host.terminal import printable
from paifu.lake.forget import games_called
from paifu.messages import counted, yakuman_times
from paifu.schema.yaku import YAKU

if TYPE_CHECKING:
    from paifu.lake.lake import Lake

Row = dict[str, Any]

WINDS = ("East", "South", "West", "North")
_ROUND_NAME = re.compile(r"([eswn])(?:ast|outh|est|orth)?[ -]?([1-4])(?:[.-](\d+))?", re.IGNORECASE)
_ROW = 6
"""Discards per row, as on the table."""
_DORA = ("dora", "ura_dora", "aka_dora", "kita")
_ENGLISH = {yaku.key: yaku.english for yaku in YAKU}

LEGEND = "discards: 5m from the hand, 5m↓ as drawn, 5m* riichi, 5m( called, 5m! ronned"


def json_ready(value: Any) -> Any:
    """Return rows for JSON: ids become strings, because they do not fit a double."""
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
    """Return the id of the game with this ``game_id`` or platform's own id (also if hashed).

    Raises :class:`~paifu.errors.UsageError` if there is no such game.
    """
    found = games_called(lake, name)
    if not found:
        raise no_game(name)
    return found[0]


def no_game(name: str) -> UsageError:
    """Return the error that no game of the lake has this name."""
    return UsageError(
        f"there is no game {printable(name)!r} in the lake: name its game_id or log_id, as in"
        ' paifu sql "SELECT game_id, log_id FROM games LIMIT 10"'
    )


def find_round(game: Row, name: str) -> int:
    """Return the index of a round named by its index from 0, or as ``E1``, ``South 3``, ``S3.1``.

    ``.1`` is the honba; without honba, the name means the first such round. Raises
    :class:`~paifu.errors.UsageError` if the game has no such round.
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
    if not rounds:
        raise UsageError("the game has no rounds in the lake: leave the round out")
    if not chosen:
        names = ", ".join(_short_name(row) for row in rounds)
        raise UsageError(f"the game has no round {printable(name)!r}: it has {names}")
    return chosen[0]


def other_honba(game: Row, name: str, index: int) -> str | None:
    """Return a line about other rounds that a name without honba can mean besides ``index``."""
    match = _ROUND_NAME.fullmatch(name.strip())
    if match is None or match[3] is not None:
        return None
    wind, number = "eswn".index(match[1].lower()), int(match[2])
    alike = [row for row in game["rounds"] if (row["wind"], row["number"]) == (wind, number)]
    others = [_short_name(row) for row in alike if row["round_index"] != index]
    if not others:
        return None
    return f"other honba of {WINDS[wind]} {number}: {', '.join(others)}"


def _short_name(row: Row) -> str:
    return f"{WINDS[row['wind']][0]}{row['number']}.{row['honba']}"


def read_game(lake: Lake, game_id: int, ruleset: str | None = None) -> Row:
    """Return a game: its row with ``seats``, ``rounds`` and ``verdicts`` under it.

    The verdicts are those under the rule set that the record names, or under ``ruleset``.
    """
    (game,) = _rows(
        lake,
        """SELECT game_id, log_id, platform, played_at, played_precision, players, length, ruleset,
            game, aka, kuitan, fast, room, lobby, ended_by, detail, complete, flags
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
    game["wins"] = _wins(lake, "game_id = $game", game=game_id) if not game["rounds"] else []
    game["verdicts"] = _verdicts(lake, "v.game_id = $game", ruleset, game=game_id)
    return game


def _verdicts(lake: Lake, condition: str, ruleset: str | None, **variables: Any) -> list[Row]:
    return _rows(
        lake,
        f"""SELECT v.subject, v.round_index, v.win_index, w.winner, v.ruleset, v.status, v.reason,
            list({{'field': f.field, 'recorded': f.recorded, 'computed': f.computed}}
                ORDER BY f.field) FILTER (f.field IS NOT NULL) AS fields
        FROM verdicts AS v
        JOIN games AS g ON g.game_id = v.game_id AND v.ruleset = coalesce($ruleset, g.ruleset)
        LEFT JOIN wins AS w ON w.game_id = v.game_id AND w.round_index = v.round_index
            AND w.win_index = v.win_index
        LEFT JOIN verdict_fields AS f
            ON f.subject = v.subject AND f.game_id = v.game_id
            AND f.round_index IS NOT DISTINCT FROM v.round_index
            AND f.win_index IS NOT DISTINCT FROM v.win_index AND f.ruleset_hash = v.ruleset_hash
        WHERE {condition} GROUP BY ALL
        ORDER BY v.round_index NULLS LAST, v.win_index NULLS FIRST, v.subject""",
        ruleset=ruleset,
        **variables,
    )


def read_round(lake: Lake, game_id: int, round_index: int, ruleset: str | None = None) -> Row:
    """Return a round: its row with ``seats``, ``actions``, ``wins`` and ``verdicts`` under it.

    The verdicts are chosen as in :func:`read_game`.
    """
    here = "game_id = $game AND round_index = $round"
    which = {"game": game_id, "round": round_index}
    (row,) = _rows(lake, f"SELECT * EXCLUDE (game_id) FROM rounds WHERE {here}", **which)
    for name, table, order in (("seats", "round_seats", "seat"), ("actions", "actions", "seq")):
        row[name] = _rows(
            lake,
            f"SELECT * EXCLUDE (game_id, round_index) FROM {table} WHERE {here} ORDER BY {order}",
            **which,
        )
    row["wins"] = _wins(lake, here, **which)
    row["verdicts"] = _verdicts(
        lake,
        "v.game_id = $game AND v.round_index = $round",
        ruleset,
        game=game_id,
        round=round_index,
    )
    return row


def _wins(lake: Lake, here: str, **which: Any) -> list[Row]:
    """Return wins with their ``yaku``, and ``computed`` if the record does not give the value.

    ``yaku_source`` says whether the yaku are recorded or computed; NULL if there are no yaku.
    """
    wins = _rows(
        lake,
        f"SELECT * EXCLUDE (game_id) FROM wins WHERE {here} ORDER BY round_index, win_index",
        **which,
    )
    yaku = _rows(
        lake,
        f"SELECT round_index, win_index, yaku, han, source FROM yaku_facts WHERE {here}",
        **which,
    )
    values: list[Row] = []
    if any(win["points"] is None for win in wins):
        values = _rows(lake, f"SELECT * FROM computed_win_facts WHERE {here}", **which)
    for win in wins:
        own = [row for row in yaku if _same_win(row, win)]
        win["yaku"] = [{"yaku": found["yaku"], "han": found["han"]} for found in own]
        win["yaku_source"] = own[0]["source"] if own else None
        win["computed"] = next(
            (
                {name: found[name] for name in ("han", "fu", "yakuman", "limit", "points")}
                for found in values
                if _same_win(found, win) and win["points"] is None
            ),
            None,
        )
    return wins


def _same_win(row: Row, win: Row) -> bool:
    return all(row[name] == win[name] for name in ("round_index", "win_index"))


# --- formatting ---


def game_text(game: Row) -> str:
    """Return a game as text: who played, every round's result, how it ended, the verdicts."""
    riichi = game["game"] is None
    lines = _game_head(game)
    seats = [
        f"  seat {row['seat']}  {set_cell_size(_name(row), 24)} {_number(row['final_points']):>8}"
        f"  {_place(row['placement'])}  {_result(row['result'])}"
        for row in game["seats"]
        if row["player"] or row["placement"] is not None  # a win sheet has neither
    ]
    lines += ["", *seats] if seats else []
    lines += [""] if game["rounds"] else []
    for row in game["rounds"]:
        changes = " ".join(f"{delta:>+7}" for delta in row["deltas"] or ())
        outcome = row["outcome"].replace("_", " ")
        lines.append(f"  {row['round_index']:>2}  {_short_name(row):<5} {outcome:<11} {changes}")
    if game["ended_by"] and game["detail"] == "play":
        lines += ["", f"  ended by {game['ended_by'].replace('_', ' ')}"]
    names = {seat["seat"]: _name(seat) for seat in game["seats"]}
    for win in game["wins"]:
        lines.append("")
        lines += _win_lines(win, names.get(win["winner"], "-"), riichi=riichi)
    if game["detail"] == "result":
        lines += ["", "  known only from a list of results: there is nothing to re-score"]
    else:
        rounds = {row["round_index"]: _short_name(row) for row in game["rounds"]}
        lines += _verdict_lines(game["verdicts"], rounds, riichi=riichi)
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
    """Return a round as text."""
    names = {seat["seat"]: _name(seat) for seat in game["seats"]}
    riichi = game["game"] is None
    head = f"{WINDS[row['wind']]} {row['number']}"
    if riichi:
        head += (
            f", honba {row['honba']}   sticks {row['sticks']}"
            f"   dora indicators {' '.join(row['dora_indicators']) or '-'}"
        )
    if row["ura_indicators"]:
        head += f"   ura {' '.join(row['ura_indicators'])}"
    lines = [*_game_head(game), "", head]
    for seat in row["seats"]:
        how = _outcome(seat, row["wins"])
        lines += ["", *_seat_lines(seat, names.get(seat["seat"], "-"), how, row["actions"])]
    lines += ["", *_result_lines(row, names, riichi=riichi)]
    lines += _verdict_lines(row["verdicts"], riichi=riichi)
    if row["actions"]:
        lines += ["", LEGEND]
    else:
        lines += ["", "the lake keeps no discards and calls of this game"]
    return "\n".join(lines)


def _outcome(seat: Row, wins: list[Row]) -> str:
    """Return how the round ended for a seat, and who pays if pao is involved."""
    liable = {win["pao_seat"] for win in wins} - {None}
    outcome = str(seat["outcome"]).replace("_", " ")
    if seat["seat"] in liable or seat["pao_paid"]:
        paid = {"paid tsumo": "paid tsumo", "bystander": "paid a part"}.get(outcome)
        return f"{paid} as liable (pao)" if paid else f"{outcome}, liable (pao)"
    if outcome == "paid tsumo" and liable and not any(w[f"delta_{seat['seat']}"] for w in wins):
        return f"pays nothing: seat {min(liable)} is liable (pao)"
    return outcome


def _seat_lines(seat: Row, name: str, outcome: str, actions: list[Row]) -> Iterator[str]:
    dealer = ", dealer" if seat["is_dealer"] else ""
    yield f"seat {seat['seat']} {WINDS[seat['seat_wind']].lower()}{dealer}: {name}"
    end = "not recorded"
    if seat["points_end"] is not None:
        end = f"{seat['points_end']} ({seat['delta']:+d})"
    yield f"  points    {seat['points_start']} → {end}   {outcome}"
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


def _shanten(number: int | None) -> str:
    if number is None:  # the log hides tiles
        return "shanten not known"
    return "tenpai" if number == 0 else f"{number}-shanten"


def _call(act: Row) -> str:
    came = "" if act["from_seat"] in (None, act["seat"]) else f" from seat {act['from_seat']}"
    return f"{act['action']} {act['meld']}{came} (turn {act['turn']})"


def _discards(seat: int, actions: list[Row]) -> Iterator[str]:
    """Yield the seat's discards with the marks that :data:`LEGEND` explains."""
    for act, following in zip_longest(actions, actions[1:]):
        if act["seat"] != seat or act["action"] not in ("discard", "riichi"):
            continue
        tile = act["tile"] + "↓" * bool(act["tsumogiri"])
        if act["action"] == "riichi":
            tile += "*"
        if following and following["from_seat"] == seat and following["seat"] != seat:
            tile += "!" if following["action"] == "ron" else "("
        yield tile


def _result_lines(row: Row, names: dict[int, str], *, riichi: bool) -> Iterator[str]:
    if row["outcome"] == "kyuushu":
        yield from _kyuushu_lines(row, names)
    elif not row["wins"]:
        yield f"no win: {row['outcome'].replace('_', ' ')}, {row['tiles_left']} tiles left"
    for win in row["wins"]:
        yield from _win_lines(win, names.get(win["winner"], "-"), riichi=riichi)


def _kyuushu_lines(row: Row, names: dict[int, str]) -> Iterator[str]:
    """Yield who declared kyuushu kyuuhai, with which tiles.

    Only the seat that declared it drew a tile that no act followed.
    """
    declarers = [seat for seat in row["seats"] if seat["held_draw"]]
    by = "".join(
        f" declared by {_seat(seat['seat'], names.get(seat['seat'], '-'))}" for seat in declarers
    )
    yield f"no win: kyuushu kyuuhai{by}, {row['tiles_left']} tiles left"
    for seat in declarers:
        if not seat["kita"]:  # else the hand also holds a replacement tile
            yield f"  hand      {seat['haipai']}   drew {seat['held_draw']}"


def _seat(seat: int, name: str) -> str:
    return f"seat {seat}" + ("" if name == "-" else f" {name}")


def _win_lines(win: Row, name: str, *, riichi: bool) -> Iterator[str]:
    """Yield who won on what, the hand, its yaku and its value."""
    how = "by tsumo" if win["tsumo"] else f"from seat {win['loser']}"
    yield f"{_seat(win['winner'], name)} wins {how} on {win['win_tile']}"
    if win["pao_seat"] is not None:
        yield f"  pao       seat {win['pao_seat']} is liable"
    yield f"  hand      {win['hand']}" + (f"   {win['melds']}" if win["melds"] else "")
    listed = ", ".join(_yaku(found, riichi=riichi) for found in win["yaku"]) or "not recorded"
    computed = " (as computed)" if win["yaku_source"] == "computed" else ""
    yield f"  {'yaku' if riichi else 'fan':<9} {listed}{computed}"
    yield f"  value     {_value(win, riichi=riichi)}"
    if worth := _worth(win["computed"], riichi=riichi) if win["computed"] else []:
        yield f"  computed  {', '.join(worth)}"


def _yaku(found: Row, *, riichi: bool) -> str:
    name, han = _ENGLISH.get(found["yaku"], found["yaku"]), found["han"]
    if riichi and han >= 13 and found["yaku"] not in _DORA:
        return f"{name} ({yakuman_times(han // 13)})"
    return f"{name} {han}"


def _worth(win: Row, *, riichi: bool) -> list[str]:
    """Return the value of a hand, part by part; the fu of a yakuman do not count."""
    limit = {"none": None, "kazoe": "counted yakuman"}.get(win["limit"], win["limit"])
    if win["yakuman"] or limit == "yakuman":
        parts = [yakuman_times(win["yakuman"] or 1)]
    else:
        parts = [
            "" if win["han"] is None else f"{win['han']} {'han' if riichi else 'fan'}",
            "" if win["fu"] is None else f"{win['fu']} fu",
            limit or "",
        ]
    parts.append("" if win["points"] is None else f"{win['points']} points")
    return [part for part in parts if part]


def _value(win: Row, *, riichi: bool) -> str:
    """Return the value of a win by its record, even if it has only the change of points."""
    parts = _worth(win, riichi=riichi)
    change = win[f"delta_{win['winner']}"]
    if win["points"] is not None:
        parts += [f"honba {win['honba_points']}"] if win["honba_points"] else []
        parts += [f"sticks {win['stick_points']}"] if win["stick_points"] else []
    elif change is not None:
        more = [name for name in ("honba", "sticks") if riichi and win[name]]
        parts.append(f"{change} points" + (f", {' and '.join(more)} included" if more else ""))
    return ", ".join(parts) or "not recorded"


def _verdict_lines(
    verdicts: list[Row], rounds: dict[int, str] | None = None, *, riichi: bool
) -> Iterator[str]:
    """Yield the verdicts on a round.

    For a game (``rounds`` has the names of its rounds), yield only how many verdicts agree, and
    those that do not.
    """
    if not verdicts:
        yield "  not re-scored yet: paifu rescore"
        return
    agreeing = sum(row["status"] == "match" for row in verdicts)
    ruleset = printable(verdicts[0]["ruleset"])
    yield f"  verdict   {agreeing} of {len(verdicts)} agree under {ruleset}"
    if rounds is not None:
        verdicts = [row for row in verdicts if row["status"] != "match"]
    alike = Counter(map(_kind, verdicts))
    for row in verdicts:
        if rounds is None or alike[_kind(row)] == 1 or row["fields"] or not row["reason"]:
            yield f"    {_judged(row, (rounds or {}).get(row['round_index']))}"
        elif count := alike.pop(_kind(row), 0):
            yield f"    {counted(count, row['subject'])}: {_status(row)}"
        for found in row["fields"] or ():
            yield f"      {difference(row['subject'], found, riichi=riichi)}"


def _kind(row: Row) -> tuple[str, str, str | None, bool]:
    """Return the key by which verdicts are grouped into one line."""
    return row["subject"], row["status"], row["reason"], bool(row["fields"])


def _judged(row: Row, name: str | None) -> str:
    """Return a verdict as a line; ``name`` is the name of its round, if it must be said."""
    subject = row["subject"]
    if row["winner"] is not None:
        subject += f" of seat {row['winner']}"
    if name:
        subject += f" {name}" if subject == "round" else f" in {name}"
    return f"{subject}: {_status(row)}"


def _status(row: Row) -> str:
    return f"{row['status']} ({row['reason']})" if row["reason"] else str(row["status"])
