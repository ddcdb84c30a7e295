"""Win sheets: a club's record of its wins, one per row, compared with the rules.

A sheet is CSV with a header or JSON lines. Its columns are those of table ``wins`` that scoring
reads (``hand melds win_tile tsumo winner loser dealer round_wind rinshan haitei flowers …``), and

=========== =====================================================================================
``rules``   rule set of the row, by name, or a TOML file in the sheet's folder or below (in a lake:
            the working folder); without it that of the call
``hand``    may be empty beside a kong that is paid at once, or a name where a game pays by name
``out raised fed``  seats, separated by blanks
``fan``     the counted fan, as ``混一色 箭刻*2`` or keys, separated by blanks, commas or ``+``;
            ``name*times`` or ``name:points``
``han``     the recorded sum of the fan
``points``  what the winner got
``delta_0`` … ``delta_3``: what each seat got or paid
=========== =====================================================================================

Fields that a row leaves out are not compared. For scoring, only the hand and its circumstances are
read from the record.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import polars as pl

from paifu.errors import LogError, RuleError, SourceError

if TYPE_CHECKING:
    from paifu.rules.fan.game import Game
    from paifu.rules.riichi.ruleset import RuleSet

_TEXT = ("rules", "hand", "melds", "win_tile", "wild", "bird", "fan")
_FLAGS = (
    "tsumo", "riichi", "double_riichi", "open_riichi", "ippatsu", "rinshan", "haitei", "houtei",
    "after_rinshan", "chankan", "first_turn", "last_copy", "dealt", "triple_ron",
)  # fmt: skip
_NUMBERS = (
    "players", "winner", "loser", "dealer", "round_wind", "seat_wind", "honba", "sticks",
    "flowers", "liable", "dealer_wins", "dealer_rounds",
)  # fmt: skip
_LISTS = ("dora_indicators", "ura_indicators")
_SEATS = ("out", "fed", "raised")
RECORDED = ("han", "points", "delta_0", "delta_1", "delta_2", "delta_3")
"""The numbers of the record that are compared."""
COLUMNS = (*_TEXT, *_FLAGS, *_NUMBERS, *_LISTS, *_SEATS, *RECORDED)
"""All columns of a win sheet."""
_MOST_BYTES = 256 << 20
_MOST_NUMBER = 10_000_000
_MOST_SMALL = (1 << 15) - 1
"""The largest number of the columns of 16 bits: all but amounts."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,8}")
_SEAT_DIGITS = frozenset("0123")
_YES = frozenset({"1", "true", "yes", "y", "x", "是"})
_NO = frozenset({"", "0", "false", "no", "n", "否"})
_FAN = re.compile(r"([^*:,+;\s]+)(?:\*(\d{1,3})|:(\d{1,4}))?")


def check_sheet(path: str | Path, rules: str | Path = "mcr") -> pl.DataFrame:
    """Score every row of a sheet and return the differences from its record.

    One row per row of the sheet, in order: ``row`` (from 1), ``status`` (``match``, ``mismatch``,
    ``illegal``: not a win by its rules, ``unscorable``, ``rejected``: the row cannot be read),
    ``reason``, ``differs`` (text like
    ``han: recorded 8, computed 9``), and the computed ``fan``, ``han``, ``points`` and
    ``delta_0`` … ``delta_3``. Raises :class:`~paifu.errors.SourceError` for a file that cannot be
    read and :class:`~paifu.errors.RuleError` if ``rules`` do not exist. A row that names rules
    which do not exist is rejected.
    """
    from paifu.rules import rulesets

    rows: dict[int, dict[str, Any]] = {}
    rejected: list[dict[str, Any]] = []
    for number, (line, row) in enumerate(_rows(Path(path))):
        if isinstance(row, LogError):
            reason = f"line {line}: {row.reason}"
            rejected.append({"row": number + 1, "status": "rejected", "reason": reason})
        else:
            rows[number] = row
    if not rows:
        reason = rejected[0]["reason"] if rejected else "the sheet has a header and no row"
        raise SourceError(f"{path}, {reason}")
    by_rules: dict[str | None, list[int]] = {}
    for number, row in rows.items():
        by_rules.setdefault(row.get("rules"), []).append(number)
    parts = []
    for name, numbers in by_rules.items():
        try:
            found = rulesets.load_within(name, Path(path).parent) if name else None
        except RuleError as error:
            rejected += [
                {"row": number + 1, "status": "rejected", "reason": str(error)}
                for number in numbers
            ]
            continue
        if found is None:
            found = rulesets.load_scoring(rules)
        parts.append(_checked([rows[number] for number in numbers], numbers, found))
    parts.append(pl.DataFrame(rejected, schema=_SCHEMA))
    return pl.concat(parts).sort("row")


_SCHEMA: dict[str, Any] = {
    "row": pl.Int64, "ruleset": pl.String, "status": pl.String, "reason": pl.String,
    "differs": pl.String, "fan": pl.String, **dict.fromkeys(RECORDED, pl.Int64),
}  # fmt: skip


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any] | LogError]]:
    """Return the rows of a sheet, as :func:`sheet_rows` yields them."""
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise SourceError(f"{path} is larger than {_MOST_BYTES >> 20} MiB: part it")
        text = path.read_bytes().removeprefix(b"\xef\xbb\xbf").decode("utf-8")
    except OSError as error:
        raise SourceError(f"cannot read {path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not UTF-8 text (byte {error.start})") from error
    return sheet_rows(text)


def sheet_rows(text: str) -> Iterator[tuple[int, dict[str, Any] | LogError]]:
    """Yield each row's line, and its cells by column or the reason why it cannot be read.

    Empty cells are None, flags booleans, numbers whole numbers, indicators lists of text.
    """
    lines = _json_lines(text) if text.lstrip()[:1] == "{" else _csv_lines(text)
    for line, raw in lines:
        if isinstance(raw, LogError):
            yield line, raw
            continue
        try:
            yield line, {name: cell_value(name, value) for name, value in raw.items()}
        except LogError as error:
            yield line, error


def _csv_lines(text: str) -> Iterator[tuple[int, dict[str, Any] | LogError]]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    known = set(COLUMNS)
    begun = 1  # a quote that is never closed belongs to the row in which it was opened
    try:
        header = next(reader, [])
        unknown = set(header) - known
        if "hand" not in header or unknown:
            wrong = f"unknown: {', '.join(unknown)}" if unknown else "no column hand"
            yield 1, LogError(f"the header names the columns of a win sheet; {wrong}"[:300])
            return
        begun = reader.line_num + 1
        for cells in reader:
            if cells:
                whole = len(cells) == len(header)
                row = dict(zip(header, cells, strict=True)) if whole else None
                yield begun, row or LogError("it does not have a cell for each column")
            begun = reader.line_num + 1
    except csv.Error as error:
        yield begun, LogError(f"not CSV: {error}")


def _json_lines(text: str) -> Iterator[tuple[int, dict[str, Any] | LogError]]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as error:
            yield number, LogError(f"not JSON: {error.msg}")
            continue
        yield number, row if isinstance(row, dict) else LogError("not an object")


def cell_value(name: str, value: Any) -> Any:
    """Return a cell as its column's type; None if it is empty.

    Raises :class:`~paifu.errors.LogError` for text that the column cannot have.
    """
    text = "" if value is None else str(value).strip()
    if name in _TEXT:
        return text or None
    if name in _LISTS:
        return text.split()
    if name in _SEATS:
        seats = text.split()
        if not set(seats) <= _SEAT_DIGITS:
            raise LogError(f"{name} is seats from 0 to 3 separated by blanks, not {text[:40]!r}")
        return [int(seat) for seat in seats]
    if name in _FLAGS:
        if text.lower() in _YES | _NO:
            return text.lower() in _YES
        raise LogError(f"{name} is yes or no, not {text[:40]!r}")
    if name not in _NUMBERS and name not in RECORDED:
        raise LogError(f"there is no column {name[:40]!r}")
    if not text:
        return None
    if not _WHOLE.fullmatch(text):
        raise LogError(f"{name} is a whole number, not {text[:40]!r}")
    number = int(text)
    most = _MOST_SMALL if name in _NUMBERS or name == "han" else _MOST_NUMBER
    if not (0 if name in _NUMBERS else -most) <= number <= most:
        raise LogError(f"{name} = {text} is out of range")
    return number


def _checked(rows: list[dict[str, Any]], numbers: list[int], rules: RuleSet | Game) -> pl.DataFrame:
    """Return the verdicts on rows of one rule set; ``numbers`` are their row numbers."""
    from paifu.rules.engine import score
    from paifu.rules.hands.faults import FAULTS
    from paifu.rules.hands.from_wins import read_wins
    from paifu.rules.red_fives import find_foreign_reds

    rows = [completed(row, rules) for row in rows]
    hands = read_wins(_table(rows, rules))
    find_foreign_reds(hands, rules)
    found = score(hands, rules)
    fan: list[dict[str, int]] = [{} for _ in rows]
    for hand, key, han in found.yaku.iter_rows():
        fan[hand][key] = han
    names = fan_names(rules)
    out = []
    for row, number, computed, has in zip(
        rows, numbers, found.wins.iter_rows(named=True), fan, strict=True
    ):
        differs = _differences(row, computed, has, names) if computed["status"] == "ok" else []
        status, reason = _verdict(computed["status"], computed["reason"], differs, FAULTS)
        out.append(
            {
                "row": number + 1,
                "ruleset": rules.name,
                "status": status,
                "reason": reason,
                "differs": "; ".join(differs) or None,
                "fan": " ".join(f"{key}:{han}" for key, han in has.items()) or None,
                **{name: computed[name] for name in RECORDED},
            }
        )
    return pl.DataFrame(out, schema=_SCHEMA)


def _table(rows: list[dict[str, Any]], rules: RuleSet | Game) -> Any:
    """Return the rows as a table that :meth:`Hands.from_wins` reads."""
    import pyarrow as pa

    columns: dict[str, Any] = {}
    for name in ("hand", "melds", "win_tile", "wild", "bird"):
        columns[name] = pa.array([row.get(name) or "" for row in rows], pa.string())
    for name in _FLAGS:
        columns[name] = pa.array([bool(row.get(name)) for row in rows], pa.bool_())
    for name in _NUMBERS:
        values = [row.get(name) for row in rows]
        if name == "players":
            values = [value or rules.players or 4 for value in values]
        if any(value is not None for value in values):
            kept = [value if value is None or abs(value) < 1 << 15 else None for value in values]
            columns[name] = pa.array(kept, pa.int16())
    for name in _LISTS:
        columns[name] = pa.array([row.get(name) or [] for row in rows], pa.list_(pa.string()))
    for name in _SEATS:
        columns[name] = pa.array([row.get(name) or [] for row in rows], pa.list_(pa.int16()))
    return pa.table(columns)


def completed(row: dict[str, Any], rules: RuleSet | Game) -> dict[str, Any]:
    """Return a row with ``tsumo``, ``winner``, ``dealer`` and ``loser`` filled in where absent.

    Riichi of any sort sets ``riichi``. By default seat 0 wins and deals. A row is a tsumo if it
    says so itself (also a kong that nobody fed, or a hand by a name that says it). Otherwise the
    next seat discarded the tile.
    """
    from paifu.rules.fan.game import Game, is_drawn, kong_alone

    winner, players = row.get("winner") or 0, row.get("players") or rules.players or 4
    drawn = bool(row.get("tsumo") or row.get("dealt"))
    if isinstance(rules, Game) and row.get("loser") is None:
        kong = kong_alone(row.get("hand"), row.get("melds"))
        drawn = drawn or bool(is_drawn(rules, row.get("hand") or "", kong))
    loser = row.get("loser")
    if loser is None and not drawn:
        loser = (winner + 1) % players
    seats = {"winner": winner, "dealer": row.get("dealer") or 0, "loser": loser}
    riichi = any(row.get(name) for name in ("riichi", "double_riichi", "open_riichi"))
    return row | seats | {"tsumo": drawn, "riichi": riichi}


def fan_names(rules: RuleSet | Game) -> dict[str, str]:
    """Return the key of each fan or yaku of the rule set, by its names."""
    from paifu.rules.fan.game import Game
    from paifu.schema.yaku import YAKU

    if isinstance(rules, Game):
        return {name: fan.key for fan in rules.every_fan for name in (fan.key, fan.name)}
    return {
        name: yaku.key
        for yaku in YAKU
        if yaku.family == "riichi"
        for name in (yaku.key, yaku.japanese)
    }


def written_fan(text: str) -> list[tuple[str, str, str]]:
    """Return name, times and points of each fan in a sheet, "" for a part that is absent.

    >>> written_fan("混一色 箭刻*2, all_pungs:6")
    [('混一色', '', ''), ('箭刻', '2', ''), ('all_pungs', '', '6')]
    """
    return _FAN.findall(text)


def _differences(
    row: dict[str, Any], computed: dict[str, Any], fan: dict[str, int], names: dict[str, str]
) -> list[str]:
    """Return the fields of the record that differ from the computation, as text."""
    found = [
        f"{name}: recorded {row[name]}, computed {computed[name]}"
        for name in RECORDED
        if row.get(name) is not None and row[name] != computed[name]
    ]
    if row.get("fan"):
        recorded: Counter[str] = Counter()
        wrong = False
        for name, _, points in written_fan(row["fan"]):
            key = names.get(name)
            wrong |= key is None or (points != "" and int(points) != fan.get(key))
            recorded[key or name] += 1
        if wrong or set(recorded) != set(fan):
            found.append(f"fan: recorded {row['fan']}, computed {' '.join(fan) or 'none'}")
    return found


def _verdict(
    status: str, reason: str | None, differs: list[str], faults: dict[str, str]
) -> tuple[str, str | None]:
    if status == "ok":
        return ("mismatch" if differs else "match"), None
    if status in ("no_yaku", "uncertain_yaku"):
        return "illegal", reason
    if status == "not_complete":
        return "illegal", "the hand is not complete"
    if status == "impossible":
        return "illegal", faults[reason or ""]
    return "unscorable", faults.get(reason or "", reason)
