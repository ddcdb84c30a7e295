"""A game or a round as a person reads it: seats, haipai, discards in rows, calls, result, verdict.

:func:`game_text` and :func:`round_text` format what :mod:`paifu.query.game_rows` reads, for a
terminal. The texts of one value (a yaku, a win, a difference, a time) are used by pages too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from rich.cells import cell_len, set_cell_size

from paifu.game.tiles import TEXT, parse_tiles
from paifu.game.times import ZONES
from paifu.host.terminal import printable
from paifu.labels import Labels, labels_in
from paifu.query.game_rows import Row

ENGLISH = labels_in("en")
_ROW = 6
"""Discards per row, as on the table."""
_DORA = ("dora", "ura_dora", "aka_dora", "kita")
_YAKUMAN_HAN = 13
_OF_A_SEAT = re.compile(r"(\w+)_([0-3])")
_LABEL = 9
"""Cells of the word at the beginning of a line."""


# --- one value ----------------------------------------------------------------------------------


def tile_list(text: str) -> list[str]:
    """Return the tiles of a text in MPSZ, each for itself.

    >>> tile_list("120m7z")
    ['1m', '2m', '0m', '7z']
    """
    return [TEXT[code] for code in parse_tiles(text)]


def round_name(row: Row, labels: Labels = ENGLISH) -> str:
    """Return the name of a round with its honba, such as ``East 1`` or ``South 3, honba 2``."""
    name = labels("round.name", wind=labels(f"wind.{row['wind']}"), number=row["number"])
    if not row["honba"]:
        return name
    between = "" if labels.language == "ja" else ", "
    return name + between + labels("round.honba", honba=row["honba"])


def short_name(row: Row, labels: Labels = ENGLISH) -> str:
    """Return the short name of a round, such as ``E1.0``."""
    letter = labels(f"wind_letter.{row['wind']}")
    return labels("round.short", letter=letter, number=row["number"], honba=row["honba"])


def played_text(row: Row, labels: Labels = ENGLISH) -> str | None:
    """Return when a game was played, in its platform's zone, as exactly as is known.

    >>> from datetime import datetime
    >>> row = {"platform": "tenhou", "played_precision": "hour"}
    >>> played_text(row | {"played_at": datetime(2019, 1, 1, 3)})
    '2019-01-01, between 12:00 and 12:59 JST'
    """
    if row["played_at"] is None:
        return None
    zone, ahead = ZONES.get(row["platform"], ("UTC", None))
    moment = row["played_at"] if ahead is None else row["played_at"] + ahead
    return labels(
        f"time.{row['played_precision'] or 'minute'}",
        day=f"{moment:%Y-%m-%d}",
        hour=f"{moment:%H}",
        minute=f"{moment:%M}",
        zone=zone,
    ).strip()


def facts_of(game: Row, labels: Labels = ENGLISH) -> list[str]:
    """Return when and where a game was played and by which rules, fact by fact."""
    facts = [
        played_text(game, labels),
        labels.of("platform", game["platform"]),
        game["room"] and labels.of("room", game["room"]),
        labels("show.players", n=game["players"]),
        game["length"] and labels.of("length", game["length"]),
        labels("show.no_aka") if game["aka"] is False else None,
        labels("show.no_kuitan") if game["kuitan"] is False else None,
        labels("show.rules", ruleset=game["ruleset"]),
    ]
    return [printable(fact) for fact in facts if fact]


def remark_text(row: Row, labels: Labels = ENGLISH) -> str:
    """Return what the sheet notes about a round or game."""
    return labels("show.remark", remark=printable(row["remarks"]))


def outcome_text(row: Row, labels: Labels = ENGLISH) -> str:
    """Return how a round ended."""
    return labels.of("outcome", row["outcome"])


def yaku_text(found: Row, labels: Labels = ENGLISH, *, riichi: bool = True) -> str:
    """Return a yaku with its value.

    >>> yaku_text({"yaku": "tanyao", "han": 1}), yaku_text({"yaku": "kokushi", "han": 13})
    ('All simples 1', 'Thirteen orphans (yakuman)')
    """
    name, han = labels.yaku(found["yaku"]), found["han"]
    if riichi and han >= _YAKUMAN_HAN and found["yaku"] not in _DORA:
        return f"{name} ({labels.yakuman(han // _YAKUMAN_HAN)})"
    return f"{name} {han}"


def worth_parts(win: Row, labels: Labels = ENGLISH, *, riichi: bool = True) -> list[str]:
    """Return the value of a hand, part by part; the fu of a yakuman do not count."""
    limit = win["limit"] if win["limit"] != "none" else None
    if win["yakuman"] or limit == "yakuman":
        parts = [labels.yakuman(win["yakuman"] or 1)]
    else:
        unit = "han" if riichi else "fan"
        parts = [
            "" if win["han"] is None else labels(f"value.{unit}", han=win["han"]),
            "" if win["fu"] is None else labels("value.fu", fu=win["fu"]),
            labels.of("limit", limit) if limit else "",
        ]
    points = win["points"]
    parts.append("" if points is None else labels("value.points", points=points))
    return [part for part in parts if part]


def payments_of(win: Row, players: int) -> list[tuple[int, int]]:
    """Return the seats whose points a win changes, with the change; empty if it is not known."""
    changes = [(seat, win[f"delta_{seat}"]) for seat in range(players)]
    return [(seat, change) for seat, change in changes if change]


def difference_text(
    subject: str, row: Mapping[str, Any], labels: Labels = ENGLISH, *, riichi: bool = True
) -> str:
    """Return a field that differs, with its recorded and its computed value.

    >>> difference_text("win", {"field": "fu", "recorded": "40", "computed": None})
    'fu: recorded 40, computed nothing'
    """
    nothing = labels("difference.nothing")
    return labels(
        "difference.line",
        field=_field(subject, row["field"] or "", labels, riichi=riichi),
        recorded=nothing if row["recorded"] is None else row["recorded"],
        computed=nothing if row["computed"] is None else row["computed"],
    )


def _field(subject: str, field: str, labels: Labels, *, riichi: bool) -> str:
    """Return the name of a compared field, which is a column of SQL."""
    if not riichi and field in ("yaku", "han"):
        return labels("difference.fan" if field == "yaku" else "difference.fan_in_all")
    for key in (f"difference.{subject}_{field}", f"difference.{field}"):
        if labels.has(key):
            return labels(key)
    if found := _OF_A_SEAT.fullmatch(field):
        name, seat = found.groups()
        key = f"difference.{subject}_{name}"
        if labels.has(key):
            return labels(key, seat=seat)
        return labels("difference.of_seat", seat=seat, name=name.replace("_", " "))
    return field.replace("_", " ")


# --- a game -------------------------------------------------------------------------------------


def game_text(game: Row, labels: Labels = ENGLISH) -> str:
    """Return a game as text: who played, every round's result, how it ended, the verdicts."""
    riichi = game["game"] is None
    lines = _game_head(game, labels)
    seats = [
        f"  {labels('show.seat', seat=row['seat'])}  {set_cell_size(_name(row), 24)} "
        f"{_number(row['final_points']):>8}  {_place(row['placement'], labels)}  "
        f"{_result(row['result'])}"
        for row in game["seats"]
        if row["player"] or row["placement"] is not None  # a win sheet has neither
    ]
    lines += ["", *seats] if seats else []
    lines += ["", *_round_table(game, labels)] if game["rounds"] else []
    lines += ["", f"  {remark_text(game, labels)}"] if game["remarks"] else []
    if game["ended_by"] and game["detail"] == "play":
        how = labels.of("ended_by", game["ended_by"])
        lines += ["", f"  {labels('show.ended_by', how=how)}"]
    names = {seat["seat"]: _name(seat) for seat in game["seats"]}
    for win in [] if game["rounds"] else game["wins"]:
        lines.append("")
        lines += _win_lines(win, names.get(win["winner"], "-"), labels, riichi=riichi)
    if game["detail"] == "result" and not game["verdicts"]:
        lines += ["", f"  {labels('show.only_result')}"]
    else:
        rounds = {row["round_index"]: short_name(row, labels) for row in game["rounds"]}
        lines += _verdict_lines(game["verdicts"], labels, rounds, riichi=riichi)
    return "\n".join(lines)


def _round_table(game: Row, labels: Labels) -> list[str]:
    """Return the rounds as lines below a header: result, running scores, and each win's yaku."""
    heads = [labels("show.list_round"), labels("show.list_result"), labels("show.list_after")]
    rows = []
    for row in game["rounds"]:
        name = f"{row['round_index']:>2}  {short_name(row, labels)}"
        scores = "".join(f"{_number(points):>8}" for points in row["points_end"] or ())
        wins = [win for win in game["wins"] if win["round_index"] == row["round_index"]]
        rows.append((name, outcome_text(row, labels) if not wins else "", scores))
        rows += [("", _listed(win, game, labels), "") for win in wins]
        if wins:  # the first win stands in the round's own line
            rows[-len(wins) - 1] = (name, rows[-len(wins)][1], scores)
            del rows[-len(wins)]
        if row["remarks"]:
            rows.append(("", remark_text(row, labels), ""))
    first = max(cell_len(heads[0]) + 4, *(cell_len(name) for name, _, _ in rows))
    last = max(len(scores) for _, _, scores in rows)
    lines = [
        f"  {set_cell_size(name, first)} {scores:<{last}}  {result}".rstrip()
        for name, result, scores in rows
    ]
    after = set_cell_size(heads[2], max(last, cell_len(heads[2])))
    return [f"  {set_cell_size('    ' + heads[0], first)}    {after.rstrip()}", *lines]


def _listed(win: Row, game: Row, labels: Labels) -> str:
    """Return a win in the list of rounds: who, how, what it was worth, its yaku."""
    riichi = game["game"] is None
    names = {seat["seat"]: _name(seat) for seat in game["seats"]}
    how = labels("show.by_tsumo") if win["tsumo"] else labels("show.by_ron", loser=win["loser"])
    value = win if win["points"] is not None else (win["computed"] or win)
    worth = ", ".join(worth_parts(value, labels, riichi=riichi))
    yaku = ", ".join(yaku_text(found, labels, riichi=riichi) for found in win["yaku"])
    who = _seat(win["winner"], names.get(win["winner"], "-"), labels)
    return "  ".join(part for part in (f"{who} {how}", worth, yaku) if part)


def games_text(player: str, games: list[Row], total: int, labels: Labels = ENGLISH) -> str:
    """Return a list of a player's games, the newest first; ``total`` is how many there are."""
    lines = [labels("show.games_of", n=total, player=printable(player)), ""]
    for game in games:
        place = "-" if game["placement"] is None else labels(f"place.{game['placement']}")
        facts = facts_of(game, labels)[:3] if game["played_at"] else facts_of(game, labels)[:2]
        lines.append(
            f"  {printable(game['log_id'] or str(game['game_id']))}  {place}  "
            f"{_number(game['final_points']):>7} {_result(game['result']):>7}  {', '.join(facts)}"
        )
    if len(games) < total:
        lines += ["", labels("show.more_games", shown=len(games), n=total)]
    return "\n".join(lines)


def _game_head(game: Row, labels: Labels) -> list[str]:
    name = printable(game["log_id"] or str(game["game_id"]))
    return [labels("show.game", name=name), "  " + ", ".join(facts_of(game, labels))]


def _name(seat: Row) -> str:
    return printable(seat["player"] or "-")


def _number(value: int | None) -> str:
    return "-" if value is None else str(value)


def _place(value: int | None, labels: Labels) -> str:
    return labels("show.no_place") if value is None else labels(f"place.{value}")


def _result(value: float | None) -> str:
    return "" if value is None else f"{value:+.1f}"


# --- a round ------------------------------------------------------------------------------------


def round_text(game: Row, row: Row, labels: Labels = ENGLISH) -> str:
    """Return a round as text."""
    names = {seat["seat"]: _name(seat) for seat in game["seats"]}
    riichi = game["game"] is None
    head = labels("round.name", wind=labels(f"wind.{row['wind']}"), number=row["number"])
    if riichi:
        honba = labels("round.honba", honba=row["honba"])
        sticks = labels("show.sticks", sticks=row["sticks"])
        dora = labels("show.dora", tiles=" ".join(row["dora_indicators"]) or "-")
        head += f", {honba}   {sticks}   {dora}"
    if row["ura_indicators"]:
        head += f"   {labels('show.ura', tiles=' '.join(row['ura_indicators']))}"
    lines = [*_game_head(game, labels), "", head]
    for seat in row["seats"]:
        how = _outcome(seat, row["wins"], labels)
        name = names.get(seat["seat"], "-")
        lines += ["", *_seat_lines(seat, name, how, row["actions"], labels)]
    lines += ["", *_result_lines(row, names, labels, riichi=riichi)]
    lines += [remark_text(row, labels)] if row["remarks"] else []
    lines += _verdict_lines(row["verdicts"], labels, riichi=riichi)
    lines += ["", labels("show.legend" if row["actions"] else "show.no_acts")]
    return "\n".join(lines)


def _outcome(seat: Row, wins: list[Row], labels: Labels) -> str:
    """Return how the round ended for a seat, and who pays if pao is involved."""
    liable = {win["pao_seat"] for win in wins} - {None}
    outcome = labels.of("state_end", seat["outcome"])
    if seat["seat"] in liable or seat["pao_paid"]:
        paid = {"paid_tsumo": "show.paid_liable", "bystander": "show.part_liable"}
        if seat["outcome"] in paid:
            return labels(paid[seat["outcome"]])
        return labels("show.liable", outcome=outcome)
    own_change = f"delta_{seat['seat']}"
    if seat["outcome"] == "paid_tsumo" and liable and not any(win[own_change] for win in wins):
        return labels("show.pays_nothing", seat=min(liable))
    return outcome


def _line(label: str, text: str) -> str:
    """Return a line that begins with a word of fixed width."""
    return f"  {set_cell_size(label, max(_LABEL, cell_len(label)))} {text}".rstrip()


def _seat_lines(
    seat: Row, name: str, outcome: str, actions: list[Row], labels: Labels
) -> Iterator[str]:
    wind = labels(f"wind.{seat['seat_wind']}")
    head = "show.dealer_head" if seat["is_dealer"] else "show.seat_head"
    if labels.language == "en":
        wind = wind.lower()
    yield labels(head, seat=seat["seat"], wind=wind, name=name)
    end = labels("value.nothing")
    if seat["points_end"] is not None:
        end = f"{seat['points_end']} ({seat['delta']:+d})"
    yield _line(labels("show.points"), f"{seat['points_start']} → {end}   {outcome}")
    shanten = _shanten(seat["haipai_shanten"], labels)
    yield _line(labels("show.haipai"), f"{seat['haipai']}   {shanten}")
    own = [act for act in actions if act["seat"] == seat["seat"] and act["meld"]]
    calls = [_call(act, labels) for act in own]
    if calls or seat["kita"]:
        norths = [labels("show.norths", n=seat["kita"])] if seat["kita"] else []
        yield _line(labels("show.calls"), ", ".join(calls + norths))
    discards = list(_discards(seat["seat"], actions))
    for start in range(0, len(discards), _ROW):
        label = labels("show.discards") if start == 0 else ""
        yield _line(label, " ".join(f"{tile:<5}" for tile in discards[start : start + _ROW]))
    if seat["riichi_turn"] is not None:
        told = labels(
            "show.riichi_at",
            turn=seat["riichi_turn"],
            wait=seat["riichi_wait"] or labels("show.nothing_waited"),
            live=seat["riichi_live"] or 0,
        )
        refused = "" if seat["riichi_accepted"] else labels("show.not_paid")
        riichi = labels("show.double_riichi" if seat["riichi_double"] else "show.riichi")
        yield _line(riichi, told + refused)
    if seat["end_wait"] and not seat["won"]:
        yield _line(labels("show.tenpai"), labels("show.tenpai_on", wait=seat["end_wait"]))


def _shanten(number: int | None, labels: Labels) -> str:
    if number is None:  # the log hides tiles
        return labels("show.shanten_unknown")
    return labels("show.shanten_0" if number == 0 else "show.shanten_n", shanten=number)


def _call(act: Row, labels: Labels) -> str:
    own = act["from_seat"] in (None, act["seat"])
    return labels(
        "show.call" if own else "show.call_from",
        action=labels.of("action", act["action"]),
        meld=act["meld"],
        from_seat=act["from_seat"],
        turn=act["turn"],
    )


def _discards(seat: int, actions: list[Row]) -> Iterator[str]:
    """Yield the seat's discards with the marks that the legend explains."""
    for act, following in zip_longest(actions, actions[1:]):
        if act["seat"] != seat or act["action"] not in ("discard", "riichi"):
            continue
        tile = act["tile"] + "↓" * bool(act["tsumogiri"])
        if act["action"] == "riichi":
            tile += "*"
        if following and following["from_seat"] == seat and following["seat"] != seat:
            tile += "!" if following["action"] == "ron" else "("
        yield tile


def _result_lines(
    row: Row, names: dict[int, str], labels: Labels, *, riichi: bool
) -> Iterator[str]:
    if row["outcome"] == "kyuushu":
        yield from _kyuushu_lines(row, names, labels)
    elif not row["wins"]:
        yield labels("show.no_win", outcome=outcome_text(row, labels), n=row["tiles_left"])
    for win in row["wins"]:
        yield from _win_lines(win, names.get(win["winner"], "-"), labels, riichi=riichi)


def _kyuushu_lines(row: Row, names: dict[int, str], labels: Labels) -> Iterator[str]:
    """Yield who declared kyuushu kyuuhai, with which tiles.

    Only the seat that declared it drew a tile that no act followed.
    """
    declarers = [seat for seat in row["seats"] if seat["held_draw"]]
    outcome = outcome_text(row, labels)
    if declarers:
        seat = declarers[0]["seat"]
        who = _seat(seat, names.get(seat, "-"), labels)
        yield labels("show.no_win_by", outcome=outcome, who=who, n=row["tiles_left"])
    else:
        yield labels("show.no_win", outcome=outcome, n=row["tiles_left"])
    for seat in declarers:
        if not seat["kita"]:  # else the hand also holds a replacement tile
            drew = labels("show.drew", hand=seat["haipai"], tile=seat["held_draw"])
            yield _line(labels("show.hand"), drew)


def _seat(seat: int, name: str, labels: Labels) -> str:
    return labels("show.seat", seat=seat) + ("" if name == "-" else f" {name}")


def _win_lines(win: Row, name: str, labels: Labels, *, riichi: bool) -> Iterator[str]:
    """Yield who won on what, the hand, its yaku and its value."""
    who = _seat(win["winner"], name, labels)
    how = "show.wins_tsumo" if win["tsumo"] else "show.wins_ron"
    yield labels(how, who=who, loser=win["loser"], tile=win["win_tile"])
    if win["pao_seat"] is not None:
        yield _line(labels("show.pao"), labels("show.pao_is", seat=win["pao_seat"]))
    melds = f"   {win['melds']}" if win["melds"] else ""
    yield _line(labels("show.hand"), win["hand"] + melds)
    listed = ", ".join(yaku_text(found, labels, riichi=riichi) for found in win["yaku"])
    source = labels("show.as_computed") if win["yaku_source"] == "computed" else ""
    yaku = labels("show.yaku" if riichi else "show.fan")
    yield _line(yaku, (listed or labels("value.nothing")) + source)
    yield _line(labels("show.value"), _value(win, labels, riichi=riichi))
    if win["computed"] and win["points"] is None:
        if worth := worth_parts(win["computed"], labels, riichi=riichi):
            yield _line(labels("show.computed"), ", ".join(worth))


def _value(win: Row, labels: Labels, *, riichi: bool) -> str:
    """Return the value of a win by its record, even if it has only the change of points."""
    parts = worth_parts(win, labels, riichi=riichi)
    change = win[f"delta_{win['winner']}"]
    if win["points"] is not None:
        for name, column in (("honba", "honba_points"), ("sticks", "stick_points")):
            parts += [labels(f"value.{name}", points=win[column])] if win[column] else []
    elif change is not None:
        more = [name for name in ("honba", "sticks") if riichi and win[name]]
        word = "both" if len(more) > 1 else f"word_{more[0]}" if more else ""
        told = {"points": change, "more": labels(f"value.{word}")} if word else {"points": change}
        parts.append(labels("value.change_with" if word else "value.change", **told))
    return ", ".join(parts) or labels("value.nothing")


# --- verdicts -----------------------------------------------------------------------------------


def _verdict_lines(
    verdicts: list[Row], labels: Labels, rounds: dict[int, str] | None = None, *, riichi: bool
) -> Iterator[str]:
    """Yield the verdicts on a round.

    For a game (``rounds`` has the names of its rounds), yield only how many verdicts agree, and
    those that do not.
    """
    if not verdicts:
        yield f"  {labels('show.not_rescored')}"
        return
    agreeing = sum(row["status"] == "match" for row in verdicts)
    ruleset = printable(verdicts[0]["ruleset"])
    agree = labels("show.agree", agreeing=agreeing, all=len(verdicts), ruleset=ruleset)
    yield _line(labels("show.verdict"), agree)
    if rounds is not None:
        verdicts = [row for row in verdicts if row["status"] != "match"]
    alike = Counter(map(_kind, verdicts))
    for row in verdicts:
        if rounds is None or alike[_kind(row)] == 1 or row["fields"] or not row["reason"]:
            yield f"    {_judged(row, (rounds or {}).get(row['round_index']), labels)}"
        elif count := alike.pop(_kind(row), 0):
            yield f"    {labels('count.' + row['subject'], n=count)}: {_status(row, labels)}"
        for found in row["fields"] or ():
            yield f"      {difference_text(row['subject'], found, labels, riichi=riichi)}"


def _kind(row: Row) -> tuple[str, str, str | None, bool]:
    """Return the key by which verdicts are grouped into one line."""
    return row["subject"], row["status"], row["reason"], bool(row["fields"])


def _judged(row: Row, name: str | None, labels: Labels) -> str:
    """Return a verdict as a line; ``name`` is the name of its round, if it must be said."""
    subject = labels.of("subject", row["subject"])
    if row["winner"] is not None:
        subject = labels("subject.win_of", seat=row["winner"])
    if name and row["subject"] == "round":
        subject = labels("subject.round_named", round=name)
    elif name:
        subject = labels("subject.in_round", subject=subject, round=name)
    return f"{subject}: {_status(row, labels)}"


def _status(row: Row, labels: Labels) -> str:
    status = labels.of("status", row["status"])
    return f"{status} ({labels.reason(row['reason'])})" if row["reason"] else status
