"""Tenhou's lobby lists (sca, scb, scc, scd, sce, scf): who played when, and with what result.

A list has one line for every game of a day or an hour, with its result but not its play. Its games
become rows of ``games`` and ``seats`` with ``detail`` ``result``. The list does not say who had
which seat: ``seat`` numbers the players in the order of the list, from first place. Long lists come
in parts (:mod:`paifu.sources.lines`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from paifu.formats import tenhou
from paifu.formats.base import Blob, Imported, Reject, Results, excerpt
from paifu.formats.lobby_lists import scan
from paifu.game.events import Array, Batch
from paifu.game.times import JAPAN
from paifu.schema.tables import TABLES
from paifu.sources.lines import is_lobby_list

KEY = "lobby_lists"
TITLE = "Tenhou lobby lists (sca … scf)"
_LONGEST = 24 * 60
"""Minutes that no game takes; a longer time in a line is ignored."""
_FILE_DATE = re.compile(r"sc[a-f](20\d{6})")
_REASONS = {
    scan.NO_TIME: "not a line of a lobby list: it has no time like 23:05 where one should be",
    scan.NO_RULE: "no rule text like 四鳳南喰赤－ after the time",
    scan.NO_PLAYERS: "not as many players, each with a result like (+52.0), as the rule text says",
}


def sniff(head: bytes) -> bool:
    """Return whether content that begins with ``head`` is a lobby list."""
    return is_lobby_list(head)


def read(blobs: Sequence[Blob]) -> Imported:
    """Read lists; a line that cannot be read becomes a reject."""
    rejects: list[Reject] = []
    parts = [_read_one(blob, index, rejects) for index, blob in enumerate(blobs)]
    results = Results(
        pa.concat_tables([part.games for part in parts]) if parts else _empty("games"),
        pa.concat_tables([part.seats for part in parts]) if parts else _empty("seats"),
    )
    return Imported(Batch(), [], rejects, results)


def _empty(table: str) -> pa.Table:
    return TABLES[table].arrow().empty_table()


def _read_one(blob: Blob, index: int, rejects: list[Reject]) -> Results:
    text = blob.data.removeprefix(b"\xef\xbb\xbf")
    try:
        text.decode("utf-8")
    except UnicodeDecodeError:
        text = text.decode("utf-8", "replace").encode()
    data = np.frombuffer(text, dtype=np.uint8)
    lines = text.count(b"\n") + 1
    named = _FILE_DATE.search(blob.name) or _FILE_DATE.search(blob.member)
    rows = np.empty((lines, scan.COLUMNS), dtype=np.int64)
    names, ids = np.empty(len(data), dtype=np.uint8), np.empty(len(data), dtype=np.uint8)
    name_ends = np.empty(scan.MAX_PLAYERS * lines + 1, dtype=np.int64)
    id_ends = np.empty(lines + 1, dtype=np.int64)
    results = np.empty(scan.MAX_PLAYERS * lines, dtype=np.int32)
    chips = np.empty(scan.MAX_PLAYERS * lines, dtype=np.int32)
    bad = np.empty((lines, 3), dtype=np.int64)
    games, wrong = scan.scan(
        data, int(named[1]) if named else 0, rows, names, name_ends, results, chips, ids, id_ends,
        bad,
    )  # fmt: skip
    for line, start, status in bad[:wrong].tolist():
        shown = excerpt(text[start : start + 400].split(b"\n", 1)[0])
        position = f"line {blob.lines_before + line}"
        rejects.append(Reject(index, position, _REASONS[status], shown))
    rows = rows[:games]
    seats = int(rows[:, scan.PLAYERS].sum())
    return Results(
        _games(rows, text, blob, _texts(ids, id_ends[: games + 1])),
        _seats(rows, _texts(names, name_ends[: seats + 1]), results[:seats], chips[:seats]),
    )


def _texts(data: Array, ends: Array) -> pa.Array:
    """Return texts that follow each other in a buffer; an empty text is NULL."""
    offsets = pa.py_buffer(ends.astype(np.int32))
    data = np.ascontiguousarray(data[: ends[-1]])
    texts = pa.StringArray.from_buffers(len(ends) - 1, offsets, pa.py_buffer(data))
    return pc.if_else(pc.equal(pc.binary_length(texts), 0), None, texts)


def _distinct(
    rows: Array, text: bytes, hash_: int, start: int, end: int
) -> tuple[list[str], Array]:
    """Return the distinct texts of a column, and which of them each line has."""
    _, first, which = np.unique(rows[:, hash_], return_index=True, return_inverse=True)
    spans = rows[first][:, [start, end]].tolist()
    return [text[low:high].decode() for low, high in spans], which


def _taken(values: Sequence[object], which: Array, type_: pa.DataType) -> pa.Array:
    return pa.array(values, type_).take(pa.array(which)) if len(which) else pa.array([], type_)


def _games(rows: Array, text: bytes, blob: Blob, ids: pa.Array) -> pa.Table:
    count = len(rows)
    rule_texts, rule = _distinct(rows, text, scan.RULE_HASH, scan.RULE_START, scan.RULE_END)
    lobby_texts, lobby = _distinct(rows, text, scan.LOBBY_HASH, scan.LOBBY_START, scan.LOBBY_END)
    kinds = [tenhou.rule_text_type(text) for text in rule_texts]

    def of_rule(name: str, type_: pa.DataType) -> pa.Array:
        values = [getattr(kind, name) if kind else None for kind in kinds]
        return _taken(values, rule, type_)

    def always(value: str) -> pa.Array:
        return _taken([value], np.zeros(count, dtype=np.int8), pa.string())

    starts = _starts(rows)
    dated = starts.is_valid().to_numpy(zero_copy_only=False)
    no_flags = pa.ListArray.from_arrays(np.zeros(count + 1, np.int32), pa.array([], pa.string()))
    nothing = pa.nulls(count)
    rulesets = [
        tenhou.ruleset_of(3 if text[0] == "三" else 4, kind, None, False, (), None, None)
        for text, kind in zip(rule_texts, kinds, strict=True)
    ]
    go_type, lasted = rows[:, scan.GO_TYPE], rows[:, scan.LASTED]
    places = pc.binary_join_element_wise(
        "line", pa.array(rows[:, scan.LINE] + blob.lines_before).cast(pa.string()), " "
    )
    schema = TABLES["games"].arrow()
    columns: dict[str, pa.Array] = {
        "game_id": rows[:, scan.GAME_ID],
        "list_key": pa.array(rows[:, scan.LIST_KEY], mask=~dated),
        "log_id": ids,
        "platform": always("tenhou"),
        "format": always(KEY),
        "source_id": np.full(count, blob.source, dtype=np.int64),
        "member": always(blob.member),
        "position": places,
        "played_at": starts,
        "played_precision": _taken(["minute", None], (~dated).astype(np.int8), pa.string()),
        "minutes": pa.array(lasted.astype(np.int16), mask=(lasted < 0) | (lasted > _LONGEST)),
        "players": rows[:, scan.PLAYERS].astype(np.int16),
        "length": of_rule("length", pa.string()),
        "ruleset": _taken(rulesets, rule, pa.string()),
        "aka": of_rule("aka", pa.bool_()),
        "kuitan": of_rule("kuitan", pa.bool_()),
        "fast": of_rule("fast", pa.bool_()),
        "room": of_rule("room", pa.string()),
        "lobby": _taken([_lobby(text) for text in lobby_texts], lobby, pa.string()),
        "go_type": pa.array(go_type.astype(np.int32), mask=go_type == scan.NO_TYPE),
        "rounds": np.zeros(count, dtype=np.int16),
        "ended_by": always("unknown"),
        "detail": always("result"),
        "complete": pa.array(np.zeros(count, dtype=bool)),
        "flags": no_flags,
    }
    return pa.table(
        [pa.array(columns.get(field.name, nothing)).cast(field.type) for field in schema],
        schema=schema,
    )


def _lobby(text: str) -> str:
    """Return a lobby's number: ``L1001`` is 1001, a cup's ``C0431`` is 10431, no text is 0.

    >>> _lobby("C0431"), _lobby("")
    ('10431', '0')
    """
    if text[:1] == "C":
        return f"1{text[1:]:>04}"
    return tenhou.lobby_text(text[1:])


def _starts(rows: Array) -> pa.Array:
    """Return when each game began; date and time in the list are Japan time."""
    dates, which = np.unique(rows[:, scan.DATE], return_inverse=True)
    days = np.array([_midnight(date) for date in dates.tolist()], dtype="datetime64[us]")
    starts = days[which] + rows[:, scan.MINUTE].astype("timedelta64[m]")
    return pa.array(starts)


def _midnight(date: int) -> datetime | None:
    """Return the beginning of a day in Japan, in UTC (without a zone, as in the tables)."""
    try:
        return datetime.strptime(str(date), "%Y%m%d") - JAPAN
    except ValueError:
        return None


def _seats(
    rows: Array, names: pa.Array, results: npt.NDArray[np.int32], chips: npt.NDArray[np.int32]
) -> pa.Table:
    players = rows[:, scan.PLAYERS]
    count = int(players.sum())
    game = np.repeat(np.arange(len(rows)), players)
    firsts = np.repeat(np.cumsum(players) - players, players)
    seat = np.arange(count) - firsts
    schema = TABLES["seats"].arrow()
    nothing = pa.nulls(count)
    columns: dict[str, pa.Array] = {
        "game_id": rows[:, scan.GAME_ID][game],
        "seat": seat.astype(np.int16),
        "player": names,
        "anonymous": pc.fill_null(pc.equal(names, "NoName"), fill_value=True),
        "final_recorded": pa.array(np.zeros(count, dtype=bool)),
        "placement": (seat + 1).astype(np.int16),
        "result": results / 10,
        "chips": pa.array(chips.astype(np.int16), mask=chips == scan.NO_CHIPS),
        "disconnected": pa.array(np.zeros(count, dtype=bool)),
    }
    return pa.table(
        [pa.array(columns.get(field.name, nothing)).cast(field.type) for field in schema],
        schema=schema,
    )
