"""The viewer: a game as one page that steps through its rounds at a table.

The page holds its data, its style and its script, and loads nothing. What it shows is computed
here; the script only applies the steps of :func:`paifu.query.game_steps.round_steps`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paifu import __version__
from paifu.export.tenhou_address import addresses
from paifu.game.tiles import TEXT
from paifu.labels import Labels, labels_for
from paifu.lake.lake import Lake
from paifu.pages.markup import Markup, asset, data_block, element, joined, named, page
from paifu.pages.tiles import HEIGHT, WIDTH, symbols
from paifu.query.adhoc_sql import shut_in
from paifu.query.filters import check_computed
from paifu.query.game_rows import (
    Row,
    find_game,
    find_round,
    read_chances,
    read_game,
    read_risks,
    read_round,
    read_rounds,
)
from paifu.query.game_steps import round_steps
from paifu.query.game_text import (
    difference_text,
    facts_of,
    game_text,
    outcome_text,
    payments_of,
    remark_text,
    round_name,
    round_text,
    tile_list,
    worth_parts,
    yaku_text,
)
from paifu.query.page_facts import lake_name

_FRAME = 960
"""Height of the page in Jupyter, in pixels."""


def viewer_page(
    lake: Lake,
    game_id: int,
    labels: Labels,
    *,
    first: int = 0,
    ruleset: str | None = None,
    beside: Callable[[Sequence[str]], Markup | None] = lambda _: None,
) -> str:
    """Return the page of a game; ``first`` is the round that it opens with.

    ``beside`` returns links to other pages, given the names of the game's players.

    The verdicts are those under the rule set that the record names, or under ``ruleset``. A game
    without rounds, or without its acts, has a page that says so.
    """
    game = read_game(lake, game_id, ruleset)
    rounds = read_rounds(lake, game_id, ruleset)
    for row in rounds:
        row["steps"] = round_steps(row, game["players"])
    names = _names(game, labels)
    chances = read_chances(lake, game_id)
    data = _data(game, rounds, names, read_risks(lake, game_id), labels)
    data |= {
        "first": first,
        "chances": [[[round(c, 4) for c in seat] for seat in place] for place in chances],
    }
    title = labels("viewer.title", game=game["log_id"] or game["game_id"])
    header = element(
        "header",
        beside(names),
        element("h1", _heading(game, labels)),
        element("p", ", ".join(facts_of(game, labels)), class_="facts"),
    )
    table = (
        [_table(labels)] if rounds else [element("p", labels("viewer.no_rounds"), class_="note")]
    )
    if rounds and not any(row["actions"] for row in rounds):
        table.insert(0, element("p", labels("viewer.no_acts"), class_="note"))
    links = addresses(lake, game)
    results = [_result(game, row, names, labels, links.get(row["round_index"])) for row in rounds]
    main = element(
        "main",
        *table,
        _chances(game, labels, valued=bool(chances)) if rounds else None,
        element("div", *results, class_="results"),
        _round_list(game, rounds, names, labels) if rounds else None,
        _final(game, names, labels),
    )
    made = labels("viewer.made", version=__version__, lake=lake_name(lake))
    footer = element("footer", element("p", made))
    noscript = element("noscript", element("p", labels("viewer.no_script")))
    return page(
        title,
        labels.language,
        symbols(),
        header,
        noscript,
        main,
        footer,
        data_block("game", data),
        style=asset("page.css") + asset("viewer.css"),
        script=asset("viewer.js"),
    )


@dataclass(frozen=True, slots=True)
class ShownGame:
    """A game as text (``str``) and as a page (``html``), which Jupyter shows."""

    text: str
    html: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        frame = element(
            "iframe", srcdoc=self.html, title="paifu", width="100%", height=_FRAME, frameborder=0
        )
        return str(frame)

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        Path(path).write_text(self.html, encoding="utf-8")


def show(
    lake: str | Path,
    game: str | int,
    round: str | int | None = None,
    *,
    ruleset: str | None = None,
    language: str | None = None,
) -> ShownGame:
    """Return a game of a lake, or one of its rounds, as text and as a page to step through.

    ``game`` is its ``game_id`` or the platform's own id, ``round`` an index from 0 or a name such
    as ``S3.1``; the page opens at the round. ``ruleset`` is the name of the rule set whose verdicts
    are shown, instead of those under the one that the record names. Raises
    :class:`~paifu.errors.UsageError` for a game, a round or a language that there is not.

    >>> paifu.show("games.lake", "2019010100gm-00a9-0000-0123abcd", "S3")  # doctest: +SKIP
    """
    labels = labels_for(language)
    with Lake.open(lake) as opened:
        shut_in(opened)
        if ruleset is not None:
            check_computed(opened, ruleset)
        found = read_game(opened, find_game(opened, str(game)), ruleset)
        index = 0 if round is None else find_round(found, str(round))
        if round is None:
            text = game_text(found, labels)
        else:
            row = read_round(opened, found["game_id"], index, ruleset)
            text = round_text(found, row, labels)
        html = viewer_page(opened, found["game_id"], labels, first=index, ruleset=ruleset)
    return ShownGame(text, html)


def _names(game: Row, labels: Labels) -> list[str]:
    known = {seat["seat"]: seat["player"] for seat in game["seats"]}
    return [
        known.get(seat) or labels("viewer.seat_of", seat=seat) for seat in range(game["players"])
    ]


def _heading(game: Row, labels: Labels) -> str:
    return labels("show.game", name=game["log_id"] or str(game["game_id"]))


# --- the data of the script ---------------------------------------------------------------------


def _data(
    game: Row, rounds: list[Row], names: list[str], risks: list[Row], labels: Labels
) -> dict[str, Any]:
    by_act: defaultdict[tuple[int, int], list[Row]] = defaultdict(list)
    for risk in risks:
        by_act[risk["round_index"], risk["seq"]].append(risk)
    return {
        "players": game["players"],
        "riichi": game["game"] is None,
        "names": names,
        "winds": [labels(f"wind.{wind}") for wind in range(4)],
        "tiles": {tile: tile_name(tile, labels) for tile in TEXT},
        "calls": labels.section("action"),
        "texts": labels.section("viewer"),
        "size": [WIDTH, HEIGHT],
        "rounds": [
            {
                "name": round_name(row, labels),
                "short": round_name(row | {"honba": 0}, labels),
                "brief": labels(f"wind_letter.{row['wind']}") + f"{row['number']}.{row['honba']}",
                "dealer": row["dealer"],
                "honba": row["honba"],
                "sticks": row["sticks"],
                "points": row["scores_start"],
                "indicators": row["dora_indicators"],
                "outcome": outcome_text(row, labels),
                "steps": [
                    _shown(step, by_act[row["round_index"], step.get("seq", -1)], names, labels)
                    for step in row["steps"]
                ],
            }
            for row in rounds
        ],
    }


def _shown(step: Row, risks: list[Row], names: list[str], labels: Labels) -> Row:
    """Return a step with what its discard risked, without its key in the lake."""
    shown = {key: value for key, value in step.items() if key != "seq"}
    if risks:
        shown["risks"] = [_risk(risk, names, labels) for risk in risks]
    return shown


def _risk(risk: Row, names: list[str], labels: Labels) -> list[Any]:
    danger = labels.of("tile_class", risk["class"])
    if risk["class"] == "honour":
        danger += f", {labels('tile_class.live', n=risk['live'])}"
    text = labels(f"viewer.against_{risk['threat']}", who=names[risk["against"]], danger=danger)
    return [text, bool(risk["dealt_in"]), risk["class"]]


def tile_name(tile: str, labels: Labels) -> str:
    """Return the name of a tile for a reader who does not see the drawing."""
    if labels.has(f"tile.{tile}"):
        return labels(f"tile.{tile}")
    return labels(f"tile.{tile[1]}", number=tile[0])


def tiles_markup(tiles: list[str], labels: Labels) -> Markup:
    """Return tiles as drawings, with their names as the text."""
    drawn = [
        element(
            "svg",
            element("use", href=f"#t-{tile}"),
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            class_="tile",
            aria_hidden="true",
        )
        for tile in tiles
    ]
    name = " ".join(tile_name(tile, labels) for tile in tiles)
    return element("span", *drawn, role="img", aria_label=name, class_="tiles")


# --- the table ----------------------------------------------------------------------------------


def _table(labels: Labels) -> Markup:
    buttons = [
        element(
            "button", sign, type="button", data_go=go, aria_label=labels(f"viewer.{go}"),
            title=labels(f"viewer.{go}"),
        )
        for go, sign in (
            ("previous_round", "«"), ("first", "|‹"), ("previous", "‹"), ("next", "›"),
            ("last", "›|"), ("next_round", "»"),
        )
    ]  # fmt: skip
    chosen = [
        element("label", labels("viewer.round"), element("select", id="round")),
        element("label", labels("viewer.view"), element("select", id="view")),
    ]
    board = element("div", id="board", class_="board")
    said = element(
        "div",
        element("p", id="now", class_="now"),
        element("ul", id="risks", class_="risks", aria_label=labels("viewer.danger")),
        aria_live="polite",
    )
    seats = element(
        "section",
        element("h2", labels("viewer.seats"), id="seats-head"),
        element("div", id="seats", class_="seats"),
        aria_labelledby="seats-head",
    )
    controls = element(
        "div", *buttons, class_="buttons", role="group", aria_label=labels("viewer.steps")
    )
    return element(
        "div",
        element(
            "section",
            element("h2", labels("viewer.table"), class_="unseen"),
            element("div", *chosen, class_="choices"),
            board,
            controls,
            element("p", id="step", class_="step"),
            said,
            element("p", labels("viewer.keys"), class_="hint"),
            class_="play",
        ),
        seats,
        class_="viewer",
    )


def _chances(game: Row, labels: Labels, *, valued: bool) -> Markup | None:
    """Return the place for the lines of the chances, or a note; other games have no model."""
    if game["game"] is not None:
        return None
    head = element("h2", labels("viewer.chances"), id="chances-head")
    if not valued:
        note = element("p", labels("viewer.no_chances"), class_="note")
        return element("section", head, note, aria_labelledby="chances-head")
    places = [
        element("option", labels(f"place.{place}"), value=place - 1)
        for place in range(1, game["players"] + 1)
    ]
    return element(
        "section",
        head,
        element("p", labels("viewer.chances_about"), class_="hint"),
        element("div", element("label", labels("viewer.chance_of"),
                               element("select", *places, id="place")), class_="choices"),
        element("ul", id="chances-now", class_="chances-now"),
        element("div", id="chances", class_="chances"),
        aria_labelledby="chances-head",
        class_="valued",
    )  # fmt: skip


# --- results ------------------------------------------------------------------------------------


def _result(game: Row, row: Row, names: list[str], labels: Labels, address: str | None) -> Markup:
    """Return the result of a round: each win as recorded and as computed, with its verdict."""
    wins = [_win(game, win, row, names, labels) for win in row["wins"]]
    outcome = None if wins else element("p", outcome_text(row, labels))
    verdicts = [v for v in row["verdicts"] if v["subject"] != "win"]
    link = address and element(
        "p", element("a", labels("viewer.tenhou6"), href=address, rel="noreferrer")
    )
    return element(
        "section",
        element("h2", f"{round_name(row, labels)}: {labels('viewer.result')}"),
        outcome,
        *wins,
        _remark(row, labels),
        _verdict_list(verdicts, labels, riichi=game["game"] is None),
        link,
        class_="result",
        data_round=row["round_index"],
    )


def _remark(row: Row, labels: Labels) -> Markup | None:
    """Return what the sheet notes about a round or game."""
    return element("p", remark_text(row, labels), class_="note") if row["remarks"] else None


def _win(game: Row, win: Row, row: Row, names: list[str], labels: Labels) -> Markup:
    riichi = game["game"] is None
    key = "tsumo" if win["tsumo"] else "ron"
    seen = win["win_tile"]  # a sheet may leave the hand out
    head = labels(
        f"viewer.wins_{key}" if seen else f"viewer.wins_{key}_unseen",
        who=names[win["winner"]],
        **({"tile": tile_name(seen, labels)} if seen else {}),
        **({} if win["tsumo"] else {"from": names[win["loser"]]}),
    )
    hand = joined(
        tiles_markup(tile_list(win["hand"]), labels),
        *(
            joined(" ", tiles_markup(tile_list(meld.partition(":")[2] or "4z"), labels))
            for meld in win["melds"].split()
        ),
    )
    verdicts = [
        v for v in row["verdicts"] if v["subject"] == "win" and v["win_index"] == win["win_index"]
    ]
    computed = win["computed"]
    recorded_yaku = win["yaku"] if win["yaku_source"] == "recorded" else []
    lines = [
        ("yaku" if riichi else "fan", _yaku(recorded_yaku, labels, riichi=riichi),
         computed and _yaku(computed["yaku"], labels, riichi=riichi)),
        ("value", _value(win, labels, riichi=riichi),
         computed and _value(computed, labels, riichi=riichi)),
        ("payments", _payments(win, game, names, labels),
         computed and _payments(computed, game, names, labels)),
    ]  # fmt: skip
    heads = [
        element("td"),
        element("th", labels("viewer.recorded"), scope="col"),
        element("th", labels("viewer.computed"), scope="col") if computed else None,
    ]
    body = [
        element(
            "tr",
            element("th", labels(f"viewer.{name}"), scope="row"),
            element("td", recorded),
            element("td", own) if computed else None,
        )
        for name, recorded, own in lines
    ]
    return element(
        "article",
        element("h3", head),
        element("p", hand, class_="hand"),
        element(
            "table",
            element("thead", element("tr", *heads)),
            element("tbody", *body),
            class_="compared",
        ),
        _verdict_list(verdicts, labels, riichi=riichi),
    )


def _yaku(found: list[Row], labels: Labels, *, riichi: bool) -> Markup:
    if not found:
        return Markup(element("span", labels("viewer.nothing")))
    return element("ul", *(element("li", yaku_text(each, labels, riichi=riichi)) for each in found))


def _value(win: Row, labels: Labels, *, riichi: bool) -> str:
    return ", ".join(worth_parts(win, labels, riichi=riichi)) or labels("viewer.nothing")


def _payments(win: Row, game: Row, names: list[str], labels: Labels) -> Markup:
    paid = payments_of(win, game["players"])
    if not paid:
        return element("span", labels("viewer.nothing"))
    return element(
        "ul", *(element("li", named(names[seat]), f" {points:+,}") for seat, points in paid)
    )


def _verdict_list(verdicts: list[Row], labels: Labels, *, riichi: bool) -> Markup:
    if not verdicts:
        return element("p", f"{labels('viewer.verdict')}: {labels('viewer.not_rescored')}")
    lines = []
    for verdict in verdicts:
        reason = f" ({labels.reason(verdict['reason'])})" if verdict["reason"] else ""
        status = element(
            "strong", labels.of("status", verdict["status"]), class_=f"status {verdict['status']}"
        )
        found = [
            element("li", difference_text(verdict["subject"], field, labels, riichi=riichi))
            for field in verdict["fields"] or ()
        ]
        subject = labels.of("subject", verdict["subject"])
        lines.append(
            element(
                "li",
                f"{labels('viewer.verdict')}, {subject} ({verdict['ruleset']}): ",
                status,
                reason,
                element("ul", *found) if found else None,
            )
        )
    return element("ul", *lines, class_="verdicts")


# --- lists --------------------------------------------------------------------------------------


def _round_list(game: Row, rounds: list[Row], names: list[str], labels: Labels) -> Markup:
    heads = [
        element("th", labels("viewer.round"), scope="col"),
        element("th", labels("viewer.result"), scope="col"),
        *(element("th", named(name), scope="col", class_="number name") for name in names),
    ]
    body = [
        element(
            "tr",
            element(
                "th",
                element("a", round_name(row, labels), href=f"#round={row['round_index']}"),
                scope="row",
            ),
            element("td", *_outcomes(game, row, names, labels)),
            *_running(row, game["players"]),
        )
        for row in rounds
    ]
    return element(
        "section",
        element("h2", labels("viewer.rounds"), id="rounds-head"),
        element(
            "table",
            element("thead", element("tr", *heads)),
            element("tbody", *body),
            class_="rounds",
            aria_labelledby="rounds-head",
        ),
    )


def _outcomes(game: Row, row: Row, names: list[str], labels: Labels) -> Iterator[Markup]:
    """Yield who won with what, or how the round ended."""
    riichi = game["game"] is None
    if not row["wins"]:
        yield element("span", outcome_text(row, labels))
    for win in row["wins"]:
        how = labels("outcome.tsumo") if win["tsumo"] else labels("outcome.ron")
        arrow = element("span", "←", role="img", aria_label=labels("viewer.from"))
        loser = "" if win["tsumo"] else joined(" ", arrow, " ", named(names[win["loser"]]))
        yaku = "、" if labels.language == "ja" else ", "
        listed = yaku.join(yaku_text(each, labels, riichi=riichi) for each in win["yaku"])
        value = win if win["points"] is not None else (win["computed"] or win)
        worth = ", ".join(worth_parts(value, labels, riichi=riichi))
        yield element(
            "div",
            element("span", named(names[win["winner"]]), f" {how}", loser, class_="who"),
            element("span", listed, class_="yaku"),
            element("span", worth, class_="worth"),
            class_="win",
        )


def _running(row: Row, players: int) -> Iterator[Markup]:
    """Yield each seat's points after the round, with the change."""
    by_seat = {seat["seat"]: seat for seat in row["seats"]}
    for number in range(players):
        seat = by_seat.get(number)
        if seat is None or seat["points_end"] is None:
            yield element("td", "–", class_="number")
            continue
        change = seat["delta"]
        sign = "up" if change > 0 else "down" if change < 0 else "same"
        yield element(
            "td",
            element("span", f"{seat['points_end']:,}"),
            element("span", f"{change:+,}", class_=f"change {sign}") if change else None,
            class_="number",
        )


def _final(game: Row, names: list[str], labels: Labels) -> Markup | None:
    placed = [seat for seat in game["seats"] if seat["placement"] is not None]
    if not placed:
        return None
    rows = [
        element(
            "tr",
            element("th", labels(f"place.{seat['placement']}"), scope="row"),
            element("td", named(_seat_name(seat, names, labels)), class_="name"),
            element("td", "–" if points is None else f"{points:,}", class_="number"),
            element("td", "" if seat["result"] is None else f"{seat['result']:+.1f}",
                    class_="number"),
        )
        for seat in sorted(placed, key=lambda seat: (seat["placement"], seat["seat"]))
        for points in (seat["final_points"],)
    ]  # fmt: skip
    ended = (
        element("p", labels("show.ended_by", how=labels.of("ended_by", game["ended_by"])))
        if game["ended_by"] and game["detail"] == "play"
        else None
    )
    note = (
        element("p", labels("viewer.no_play"), class_="note")
        if game["detail"] == "result"
        else None
    )
    heads = (("place", None), ("player", None), ("points", "number"), ("result", "number"))
    return element(
        "section",
        element("h2", labels("viewer.final"), id="final-head"),
        element(
            "table",
            element(
                "thead",
                element(
                    "tr",
                    *(
                        element("th", labels(f"viewer.{head}"), scope="col", class_=look)
                        for head, look in heads
                    ),
                ),
            ),
            element("tbody", *rows),
            class_="final",
            aria_labelledby="final-head",
        ),
        ended,
        _remark(game, labels),
        note,
    )


def _seat_name(seat: Row, names: list[str], labels: Labels) -> str:
    number = seat["seat"]
    return names[number] if number < len(names) else labels("viewer.seat_of", seat=number)
