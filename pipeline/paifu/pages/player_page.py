"""What the notebook ``player`` uses: one player beside the others, over time and round by round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import altair as alt
import polars as pl

from paifu.lake.connection import quoted
from paifu.pages.markup import Markup, element, joined, named
from paifu.pages.notebook_page import LEGEND, Html, answering, number
from paifu.pages.value_page import SCHEME, ValuePage
from paifu.query.filters import Filter
from paifu.query.game_text import round_name
from paifu.query.player_measures import (
    LEAST_GAMES,
    STYLE,
    compared,
    compared_shares,
    compared_values,
    moving_averages,
    wilson,
)

HALF_LIVES = (100, 400)
"""Games after which a game counts half, for the two moving averages."""
_POINTS_OF_A_LINE = 400
_FIRST_SHOWN = 10
"""The game at which moving averages begin: those of fewer games say nothing."""
_WHOLE_NUMBERS = alt.Axis(tickMinStep=1)
_LAST_TURN = 18
_LEAST_CASES = 30
"""Points of a line with fewer cases are left out: one case would be a cliff."""
STABLE_GAMES = 100
"""Fewer games in a room say next to nothing of the stable dan."""
_ROUNDS = 8
"""How many of the best and of the worst rounds are listed."""


class PlayerPage(ValuePage):
    """A page about one player; without ``player``, about the one with the most games.

    ``who`` is the player's name as the lake stores it; empty if no player has a name.
    """

    def __init__(
        self, lake: str | None = None, *, player: str | None = None, versus: str | None = None,
        **more: Any,
    ) -> None:  # fmt: skip
        super().__init__(lake, **more)
        self.versus = versus
        self.who = player if player is not None else self._most_played()

    def _most_played(self) -> str:
        found = self.sql(
            "SELECT player FROM seats WHERE NOT anonymous AND player IS NOT NULL "
            "GROUP BY player ORDER BY count(*) DESC, player LIMIT 1"
        )
        return str(found["player"][0]) if found.height else ""

    def head(self) -> Html:
        """Return the heading of the page: whom it is about, and which games it counts."""
        if not self.who:
            return Html(
                joined(
                    element("h1", self.labels("page.player.title")),
                    element("p", self.labels("site.no_named"), class_="note"),
                    self._provenance(),
                )
            )
        own = self.sql(
            """SELECT count(*) AS games, count(*) FILTER (detail = 'play') AS played,
                sum(CASE WHEN detail = 'play' THEN rounds END)::BIGINT AS rounds
            FROM seats JOIN games USING (game_id) WHERE player = $player AND NOT anonymous""",
            player=self.who,
        ).row(0, named=True)
        told = self.labels(
            "page.player.counted", games=f"{own['games']:,}", played=f"{own['played']:,}",
            rounds=f"{own['rounds'] or 0:,}",
        )  # fmt: skip
        return Html(
            joined(
                element("h1", named(self.who)),
                element("p", told, class_="lead"),
                self._provenance(),
            )
        )

    # --- measures

    @answering
    def measures(self, *, versus: str | None = None) -> pl.DataFrame:
        """Return each measure beside the others' of the same rooms, or beside another player's."""
        if not self.who:
            return pl.DataFrame()
        self.only.apply(self.lake.connection)
        return compared(self.lake, self.who, versus)

    def measure_table(self, frame: pl.DataFrame, *, other: str | None = None) -> Html:
        """Return the measures as a table in which only tested differences are marked."""
        if frame.is_empty():
            return self.note("site.nothing")
        column = self.column
        heads = [column("measure"), column("n"), column("mine")]
        heads.append(named(other) if other else column("pooled"))
        heads += [column("difference"), column("p"), column("percentile")]
        body = [self._measure_row(row) for row in frame.iter_rows(named=True)]
        head = element(
            "tr",
            *(
                element("th", text, scope="col", class_="number" if index else None)
                for index, text in enumerate(heads)
            ),
        )
        table = element(
            "table", element("thead", head), element("tbody", *body), class_="statistic"
        )
        return Html(
            element(
                "div", table, class_="scroll", tabindex=0, role="region",
                aria_label=self._table_name(column("measure")),
            )
        )  # fmt: skip

    def _measure_row(self, row: dict[str, Any]) -> Markup:
        name = row["measure"]
        look, said = "number", ""
        if row["differs"]:
            look = "number better" if row["difference"] > 0 else "number worse"
            said = self.labels(
                "page.player.higher" if row["difference"] > 0 else "page.player.lower"
            )
        percentile = "–" if row["percentile"] is None else f"{100 * row['percentile']:.0f}"
        return element(
            "tr",
            element("th", self.column(name), scope="row"),
            element("td", number("n", row["n"]), class_="number"),
            _with_interval(name, row["mine"], row["low"], row["high"]),
            _with_interval(name, row["pooled"], row["pooled_low"], row["pooled_high"]),
            element("td", f"{_signed(name, row['difference'])} {said}".strip(), class_=look),
            element("td", number("p", row["p"]), class_="number"),
            element("td", percentile, class_="number"),
        )

    def versus_section(self) -> Html:
        """Return the same measures beside those of the player ``versus``; empty without one."""
        if not self.versus or not self.who:
            return Html("")
        return Html(
            joined(
                element("h2", self.labels("page.player.versus", other=self.versus), id="versus"),
                element("p", self.labels("page.player.versus_about")),
                self.measure_table(self.measures(versus=self.versus), other=self.versus).markup,
            )
        )

    def style(self, frame: pl.DataFrame, key: str) -> Any:
        """Return the player's style: where it stands among the players, 0 lowest, 100 highest."""
        shown = frame.filter(pl.col("measure").is_in(STYLE)) if frame.height else frame
        if shown.is_empty() or shown["percentile"].null_count() == shown.height:
            return self.note("page.player.no_percentiles", n=LEAST_GAMES)
        data = shown.select(
            name=pl.Series([self.column(name) for name in shown["measure"]]),
            value=pl.col("percentile") * 100,
        )
        names = alt.Y("name:N", sort=data["name"].to_list(), title=None)
        scale = alt.Scale(domain=[0, 100])
        base = alt.Chart(data)
        along = alt.X("low:Q", scale=scale, title=self.column("percentile"))
        line = base.mark_rule(strokeWidth=6, opacity=0.15).transform_calculate(low="0", high="100")
        line = line.encode(x=along, x2="high:Q", y=names)
        middle = base.mark_tick(thickness=2).transform_calculate(half="50")
        middle = middle.encode(x="half:Q", y=names)
        points = base.mark_point(filled=True, size=160, opacity=1).encode(
            x="value:Q", y=names,
            tooltip=[alt.Tooltip("name:N", title=" "), alt.Tooltip("value:Q", format=".0f")],
        )  # fmt: skip
        told = self.told(data.rename({"value": "percentile"}), "name", "percentile")
        return self.chart((line + middle + points).properties(height=34 * data.height), key, told)

    # --- placements and results over time

    def games(self) -> pl.DataFrame:
        """Return the player's games in order: ``placement``, ``result`` and when."""
        if not self.who:
            return pl.DataFrame()
        return self.sql(
            """SELECT played_at, placement, result FROM seats JOIN games USING (game_id)
            WHERE player = $player AND NOT anonymous AND placement IS NOT NULL
                AND (complete OR detail = 'result') AND game IS NULL
            ORDER BY played_at NULLS FIRST, log_id, game_id""",
            player=self.who,
        )

    def placements(self, games: pl.DataFrame, key: str) -> Any:
        """Return how often each place was reached, with intervals."""
        if games.is_empty():
            return self.note("site.nothing")
        n = games.height
        rows = []
        for place in range(1, (self.players or 4) + 1):
            count = int((games["placement"] == place).sum())
            low, high = wilson(count / n, n)
            rows.append((self.labels(f"place.{place}"), n, count / n, low, high))
        frame = pl.DataFrame(rows, schema=["place", "n", "rate", "low", "high"], orient="row")
        return self.rates(frame, "place", key, sort=False)

    def form(self, games: pl.DataFrame, column: str, key: str) -> Any:
        """Return moving averages of a column over the games, with bands."""
        values = games[column].drop_nulls().cast(pl.Float64).to_list() if games.height else []
        if len(values) <= _FIRST_SHOWN:
            return self.note("page.player.few_games", n=_FIRST_SHOWN)
        parts = []
        for half_life in HALF_LIVES:
            line = moving_averages(values, half_life)
            every = max(1, line.height // _POINTS_OF_A_LINE)
            parts.append(line.gather_every(every).with_columns(half_life=pl.lit(str(half_life))))
        data = pl.concat(parts).filter(pl.col("game_number") >= _FIRST_SHOWN)
        title = self.column(f"average_{column}")
        scale = alt.Scale(zero=False, reverse=column == "placement")
        base = alt.Chart(data).encode(
            x=alt.X("game_number:Q", title=self.column("game_number"), axis=_WHOLE_NUMBERS),
            color=alt.Color("half_life:N", title=self.column("half_life"), legend=LEGEND),
        )
        band = base.mark_area(opacity=0.15).encode(
            y=alt.Y("low:Q", title=title, scale=scale), y2="high:Q"
        )
        line = base.mark_line().encode(
            y=alt.Y("value:Q", title=title, scale=scale),
            tooltip=[
                alt.Tooltip("game_number:Q", title=self.column("game_number")),
                alt.Tooltip("value:Q", title=title, format=".2f"),
                alt.Tooltip("low:Q", format=".2f"), alt.Tooltip("high:Q", format=".2f"),
            ],
        )  # fmt: skip
        shown = data.rename({"value": f"average_{column}"})
        told = self.told(shown, "game_number", f"average_{column}", ("low", "high"), "half_life")
        return self.chart((band + line).properties(height=260), key, told)

    def rating(self, key: str) -> Any:
        """Return the rating after each game, and the rank, where the logs have them."""
        if not self.who:
            return self.note("site.nothing")
        history = self.ask("rating_history", name=self.who, rows=100_000)
        history = history.filter(pl.col("r").is_not_null())
        if history.height < 2:
            return self.note("page.player.no_rating")
        every = max(1, history.height // (2 * _POINTS_OF_A_LINE))
        data = history.sort("game").gather_every(every).select("game", "r_after", "dan")
        data = data.with_columns(dan=pl.col("dan").fill_null("–"))
        line = alt.Chart(data).mark_line(point=data.height < 60).encode(
            x=alt.X("game:Q", title=self.column("game_number"), axis=_WHOLE_NUMBERS),
            y=alt.Y("r_after:Q", title=self.column("r"), scale=alt.Scale(zero=False)),
            tooltip=[
                alt.Tooltip("game:Q", title=self.column("game_number")),
                alt.Tooltip("r_after:Q", title=self.column("r"), format=".0f"),
                alt.Tooltip("dan:N", title=self.column("dan")),
            ],
        )  # fmt: skip
        told = self.told(data, "game", "r_after")
        return self.chart(line.properties(height=220), key, told)

    def dan_points(self) -> pl.DataFrame:
        """Return the player's dan points, by room, length and dan, with their intervals."""
        if not self.who:
            return pl.DataFrame()
        frame = self.ask("dan_points", of=self.who)
        half = pl.col("plus_minus")
        middle = pl.col("average_dan_points")
        return frame.with_columns(low=middle - half, high=middle + half)

    def stable(self) -> Html:
        """Return the dan, or the level, at which the player's points would neither rise nor fall.

        It needs :data:`STABLE_GAMES` games in a room.
        """
        if not self.who:
            return self.note("site.nothing")
        shown = []
        for statistic in ("stable_dan", "stable_level"):
            frame = self.ask(statistic, of=self.who, min_games=STABLE_GAMES)
            if frame.height:
                kinds = ("room", "length") if "length" in frame.columns else ("room",)
                table = self.table(frame, *kinds, "n", "n_last", (statistic, "low", "high"))
                shown.append(table.markup)
        return Html(joined(*shown)) if shown else self.note("page.player.dan.few", n=STABLE_GAMES)

    def months(self) -> pl.DataFrame:
        """Return the player's months with intervals: placement, win and deal-in rate."""
        if not self.who:
            return pl.DataFrame()
        return self.sql(
            """SELECT strftime(played_at + INTERVAL 9 HOUR, '%Y-%m') AS month,
                count(placement) AS n_games, avg(placement) AS average_placement,
                1.96 * stddev_samp(placement) / sqrt(count(placement)) AS plus_minus,
                greatest(average_placement - plus_minus, 1) AS low,
                least(average_placement + plus_minus, max(games.players)) AS high,
                sum(g.rounds)::BIGINT AS n, sum(wins) / nullif(sum(g.rounds), 0) AS win_rate,
                rate_low(sum(wins), sum(g.rounds)) AS win_low,
                rate_high(sum(wins), sum(g.rounds)) AS win_high,
                sum(deal_in_rounds) / nullif(sum(g.rounds), 0) AS deal_in_rate,
                rate_low(sum(deal_in_rounds), sum(g.rounds)) AS deal_in_low,
                rate_high(sum(deal_in_rounds), sum(g.rounds)) AS deal_in_high
            FROM seats JOIN games USING (game_id) LEFT JOIN game_seats AS g USING (game_id, seat)
            WHERE player = $player AND NOT anonymous AND played_at IS NOT NULL AND game IS NULL
                AND (complete OR detail = 'result') AND placement IS NOT NULL
            GROUP BY ALL ORDER BY month""",
            player=self.who,
        )

    # --- beside the others

    @cached_property
    def same_rooms(self) -> Filter:
        """The filter of the page's games of the platforms, rooms and lengths that the player plays.

        The others of these games are those that the player is compared with.
        """
        places = self.sql(
            """SELECT DISTINCT platform, room, length FROM games JOIN seats USING (game_id)
            WHERE player = $player AND NOT anonymous ORDER BY ALL""",
            player=self.who,
        )
        of_places = " OR ".join(
            "(" + " AND ".join(_is(column, row[column]) for column in row) + ")"
            for row in places.iter_rows(named=True)
        )
        where = " AND ".join(f"({each})" for each in (self.only.where, of_places) if each)
        return replace(self.only, where=where or None)

    def beside(
        self,
        statistic: str,
        *keys: str,
        within: Sequence[str] = (),
        cases: str = "wins",
        own: Sequence[str] = (),
    ) -> pl.DataFrame:
        """Return a statistic of shares of the player's cases beside those of the same rooms.

        See :func:`~paifu.query.player_measures.compared_shares`. ``own`` are more columns of the
        player's answer.
        """
        if not self.who:
            return pl.DataFrame()
        mine = self.ask(statistic, of=self.who)
        everyone = self.ask(statistic, only=self.same_rooms)
        frame = compared_shares(mine, everyone, *keys, within=within, cases=cases)
        if frame.is_empty() or not own:
            return frame
        return frame.join(mine.select(*keys, *own), on=keys, how="left", maintain_order="left")

    def by_turn(self, statistic: str, along: str, key: str) -> Any:
        """Return a rate by turn as two lines, the player's and the others'."""
        if not self.who:
            return self.note("site.nothing")
        names = {"mine": self.who[:24], "pooled": self.column("pooled")}
        parts = []
        for who, only in (
            ("mine", replace(self.only, player=self.who)),
            ("pooled", self.same_rooms),
        ):
            frame = self.ask(statistic, only=only).filter(pl.col(along) <= _LAST_TURN)
            ends = [wilson(rate, n) for rate, n in frame.select("rate", "n").iter_rows()]
            parts.append(
                frame.select(along, "n", "rate").with_columns(
                    low=pl.Series([low for low, _ in ends], dtype=pl.Float64),
                    high=pl.Series([high for _, high in ends], dtype=pl.Float64),
                    who=pl.lit(names[who]),
                )
            )
        return self.lines(pl.concat(parts), along, key, by="who", least=_LEAST_CASES)

    @answering
    def causes(self) -> pl.DataFrame:
        """Return values by cause beside those of the others of the same rooms, tested together."""
        frame = self.by_cause(self.who)
        if frame.is_empty():
            return frame
        self.only.apply(self.lake.connection)
        others = compared_values(self.lake, self.who, SCHEME).select(
            "p", "differs", cause="measure", all_change="pooled_case", all_per_game="pooled",
            value_difference="difference",
        )  # fmt: skip
        return frame.join(others, on="cause", how="left", maintain_order="left")

    # --- rounds

    def rounds(self, *, best: bool) -> Html:
        """Return the player's best or worst rounds, each with a link to the viewer."""
        if not self.who:
            return self.note("site.nothing")
        found = self.sql(
            f"""SELECT game_id, r.round_index, delta, wind, number, honba, r.outcome,
                played_at + INTERVAL 9 HOUR AS day, s.outcome AS how
            FROM seats JOIN games USING (game_id) JOIN round_seats AS s USING (game_id, seat)
            JOIN rounds AS r ON r.game_id = s.game_id AND r.round_index = s.round_index
            WHERE player = $player AND NOT anonymous AND delta IS NOT NULL AND game IS NULL
            ORDER BY delta {"DESC" if best else ""}, game_id, r.round_index LIMIT {_ROUNDS}""",
            player=self.who,
        )
        if found.is_empty():
            return self.note("site.nothing")
        items = [
            element(
                "li",
                element(
                    "a", round_name(row, self.labels),
                    href=f"game-{row['game_id']}.html#round={row['round_index']}",
                ),
                f" {row['delta']:+,} · {self.labels.of('state_end', row['how'])}"
                + (f" · {row['day']:%Y-%m-%d}" if row["day"] else ""),
            )
            for row in found.iter_rows(named=True)
        ]  # fmt: skip
        return Html(element("ol", *items))


def _is(column: str, value: str | None) -> str:
    """Return a condition in SQL that a column has a value."""
    return f"{column} IS NULL" if value is None else f"{column} = {quoted(value)}"


def _with_interval(name: str, value: float | None, low: float | None, high: float | None) -> Markup:
    interval = None
    if low is not None and high is not None:
        ends = f" {number(name, low)} – {number(name, high)}"
        interval = element("span", ends, class_="interval")
    return element("td", number(name, value), interval, class_="number")


def _signed(name: str, value: float | None) -> str:
    if value is None:
        return "–"
    text = number(name, value)
    return text if text.startswith(("−", "+")) else f"+{text}"
