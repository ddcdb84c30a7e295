"""The named statistics against a slow count over the elements of real logs: exactly the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from slow_statistics import DOUBLE_RIICHI, RIICHI, Tally, count

from paifu.ingest import ingest
from paifu.lake import Lake
from paifu.schema import YAKU
from paifu.stats import run

LOGS = {"mjlog": 100, "mjlog3p": 50}
"""How many logs of each folder of the corpus are taken, evenly spread over it."""

Row = Callable[..., dict[str, object]]


@pytest.fixture(scope="module")
def logs(corpus: Path) -> list[Path]:
    """Complete games of the ordinary rooms; chip and ratio lobbies are left out."""
    chosen = []
    for folder, number in LOGS.items():
        paths = [p for p in sorted((corpus / folder).iterdir()) if p.is_file() and complete(p)]
        chosen += paths[:: max(1, len(paths) // number)][:number]
    return chosen


def complete(path: Path) -> bool:
    """Say whether a log, plain or packed, is one of a game played to its end."""
    if "chip" in path.name or "ratio" in path.name:
        return False
    if path.suffix == ".gz":
        return True
    data = path.read_bytes()
    return data[:2] == b"\x1f\x8b" or (b"<GO " in data and b"owari=" in data)


@pytest.fixture(scope="module")
def counted(logs: list[Path]) -> dict[int, Tally]:
    return count(logs)


@pytest.fixture(scope="module")
def lake(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lake]:
    place = tmp_path_factory.mktemp("against_logs") / "lake"
    ingest(logs, lake=place)
    with Lake.open(place) as opened:
        yield opened


@pytest.fixture(params=[4, 3])
def players(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture
def tally(counted: dict[int, Tally], players: int) -> Tally:
    return counted[players]


@pytest.fixture
def row(lake: Lake, players: int) -> Row:
    def only_row(name: str, /, params: dict[str, object] | None = None, **where: object):
        answer = run(lake, name, params)
        rows = [dict(zip(answer.columns, values, strict=True)) for values in answer.rows]
        fits = [r for r in rows if all(r[k] == v for k, v in {"players": players, **where}.items())]
        assert len(fits) == 1
        return fits[0]

    return only_row


def test_the_same_games_are_counted(lake: Lake, players: int, tally: Tally) -> None:
    games = lake.sql(f"SELECT count(*), sum(rounds) FROM games WHERE players = {players}")
    assert games.fetchone() == (tally.counts["games"], tally.counts["rounds"])


def test_wins(tally: Tally, row: Row) -> None:
    found, c = row("wins", state="all"), tally.counts
    assert (found["wins"], found["n"]) == (c["wins"], c["seat rounds"])
    assert found["win_rate"] == pytest.approx(tally.mean("wins", "seat rounds"))
    assert found["tsumo_rate"] == pytest.approx(tally.mean("tsumo", "wins"))
    assert found["average_points"] == pytest.approx(tally.mean("win points", "wins"))
    assert found["average_turn"] == pytest.approx(tally.mean("win turns", "wins"))
    for state in ("riichi", "open", "closed"):
        assert row("wins", state=state)["wins"] == c[f"{state} wins"]


def test_deal_ins(tally: Tally, row: Row) -> None:
    found, c = row("deal_in", state="all"), tally.counts
    assert (found["deal_in_rounds"], found["n"]) == (c["deal-in rounds"], c["seat rounds"])
    assert found["deal_ins"] == c["deal-ins"]
    assert found["average_cost"] == pytest.approx(tally.mean("deal-in points", "deal-in rounds"))
    assert found["average_turn"] == pytest.approx(tally.mean("deal-in turns", "deal-in rounds"))


def test_deal_ins_to_riichi_open_and_dama(lake: Lake, players: int, tally: Tally) -> None:
    answer = run(lake, "deal_in_to")
    rows = [dict(zip(answer.columns, values, strict=True)) for values in answer.rows]
    for state in ("riichi", "open", "closed"):
        found = [
            r["deal_ins"] for r in rows if (r["players"], r["winner_state"]) == (players, state)
        ]
        assert sum(found) == tally.counts[f"deal-ins to {state}"]


def test_riichi(tally: Tally, row: Row) -> None:
    found, c = row("riichi", riichi="all"), tally.counts
    assert (found["n"], found["n_rounds"]) == (c["riichi"], c["seat rounds"])
    assert found["average_turn"] == pytest.approx(tally.mean("riichi turns", "riichi"))
    assert found["win_rate"] == pytest.approx(tally.mean("riichi wins", "riichi"))
    assert found["deal_in_rate"] == pytest.approx(tally.mean("riichi deal-ins", "riichi"))
    assert found["draw_rate"] == pytest.approx(tally.mean("riichi drawn", "riichi"))
    assert row("riichi", riichi="first")["n"] == c["first riichi"]
    assert row("riichi", riichi="chasing")["n"] == c["chased riichi"]


def test_ippatsu_and_ura(lake: Lake, players: int, tally: Tally) -> None:
    table = run(lake, "ippatsu_and_ura").pl().filter(players=players)
    assert table["n"].sum() == tally.counts["riichi wins with han"]
    assert (table["n"] * table["ippatsu_rate"]).sum() == pytest.approx(tally.counts["ippatsu"])
    assert (table["n"] * table["ura_rate"]).sum() == pytest.approx(tally.counts["ura"])


def test_calls(lake: Lake, players: int, tally: Tally) -> None:
    table = run(lake, "calls").pl().filter(players=players)
    assert table["call_rate"][0] == pytest.approx(tally.mean("called", "seat rounds"))


def test_draws(tally: Tally, row: Row) -> None:
    found, c = row("draws", state="all"), tally.counts
    assert (found["n"], found["n_rounds"]) == (c["drawn"], c["seat rounds"])
    assert found["tenpai_rate"] == pytest.approx(tally.mean("tenpai at draw", "drawn"))


def test_outcomes_of_rounds(lake: Lake, players: int, tally: Tally) -> None:
    table = run(lake, "rounds_by_outcome").pl().filter(players=players)
    assert dict(table.select("outcome", "rounds").iter_rows()) == dict(tally.outcomes)


def test_yaku(lake: Lake, players: int, tally: Tally) -> None:
    table = run(lake, "yaku_frequency").pl().filter(players=players)
    keys = {yaku.tenhou: yaku.key for yaku in YAKU if yaku.tenhou is not None}
    found = dict(table.select("yaku", "wins").iter_rows())
    assert found == {keys[number]: wins for number, wins in tally.yaku.items()}
    assert table["n"][0] == tally.counts["wins"]
    riichi = tally.yaku[RIICHI] + tally.yaku[DOUBLE_RIICHI]
    assert riichi <= table["n_riichi"][0] == tally.counts["riichi wins"]


def test_haipai(lake: Lake, players: int, tally: Tally) -> None:
    table = run(lake, "haipai").pl().filter(players=players)
    assert table["n"].sum() == tally.counts["seat rounds"]
    assert (table["n"] * table["shanten"]).sum() == tally.counts["haipai shanten"]


def test_placement_by_seat(lake: Lake, players: int, tally: Tally) -> None:
    table = run(lake, "placement_by_start_seat").pl().filter(players=players)
    places = ("first_rate", "second_rate", "third_rate", "fourth_rate")[:players]
    for found in table.iter_rows(named=True):
        for place, rate in enumerate(places, start=1):
            assert found["n"] * found[rate] == pytest.approx(tally.placements[found["seat"], place])
    average = (table["n"] * table["average_placement"]).sum()
    assert average == pytest.approx(tally.counts["placements"])


def test_busts(tally: Tally, row: Row) -> None:
    found = row("busts", last_round="all")
    assert (found["busts"], found["n"]) == (
        tally.counts["busts"],
        tally.counts["games"] * len({seat for seat, _ in tally.placements}),
    )


def test_rounds_per_game(lake: Lake, players: int, tally: Tally) -> None:
    table = run(lake, "games").pl().filter(players=players)
    assert table["n"].sum() == tally.counts["games"]
    rounds = (table["n"] * table["average_rounds"]).sum()
    assert rounds == pytest.approx(tally.counts["rounds"])
