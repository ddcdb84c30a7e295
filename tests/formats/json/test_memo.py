"""The memory of texts gives the same answers in any order and with any number of threads."""

from __future__ import annotations

import gc
import random
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from paifu.formats.json.memo import SPECIAL, TextMemo


def meaning(text: bytes) -> int:
    return SPECIAL if text.startswith(b"?") else sum(text) * len(text)


def asked(memo: TextMemo, texts: list[bytes]) -> list[int]:
    ends = np.cumsum([len(text) for text in texts])
    starts = ends - np.array([len(text) for text in texts])
    return memo.meanings(b"".join(texts), starts, ends).tolist()


def some_texts(seed: int, count: int) -> list[bytes]:
    draw = random.Random(seed)
    return [
        draw.choice([b"", b"?"]) + draw.randbytes(draw.choice([0, 1, 2, 3, 40, 300]))
        for _ in range(count)
    ]


def give_way(*_: object) -> None:
    time.sleep(0)


@pytest.fixture
def many_switches() -> Iterator[None]:
    """Threads switch as often as possible, also during garbage collection."""
    interval, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(20, *thresholds[1:])
    gc.callbacks.append(give_way)
    yield
    gc.callbacks.remove(give_way)
    gc.set_threshold(*thresholds)
    sys.setswitchinterval(interval)


def test_a_text_means_the_same_first_and_later() -> None:
    memo = TextMemo(meaning)
    for seed in (1, 1, 2, 1):
        texts = some_texts(seed, 500)
        assert asked(memo, texts) == [meaning(text) for text in texts]


@pytest.mark.usefixtures("many_switches")
def test_threads_learn_together() -> None:
    memo = TextMemo(meaning)

    def ask(seed: int) -> bool:
        for part in range(10):
            texts = some_texts(100 * seed + part, 200)
            if asked(memo, texts) != [meaning(text) for text in texts]:
                return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(ask, range(8)))
