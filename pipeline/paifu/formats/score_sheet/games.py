"""The games of a score sheet: which rows belong to one game, and what they say together.

A game is known by its date, place, table and number. A game with a fault in one of its rows is
refused as a whole, with all faults.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from paifu.errors import LogError
from paifu.formats.score_sheet import rounds as r
from paifu.formats.score_sheet.columns import SEATS
from paifu.formats.score_sheet.entries import MOST_POINTS, PEOPLE, Entry
from paifu.formats.score_sheet.rounds import Round, Win
from paifu.formats.win_sheet.importer import Rulesets
from paifu.rules.fan.flow import NOBODY
from paifu.rules.fan.game import Game as OtherGame
from paifu.schema.flags import RIICHI_UNKNOWN

if TYPE_CHECKING:
    from paifu.rules.riichi.ruleset import RuleSet

_LENGTHS = {
    "south": "south", "east": "east", "半荘": "south", "東南": "south", "东南": "south",
    "半庄": "south", "東風": "east", "东风": "east", "hanchan": "south", "tonpuu": "east",
    "east-south": "south",
}  # fmt: skip
_MOST_GAMES_A_DAY = 999


@dataclass(slots=True)
class Game:
    """One game: its rows, its people, and its rounds or only its result."""

    number: int
    entries: list[Entry] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    """What is wrong in its rows."""
    people: list[str] = field(default_factory=list)
    rules: RuleSet | OtherGame | None = None
    fan_names: dict[str, str] = field(default_factory=dict)
    has_winds: bool = True
    """The round wind changes when the last seat has dealt."""
    length: str | None = None
    rounds: list[Round] = field(default_factory=list)
    points_known: bool = True
    """The points of every round are known."""
    final: list[int] | None = None
    final_recorded: bool = False
    results: list[float | None] | None = None
    remarks: str | None = None
    """What is noted in the row with its result."""
    flags: list[tuple[int | None, str]] = field(default_factory=list)
    """Rounds (None: the whole game) and what does not add up in them."""

    @property
    def first(self) -> Entry:
        """Its first row."""
        return self.entries[0]

    @property
    def key(self) -> tuple[str, str, str, int]:
        """Date, place, table and number, by which the game is known again."""
        cells = self.first.cells
        at: datetime | None = self.first.at
        day = at.date().isoformat() if at else cells.get("date", "")
        return day, cells.get("place", ""), cells.get("table", ""), self.number

    @property
    def name(self) -> str:
        """The key as text, by which the games of a day sort as they were played.

        It is the date, the number, the place and the table.
        """
        day, place, table, number = self.key
        return " ".join(filter(None, (day, f"{number:02}", place, table)))

    @property
    def start_points(self) -> int:
        """What each seat begins with, by the rules."""
        if isinstance(self.rules, OtherGame):
            return self.rules.course.start_points
        return getattr(self.rules, "start_points", 0)


def games_of(entries: Iterable[Entry], rulesets: Rulesets) -> list[Game]:
    """Return the games of a sheet in the order of their first rows, with their faults."""
    games = _grouped(entries)
    for game in games:
        _read(game, rulesets)
        game.faults += [fault for entry in game.entries for fault in entry.faults]
    return games


# --- which rows belong together


@dataclass(slots=True)
class _Day:
    """The games at one table on one day while the rows are read."""

    games: dict[int, Game] = field(default_factory=dict)
    last: Game | None = None
    ended: bool = False
    """The last game has a row with its result."""


def _grouped(entries: Iterable[Entry]) -> list[Game]:
    days: dict[tuple[Any, ...], _Day] = {}
    for entry in entries:
        cells = entry.cells
        place = (entry.at.date() if entry.at else cells.get("date"), cells.get("place"),
                 cells.get("table"))  # fmt: skip
        day = days.setdefault(place, _Day())
        number = _number(entry, day)
        game = day.games.get(number)
        if game is None:
            game = day.games[number] = Game(number)
        game.entries.append(entry)
        day.last, day.ended = game, not _is_round(entry)
    games = [game for day in days.values() for game in day.games.values()]
    return sorted(games, key=lambda game: game.entries[0].row)


def _is_round(entry: Entry) -> bool:
    """Return whether a row is about a round; otherwise it is the result of a game."""
    return entry.has("round", "outcome", "winner", "dealer", "hand", "melds", "win_tile")


def _number(entry: Entry, day: _Day) -> int:
    """Return the number of a row's game, as it says or as the rows of the day go on."""
    if entry.own_game:
        given = entry.number("game")
        if given is not None and 1 <= given <= _MOST_GAMES_A_DAY:
            return given
        if given is not None:
            entry.fault("game", f"the games of a day are 1 to {_MOST_GAMES_A_DAY}, not {given}")
        return 0
    last = day.last
    if last is None:
        return 1
    begins = day.ended or _people(entry) != _people(last.entries[-1])
    if not begins and _is_round(entry):
        begins = _is_first_round(entry) and not _is_first_round(last.entries[-1])
    return max(day.games) + 1 if begins else last.number


def _is_first_round(entry: Entry) -> bool:
    found = r.round_name(entry.cells.get("round", ""))
    honba = entry.cells.get("honba", "0")
    return found in ((1, None, None, None), (None, 0, 1, 0)) or (
        found == (None, 0, 1, None) and honba in ("", "0")
    )


def _people(entry: Entry) -> list[str | None]:
    return [entry.cells.get(column) for column in PEOPLE]


# --- what the rows of a game say


def _read(game: Game, rulesets: Rulesets) -> None:
    first = game.first
    _read_rules(game, rulesets)
    _read_people(game)
    if game.rules is None or not game.people:
        _check_cells(game)
        return
    _read_length(game)
    results = [entry for entry in game.entries if not _is_round(entry)]
    for entry in results[1:]:
        entry.fault(
            "game",
            f"a second result of game {game.number} of this day and table (the first is in row "
            f"{results[0].row}): number the games in column game",
        )
    game.remarks = r.remarks_of(results)
    _read_rounds(game, [entry for entry in game.entries if _is_round(entry)])
    if results:
        _read_result(game, results[0])
    elif game.rounds and game.rounds[-1].end is not None and game.points_known:
        last = game.rounds[-1]
        game.final = _with_leftover(game, list(last.end or ()), last.sticks_end)
    if not game.rounds and not results and not any(entry.faults for entry in game.entries):
        first.fault("round", "there is neither a round nor a result")


def _check_cells(game: Game) -> None:
    """Note the cells that cannot be read, of a game that cannot be read further."""
    for entry in game.entries:
        r.outcome_of(entry)
        for seat in range(SEATS):
            entry.number(f"delta_{seat}")
            entry.number(f"points_{seat}")
            entry.decimal(f"result_{seat}")


def _read_rules(game: Game, rulesets: Rulesets) -> None:
    first = game.first
    name = first.cells.get("rules")
    if not name:
        first.fault("rules", "empty: by which rule set was it played? paifu rulesets lists them")
        return
    try:
        game.rules, game.fan_names = rulesets.get(name)
        game.has_winds = not isinstance(game.rules, OtherGame) or game.rules.course.has_winds
    except LogError as error:
        first.fault("rules", error.reason)
    for entry in game.entries[1:]:
        if entry.cells.get("rules") != name:
            entry.fault("rules", f"{entry.cells.get('rules')!r}, but the game began with {name!r}")


def _read_people(game: Game) -> None:
    first = game.first
    people = _people(first)
    count = SEATS if people[-1] else SEATS - 1
    for seat in range(count):
        if not people[seat]:
            first.fault(PEOPLE[seat], "empty: who sat there?")
            return
    named = [person for person in people[:count] if person]
    for seat, person in enumerate(named):
        if person in named[:seat]:
            first.fault(PEOPLE[seat], f"{person!r} sits there twice")
    wanted = getattr(game.rules, "players", 0)
    if game.rules is not None and wanted not in (0, count):
        first.fault(
            PEOPLE[-1], f"{first.cells['rules']} is for {wanted} players, and {count} are named"
        )
        return
    for entry in game.entries[1:]:
        if _people(entry) != people:
            differ = [n for n, who in enumerate(_people(entry)) if who != people[n]]
            entry.fault(
                PEOPLE[differ[0]],
                f"{entry.cells.get(PEOPLE[differ[0]])!r}, but the game began with "
                f"{people[differ[0]]!r} in row {first.row}: another game has another number in "
                "column game",
            )
    game.people = named


def _read_length(game: Game) -> None:
    text = game.first.cells.get("length", "")
    if isinstance(game.rules, OtherGame):
        return
    fixed = getattr(game.rules, "length", "by_game")
    if text:
        game.length = _LENGTHS.get(text.casefold())
        if game.length is None:
            game.first.fault("length", f"it is south (半荘) or east (東風), not {text[:40]!r}")
        elif fixed not in ("by_game", game.length):
            game.first.fault(
                "length",
                f"{text}, but a game of {game.first.cells['rules']} is {fixed}: a TOML file with "
                f'length = "{game.length}" makes it another',
            )
        return
    game.length = "south" if fixed == "by_game" else fixed


# --- rounds


def _read_rounds(game: Game, entries: list[Entry]) -> None:
    for entry in entries:
        _add_row(game, entry)
    if len(game.rounds) > r.MOST_ROUNDS:
        entries[-1].fault("round", f"more than {r.MOST_ROUNDS:,} rounds in one game")
        game.rounds = game.rounds[: r.MOST_ROUNDS]
    sticks_recorded = any(entry.has("riichi") for entry in entries)
    for index, each in enumerate(game.rounds):
        _follow(game, index)
        _read_acts(game, each, sticks_recorded)
    _read_points(game)


def _add_row(game: Game, entry: Entry) -> None:
    """Add a row to the last round, or begin a round with it."""
    text = entry.cells.get("round", "")
    found = r.round_name(text)
    given = entry.number("honba")
    if given is not None and not 0 <= given <= r.MOST_HONBA:
        entry.fault("honba", f"{given}, but counters are 0 to {r.MOST_HONBA}")
        return
    if found is None:
        told = (
            f"{text[:40]!r} is not a round: write it like 3, E3, East 3 or 東3局1本場"
            if text
            else "empty: which round?"
        )
        entry.fault("round", told)
        return
    running, wind, number, honba = found
    if honba is None:
        honba = given or 0
    elif given is not None and given != honba:
        entry.fault("honba", f"{given}, but the round is called {text}")
    dealer = None
    if who := entry.cells.get("dealer"):
        dealer = r.seat_of(entry, "dealer", who, game.people)
    last = game.rounds[-1] if game.rounds else None
    same = last is not None and (
        last.running == running
        if running is not None
        else last.running is None and (last.wind, last.number, last.honba) == (wind, number, honba)
    )
    if not same:
        each = Round(running=running, wind=wind or 0, number=number or 0, honba=honba)
        each.dealer = -1 if dealer is None else dealer
        game.rounds.append(each)
    elif last is not None and dealer is not None and last.rows[0].has("dealer"):
        if dealer != last.dealer:
            entry.fault("dealer", "another dealer than in the row above, in the same round")
    elif last is not None and dealer is not None:
        last.dealer = dealer
    rows = game.rounds[-1].rows
    if len(rows) < r.MOST_ROWS:
        rows.append(entry)
    else:
        entry.fault("round", f"more than {r.MOST_ROWS} rows of one round")


def _follow(game: Game, index: int) -> None:
    """Check that no round is missing before a round, and fill in its wind, number and dealer."""
    each, players = game.rounds[index], len(game.people)
    last = game.rounds[index - 1] if index else None
    entry = each.rows[0]
    if last is not None and (each.running is None) != (last.running is None):
        entry.fault("round", "numbered in another way than the rounds above")
        return
    if each.running is not None:
        due = index + 1 if last is None or last.running is None else last.running + 1
        if each.running != due:
            missing = "round 1" if last is None else f"round {due}"
            entry.fault("round", f"{each.running}, but {missing} is missing")
        if each.dealer < 0:
            _deal_in_turn(game, each, entry)
        if last is not None:
            turned = game.has_winds and last.dealer == players - 1 and each.dealer == 0
            each.wind = (last.wind + turned) % SEATS
        each.number = each.dealer + 1
        return
    if each.dealer < 0:
        each.dealer = each.number - 1
    if each.number > players:
        entry.fault("round", f"with {players} players no round is number {each.number}")
    place = each.wind * players + each.number
    before = last.wind * players + last.number if last else 0
    if last is not None and place == before:
        if each.honba != last.honba + 1:
            due_name = r.called(last.wind, last.number, last.honba + 1)
            entry.fault("round", f"{_name(each)} after {_name(last)}: {due_name} is missing")
    elif place != before + 1:
        told = f"after {_name(last)}" if last else "first"
        due = before + 1 if place > before else place
        lacks = f": {r.called((due - 1) // players, (due - 1) % players + 1, 0)} is missing"
        entry.fault("round", f"{_name(each)} {told}" + (lacks if place > before else ""))


def _name(each: Round) -> str:
    return r.called(each.wind, each.number, each.honba)


def _deal_in_turn(game: Game, each: Round, entry: Entry) -> None:
    """Fill in the dealer of a round without one, where the deal always passes to the next seat."""
    if isinstance(game.rules, OtherGame) and game.rules.course.always_passes:
        each.dealer = ((each.running or 1) - 1) % len(game.people)
        return
    each.dealer = 0
    entry.fault("dealer", "empty: name the dealer, or call the round by its name, such as East 1")


def _read_acts(game: Game, each: Round, sticks_recorded: bool) -> None:
    """Read who did what in a round: its wins, its outcome, who paid a stick, who was tenpai."""
    people = game.people
    riichi: set[int] = set()
    tenpai: set[int] | None = None
    drawn: list[tuple[Entry, str]] = []
    for entry in each.rows:
        outcome = r.outcome_of(entry)
        winner = _seat(entry, "winner", people)
        declared = r.seats_of(entry, "riichi", people, winner)
        riichi |= declared or set()
        shown = r.seats_of(entry, "tenpai", people)
        if shown is not None:
            tenpai = (tenpai or set()) | shown
        each.three_suits |= r.seats_of(entry, "three_suits", people) or frozenset()
        delta = r.amounts(entry, "delta", len(people))
        if outcome == r.PENALTY and delta is not None:
            before = each.penalty or [0] * len(people)
            each.penalty = [sum(both) for both in zip(before, delta, strict=True)]
        if outcome in (None, "tsumo", "ron") and winner is not None:
            _add_win(game, each, entry, outcome, winner, delta)
        elif outcome in ("tsumo", "ron"):
            if not entry.cells.get("winner"):
                entry.fault("winner", f"empty: who won by {outcome}?")
        elif outcome is not None:
            if winner is not None and outcome != r.PENALTY:
                entry.fault("winner", f"nobody wins in a round that ends with {outcome}")
            drawn.append((entry, outcome))
        elif not entry.cells.get("outcome") and not entry.cells.get("winner"):
            drawn.append((entry, r.DRAW))
    each.riichi = frozenset(riichi) if sticks_recorded else None
    each.tenpai = None if tenpai is None else frozenset(tenpai)
    _decide(each, drawn)


def _seat(entry: Entry, column: str, people: list[str]) -> int | None:
    text = entry.cells.get(column)
    return r.seat_of(entry, column, text, people) if text else None


def _add_win(
    game: Game, each: Round, entry: Entry, outcome: str | None, winner: int,
    delta: list[int] | None,
) -> None:  # fmt: skip
    loser = _seat(entry, "loser", game.people)
    other = isinstance(game.rules, OtherGame)
    kong = other and bool(entry.cells.get("melds")) and not entry.has("hand", "win_tile")
    pays_only = kong or (other and entry.has("dealt"))
    if outcome == "tsumo" and loser is not None:
        entry.fault("loser", "a self-drawn win has no discarder")
        loser = None
    if outcome == "ron" and loser is None and not entry.cells.get("loser"):
        entry.fault("loser", "empty: who discarded the winning tile?")
    if loser == winner:
        entry.fault("loser", "the winner cannot be the discarder")
    if not pays_only and any(win.ends and win.winner == winner for win in each.wins):
        row = next(win.entry.row for win in each.wins if win.ends and win.winner == winner)
        entry.fault(
            "round",
            f"{_name(each)} was already won by {game.people[winner]!r} in row {row}: if the dealer "
            "dealt again, give the honba (East 1-1) or a running number",
        )
    each.wins.append(Win(entry, winner, loser, not pays_only, delta))


def _decide(each: Round, drawn: list[tuple[Entry, str]]) -> None:
    """Set the outcome of a round: its draw, or the last of its wins."""
    wins = [win for win in each.wins if win.ends]
    draws = [(entry, outcome) for entry, outcome in drawn if outcome != r.PENALTY]
    for entry, _ in draws[1:]:
        entry.fault("outcome", f"a second row of {_name(each)} without a win")
    if draws:
        each.outcome = draws[0][1]
    elif wins:
        last = [win for win in wins if win.loser == wins[-1].loser]
        several = {1: "ron", 2: "double_ron", 3: "triple_ron"}
        each.outcome = "tsumo" if wins[-1].loser is None else several[min(3, len(last))]
    elif drawn:
        each.outcome = r.PENALTY
    elif not any(entry.faults for entry in each.rows):
        each.rows[-1].fault("outcome", f"{_name(each)} has no end: a win, or draw as its outcome")


# --- points


def _read_points(game: Game) -> None:
    """Fill in the points at the start and end of each round, from changes or totals."""
    players = len(game.people)
    points = _starting(game)
    sticks = 0
    columns = [f"{name}_{seat}" for name in ("delta", "points") for seat in range(players)]
    game.points_known = any(entry.has(*columns) for each in game.rounds for entry in each.rows)
    for index, each in enumerate(game.rounds):
        each.start, each.sticks = list(points), sticks
        if not game.points_known:
            continue
        known = any(entry.has(*columns) for entry in each.rows)
        if not known and any(win.ends for win in each.wins):
            each.rows[0].fault("delta_0", "empty: what did each person get or pay for the win?")
        for entry in each.rows:
            delta = r.amounts(entry, "delta", players)
            totals = r.amounts(entry, "points", players)
            if delta is not None:
                points = [old + change for old, change in zip(points, delta, strict=True)]
            if totals is not None:
                for seat, (own, total) in enumerate(zip(points, totals, strict=True)):
                    column = f"points_{seat}"
                    if delta is not None and own != total and entry.has(column):
                        entry.fault(
                            column,
                            f"{total:,}, but {own - delta[seat]:,} and a change of "
                            f"{delta[seat]:+,} make {own:,}",
                        )
                points = totals
        for seat, own in enumerate(points):
            if abs(own) > MOST_POINTS:
                each.rows[-1].fault(f"points_{seat}", f"{own:,} is beyond {MOST_POINTS:,}")
                points[seat] = 0
        each.end = list(points)
        if each.riichi is None and not isinstance(game.rules, OtherGame):
            _find_sticks(game, each, index)
        sticks = each.sticks_end = _sticks_after(game, each)
        if each.unbalanced:
            game.flags.append((index, "sum_differs"))
    if game.rounds and not game.points_known:
        game.flags = [(None, "points_unknown")]


def _find_sticks(game: Game, each: Round, index: int) -> None:
    """Find who paid a stick by what was paid, or note that the sheet does not say it."""
    changes = [end - start for start, end in zip(each.start, each.end or (), strict=True)]
    if each.outcome == r.DRAW:
        found = r.sticks_at_draw(changes, getattr(game.rules, "noten_pool", 0))
        if found:
            each.riichi = found[0]
            each.tenpai = found[1] if each.tenpai is None else each.tenpai
    elif each.outcome in r.ABORTS and set(changes) <= {0, -r.STICK}:
        each.riichi = frozenset(seat for seat, own in enumerate(changes) if own)
    if each.riichi is None and each.outcome != r.PENALTY:
        game.flags.append((index, RIICHI_UNKNOWN))


def _starting(game: Game) -> list[int]:
    """Return the points before the first round: by its totals and changes, or by the rules."""
    players = len(game.people)
    if game.rounds and len(game.rounds[0].rows) == 1:
        entry = game.rounds[0].rows[0]
        totals, delta = r.amounts(entry, "points", players), r.amounts(entry, "delta", players)
        if totals is not None and delta is not None:
            begun = [total - change for total, change in zip(totals, delta, strict=True)]
            if len(set(begun)) == 1:
                return begun
    return [game.start_points] * players


def _sticks_after(game: Game, each: Round) -> int:
    """Return the sticks on the table after a round, and note if its payments do not balance."""
    change = sum(each.end or ()) - sum(each.start)
    if isinstance(game.rules, OtherGame):
        each.unbalanced = change != _lost_to_nobody(game.rules, each)
        return 0
    if each.outcome == r.PENALTY:
        each.unbalanced = change != 0
        return each.sticks
    won = bool(each.wins) and each.outcome in ("tsumo", "ron", "double_ron", "triple_ron")
    if won:
        each.unbalanced = change != r.STICK * each.sticks
        return 0
    paid = -change // r.STICK if each.riichi is None else len(each.riichi)
    each.unbalanced = change != -r.STICK * paid or not 0 <= paid <= len(game.people)
    return each.sticks + (max(0, paid) if not each.unbalanced else len(each.riichi or ()))


def _lost_to_nobody(rules: OtherGame, each: Round) -> int:
    """Return what penalties of a round took from the table: fines for leaving that nobody gets."""
    flow = rules.course
    if flow.leaving_fine and flow.leaving_fine_to == NOBODY:
        return sum(each.penalty or ())
    return 0


def _with_leftover(game: Game, points: list[int], sticks: int) -> list[int]:
    """Return the final points after the sticks on the table went to first place, if they do."""
    if sticks and getattr(game.rules, "leftover_sticks", "stay").startswith("first"):
        points[points.index(max(points))] += r.STICK * sticks
    return points


def _read_result(game: Game, entry: Entry) -> None:
    """Read the row with the result of a game, and compare it with the rounds."""
    players = len(game.people)
    for column in (f"points_{seat}" for seat in range(players)):
        written = entry.cells.get(column) or column in entry.refused
        if entry.has("points_0", "points_1", "points_2") and not written:
            entry.fault(column, "empty: how many points?")
    game.final = r.amounts(entry, "points", players)
    game.final_recorded = game.final is not None
    if entry.has(*(f"result_{seat}" for seat in range(SEATS))):
        game.results = [entry.decimal(f"result_{seat}") for seat in range(players)]
    if game.final is None and game.results is None:
        if not entry.refused:
            entry.fault("points_0", "empty: a game has its final points, its result, or its rounds")
        return
    known = [result for result in game.results or () if result is not None]
    if len(known) == players and abs(sum(known)) > 0.05:
        game.flags.append((None, "result_sum"))
    if game.final is None:
        return
    if game.rounds and game.points_known and game.rounds[-1].end is not None:
        last = game.rounds[-1]
        expected = _with_leftover(game, list(last.end or ()), last.sticks_end)
        if game.final not in (expected, last.end):
            game.flags.append((None, "final_differs"))
    elif not game.rounds:
        off = sum(game.final) - players * game.start_points
        stays = getattr(game.rules, "leftover_sticks", "first") == "stay"
        if off and not (stays and off < 0 and off % r.STICK == 0):
            game.flags.append((None, "points_sum"))


def placed(points: list[int], rules: Any) -> list[int]:
    """Return the place of each seat: ties by seat, or the better place for all if rules share it.

    >>> placed([30000, 20000, 30000, 20000], None)
    [1, 3, 2, 4]
    """
    shared = getattr(rules, "ties", "seat") != "seat"
    return [
        1 + sum(
            other > own or (other == own and not shared and before < seat)
            for before, other in enumerate(points)
        )
        for seat, own in enumerate(points)
    ]  # fmt: skip
