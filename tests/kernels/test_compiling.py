"""Properties of compiled kernels, for every caller and in every process."""

from __future__ import annotations

import gc
import json
import textwrap
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numba.core.errors import NumbaError, TypingError

from paifu.kernels.compiling import inner, inner_allocating, njit
from tests.helpers.processes import environment, python

KERNELS = """
    import json, sys
    import numpy as np
    from paifu.kernels.compiling import inner, inner_allocating, njit

    STEP = 3

    @inner
    def _add(values, at, step):
        values[at] += step
        return values[at]

    @inner
    def _add_twice(values, at):
        return _add(values, at, STEP) + _add(values, at, np.int16(4))

    @njit
    def first(values):
        return _add_twice(values, 0)

    @njit
    def last(values):
        return _add_twice(values, len(values) - 1) + _add(values, 0, 5)

    values = np.arange(4)
    results = [int(first(values)), int(last(values)), values.tolist()]
    print(json.dumps([results, sum(first.stats.cache_hits.values()),
                      sum(last.stats.cache_hits.values())]))
"""


def run(script: Path, cache: Path) -> list[object]:
    done = python(str(script), env=environment(NUMBA_CACHE_DIR=str(cache)), check=True)
    found: list[object] = json.loads(done.stdout)
    return found


def test_inner_kernels_do_the_same_in_every_caller_and_in_a_second_process(tmp_path: Path) -> None:
    script = tmp_path / "kernels_of_a_test.py"
    script.write_text(textwrap.dedent(KERNELS))
    expected = [3 + 7, (3 + 3) + (3 + 7) + (7 + 5), [12, 1, 2, 10]]
    assert run(script, tmp_path / "cache") == [expected, 0, 0]
    assert run(script, tmp_path / "cache") == [expected, 1, 1]


def test_a_kernel_is_compiled_once_for_all_widths_of_integers_and_constants() -> None:
    @inner
    def plus(a, b):
        return a + b

    @njit
    def several(values):
        return plus(1, 2) + plus(values[0], 3) + plus(np.int16(4), values[1])

    assert several(np.array([10, 20], np.int8)) == 3 + 13 + 24
    assert len(plus.overloads) == 1


def test_inner_kernels_that_make_or_return_arrays_are_refused() -> None:
    """Kernels do not count references: arrays that they make would leak or be freed early."""

    @inner
    def makes(count):
        return np.zeros(count)[0]

    @inner
    def returns(values):
        return values[1:]

    @inner
    def returns_two(values):
        return values[0], values[1:]

    for kernel in (makes, returns, returns_two):

        @njit
        def calls(values, kernel=kernel):
            kernel(values)

        with pytest.raises((NumbaError, TypeError)):
            calls(np.arange(3))

    @inner_allocating
    def makes_room(count):
        values = np.zeros(count)
        return values.sum() + len(values)

    @njit
    def uses_room(count):
        return makes_room(count)

    assert uses_room(5) == 5


def test_garbage_is_collected_again_after_compiling() -> None:
    @njit
    def double(value):
        return 2 * value

    @njit
    def wrong(value):
        return value.what_no_number_has

    assert gc.isenabled()
    assert double(4) == 8
    assert gc.isenabled()
    with pytest.raises(TypingError):
        wrong(4)
    assert gc.isenabled()
    gc.disable()
    try:
        assert double(4.0) == 8.0  # compiled again
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_threads_that_compile_at_once_leave_collection_as_it_was() -> None:
    @njit
    def double(value):
        return 2 * value

    values = [4, 4.0, np.float32(4), True, np.uint64(4), 4j]
    with ThreadPoolExecutor(len(values)) as threads:
        assert list(threads.map(double, values)) == [8, 8, 8, 2, 8, 8j]
    assert gc.isenabled()
