"""Run by test_hostile in a process of its own: kernels with bounds checks on broken logs.

Usage: ``python bounds_job.py CORPUS`` with NUMBA_BOUNDSCHECK=1 and an empty NUMBA_CACHE_DIR. Ends
with exit status 0 and a line of counts if every log became games or rejects.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from paifu.formats.base import Blob
from paifu.formats.mjlog import importer as mjlog
from paifu.kernels.compiling import inner, njit


@inner
def _read(values, index):
    return values[index]


@njit
def overrun(values, index):
    """Read where nothing is, as kernels do that only kernels call."""
    return _read(values, index)


def prove_bounds_are_checked() -> None:
    """Raise SystemExit unless a deliberate overrun raises."""
    values = np.zeros(4, dtype=np.int8)
    assert overrun(values, 3) == 0
    try:
        overrun(values, 1 << 20)
    except IndexError:
        return
    raise SystemExit("bounds are not checked: an overrun went unnoticed")


def broken(texts: list[bytes], each: int, seed: int) -> Iterator[bytes]:
    """Yield logs cut off, with bytes flipped, digits changed, parts doubled and parts left out."""
    random = np.random.default_rng(seed)
    for text in texts:
        for _ in range(each):
            yield text[: random.integers(len(text))]
            damaged = np.frombuffer(text, dtype=np.uint8).copy()
            at = random.integers(len(text), size=random.integers(1, 12))
            damaged[at] ^= random.integers(1, 256, size=len(at)).astype(np.uint8)
            yield damaged.tobytes()
            damaged = np.frombuffer(text, dtype=np.uint8).copy()
            digits = np.flatnonzero((damaged >= 48) & (damaged <= 57))
            at = digits[random.integers(len(digits), size=random.integers(1, 4))]
            damaged[at] = random.integers(48, 58, size=len(at))
            yield damaged.tobytes()
            start, stop = sorted(random.integers(len(text), size=2))
            yield text[:stop] + text[start:]
            yield text[:start] + text[min(start + random.integers(1, 40), len(text)) :]


def whole_tags_moved(texts: list[bytes], seed: int) -> Iterator[bytes]:
    """Yield well-formed logs that make no sense: their elements shuffled, repeated, left out."""
    random = np.random.default_rng(seed)
    for text in texts:
        inner = text[len(b'<mjloggm ver="2.3">') : text.rindex(b"</mjloggm>")]
        parts = inner.replace(b"><", b">\0<").split(b"\0")
        order = np.arange(len(parts))
        few = random.integers(len(parts), size=(6, 2))
        for a, b in few:
            order[[a, b]] = order[[b, a]]
        order = order[random.random(len(order)) > 0.01]
        shuffled = [parts[i] for i in order]
        yield b'<mjloggm ver="2.3">' + b"".join(shuffled) + b"</mjloggm>"


def sample(corpus: Path, count: int) -> list[bytes]:
    """Return some logs of three and four players."""
    texts = []
    for folder in ("mjlog", "mjlog3p"):
        paths = sorted((corpus / folder).iterdir())
        texts += [path.read_bytes() for path in paths[:: max(1, len(paths) // count)]]
    return [text for text in texts if text.startswith(b"<mjloggm") and b"\n" not in text]


def main(corpus: str) -> None:
    """Read broken logs; see the module."""
    prove_bounds_are_checked()
    texts = sample(Path(corpus), 15)
    logs = [*texts, *broken(texts, 4, seed=1), *whole_tags_moved(texts, seed=2)]
    games = rejects = 0
    for group in (logs, *([log] for log in logs[:: len(logs) // 60])):
        imported = mjlog.read([Blob(log, 0) for log in group])
        imported.batch.validate()
        blobs = [*imported.game_blob, *(reject.blob for reject in imported.rejects)]
        assert sorted(blobs) == list(range(len(group)))
        if group is logs:
            games, rejects = len(imported.game_blob), len(imported.rejects)
    print(f"{len(logs)} logs, {games} games, {rejects} rejects")


if __name__ == "__main__":
    main(sys.argv[1])
