"""Wilson's interval of a rate, compared with published figures."""

from __future__ import annotations

import duckdb
import pytest

from paifu.lake.layout import macro_statements


def interval(wins: int, n: int) -> tuple[float, float]:
    connection = duckdb.connect()
    for statement in macro_statements().values():
        connection.execute(statement)
    return connection.execute(f"SELECT rate_low({wins}, {n}), rate_high({wins}, {n})").fetchall()[0]


# Newcombe (1998), table I, method 3: 81/263, 15/148, 0/20, 1/29
@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_wilsons(wins: int, n: int, low: float, high: float) -> None:
    assert interval(wins, n) == (pytest.approx(low, abs=5e-5), pytest.approx(high, abs=5e-5))


def test_nothing_seen_has_no_interval() -> None:
    assert interval(0, 0) == (None, None)
