"""Logs damaged in the ways in which a disk, a network or a person may damage them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np


def broken(texts: list[bytes], each: int, seed: int) -> Iterator[bytes]:
    """Yield damaged logs: cut off, bytes flipped, digits changed, parts doubled, parts left out."""
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


def spoiled(text: bytes, times: int, random: Random) -> Iterator[bytes]:
    """Yield a log with a few bytes changed; three of ten are also cut off."""
    for _ in range(times):
        data = bytearray(text[: random.randrange(len(text))] if random.random() < 0.3 else text)
        for _ in range(random.randrange(1, 4)):
            if data:
                data[random.randrange(len(data))] = random.randrange(256)
        yield bytes(data)
