"""What a notebook of the report uses: answers of statistics, texts, tables and charts of a page.

A notebook has one cell of parameters and one that makes a :class:`Page` of them; every other cell
shows a section, a table or a chart. The same cells run under Jupyter.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import altair as alt
import polars as pl

from paifu import __version__
from paifu.errors import UsageError
from paifu.labels import Labels, labels_for
from paifu.pages.markup import Markup, element, joined, named
from paifu.query.filters import Filter
from paifu.query.open_lake import OpenLake, open_lake
from paifu.query.page_facts import facts_of_lake, lake_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

P = ParamSpec("P")
R = TypeVar("R")
Column = str | tuple[str, str, str]
"""A column of a table: its name, or the names of a value and of the ends of its interval."""

_TEXTS = {
    "class": "tile_class", "state": "state", "own_state": "state", "winner_state": "state",
    "room": "room", "length": "length", "outcome": "outcome", "limit": "limit",
    "won_by": "outcome", "wait_kind": "wait", "wait": "wait", "near_dora": "near_dora",
    "status": "status", "subject": "subject", "platform": "platform", "cause": "state_end",
}  # fmt: skip
"""Section of the catalogue with the texts for a column's values; else ``value_COLUMN``."""
_PERCENT = ("rate", "share", "low", "high", "pct", "mine", "pooled", "difference", "chance")
_POINTS = (
    "balance", "income", "expense", "average_points", "average_paid", "average_cost",
    "average_lost", "median_points", "average_win", "average_deal_in", "points_per_round",
    "average_points_of_others", "riichi_balance", "hit_by_mangan_points", "net_efficiency",
)  # fmt: skip
_VALUES = (
    "change", "per_game", "by_sticks", "by_payments", "by_dealership", "all_per_game", "all_change",
    "average_dan_points", "value_difference",
    "value_of_1", "value_of_2", "value_of_3", "value_of_4",
)  # fmt: skip
"""Columns of place points."""
_LOSSES = ("log_loss", "log_loss_more")
_RESULTS = ("total_result", "best_result", "worst_result")
_SIGNED = frozenset({"balance", "riichi_balance", "points_per_round", "income", "average_result"})
_MOST_CATEGORIES = 40
_UNBROKEN_HYPHEN = "\N{NON-BREAKING HYPHEN}"
_MOST_TOLD = 12
"""How many values of a line the text of a chart has, for readers who do not see it."""


LEGEND = alt.Legend(orient="top", symbolOpacity=1)
"""The legend of a chart with bands, whose own colours are faint."""
_RENDERER = "paifu"
_CHART = f"application/vnd.vegalite.{alt.SCHEMA_VERSION.partition('.')[0]}+json"
"""The form of a chart that Jupyter draws itself, and that the report finds in a notebook."""


def _as_data(spec: dict[str, Any], **_: Any) -> dict[str, Any]:
    return {_CHART: spec, "text/plain": spec.get("description", "")}


def answering(method: Callable[P, R]) -> Callable[P, R]:
    """Count the seconds that a method of a page takes, once where it calls another, as asked."""

    @wraps(method)
    def timed(*args: P.args, **kwargs: P.kwargs) -> R:
        page = cast("Page", args[0])
        if page._asking:
            return method(*args, **kwargs)
        page._asking, started = True, time.perf_counter()
        try:
            return method(*args, **kwargs)
        finally:
            page._asking = False
            page.asked_seconds += time.perf_counter() - started

    return timed


class Html:
    """HTML that Jupyter and the report show."""

    def __init__(self, markup: str) -> None:
        self.markup = Markup(markup)

    def _repr_html_(self) -> str:
        return self.markup


class Page:
    """The games that a page is about, and its texts in one language.

    ``where`` is an expression on ``games``, ``players`` 3 or 4, ``player`` the player of the page
    and ``versus`` one to compare with. ``filters`` says in words what ``where`` stands for.
    Without ``lake``, the lake is the one that PAIFU_LAKE names.
    """

    def __init__(
        self,
        lake: str | None = None,
        *,
        where: str | None = None,
        filters: Sequence[str] = (),
        players: int | None = 4,
        language: str | None = None,
    ) -> None:
        place = lake or os.environ.get("PAIFU_LAKE")
        if not place:
            raise UsageError("name the lake: the parameter lake, or PAIFU_LAKE in the environment")
        self.labels: Labels = labels_for(language)
        self.lake: OpenLake = open_lake(place, locked=True)
        self.only = Filter(players=players, where=where)
        self.players = players
        self._tables = 0
        self._section = ""
        self._asking = False
        self.asked_seconds = 0.0
        """Seconds that the lake took to answer the page's questions."""
        self.filters = tuple(filters) or ((where,) if where else ())
        alt.renderers.register(_RENDERER, _as_data)
        alt.renderers.enable(_RENDERER)
        alt.data_transformers.disable_max_rows()

    # --- data

    @answering
    def ask(
        self,
        statistic: str,
        /,
        *,
        of: str | None = None,
        only: Filter | None = None,
        **params: Any,
    ) -> pl.DataFrame:
        """Return the answer of a named statistic on the page's games, or on a player's seats.

        ``only`` is another filter than that of the page.
        """
        if "" in (of, params.get("name")):  # no player has a name
            return pl.DataFrame()
        only = only or (self.only if of is None else replace(self.only, player=of))
        answer = self.lake.stats(statistic, only=only, **params).pl()
        return answer.drop("players") if "players" in answer.columns else answer

    @answering
    def sql(self, query: str, **variables: Any) -> pl.DataFrame:
        """Return the answer to a query in SQL on the page's games."""
        self.only.apply(self.lake.connection, query)
        return self.lake.sql(query, **variables).pl()

    @cached_property
    def facts(self) -> dict[str, Any]:
        """Return how many games the page counts, and from when to when."""
        return self._facts()

    @answering
    def _facts(self) -> dict[str, Any]:
        self.only.apply(self.lake.connection, "games")
        return facts_of_lake(self.lake)

    # --- texts

    def title(self, key: str, **values: Any) -> Html:
        """Return the heading of the page, what it is about, and which games it counts."""
        return Html(
            joined(
                element("h1", self.labels(f"page.{key}.title", **values)),
                element("p", self.labels(f"page.{key}.about", **values), class_="lead"),
                self._provenance(),
            )
        )

    def _provenance(self) -> Markup:
        facts = self.facts
        told = [
            self.labels("site.lake", lake=lake_name(self.lake)),
            self.labels("site.filters", filters="; ".join(self.filters))
            if self.filters
            else self.labels("site.no_filters"),
            self.labels("site.players", n=self.players) if self.players else None,
            self.labels("count.game", n=facts["games"]),
            self.labels("site.dates", first=facts["first"], last=facts["last"])
            if facts["first"]
            else self.labels("site.no_dates"),
            self.labels("site.version", version=__version__),
        ]
        return element("p", " · ".join(filter(None, told)), class_="provenance")

    def section(self, key: str, **values: Any) -> Html:
        """Return the heading of a section, and how to read what follows."""
        name = key.replace(".", "-")
        self._section = self.labels(f"page.{key}.title", **values)
        return Html(
            joined(
                element("h2", self.labels(f"page.{key}.title", **values), id=name),
                element("p", self.labels(f"page.{key}.about", **values)),
            )
        )

    def note(self, key: str, **values: Any) -> Html:
        """Return a paragraph."""
        return Html(element("p", self.labels(key, **values), class_="note"))

    def column(self, name: str) -> str:
        """Return the heading of a column."""
        key = f"column.{name}"
        return self.labels(key) if self.labels.has(key) else name.replace("_", " ")

    def text(self, column: str, value: Any) -> str:
        """Return the text for a value of a column."""
        if value is None:
            return "–"
        if isinstance(value, bool):
            return self.labels("site.yes" if value else "site.no")
        if column in ("yaku", "other"):
            return self.labels.yaku(str(value))
        if column == "round":
            return self._round(str(value))
        if column == "month":
            return str(value).replace("-", _UNBROKEN_HYPHEN)
        return self.labels.of(_TEXTS.get(column, f"value_{column}"), value)

    def _round(self, code: str) -> str:
        """Return the name of a round that statistics call ``S4``."""
        wind, number_ = "ESWN".find(code[:1]), code[1:]
        if wind < 0 or not number_.isdigit():
            return code
        return self.labels("round.name", wind=self.labels(f"wind.{wind}"), number=number_)

    def named(self, frame: pl.DataFrame, column: str, into: str = "name") -> pl.DataFrame:
        """Return the frame with a column of texts for the values of a column."""
        texts = [self.text(column, value) for value in frame[column]]
        return frame.with_columns(pl.Series(into, texts, dtype=pl.String))

    # --- tables

    def table(
        self,
        frame: pl.DataFrame,
        *columns: Column,
        rows: int | None = None,
        statistic: str = "",
    ) -> Html:
        """Return a table of some columns, by default of all.

        ``rows`` limits it; then it says so and names the ``statistic`` that has all rows.
        """
        if frame.is_empty():
            return self.note("site.nothing")
        chosen: tuple[Column, ...] = columns or tuple(frame.columns)
        shown = frame if rows is None else frame.head(rows)
        names = [column if isinstance(column, str) else column[0] for column in chosen]
        numeric = [frame[name].dtype.is_numeric() for name in names]
        head = element(
            "tr",
            *(
                element("th", self.column(name), scope="col", class_="number" if right else None)
                for name, right in zip(names, numeric, strict=True)
            ),
        )
        body = [
            element(
                "tr",
                *(
                    self._cell(row, column, first=index == 0, right=right)
                    for index, (column, right) in enumerate(zip(chosen, numeric, strict=True))
                ),
            )
            for row in shown.iter_rows(named=True)
        ]
        table = element(
            "table", element("thead", head), element("tbody", *body), class_="statistic"
        )
        more = None
        if shown.height < frame.height:
            more = element(
                "p",
                self.labels(
                    "site.first_rows", shown=shown.height, n=frame.height, statistic=statistic
                ),
                class_="note",
            )
        return Html(
            joined(
                element(
                    "div", table, class_="scroll", tabindex=0, role="region",
                    aria_label=self._table_name(self.column(names[0])),
                ),
                more,
            )
        )  # fmt: skip

    def _table_name(self, what: str) -> str:
        """Return a name for the next table of the page: its number and its section's heading."""
        self._tables += 1
        return self.labels("site.table_of", number=self._tables, what=self._section or what)

    def _cell(self, row: dict[str, Any], column: Column, *, first: bool, right: bool) -> Markup:
        name, *ends = (column,) if isinstance(column, str) else column
        value = row[name]
        if right:
            text = number(name, value)
            if ends and row[ends[0]] is not None:
                low, high = (number(name, row[end]) for end in ends)  # in the value's own unit
                interval = element("span", f" {low} – {high}", class_="interval")
                return element("td", text, interval, class_="number")
            return element("td", text, class_="number")
        shown = named(value) if name in ("player", "opponent") and value else self.text(name, value)
        return element("th", shown, scope="row") if first else element("td", shown)

    # --- charts

    def chart(self, chart: alt.TopLevelMixin, key: str, told: str = "", **values: Any) -> Any:
        """Return a chart as wide as the page, with a text for readers who do not see it.

        ``told`` is what it shows, in words; without it, the text leads to the table that follows.
        """
        title = self.labels(f"page.{key}.title", **values)
        described = f"{title} {told or self.labels('site.chart_table')}"
        return chart.properties(width="container", description=described)

    def told(
        self, frame: pl.DataFrame, name: str, value: str, ends: Sequence[str] = (), by: str = ""
    ) -> str:
        """Return the values of a chart in words, of long lines some; ``by`` parts the lines.

        ``ends`` are the columns of the intervals' ends, in the unit of the value.
        """
        if by:
            parts = frame.partition_by(by, maintain_order=True)
            each = [self.told(part, name, value, ends) for part in parts]
            whose = [part[by][0] for part in parts]
            if by != "name":
                whose = [f"{self.column(by)} {who}" for who in whose]
            lines = zip(whose, each, strict=True)
            return " ".join(f"{self._colon(who)}{line}" for who, line in lines)
        shown = frame.gather_every(max(1, math.ceil(frame.height / _MOST_TOLD)))
        words = []
        for row in shown.iter_rows(named=True):
            at = row[name] if isinstance(row[name], str) else number(name, row[name])
            text = f"{self._colon(at)}{number(value, row[value])}"
            if ends and row[ends[0]] is not None:
                low, high = (number(value, row[end]) for end in ends)
                text += f" ({low} – {high})"
            words.append(text)
        return "; ".join(words) + "."

    def _colon(self, what: object) -> str:
        return self.labels("site.colon", what=what)

    def rates(
        self,
        frame: pl.DataFrame,
        category: str,
        key: str,
        *,
        value: str = "rate",
        low: str = "low",
        high: str = "high",
        sort: bool = True,
    ) -> Any:
        """Return rates of categories as points with their intervals, the highest first."""
        if frame.is_empty():
            return self.note("site.nothing")
        data = self.named(frame, category).select("name", "n", value, low, high)
        if sort:
            data = data.sort(value, descending=True, nulls_last=True)
        data = data.head(_MOST_CATEGORIES)
        names = alt.Y(
            "name:N", sort=data["name"].to_list(), title=None, axis=alt.Axis(labelLimit=220)
        )
        tips = [
            alt.Tooltip("name:N", title=self.column(category)),
            *self._tips((value, low, high, "n")),
        ]
        spread = alt.Chart(data).mark_rule(strokeWidth=2).encode(
            x=alt.X(f"{low}:Q", title=self.column(value), axis=self._axis(value)),
            x2=f"{high}:Q", y=names, tooltip=tips,
        )  # fmt: skip
        points = alt.Chart(data).mark_point(filled=True, size=70, opacity=1).encode(
            x=f"{value}:Q", y=names, tooltip=tips
        )  # fmt: skip
        height = max(60, 24 * data.height)
        told = self.told(data, "name", value, (low, high))
        return self.chart((spread + points).properties(height=height), key, told)

    def bars(self, frame: pl.DataFrame, category: str, key: str, *, value: str = "rate") -> Any:
        """Return values of categories as bars, in the frame's order."""
        if frame.is_empty():
            return self.note("site.nothing")
        data = self.named(frame, category).select("name", value).head(_MOST_CATEGORIES)
        chart = alt.Chart(data).mark_bar().encode(
            x=alt.X(f"{value}:Q", title=self.column(value), axis=self._axis(value)),
            y=alt.Y(
                "name:N", sort=data["name"].to_list(), title=None, axis=alt.Axis(labelLimit=220)
            ),
            tooltip=[alt.Tooltip("name:N", title=self.column(category)), *self._tips((value,))],
        )  # fmt: skip
        told = self.told(data, "name", value)
        return self.chart(chart.properties(height=max(60, 22 * data.height)), key, told)

    def lines(
        self,
        frame: pl.DataFrame,
        along: str,
        key: str,
        *,
        value: str = "rate",
        low: str | None = "low",
        high: str | None = "high",
        by: str | None = None,
        least: int = 0,
    ) -> Any:
        """Return a value along a number as a line with the band of its interval, by category.

        Points of fewer than ``least`` cases (``n``) are left out: they say nothing.
        """
        data = frame.filter(pl.col("n") >= least) if least and frame.height else frame
        if data.is_empty():
            return self.note("site.nothing")
        ends = [end for end in (low, high) if end]
        shown = [along, "n", value, *ends]
        tips = [
            alt.Tooltip(f"{along}:Q", title=self.column(along)),
            *self._tips((value, *ends, "n")),
        ]
        colour: dict[str, Any] = {}
        if by is not None:
            data = self.named(data, by)
            shown.append("name")
            legend: dict[str, Any] = {"title": self.column(by), "legend": LEGEND}
            colour = {
                "color": alt.Color("name:N", **legend),
                "strokeDash": alt.StrokeDash("name:N", **legend),
            }
            tips.insert(0, alt.Tooltip("name:N", title=self.column(by)))
        told = self.told(data, along, value, ends, "name" if by else "")
        base = alt.Chart(data.select(shown)).encode(
            x=alt.X(f"{along}:Q", title=self.column(along), axis=alt.Axis(tickMinStep=1))
        )
        line = base.mark_line(point=True).encode(
            y=alt.Y(f"{value}:Q", title=self.column(value), axis=self._axis(value)),
            tooltip=tips, **colour,
        )  # fmt: skip
        if not ends:
            return self.chart(line.properties(height=260), key, told)
        band = {"color": colour["color"]} if colour else {}
        area = base.mark_area(opacity=0.2).encode(
            y=alt.Y(f"{low}:Q", title=self.column(value), axis=self._axis(value)), y2=f"{high}:Q",
            **band,
        )  # fmt: skip
        return self.chart((area + line).properties(height=260), key, told)

    def _axis(self, name: str) -> alt.Axis:
        return alt.Axis(format="~%") if _kind(name) == "percent" else alt.Axis()

    def _tips(self, names: Iterable[str]) -> list[alt.Tooltip]:
        formats = {
            "percent": ".1%", "points": ",.0f", "count": ",d", "number": ".2f", "value": "+.1f",
            "loss": ".4f",
        }  # fmt: skip
        return [
            alt.Tooltip(f"{name}:Q", title=self.column(name), format=formats[_kind(name)])
            for name in names
        ]


def _kind(name: str) -> str:
    """Return what a column measures: percent, points, a count or another number."""
    if name in _POINTS:
        return "points"
    if name in _VALUES:
        return "value"
    if name in _LOSSES:
        return "loss"
    if name.startswith("rate_") or name.rsplit("_", 1)[-1] in _PERCENT:
        return "percent"
    if name in _RESULTS:
        return "result"
    if name.startswith("average") or name in ("value", "lift", "z", "stable_dan", "stable_level"):
        return "number"
    return "count"


def number(name: str, value: float | None) -> str:
    """Return a number as people read it, by the name of its column.

    >>> number("win_rate", 0.2134), number("n", 12345), number("balance", -137.7)
    ('21.3 %', '12,345', '−138')
    >>> number("average_placement", 2.5), number("n", None), number("total_result", 160.0)
    ('2.50', '–', '+160.0')
    >>> number("p", 0.0004), number("p", 0.25)
    ('< 0.001', '0.250')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "–"
    kind = _kind(name)
    if name == "p":
        return "< 0.001" if value < 0.001 else f"{value:.3f}"
    if kind == "percent":
        small = 0.000_005 <= abs(value) < 0.001
        text = f"{100 * value:.3f} %" if small else f"{100 * value:.1f} %"
    elif kind == "value":
        text = f"{value:+.1f}" if abs(value) >= 0.05 else "0.0"
    elif kind == "result":
        text = f"{value:+,.1f}"
    elif kind == "loss":
        text = f"{value:.4f}"
    elif kind == "points":
        text = f"{value:+,.0f}" if name in _SIGNED else f"{value:,.0f}"
    elif isinstance(value, float) and (kind == "number" or value != int(value)):
        text = f"{value:,.2f}"
    else:
        text = f"{value:,.0f}"
    return text.replace("-", "−")
