"""A game or its rounds, read from a lake into plain dicts.

:func:`read_game` and :func:`read_round` return what ``paifu show --json`` prints and what
``paifu show`` formats as text or as a page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from paifu.errors import UsageError
from paifu.host.terminal import printable
from paifu.lake.forget import games_called
from paifu.schema.yaku import YAKU_INDEX

if TYPE_CHECKING:
    from paifu.lake.lake import Lake

Row = dict[str, Any]

_ROUND_NAME = re.compile(r"([eswn])(?:ast|outh|est|orth)?[ -]?([1-4])(?:[.-](\d+))?", re.IGNORECASE)
_VALUES = (
    "han", "fu", "yakuman", "limit", "points", "honba_points", "stick_points", "pao_seat",
    "delta_0", "delta_1", "delta_2", "delta_3",
)  # fmt: skip
"""What both the record and the rules engine say about a win."""


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
        names = ", ".join(_code(row) for row in rounds)
        raise UsageError(f"the game has no round {printable(name)!r}: it has {names}")
    return chosen[0]


def other_honba(game: Row, name: str, index: int) -> list[Row]:
    """Return the other rounds, besides ``index``, that a name without honba can mean."""
    match = _ROUND_NAME.fullmatch(name.strip())
    if match is None or match[3] is not None:
        return []
    wind, number = "eswn".index(match[1].lower()), int(match[2])
    alike = [row for row in game["rounds"] if (row["wind"], row["number"]) == (wind, number)]
    return [row for row in alike if row["round_index"] != index]


def _code(row: Row) -> str:
    """Return a round as a user types it: ``S3.1``."""
    return f"{'ESWN'[row['wind']]}{row['number']}.{row['honba']}"


def games_of_player(lake: Lake, player: str, limit: int) -> tuple[list[Row], int]:
    """Return a player's games, the newest first and at most ``limit``, and how many there are.

    Of each game: its id, when and where it was played, and the player's place, points and result.
    """
    stored = lake.stored_name(player)
    games = _rows(
        lake,
        """SELECT game_id, log_id, platform, played_at, played_precision, players, length, ruleset,
            room, aka, kuitan, placement, final_points, result, count(*) OVER () AS total
        FROM seats JOIN games USING (game_id) WHERE player = $player
        ORDER BY played_at DESC NULLS LAST, log_id, game_id LIMIT $limit""",
        player=stored,
        limit=limit,
    )
    total = games[0]["total"] if games else 0
    for game in games:
        del game["total"]
    return games, total


def read_game(lake: Lake, game_id: int, ruleset: str | None = None) -> Row:
    """Return a game: its row with ``seats``, ``rounds`` and ``verdicts`` under it.

    The verdicts are those under the rule set that the record names, or under ``ruleset``.
    """
    (game,) = _rows(
        lake,
        """SELECT game_id, log_id, platform, played_at, played_precision, players, length, ruleset,
            game, aka, kuitan, fast, room, lobby, ended_by, detail, complete, flags, remarks
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
            p.deltas, p.points_end
        FROM rounds AS r LEFT JOIN (
            SELECT round_index, list(delta ORDER BY seat) AS deltas,
                list(points_end ORDER BY seat) AS points_end
            FROM round_seats WHERE game_id = $game GROUP BY round_index
        ) AS p USING (round_index)
        WHERE game_id = $game ORDER BY round_index""",
        game=game_id,
    )
    game["wins"] = _wins(lake, "game_id = $game", ruleset, game=game_id)
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
    (row,) = read_rounds(lake, game_id, ruleset, round_index)
    return row


def read_rounds(
    lake: Lake, game_id: int, ruleset: str | None = None, only: int | None = None
) -> list[Row]:
    """Return the rounds of a game, or one of them, each as :func:`read_round` does."""
    here = "game_id = $game AND ($round IS NULL OR round_index = $round)"
    which = {"game": game_id, "round": only}
    rounds = _rows(
        lake,
        f"SELECT * EXCLUDE (game_id) FROM rounds WHERE {here} ORDER BY round_index",
        **which,
    )
    parts = {
        name: _by_round(
            _rows(
                lake,
                f"SELECT * EXCLUDE (game_id) FROM {table} WHERE {here} ORDER BY {order}",
                **which,
            )
        )
        for name, table, order in (("seats", "round_seats", "seat"), ("actions", "actions", "seq"))
    }
    wins = _wins(lake, here, ruleset, **which)
    verdicts = _verdicts(
        lake,
        "v.game_id = $game AND ($round IS NULL OR v.round_index = $round)",
        ruleset,
        **which,
    )
    for row in rounds:
        index = row["round_index"]
        row |= {name: of_round[index] for name, of_round in parts.items()}
        row["wins"] = [win for win in wins if win["round_index"] == index]
        row["verdicts"] = [verdict for verdict in verdicts if verdict["round_index"] == index]
    return rounds


def _by_round(rows: Iterable[Row]) -> defaultdict[int, list[Row]]:
    found: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.pop("round_index")].append(row)
    return found


def read_risks(lake: Lake, game_id: int) -> list[Row]:
    """Return table ``discard_risks`` of a game: what each discard was against each threat."""
    return _rows(
        lake,
        """SELECT round_index, seq, against, threat, class, live, chance, near_dora, dealt_in
        FROM discard_risks WHERE game_id = $game ORDER BY round_index, seq, against""",
        game=game_id,
    )


def read_chances(lake: Lake, game_id: int) -> list[list[list[float]]]:
    """Return the chances of the places of a game by the lake's current model; empty if it has none.

    The chance that a seat ends at a place, before each round and at the end of the game:
    ``chances[place][seat][round]``, places from 0.
    """
    rows = _rows(
        lake,
        """SELECT seat, [place_1, place_2, place_3, place_4] AS before,
            [place_1_after, place_2_after, place_3_after, place_4_after] AS after
        FROM round_values
        SEMI JOIN (SELECT model_id FROM placement_models WHERE current) AS m USING (model_id)
        WHERE game_id = $game ORDER BY seat, round_index""",
        game=game_id,
    )
    by_seat: defaultdict[int, list[Row]] = defaultdict(list)
    for row in rows:
        by_seat[row["seat"]].append(row)
    return [
        [
            [row["before"][place] for row in of_seat] + [of_seat[-1]["after"][place]]
            for _, of_seat in sorted(by_seat.items())
        ]
        for place in range(len(by_seat))
    ]


def _wins(lake: Lake, here: str, ruleset: str | None, **which: Any) -> list[Row]:
    """Return wins with their ``yaku`` and what is ``computed`` for them (None if nothing is).

    ``yaku_source`` says whether the yaku are recorded or computed; NULL if there are no yaku.
    """
    wins = _rows(
        lake,
        f"SELECT * EXCLUDE (game_id) FROM wins WHERE {here} ORDER BY round_index, win_index",
        **which,
    )
    recorded = _rows(
        lake, f"SELECT round_index, win_index, yaku, han FROM win_yaku WHERE {here}", **which
    )
    scored = _rows(
        lake,
        f"""SELECT round_index, win_index, s.ruleset_hash, {", ".join(f's."{v}"' for v in _VALUES)}
        FROM scored_wins AS s JOIN games AS g
            ON g.game_id = s.game_id AND s.ruleset = coalesce($ruleset, g.ruleset)
        WHERE {here.replace("game_id", "s.game_id")}""",
        ruleset=ruleset,
        **which,
    )
    found = _rows(
        lake,
        f"SELECT round_index, win_index, ruleset_hash, yaku, han FROM scored_yaku WHERE {here}",
        **which,
    )
    for win in wins:
        computed = next((row for row in scored if _same_win(row, win)), None)
        win["yaku"] = _yaku_of(win, recorded)
        win["yaku_source"] = "recorded" if win["yaku"] else None
        win["computed"] = None
        if computed is not None:
            of_rules = [r for r in found if r["ruleset_hash"] == computed["ruleset_hash"]]
            win["computed"] = {name: computed[name] for name in _VALUES} | {
                "yaku": _yaku_of(win, of_rules)
            }
            if not win["yaku"]:
                win["yaku"] = win["computed"]["yaku"]
                win["yaku_source"] = "computed" if win["yaku"] else None
    return wins


def _yaku_of(win: Row, rows: Iterable[Row]) -> list[Row]:
    """Return the yaku of a win, in the order of the vocabulary, dora last."""
    own = [{"yaku": row["yaku"], "han": row["han"]} for row in rows if _same_win(row, win)]
    return sorted(own, key=lambda found: YAKU_INDEX.get(found["yaku"], len(YAKU_INDEX)))


def _same_win(row: Row, win: Row) -> bool:
    return all(row[name] == win[name] for name in ("round_index", "win_index"))
