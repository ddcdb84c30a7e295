"""Real logs have no flags, and their tables agree with each other and with the record."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pytest

from paifu.formats.base import Blob
from paifu.formats.registry import importer
from paifu.game.events import Batch, concat
from paifu.replay import batch_parts as parts
from paifu.replay.replay_batch import replay
from paifu.schema.tables import PLAY_TABLES, TABLES

GAME = ["game_id", "round_index"]
SEAT = [*GAME, "seat"]


def logs(folder: Path, every: int) -> Batch:
    blobs = []
    for path in sorted(folder.iterdir())[::every]:
        data = path.read_bytes()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        blobs.append(Blob(data, 0, "", path.name))
    return importer("mjlog").read(blobs).batch


def sources(batch: Batch) -> np.ndarray:
    return np.zeros(len(batch.games), np.int64)


@pytest.fixture(scope="module", params=["mjlog", "mjlog3p"])
def tables(request: pytest.FixtureRequest, corpus: Path) -> dict[str, pl.DataFrame]:
    batch = logs(corpus / request.param, 8)
    frames = {name: pl.from_arrow(t) for name, t in replay(batch, sources(batch)).items()}
    distinct = frames["games"].unique("game_id")
    assert distinct.height > 100
    # the corpus has some games twice; a lake stores each once
    return {
        name: frame.unique(list(TABLES[name].key), maintain_order=True)  # type: ignore[union-attr]
        for name, frame in frames.items()
    }


def test_real_logs_are_played_by_the_rules(tables: dict[str, pl.DataFrame]) -> None:
    assert tables["flags"].height == 0
    assert tables["games"]["flags"].list.len().sum() == 0


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["mjlog", "mjlog3p"])
def test_not_one_log_of_the_corpus_is_flagged(corpus: Path, folder: str) -> None:
    batch = logs(corpus / folder, 1)
    assert replay(batch, sources(batch))["flags"].to_pylist() == []


def test_rows_are_as_many_as_they_must_be(tables: dict[str, pl.DataFrame]) -> None:
    games, rounds, seats = tables["games"], tables["rounds"], tables["round_seats"]
    assert games["rounds"].sum() == rounds.height
    assert games["players"].sum() == tables["seats"].height
    players = rounds.join(games, on="game_id").select(pl.col("players").sum()).item()
    assert seats.height == players
    assert set(tables["wins"]["game_id"]) <= set(games["game_id"])


def test_actions_and_seats_count_the_same(tables: dict[str, pl.DataFrame]) -> None:
    acts = tables["actions"]
    discarding = pl.col("action").cast(pl.String).is_in(["discard", "riichi"])
    counts = acts.group_by(SEAT).agg(
        discards=discarding.sum(), tsumogiri=pl.col("tsumogiri").fill_null(value=False).sum(),
        **{
            name: (pl.col("action").cast(pl.String) == name).sum()
            for name in ("chi", "pon", "daiminkan", "ankan", "kakan", "kita")
        },
    )  # fmt: skip
    seats = tables["round_seats"].join(counts, on=SEAT, how="left", suffix="_acts")
    for name in counts.columns[3:]:
        found = seats[f"{name}_acts"].fill_null(0)
        assert (seats[name].cast(pl.Int64) == found.cast(pl.Int64)).all(), name
    assert (seats["calls"] == seats["chi"] + seats["pon"] + seats["daiminkan"]).all()
    turns = acts.filter(discarding).sort("seq").with_columns(
        expected=pl.col("turn").cum_count().over(SEAT)
    )  # fmt: skip
    assert (turns["turn"] == turns["expected"]).all()
    assert acts.filter(pl.col("seq") != pl.int_range(pl.len()).over(GAME)).is_empty()


def test_points_add_up(tables: dict[str, pl.DataFrame]) -> None:
    seats = tables["round_seats"]
    by_round = seats.group_by(GAME).agg(pl.col("delta").sum()).join(tables["rounds"], on=GAME)
    sticks = (pl.col("sticks") - pl.col("sticks_end")).cast(pl.Int32) * 1000
    assert by_round.filter(pl.col("delta") != sticks).is_empty()
    assert (seats["points_end"] - seats["points_start"] == seats["delta"]).all()
    wins = tables["wins"]
    total = sum(wins[f"delta_{seat}"].fill_null(0) for seat in range(4))
    assert (total == wins["stick_points"]).all()
    assert (wins["points"] > 0).all()
    assert (wins["honba_points"] >= 0).all()
    paid = wins.filter(~pl.col("tsumo"))["loser_paid"].sum()
    pao = seats["pao_paid"].sum()
    assert seats["deal_in_points"].sum() == paid
    tsumo = wins.filter(pl.col("tsumo")).select(pl.col("points") + pl.col("honba_points")).sum()
    assert seats["tsumo_paid"].sum() + pao >= tsumo.item()


def test_each_win_is_somebodys(tables: dict[str, pl.DataFrame]) -> None:
    wins, seats, risks = tables["wins"], tables["round_seats"], tables["discard_risks"]
    assert seats["won"].sum() == wins.height
    rons = wins.filter(~pl.col("tsumo"))
    assert seats["deal_ins"].sum() == rons.height
    riichi = seats.filter(pl.col("riichi_turn").is_not_null())
    declared = (tables["actions"]["action"].cast(pl.String) == "riichi").sum()
    assert riichi.height == declared
    assert riichi["riichi_accepted"].sum() == tables["rounds"]["riichis"].sum()
    on_discard = rons.filter(~pl.col("chankan") & ~pl.col("kita_ron"))
    against_riichi = on_discard.filter(pl.col("winner_state").cast(pl.String) == "riichi").height
    dealt = risks.filter(pl.col("dealt_in"))
    assert dealt.filter(pl.col("threat").cast(pl.String) == "riichi").height == against_riichi
    genbutsu = risks.filter(pl.col("class").cast(pl.String) == "genbutsu")
    assert genbutsu.height > 1000
    assert not genbutsu["dealt_in"].any()


def test_recorded_yaku_fit_the_circumstances_replayed(tables: dict[str, pl.DataFrame]) -> None:
    key = [*GAME, "win_index"]
    wins = tables["wins"].filter(pl.col("yakuman") == 0)
    yaku = tables["win_yaku"].with_columns(pl.col("yaku").cast(pl.String))
    assert yaku.filter((pl.col("yaku") == "ura_dora") & (pl.col("han") == 0)).is_empty()
    for name, fact in {
        "riichi": pl.col("riichi") & ~pl.col("double_riichi"),
        "double_riichi": pl.col("double_riichi"),
        "ippatsu": pl.col("ippatsu") & ~pl.col("rinshan"),
        "rinshan": pl.col("rinshan"),
        "chankan": pl.col("chankan"),
        "haitei": pl.col("haitei"),
        "houtei": pl.col("houtei"),
        "menzen_tsumo": pl.col("tsumo") & (pl.col("winner_state").cast(pl.String) != "open"),
    }.items():
        recorded = wins.join(yaku.filter(pl.col("yaku") == name), on=key, how="semi")
        replayed = wins.filter(fact)
        assert recorded.select(key).equals(replayed.select(key)), name
    total = yaku.group_by(key).agg(pl.col("han").sum())
    counted = wins.join(total, on=key, suffix="_listed")
    assert (counted["han"] == counted["han_listed"]).all()


def test_without_actions_all_else_is_the_same(corpus: Path) -> None:
    batch = logs(corpus / "mjlog3p", 200)
    with_actions = replay(batch, sources(batch))
    without = replay(batch, sources(batch), actions=False)
    assert without["actions"].num_rows == 0
    assert without["actions"].schema.names == with_actions["actions"].schema.names
    for name in PLAY_TABLES:
        if name != "actions":
            assert without[name].equals(with_actions[name]), name


def test_a_game_does_not_depend_on_its_neighbours(corpus: Path) -> None:
    one, other = logs(corpus / "mjlog3p", 300), logs(corpus / "mjlog_partial", 3)
    together = replay(
        concat([one, other, one]), np.zeros(2 * len(one.games) + len(other.games), np.int64)
    )
    alone = [replay(batch, sources(batch)) for batch in (one, other)]
    for name in PLAY_TABLES:
        parts = [alone[0][name], alone[1][name], alone[0][name]]
        plain = [pa.Table.from_pylist(part.to_pylist(), TABLES[name].arrow()) for part in parts]
        joined = pa.concat_tables(plain)
        assert together[name].to_pylist() == joined.to_pylist(), name


def test_a_large_batch_is_played_in_parts(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    batch = logs(corpus / "mjlog3p", 150)
    whole = replay(batch, np.arange(len(batch.games)))
    monkeypatch.setattr(parts, "PART", 3)
    in_parts = replay(batch, np.arange(len(batch.games)))
    assert in_parts["games"].column("game_id").num_chunks > 1
    for name in PLAY_TABLES:
        assert in_parts[name].to_pylist() == whole[name].to_pylist(), name
