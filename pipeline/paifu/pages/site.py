"""The report: a folder of pages that opens without a network, made from a lake.

``index.html`` says what the lake holds; there is a page for each notebook of a theme, for each
player, and for each game that these point at. All pages share ``vega.js``, which draws charts; with
``single``, each page has it inside.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from paifu import __version__
from paifu.errors import PaifuError, UsageError
from paifu.labels import Labels, labels_for
from paifu.lake.connection import CATALOG
from paifu.lake.lake import Lake
from paifu.messages import counted
from paifu.pages.markup import Markup, asset, element, joined, named, page, plain_table
from paifu.pages.notebooks import (
    MISSING,
    Kernel,
    body_of,
    chosen,
    notebooks,
    parameters_of,
    read_notebook,
)
from paifu.pages.viewer import viewer_page
from paifu.query.adhoc_sql import shut_in
from paifu.query.filter_options import GameConditions
from paifu.query.filters import EVERYTHING, Filter, nobody_named, unmatched
from paifu.query.page_facts import facts_of_lake, lake_name

PLAYER = "player"
"""The notebook that has a page for each player."""
_ORDER = (
    "standings", "placement", "model", "wins", "yaku", "riichi", "calls", "deal_in",
    "rules_of_thumb", "haipai", "luck", "data_quality",
)  # fmt: skip
_SCRIPT = "vega.js"
_GAME_LINK = re.compile(r'<a href="game-(?P<game>-?\d+)\.html[^"]*">(?P<text>[^<]*)</a>')
_USUAL_PLAYERS = 4
"""How many players the games of a page have; games of three are counted separately."""
_MOST_GAMES = 100
"""How many game pages a report has at most."""


@dataclass(frozen=True, slots=True)
class Written:
    """A page of the report that was written."""

    page: str
    path: Path
    seconds: float
    statistics_seconds: float = 0.0
    """How many of them the lake took to answer what a notebook or the index asks."""

    def as_dict(self) -> dict[str, Any]:
        """Return what ``paifu report --json`` says of it."""
        size = self.path.stat().st_size
        return {
            "page": self.page, "path": str(self.path), "bytes": size,
            "seconds": round(self.seconds, 2),
            "statistics_seconds": round(self.statistics_seconds, 2),
        }  # fmt: skip


@dataclass(slots=True, kw_only=True)
class Site:
    """What a report is made of. :meth:`write` writes it."""

    lake: str
    out: Path
    labels: Labels
    only: Filter
    filters: Sequence[str] = ()
    """The filter in words."""
    players: int = 4
    people: Sequence[str] = ()
    """Players, by their names as the lake stores them."""
    versus: str | None = None
    single: bool = False
    name: str | None = None
    """The one notebook to write; None for the whole report."""
    _bodies: dict[str, Markup] = field(default_factory=dict)

    def write(self) -> Iterator[Written]:
        """Write the pages and yield each once it is written; :class:`UsageError` for a bad name."""
        self.out.mkdir(parents=True, exist_ok=True)
        names = list(chosen(self.name))
        themes = [name for name in names if name != PLAYER]
        if not self.single:
            (self.out / _SCRIPT).write_text(chart_script(), encoding="utf-8")
        games: list[int] = []
        with Kernel() as kernel:
            for name in themes:
                yield self._notebook(kernel, name, self._address(name), {}, games)
            for player in self.people if PLAYER in names else ():
                given = {"player": player, "versus": self.versus}
                yield self._notebook(kernel, PLAYER, address_of(player), given, games)
        with Lake.open(self.lake) as opened:
            shut_in(opened)
            for game in games[:_MOST_GAMES]:
                yield self._game(opened, game)
            if self.name is None:
                yield self._index(opened)

    def _address(self, name: str) -> str:
        return f"{name}.html"

    def _notebook(
        self, kernel: Kernel, name: str, address: str, given: Mapping[str, Any], games: list[int]
    ) -> Written:
        started = time.perf_counter()
        book = read_notebook(notebooks()[name])
        known = set(parameters_of(book))
        asked = {
            "lake": self.lake,
            "where": self.only.expression(),
            "filters": tuple(self.filters),
            "players": self.players,
            "language": self.labels.language,
            **given,
        }
        asked_seconds = kernel.run(
            book, {key: value for key, value in asked.items() if key in known}
        )
        body = self._linked(body_of(book), games)
        title = self._title(name, given.get("player"))
        text = self._page(title, address, body, charts='class="spec"' in body)
        return self._written(address, text, started, asked_seconds)

    def _linked(self, body: Markup, games: list[int]) -> Markup:
        """Return the body of a page with links to games that the report has a page of.

        Games that it points at are added to ``games``, up to the most; of others no link is left,
        and a note says so.
        """
        left_out: set[int] = set()

        def linked(found: re.Match[str]) -> str:
            game = int(found["game"])
            if game not in games:
                if len(games) >= _MOST_GAMES:
                    left_out.add(game)
                    return found["text"]
                games.append(game)
            return found[0]

        kept = Markup(_GAME_LINK.sub(linked, body))
        if not left_out:
            return kept
        told = self.labels("site.most_games", n=len(left_out), most=_MOST_GAMES)
        return joined(kept, element("p", told, class_="note"))

    def _title(self, name: str, player: str | None) -> str:
        key = f"page.{name}.title"  # a notebook of the user's own has no texts in the catalogue
        return player or (self.labels(key) if self.labels.has(key) else name)

    def _themes(self) -> list[str]:
        """Return the notebooks of themes in the order in which they are listed, new ones last."""
        themes = [name for name in notebooks() if name != PLAYER]
        return sorted(
            themes, key=lambda name: _ORDER.index(name) if name in _ORDER else len(_ORDER)
        )

    def _page(self, title: str, address: str, *body: object, charts: bool) -> str:
        inside = self.single and charts
        return page(
            f"{title} – paifu",
            self.labels.language,
            element("header", self._navigation(address)),
            element("main", *body),
            element("noscript", element("p", self.labels("site.script"))) if charts else None,
            style=asset("page.css") + asset("report.css"),
            script=chart_script() if inside else "",
            charts=_SCRIPT if charts and not self.single else "",
        )

    def _navigation(self, address: str) -> Markup | None:
        """Return links to the other pages; a page that is written alone has none."""
        if self.name is not None:
            return None
        links = [("index.html", self.labels("nav.index"))]
        links += [(self._address(name), self.labels.of("nav", name)) for name in self._themes()]
        links += [(address_of(player), named(player)) for player in self.people]
        return self._links(links, address)

    def _back(self, players: Sequence[str]) -> Markup | None:
        """Return links from the page of a game: to the index and the pages of its players."""
        links = [("index.html", self.labels("nav.index"))] if self.name is None else []
        if self.name in (None, PLAYER):
            links += [(address_of(who), named(who)) for who in self.people if who in players]
        else:
            links.append((self._address(self.name), self._title(self.name, None)))
        return self._links(links)

    def _links(self, links: Sequence[tuple[str, str]], address: str = "") -> Markup | None:
        if not links:
            return None
        items = [
            element(
                "li",
                element("a", text, href=to, aria_current="page" if to == address else None),
            )
            for to, text in links
        ]
        return element("nav", element("ul", *items), aria_label=self.labels("site.pages"))

    def _game(self, lake: Lake, game: int) -> Written:
        started = time.perf_counter()
        address = f"game-{game}.html"
        return self._written(
            address, viewer_page(lake, game, self.labels, beside=self._back), started
        )

    def _written(
        self, address: str, text: str, started: float, statistics_seconds: float = 0.0
    ) -> Written:
        path = self.out / address
        path.write_text(text, encoding="utf-8")
        seconds = time.perf_counter() - started
        return Written(address.removesuffix(".html"), path, seconds, statistics_seconds)

    # --- the first page

    def _index(self, lake: Lake) -> Written:
        started = time.perf_counter()
        self.only.apply(lake.connection)
        figures, people = self._figures(lake), self._people(lake)
        rooms, verdicts = self._rooms(lake), self._verdicts(lake)
        asked_seconds = time.perf_counter() - started
        body = joined(
            element("h1", self.labels("site.title")),
            element("p", self.labels("site.about"), class_="lead"),
            self._provenance(lake),
            figures,
            self._cards(),
            people,
            rooms,
            verdicts,
        )
        text = self._page(self.labels("site.title"), "index.html", body, charts=False)
        return self._written("index.html", text, started, asked_seconds)

    def _provenance(self, lake: Lake) -> Markup:
        filters = (
            self.labels("site.filters", filters="; ".join(self.filters))
            if self.filters
            else self.labels("site.no_filters")
        )
        told = [
            self.labels("site.lake", lake=lake_name(lake)),
            filters,
            self.labels("site.version", version=__version__),
        ]
        return element("p", " · ".join(told), class_="provenance")

    def _figures(self, lake: Lake) -> Markup:
        facts = facts_of_lake(lake)
        rounds, wins, people, flagged = self._row(
            lake,
            """SELECT (SELECT count(*) FROM rounds), (SELECT count(*) FROM wins),
                (SELECT count(DISTINCT player) FROM seats WHERE NOT anonymous),
                (SELECT count(*) FROM games WHERE len(flags) > 0)""",
        )
        rejected = lake.connection.execute(f"SELECT count(*) FROM {CATALOG}.rejects").fetchone()
        agreeing, verdicts = self._row(
            lake,
            """SELECT count(*) FILTER (v.status = 'match'), count(*) FROM verdicts AS v
            JOIN games USING (game_id, ruleset)""",
        )
        share = f"{100 * agreeing / verdicts:.2f} %" if verdicts else "–"
        figures = [
            ("games", f"{facts['games']:,}"), ("rounds", f"{rounds:,}"), ("wins", f"{wins:,}"),
            ("named_players", f"{people:,}"), ("match", share), ("flagged", f"{flagged:,}"),
            ("rejected", f"{rejected[0] if rejected else 0:,}"),
        ]  # fmt: skip
        dates = (
            self.labels("site.dates", first=facts["first"], last=facts["last"])
            if facts["first"]
            else self.labels("site.no_dates")
        )
        items = [
            element("div", element("dt", self.labels(f"site.{key}")), element("dd", value))
            for key, value in figures
        ]
        return joined(
            element("dl", *items, class_="figures"),
            element("p", dates),
            element("p", self.labels("site.unfiltered"), class_="note") if self.filters else None,
            self._other_players(lake),
        )

    def _row(self, lake: Lake, query: str) -> tuple[Any, ...]:
        row = lake.connection.execute(query).fetchone()
        return row or ()

    def _other_players(self, lake: Lake) -> Markup | None:
        """Return a note about the games of the other number of players, if there are any."""
        other = 7 - self.players
        (count,) = self._row(lake, f"SELECT count(*) FROM games WHERE players = {other}")
        if not count:
            return None
        told = self.labels("site.other_players", n=count, other=other)
        return element("p", told, class_="note")

    def _cards(self) -> Markup:
        cards = [
            element(
                "li",
                element("a", self._title(name, None), href=self._address(name)),
                element("p", self.labels.of("page", f"{name}.about")),
            )
            for name in self._themes()
        ]
        return joined(
            element("h2", self.labels("site.themes")), element("ul", *cards, class_="cards")
        )

    def _people(self, lake: Lake) -> Markup:
        head = element("h2", self.labels("site.people"))
        if not self.people:
            named_ = lake.connection.execute(
                "SELECT 1 FROM seats WHERE NOT anonymous AND player IS NOT NULL LIMIT 1"
            ).fetchone()
            note = self.labels("site.ask_player" if named_ else "site.no_named")
            return joined(head, element("p", note, class_="note"))
        games = dict(
            lake.connection.execute(
                "SELECT player, count(*) FROM seats WHERE player IN (SELECT unnest(?)) "
                "GROUP BY player",
                [list(self.people)],
            ).fetchall()
        )
        cards = [
            element(
                "li",
                element("a", named(player), href=address_of(player)),
                element("p", self.labels("site.player_page", n=games.get(player, 0))),
            )
            for player in self.people
        ]
        return joined(head, element("ul", *cards, class_="cards"))

    def _rooms(self, lake: Lake) -> Markup:
        rows = lake.connection.execute(
            """SELECT platform, room, length, players, ruleset, count(*) AS n FROM games
            GROUP BY ALL ORDER BY n DESC, platform, room, length, players, ruleset LIMIT 20"""
        ).fetchall()
        labels = self.labels
        body = [
            (
                labels.of("platform", platform), room and labels.of("room", room),
                length and labels.of("length", length), labels("show.players", n=players),
                ruleset, f"{n:,}",
            )
            for platform, room, length, players, ruleset, n in rows
        ]  # fmt: skip
        heads = ("platform", "room", "length", "players", "ruleset", "games")
        return joined(
            element("h2", labels("site.kinds")),
            plain_table([labels(f"column.{head}") for head in heads], body, numbers=1),
        )

    def _verdicts(self, lake: Lake) -> Markup:
        rows = lake.connection.execute(
            """SELECT v.subject, v.status, count(*) AS n FROM verdicts AS v
            JOIN games USING (game_id, ruleset) GROUP BY ALL ORDER BY v.subject, n DESC"""
        ).fetchall()
        head = element("h2", self.labels("site.what"))
        if not rows:
            return joined(head, element("p", self.labels("site.not_rescored"), class_="note"))
        body = [
            (self.labels.of("subject", subject), self.labels.of("status", status), f"{n:,}")
            for subject, status, n in rows
        ]
        heads = [self.labels("column.kind"), self.labels("column.detail"), self.labels("column.n")]
        return joined(head, plain_table(heads, body, numbers=1))


def address_of(player: str) -> str:
    """Return the file name of a player's page, whatever characters the name has."""
    return f"player-{hashlib.sha256(player.encode()).hexdigest()[:12]}.html"


def chart_script() -> str:
    """Return the script that draws the charts: Vega, as ``vl-convert`` brings it, and ours."""
    try:
        from vl_convert import javascript_bundle
    except ImportError as error:
        raise PaifuError(MISSING) from error
    return f"{javascript_bundle('window.vegaEmbed = vegaEmbed;')}\n{asset('charts.js')}"


def most_played(lake: Lake, count: int, players: int) -> list[str]:
    """Return the players with the most games among those that a filter left, the first ``count``.

    Raises :class:`~paifu.errors.UsageError` for a count below 0.
    """
    if count < 0:
        raise UsageError("--top is a number of players, 0 or more")
    rows = lake.connection.execute(
        """SELECT player FROM seats JOIN games USING (game_id)
        WHERE NOT anonymous AND player IS NOT NULL AND players = ? AND game IS NULL
        GROUP BY player ORDER BY count(*) DESC, player LIMIT ?""",
        [players, count],
    ).fetchall()
    return [player for (player,) in rows]


def planned(
    lake: str | Path,
    out: str | Path,
    name: str | None = None,
    *,
    only: Filter = EVERYTHING,
    player: Sequence[str] = (),
    top: int | None = None,
    versus: str | None = None,
    single: bool = False,
    labels: Labels,
) -> Site:
    """Return the report that is asked for, once it is known that its pages have something to show.

    Raises :class:`~paifu.errors.UsageError` for an unknown notebook or player, for players
    beside a page of another theme, and for conditions that no game meets;
    :class:`~paifu.errors.LakeError` if there is no lake.
    """
    chosen(name)
    if name not in (None, PLAYER) and (player or top or versus is not None):
        raise UsageError(
            f"page {name} is not about a player: leave out {name} for a site with pages of players"
        )
    with Lake.open(lake) as opened:
        shut_in(opened)
        only.apply(opened.connection)
        if only != EVERYTHING:
            _check_games(opened, only)
        players = _players(opened)
        for who in [*player, *([versus] if versus is not None else [])]:
            _check_player(opened, who, players)
        people = [opened.stored_name(who) for who in player]
        if top is not None or not people:
            people += most_played(opened, 1 if top is None else top, players)
        compared = None if versus is None else opened.stored_name(versus)
    return Site(
        lake=str(lake),
        out=Path(out),
        labels=labels,
        only=only,
        filters=_in_words(only),
        players=players,
        people=list(dict.fromkeys(people)),
        versus=compared,
        single=single,
        name=name,
    )


def report(
    lake: str | Path,
    out: str | Path,
    name: str | None = None,
    *,
    player: str | Sequence[str] = (),
    top: int | None = None,
    versus: str | None = None,
    single: bool = False,
    language: str | None = None,
    **conditions: Any,
) -> list[Path]:
    """Write a site of pages about the games of a lake into ``out``, and return its files.

    ``name`` is the one page to write, ``player`` one or several players to write pages about, and
    ``conditions`` are those of ``paifu report`` on games: ``since until room length players ruleset
    matched where``. Raises what :func:`planned` raises.

    >>> paifu.report("games.lake", "pages", room="houou", top=3)  # doctest: +SKIP
    """
    unknown = conditions.keys() - {spec.name for spec in fields(GameConditions)}
    if unknown:
        known = ", ".join(spec.name for spec in fields(GameConditions))
        raise UsageError(f"there is no condition {min(unknown)!r}; there are {known}")
    site = planned(
        lake,
        out,
        name,
        only=Filter(**conditions),
        player=[player] if isinstance(player, str) else player,
        top=top,
        versus=versus,
        single=single,
        labels=labels_for(language),
    )
    return [page.path for page in site.write()]


def _in_words(conditions: Filter) -> list[str]:
    """Return the conditions as a user gave them."""
    given = {spec.name: getattr(conditions, spec.name) for spec in fields(conditions)}
    return [
        f"--{name}" if value is True else f"--{name} {value}"
        for name, value in given.items()
        if value not in (None, False)
    ]


def _check_games(lake: Lake, conditions: Filter) -> None:
    """Raise :class:`~paifu.errors.UsageError` for conditions that no game of the lake meets."""
    if not lake.sql("SELECT 1 FROM games LIMIT 1").fetchone():
        why = unmatched(lake, conditions) or ["no game of the lake meets the conditions"]
        raise UsageError("; ".join(why))


def _players(lake: Lake) -> int:
    """Return how many players the games of a page have: four, unless no such game counts."""
    row = lake.sql("SELECT max(players) FROM games").fetchone()
    return int(row[0]) if row and row[0] else _USUAL_PLAYERS


def _check_player(lake: Lake, player: str, players: int) -> None:
    """Raise :class:`~paifu.errors.UsageError` if a player's page would be empty."""
    if absent := nobody_named(lake, player):
        raise UsageError(absent)
    games = lake.sql(
        """SELECT players, count(*) FROM seats JOIN games USING (game_id)
        WHERE player = $player AND NOT anonymous GROUP BY players""",
        player=lake.stored_name(player),
    ).fetchall()
    if players not in dict(games):
        others = [f"--players {other} has {counted(n, 'game')}" for other, n in games]
        hint = "; ".join(others) or "none is counted under that name"
        raise UsageError(f"{player!r} has no game of {players} players that counts: {hint}")
