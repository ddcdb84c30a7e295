"""Ctrl-C while the lake is written: a transaction is stored with its files, or not at all."""

from __future__ import annotations

import signal
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from paifu.host.signals import held_back
from paifu.lake.lake import Lake, Transaction
from paifu.lake.layout import arrow_schema

pytestmark = pytest.mark.usefixtures("signals_heard", "all_processors")


class Interrupted:
    """A connection whose user presses Ctrl-C while one statement is executed."""

    def __init__(self, connection: Any, statement: str, *, after: bool) -> None:
        self.connection = connection
        self.statement = statement
        self.after = after

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def execute(self, query: str, *parameters: Any) -> Any:
        mine = query == self.statement
        if mine and not self.after:
            signal.raise_signal(signal.SIGINT)
        result = self.connection.execute(query, *parameters)
        if mine and self.after:
            signal.raise_signal(signal.SIGINT)
        return result


def rejects() -> pa.Table:
    now = datetime(2026, 1, 1)
    row = {
        field.name: {pa.int64(): 1, pa.int32(): 1, pa.int16(): 1, pa.timestamp("us"): now}.get(
            field.type, "text"
        )
        for field in arrow_schema("rejects")
    }
    return pa.Table.from_pylist([row], schema=arrow_schema("rejects"))


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("statement", ["BEGIN", "COMMIT"])
def test_interrupted_in_a_transaction_the_lake_and_its_files_agree(
    statement: str, after: bool, tmp_path: Path
) -> None:
    with Lake.open(tmp_path / "lake", create=True) as lake:
        staged = lake.stage({"rejects": rejects()})
        (file,) = map(Path, staged.addresses().values())

        def work(transaction: Transaction) -> None:
            transaction.add(staged)

        lake.connection = Interrupted(lake.connection, statement, after=after)  # type: ignore[assignment]
        with pytest.raises(KeyboardInterrupt):
            lake.transact(work)
        staged.discard()
    committed = statement == "COMMIT"
    assert file.exists() == committed
    with Lake.open(tmp_path / "lake") as lake:
        assert lake.sql("SELECT reason FROM rejects").fetchall() == [("text",)] * committed


def test_what_is_held_back_is_heard_at_the_end() -> None:
    done: list[str] = []

    def work(done: Callable[[str], None]) -> None:
        with held_back():
            signal.raise_signal(signal.SIGINT)
            done("all of it")
        done("and more")

    with pytest.raises(KeyboardInterrupt):
        work(done.append)
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
