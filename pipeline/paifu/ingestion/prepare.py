"""Prepares a unit in a worker thread: unpacks, recognises, imports and replays its logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from paifu.formats.base import Blob, Imported, Reject, Results, excerpt
from paifu.formats.registry import detect, formats, importer, version
from paifu.formats.within import WEB_PAGE, logs_within
from paifu.game.events import Batch, concat, select
from paifu.ingestion.known_games import telling
from paifu.ingestion.listed_games import with_results
from paifu.ingestion.units import Unit
from paifu.lake.rows import without_games
from paifu.messages import shortened
from paifu.replay.replay_batch import replay
from paifu.sources.containers import Unreadable

Ints = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

_DATA_LIMIT = 64 << 20
"""Maximum bytes of unpacked logs in memory at a time."""

_LONGEST = 10_000
"""Maximum rounds of a game, and maximum events of a round: the tables number them in 16 bits, and
no real game comes near this."""

_KNOWN_ELSEWHERE = (
    ("an xz file: unpack it first", b"\xfd7zXZ\0", 0),
    ("a 7z archive: unpack it first", b"7z\xbc\xaf\x27\x1c", 0),
    ("a rar archive: unpack it first", b"Rar!\x1a\x07", 0),
    ("an lz4 file: unpack it first", b"\x04\x22\x4d\x18", 0),
    ("damaged UTF-16 text", b"\xff\xfe", 0),
    ("damaged UTF-16 text", b"\xfe\xff", 0),
    ("a damaged tar archive: the sum of its first header does not fit", b"ustar", 257),
)
"""What content that paifu does not read is, by the bytes at a position in it."""
_MOST_REJECTS = 10
"""How many logs of one file are rejected one by one; one more reject counts the others."""


@dataclass(slots=True)
class Rejected:
    """A log that could not be read, as a row of table ``rejects``."""

    source: int
    member: str
    position: str
    format: str | None
    importer_version: int | None
    """None for a log that was read as this format because the user asked for it."""
    reason: str
    excerpt: str = ""
    logs: int = 1
    """How many logs of the file it stands for."""


@dataclass(slots=True)
class Prepared:
    """A prepared unit: the tables of its games, each game once, and what could not be read."""

    unit: Unit
    tables: dict[str, pa.Table]
    rejected: list[Rejected] = field(default_factory=list)
    games: dict[int, int] = field(default_factory=dict)
    """How many games were read from each source; a game that occurs twice counts twice."""
    duplicates: int = 0
    """How many of them were also in another log of the unit."""
    superseded: int = 0
    """How many of them another sheet of the unit corrects."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What the caller asked for."""

    format: str | None
    """Key of the format of all logs; with None, each log is recognised by its content."""
    actions: bool
    """Fill table ``actions``."""


def importer_versions() -> dict[str, int]:
    """Return the version of every importer by its format."""
    return {key: version(key) for key in formats()}


def unrecognised_version() -> int:
    """Return a number that grows whenever an importer changes or is added."""
    return sum(importer_versions().values())


def prepare(unit: Unit, source_ids: dict[int, int], settings: Settings) -> Prepared:
    """Return the tables of a unit's games, and its rejects; ``source_ids`` are by source number."""
    rejected: list[Rejected] = []
    batches: list[Batch] = []
    sources: list[int] = []
    listed: list[Results] = []
    for blobs in _unpacked(unit, rejected):
        for key, group in _by_format(blobs, settings.format, rejected).items():
            for imported in _imported(key, group, rejected):
                batches.append(imported.batch)
                sources += [group[blob].source for blob in imported.game_blob]
                if imported.results is not None:
                    listed.append(imported.results)
    batch = batches[0] if len(batches) == 1 else concat(batches)
    numbers = np.array(sources, dtype=np.int64)
    ids = np.array([source_ids[number] for number in sources], dtype=np.int64)
    tables, played = _replayed(batch, numbers, ids, settings.actions, rejected)
    games = Counter(numbers[played].tolist())
    duplicates = int(played.sum()) - tables["games"].num_rows
    if listed:
        for results in listed:
            games.update(results.games.column("source_id").to_pylist())
            games.update(results.repeated + results.superseded)
        tables, repeated = with_results(tables, listed, source_ids)
        duplicates += repeated + sum(len(results.repeated) for results in listed)
    if settings.format is not None:
        for reject in rejected:
            if reject.format is not None:
                reject.importer_version = None
    superseded = sum(len(results.superseded) for results in listed)
    return Prepared(
        unit, tables, _first_of_each(rejected), dict(games), duplicates, superseded
    )  # fmt: skip


def _first_of_each(rejected: list[Rejected]) -> list[Rejected]:
    """Return the first rejects of each file; one more stands for all others of that file."""
    times = Counter((reject.source, reject.member) for reject in rejected)
    if all(count <= _MOST_REJECTS + 1 for count in times.values()):
        return rejected
    kept: list[Rejected] = []
    met: Counter[tuple[int, str]] = Counter()
    for reject in rejected:
        file = reject.source, reject.member
        met[file] += 1
        if met[file] <= _MOST_REJECTS or times[file] <= _MOST_REJECTS + 1:
            kept.append(reject)
        elif met[file] == _MOST_REJECTS + 1:
            more = times[file] - _MOST_REJECTS
            told = f"{more:,} more of this file cannot be read, the first: {reject.reason}"
            kept.append(replace(reject, reason=shortened(told), logs=more))
    return kept


def _unpacked(unit: Unit, rejected: list[Rejected]) -> Iterator[list[Blob]]:
    blobs: list[Blob] = []
    held = 0
    for item in unit.items:
        blob = item if isinstance(item, Unreadable) else item.unpack()
        if isinstance(blob, Unreadable):
            rejected.append(
                Rejected(
                    blob.source, blob.member, blob.position, None, unrecognised_version(),
                    blob.reason,
                )
            )  # fmt: skip
            continue
        blobs.append(blob)
        held += len(blob.data)
        if held >= _DATA_LIMIT:
            yield blobs
            blobs, held = [], 0
    if blobs:
        yield blobs


def _by_format(
    blobs: list[Blob], forced: str | None, rejected: list[Rejected]
) -> dict[str, list[Blob]]:
    groups: dict[str, list[Blob]] = {}
    for blob in blobs:
        key = forced or detect(blob.data)
        within = logs_within(blob.data, key, forced)
        if within.unsearched:
            start = len(blob.data) - within.unsearched
            reason = "logs within other content: from here on it was not searched. Divide the file"
            rejected.append(
                Rejected(
                    blob.source, blob.member, f"byte {start}", None, unrecognised_version(), reason
                )
            )
        if within.logs:
            for part in within.logs:
                alone = replace(blob, data=part.data, within=part.position)
                groups.setdefault(part.format, []).append(alone)
        elif key:
            groups.setdefault(key, []).append(blob)
        else:
            rejected.append(
                Rejected(
                    blob.source, blob.member, "byte 0", None, unrecognised_version(),
                    unrecognised(blob.data), excerpt(blob.data),
                )
            )  # fmt: skip
    return groups


def unrecognised(data: bytes) -> str:
    """Return a sentence that says why content is not a log.

    >>> unrecognised(b"")
    'the file is empty'
    >>> unrecognised(b"\\xef\\xbb\\xbf\\n<HTML><body>404")
    'a web page without a log that paifu can read: the download went wrong'
    """
    if not data.strip():
        return "the file is empty"
    if WEB_PAGE.match(data):
        return "a web page without a log that paifu can read: the download went wrong"
    for what, magic, at in _KNOWN_ELSEWHERE:
        if data[at:].startswith(magic):
            return what
    return f"not a log format that paifu knows ({', '.join(formats())})"


def _imported(key: str, blobs: list[Blob], rejected: list[Rejected]) -> Iterator[Imported]:
    """Yield what the importer reads: all logs together or, if it fails, log by log."""
    module = importer(key)

    def reject(source: Blob, position: str, reason: str, excerpt: str) -> None:
        told = shortened(reason)
        rejected.append(
            Rejected(source.source, source.member, position, key, version(key), told, excerpt)
        )

    def note(group: list[Blob], found: list[Reject]) -> None:
        for item in found:
            blob = group[item.blob]
            reject(blob, placed(blob, item.position), item.reason, item.excerpt)

    def read(group: list[Blob]) -> Imported:
        imported = module.read(group)
        imported.batch.validate()
        for game, index in zip(imported.batch.games, imported.game_blob, strict=True):
            game.position = placed(group[index], game.position)
        return _without_endless(imported)

    try:
        whole = read(blobs)
    except Exception:
        # a fault in paifu must affect one log, not the thousand others of the unit
        for index, blob in enumerate(blobs):
            try:
                single = read([blob])
            except Exception as error:
                reject(blob, placed(blob, "byte 0"), _fault(error), excerpt(blob.data))
                continue
            note([blob], single.rejects)
            single.game_blob = [index] * len(single.game_blob)
            yield single
        return
    note(blobs, whole.rejects)
    yield whole


def placed(blob: Blob, position: str) -> str:
    """Return where something is in the file that a blob may have been cut out of.

    >>> placed(Blob(b"", 0, within="byte 100"), "byte 20")
    'byte 120'
    """
    if not blob.within or position in ("byte 0", "$"):
        return blob.within or position
    inner = position.removeprefix("byte ")
    if inner != position and inner.isdecimal():
        return f"byte {int(blob.within.removeprefix('byte ')) + int(inner)}"
    return f"{blob.within}, {position}"


def _without_endless(imported: Imported) -> Imported:
    """Return the import result in which games of an impossible length are rejected."""
    batch = imported.batch
    rounds, events = np.diff(batch.game_rounds), np.diff(batch.round_events)
    endless = rounds > _LONGEST
    endless[np.repeat(np.arange(len(rounds)), rounds)[events > _LONGEST]] = True
    if not endless.any():
        return imported
    reason = f"longer than any game: more than {_LONGEST:,} rounds, or acts in one round"
    rejects = [
        Reject(imported.game_blob[game], batch.games[game].position, reason)
        for game in np.flatnonzero(endless).tolist()
    ]
    return replace(
        imported,
        batch=select(batch, ~endless),
        game_blob=[b for b, gone in zip(imported.game_blob, endless, strict=True) if not gone],
        rejects=[*imported.rejects, *rejects],
    )


def _fault(error: Exception) -> str:
    return f"paifu fails on this log, please report it ({type(error).__name__}: {error})"


def _replayed(
    batch: Batch, sources: Ints, source_ids: Ints, actions: bool, rejected: list[Rejected]
) -> tuple[dict[str, pa.Table], Mask]:
    """Return the tables of the batch's games, each once, and which of the games have play."""
    played = np.ones(len(batch.games), dtype=bool)
    try:
        tables = replay(batch, source_ids, actions=actions)
    except Exception:
        for index, game in enumerate(batch.games):
            one = np.arange(len(played)) == index
            try:
                replay(select(batch, one), source_ids[one], actions=False)
            except Exception as error:
                played[index] = False
                rejected.append(
                    Rejected(
                        int(sources[index]), game.member, game.position, game.format,
                        version(game.format), _fault(error),
                    )
                )  # fmt: skip
        tables = replay(select(batch, played), source_ids[played], actions=actions)
    best = best_of_each(tables["games"])
    if not best.all():
        ids = tables["games"].column("game_id").to_numpy()
        repeated = np.unique(ids[~best])
        chosen = played.copy()
        chosen[played] = best & np.isin(ids, repeated)
        once = replay(select(batch, chosen), source_ids[chosen], actions=actions)
        others = without_games(tables, repeated)
        tables = {name: pa.concat_tables([others[name], once[name]]) for name in tables}
    return tables, played


def best_of_each(games: pa.Table) -> Mask:
    """Return a mask of the games to take: of games with the same id, the first of the best.

    A complete game is better than a game that is cut off; then a format that records more is
    better.
    """
    keep = np.zeros(games.num_rows, dtype=bool)
    best: dict[int, int] = {}
    rank = list(zip(games.column("complete").to_pylist(), telling(games).tolist(), strict=True))
    for index, game in enumerate(games.column("game_id").to_pylist()):
        if game not in best or rank[index] > rank[best[game]]:
            best[game] = index
    keep[list(best.values())] = True
    return keep
