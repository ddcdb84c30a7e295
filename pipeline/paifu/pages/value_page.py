"""What pages show of the values of positions: by cause, round by round, and the models themselves.

Values are place points of Tenhou's Phoenix room at 7-dan, so that players of any room can be
compared. ``paifu value`` fills them; a page of games without values says so.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import altair as alt
import polars as pl

from paifu.pages.markup import Markup, element, joined, plain_table
from paifu.pages.notebook_page import LEGEND, Html, Page, number
from paifu.query.game_text import round_name

SCHEME = "7dan"
ROUNDS = 10
"""How many of the rounds that decided most are listed."""
STANDARD_ERROR = 2.0
"""Points a game; a page says after how many games a player's sum is known so well."""
_Z = 1.959963984540054
_LEAST_CASES = 30
_OF_MODEL = """
    SELECT * FROM placement_models WHERE current AND ($players IS NULL OR players = $players)
"""


class ValuePage(Page):
    """A page that shows values."""

    @cached_property
    def valued(self) -> int:
        """Number of the page's games that have values of the current model."""
        found = self.sql(
            """SELECT count(DISTINCT game_id) AS n FROM round_values
            SEMI JOIN (SELECT model_id FROM placement_models WHERE current) AS m USING (model_id)"""
        )
        return int(found["n"][0])

    def value_note(self) -> Html:
        """Return which of the page's games are valued, and which command values them."""
        games = self.facts["games"]
        if not self.valued:
            return self.note("site.not_valued")
        if self.valued < games:
            return self.note("site.partly_valued", valued=f"{self.valued:,}", games=f"{games:,}")
        return self.note("site.all_valued", n=games)

    def by_cause(self, of: str | None = None) -> pl.DataFrame:
        """Return statistic ``value_by_cause`` with the ends of its intervals."""
        if not self.valued or of == "":
            return pl.DataFrame()
        frame = self.ask("value_by_cause", of=of, scheme=SCHEME)
        for name, half in (("change", "plus_minus"), ("per_game", "per_game_plus_minus")):
            frame = frame.with_columns(
                (pl.col(name) - pl.col(half)).alias(f"{name}_low"),
                (pl.col(name) + pl.col(half)).alias(f"{name}_high"),
            )
        return frame

    def cause_chart(self, frame: pl.DataFrame, key: str) -> Any:
        """Return the value a game of each cause, with its interval, beside that of the others."""
        shown = frame.filter(pl.col("cause") != "all") if frame.height else frame
        if shown.is_empty():
            return self.note("site.nothing")
        shown = shown.sort("per_game", descending=True)
        data = self.named(shown, "cause").select(
            "name", "n", "per_game", "per_game_low", "per_game_high",
            *(["all_per_game"] if "all_per_game" in shown.columns else []),
        )  # fmt: skip
        names = alt.Y(
            "name:N", sort=data["name"].to_list(), title=None, axis=alt.Axis(labelLimit=220)
        )
        tips = [
            alt.Tooltip("name:N", title=self.column("cause")),
            *self._tips(("per_game", "per_game_low", "per_game_high", "n")),
        ]
        base = alt.Chart(data)
        spread = base.mark_rule(strokeWidth=2).encode(
            x=alt.X("per_game_low:Q", title=self.column("per_game")), x2="per_game_high:Q",
            y=names, tooltip=tips,
        )  # fmt: skip
        layers = [
            spread,
            base.mark_point(filled=True, size=70, opacity=1).encode(
                x="per_game:Q", y=names, tooltip=tips
            ),
        ]
        if "all_per_game" in data.columns:
            layers.append(
                base.mark_tick(thickness=3, size=16).encode(
                    x="all_per_game:Q",
                    y=names,
                    color=alt.value("#c8641e"),
                    tooltip=[*tips, *self._tips(("all_per_game",))],
                )
            )
        height = max(60, 26 * data.height)
        told = self.told(data, "name", "per_game", ("per_game_low", "per_game_high"))
        return self.chart(alt.layer(*layers).properties(height=height), key, told)

    def enough_games(self, frame: pl.DataFrame) -> Html:
        """Return how well the sum a game is known, and how many games would tell it better."""
        total = frame.filter(pl.col("cause") == "all") if frame.height else frame
        if total.is_empty() or total["per_game_plus_minus"][0] is None:
            return self.note("page.player.value.few")
        row = total.row(0, named=True)
        error = row["per_game_plus_minus"] / _Z
        needed = row["n_games"] * (error / STANDARD_ERROR) ** 2
        digits = max(0, int(math.log10(max(needed, 1))) - 1)
        return self.note(
            "page.player.value.enough",
            games=f"{row['n_games']:,}",
            sum=number("per_game", row["per_game"]),
            half=f"{row['per_game_plus_minus']:.1f}",
            error=f"{STANDARD_ERROR:.0f}",
            needed=f"{round(needed, -digits):,.0f}",
        )

    # --- single rounds

    def decisive(self, of: str | None = None) -> Html:
        """Return the rounds that changed values most, for a player or of all seats, with links."""
        if not self.valued or of == "":
            return self.value_note()
        found = self.sql(
            f"""SELECT game_id, round_index, v.seat, change, v.cause, delta, r.wind, r.number,
                honba, played_at + INTERVAL 9 HOUR AS day,
                [place_1, place_2, place_3, place_4] AS before,
                [place_1_after, place_2_after, place_3_after, place_4_after] AS after
            FROM (
                SELECT game_id, round_index, seat, model_id, change, cause
                FROM value_changes('{SCHEME}')
                JOIN (
                    SELECT game_id, seat FROM seats
                    WHERE $player IS NULL OR (player = $player AND NOT anonymous)
                ) USING (game_id, seat)
                QUALIFY row_number() OVER (
                    PARTITION BY game_id, round_index ORDER BY abs(change) DESC, seat
                ) = 1
                ORDER BY abs(change) DESC, game_id, round_index LIMIT {ROUNDS}
            ) AS v
            JOIN round_values USING (game_id, round_index, seat, model_id)
            JOIN rounds AS r USING (game_id, round_index)
            JOIN round_seats USING (game_id, round_index, seat)
            JOIN games USING (game_id)
            ORDER BY abs(change) DESC, game_id, round_index""",
            player=of,
        )
        columns = ("round", "cause", "played", "points_won", "change", "place_1", "place_last")
        heads = [self.column(name) for name in columns]
        rows = [self._decisive_row(row) for row in found.iter_rows(named=True)]
        name = self._table_name(self.column("round"))
        return Html(plain_table(heads, rows, numbers=4, name=name))

    def _decisive_row(self, row: dict[str, Any]) -> list[object]:
        address = f"game-{row['game_id']}.html#round={row['round_index']}"
        players = sum(chance is not None for chance in row["before"])
        chances = [
            f"{_percent(row['before'][place])} → {_percent(row['after'][place])}"
            for place in (0, players - 1)
        ]
        return [
            element("a", round_name(row, self.labels), href=address),
            self.labels.of("state_end", row["cause"]),
            row["day"] and f"{row['day']:%Y-%m-%d}",
            f"{row['delta']:+,}".replace("-", "−"),
            number("change", row["change"]),
            *chances,
        ]

    # --- models

    @cached_property
    def models(self) -> pl.DataFrame:
        """The placement models of the lake that are current, for the page's number of players."""
        return self.sql(_OF_MODEL, players=self.players)

    def population(self) -> Html:
        """Return which games the model was fitted on, and which of this page it has valued."""
        if self.models.is_empty():
            return self.value_note()
        told = [
            element(
                "p",
                self.labels(
                    "page.model.fitted",
                    model=row["model_id"],
                    population=row["population"],
                    rounds=f"{row['rounds']:,}",
                    numbers=len(row["weights"]),
                ),
            )
            for row in self.models.iter_rows(named=True)
        ]
        return Html(joined(*told, self.value_note().markup))

    def scores(self) -> Html:
        """Return the log loss of the model beside those of plain tables, on games held out."""
        rows = []
        for row in self.models.iter_rows(named=True):
            model = row["log_loss"]
            losses = {
                "uniform": math.log(row["players"]), "rank_round": row["log_loss_rank_round"],
                "gaps": row["log_loss_gaps"], "model": model,
            }  # fmt: skip
            rows += [
                (name, loss, loss - model)
                for name, loss in losses.items()
                if loss is not None and model is not None
            ]
        if not rows:
            return self.value_note() if self.models.is_empty() else self.note("page.model.unscored")
        frame = pl.DataFrame(rows, schema=["baseline", "log_loss", "log_loss_more"], orient="row")
        return self.table(frame)

    def reliability(self) -> pl.DataFrame:
        """Return statistic ``model_calibration`` with how far each share is from what was said."""
        if not self.valued:
            return pl.DataFrame()
        frame = self.ask("model_calibration").filter(pl.col("n") >= _LEAST_CASES)
        said = pl.col("average_chance")
        return frame.with_columns(
            off=pl.col("rate") - said, off_low=pl.col("low") - said, off_high=pl.col("high") - said
        )

    def reliability_chart(self, frame: pl.DataFrame, key: str) -> Any:
        """Return what happened less what was said, by the range of the chance, with intervals."""
        if frame.is_empty():
            return self.note("site.nothing")
        data = frame.select(
            "average_chance", "rate", "n", "off", "off_low", "off_high",
            pl.Series("name", [self.labels(f"place.{place}") for place in frame["place"]]),
            pl.Series("range", [f"{100 * chance:.0f} %" for chance in frame["from_chance"]]),
        )  # fmt: skip
        base = alt.Chart(data).encode(
            x=alt.X(
                "range:N",
                sort=None,
                title=self.column("from_chance"),
                axis=alt.Axis(labelAngle=0, labelOverlap="greedy"),
            ),
            xOffset=alt.XOffset("name:N", sort=None),
            color=alt.Color("name:N", title=self.column("place"), sort=None, legend=LEGEND),
            tooltip=[
                alt.Tooltip("name:N", title=self.column("place")),
                *self._tips(("average_chance", "rate", "n")),
            ],
        )
        up = alt.Y("off_low:Q", title=self.column("off"), axis=alt.Axis(format="+~%"))
        spread = base.mark_rule(strokeWidth=2).encode(y=up, y2="off_high:Q")
        points = base.mark_point(filled=True, size=60, opacity=1).encode(y="off:Q")
        line = alt.Chart(pl.DataFrame({"off": [0.0]})).mark_rule(strokeDash=[4, 4])
        return self.chart((line.encode(y="off:Q") + spread + points).properties(height=280), key)

    def reliability_table(self, frame: pl.DataFrame) -> Html:
        """Return how often each place was reached, by the range of the chance."""
        return self.table(*self._by_place(frame, "place", "rate", "low", "high", ["from_chance"]))

    def chances_at(self, round_: str, step: int = 2000) -> pl.DataFrame:
        """Return the mean chance of each place by points at a round of south games, in rows."""
        if not self.valued:
            return pl.DataFrame()
        frame = self.ask("placement_chances", step=step).filter(
            (pl.col("round") == round_) & (pl.col("length") == "south")
        )
        names = ["first_chance", "second_chance", "third_chance", "fourth_chance"]
        names = names[: (self.players or 4)]
        return frame.unpivot(
            names, index=["from_points", "n"], variable_name="chance_of", value_name="chance"
        )

    def thousand_points(self) -> Html:
        """Return what 1,000 points are worth by round, with a column for each rank at the deal."""
        if not self.valued:
            return self.note("site.nothing")
        half, middle = pl.col("plus_minus"), pl.col("value")
        frame = self.ask("value_of_1000_points", scheme=SCHEME).filter(pl.col("n") >= _LEAST_CASES)
        frame = frame.with_columns(low=middle - half, high=middle + half)
        return self.table(
            *self._by_place(frame, "rank", "value", "low", "high", ["length", "round"])
        )

    def _by_place(
        self, frame: pl.DataFrame, place: str, value: str, low: str, high: str, rows: list[str]
    ) -> tuple[Any, ...]:
        """Return a table with a column for each place, and its columns as :meth:`table` takes them.

        The columns are called ``VALUE_of_1`` and so on.
        """
        if frame.is_empty():
            return (frame,)
        wide = frame.select(rows).unique(maintain_order=True)
        columns: list[Any] = [*rows]
        for number_ in range(1, (self.players or 4) + 1):
            names = [f"{each}_of_{number_}" for each in (value, low, high)]
            of_place = frame.filter(pl.col(place) == number_).select(
                *rows, **dict(zip(names, (value, low, high), strict=True))
            )
            wide = wide.join(of_place, on=rows, how="left", maintain_order="left")
            columns.append(tuple(names))
        return (wide, *columns)

    def event_models(self) -> pl.DataFrame:
        """Return the models of deal-ins and riichis: games and log loss beside the constant's."""
        parts = []
        for kind in ("deal_in", "riichi"):
            parts.append(
                self.sql(
                    f"""SELECT DISTINCT '{kind}' AS event, m.ruleset, games AS n_games, log_loss,
                        log_loss_constant AS constant FROM {kind}_models AS m
                    WHERE $players IS NULL
                        OR m.ruleset IN (SELECT ruleset FROM games WHERE players = $players)
                    ORDER BY ruleset""",
                    players=self.players,
                )
            )
        frame = pl.concat(parts)
        return frame.with_columns(log_loss_more=pl.col("constant") - pl.col("log_loss"))


def _percent(chance: float) -> Markup:
    return Markup(f"{100 * chance:.0f}\u00a0%")
