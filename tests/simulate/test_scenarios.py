"""Every yaku, outcome and rare event occurs in the scenarios: the coverage table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from paifu.errors import UsageError
from paifu.schema.yaku import YAKU
from paifu.simulate.game_loop import Game
from paifu.simulate.scenarios import SCENARIOS
from paifu.simulate.scripted import Deal, Scenario, lay_wall, parse_line, play_scenario
from paifu.simulate.table_record import DORA, LEAVE, RETURN, RIICHI_PAID
from tests.simulate.referee import OUTCOMES, Referee

NOT_IN_TENHOU = {"renhou", "round_north"}
"""Yaku without a scenario; there is at most one extra wind, so never a north round."""

Played = dict[str, Game]


def scripted_round(game: Game, name: str) -> int:
    return len(SCENARIOS[name].deals) - 1


def test_every_yaku_is_won_with(scripted: Played) -> None:
    won = {
        key for game in scripted.values() for wins in game.values for v in wins for key, _ in v.yaku
    }
    wanted = {yaku.key for yaku in YAKU if yaku.tenhou is not None} | {"kita"}
    assert wanted - NOT_IN_TENHOU <= won


def test_each_yaku_scenario_shows_its_yaku(scripted: Played) -> None:
    keys = {yaku.key for yaku in YAKU}
    for name in keys & set(scripted):
        value = scripted[name].values[0][0]
        assert name in dict(value.yaku), name
    assert scripted["kazoe"].values[0][0].limit == "kazoe"


def test_every_outcome_occurs(scripted: Played) -> None:
    seen = {OUTCOMES[table["outcome"]] for game in scripted.values() for table in game.rounds}
    assert seen == set(OUTCOMES)


def kinds(game: Game, nth: int = 0) -> list[int]:
    table = game.rounds[nth]
    return table["event_kind"][: table["events"]].tolist()


def paid(game: Game) -> list[int]:
    return game.rounds[0]["delta"][0].tolist()


COVERAGE: dict[str, tuple[str, Callable[[Game], bool]]] = {
    "double ron, honba and stick to the nearer": (
        "double_ron",
        lambda g: (
            g.rounds[1]["wins"] == 2
            and g.rounds[1]["honba"] == 1
            and g.rounds[1]["delta"][0].sum() == 1000
            and g.rounds[1]["delta"][1].sum() == 0
        ),
    ),
    "pao by tsumo": ("pao_tsumo", lambda g: paid(g) == [48000, 0, -48000, 0]),
    "pao by ron": ("pao_ron", lambda g: paid(g) == [48000, 0, -24000, -24000]),
    "pao ron from the feeder": (
        "pao_ron_feeder",
        lambda g: paid(g) == [48000, 0, -48000, 0],
    ),
    "pao of a composite yakuman": (
        "pao_composite",
        lambda g: g.values[0][0].yakuman == 2 and g.rounds[0]["delta"][0][2] == -96000,
    ),
    "rinshan after an ankan, dora shown": (
        "rinshan_ankan", lambda g: "rinshan" in dict(g.values[0][0].yaku) and DORA in kinds(g)
    ),
    "rinshan after a daiminkan, dora not shown": (
        "rinshan_daiminkan",
        lambda g: "rinshan" in dict(g.values[0][0].yaku) and DORA not in kinds(g),
    ),
    "rinshan after a kakan, dora not shown": (
        "rinshan_kakan",
        lambda g: "rinshan" in dict(g.values[0][0].yaku) and DORA not in kinds(g),
    ),
    "rinshan after a north": ("kita_rinshan", lambda g: "rinshan" in dict(g.values[0][0].yaku)),
    "chankan, dora not shown": (
        "chankan", lambda g: "chankan" in dict(g.values[0][0].yaku) and DORA not in kinds(g)
    ),
    "T31 ippatsu survives a robbed kan": (
        "chankan_ippatsu", lambda g: {"chankan", "ippatsu"} <= set(dict(g.values[0][0].yaku))
    ),
    "T30 a further kan shows what is owed": (
        "kan_upon_kan", lambda g: kinds(g).count(DORA) == 2
    ),
    "T16 four kans of one seat": (
        "four_kans_one_seat",
        lambda g: g.rounds[0]["kans"].tolist() == [4, 0, 0, 0] and g.values[0][0].yakuman == 2,
    ),
    "S10 a ronned north": (
        "kita_ron",
        lambda g: g.rounds[0]["loser"] == 1 and "chankan" not in dict(g.values[0][0].yaku),
    ),
    "a north shows what a kakan owes": ("kita_dora", lambda g: kinds(g).count(DORA) == 1),
    "a yaku by the winning tile alone": (
        "atozuke",
        lambda g: [key for key, _ in g.values[0][0].yaku if "dora" not in key] == ["chun"],
    ),
    "T24 riichi ronned on its tile": (
        "riichi_ronned",
        lambda g: RIICHI_PAID not in kinds(g) and g.rounds[0]["riichi"][0] == 1,
    ),
    "sticks left over by a draw": ("riichi_and_draw", lambda g: g.rounds[0]["end_sticks"] == 2),
    "below zero": ("kokushi", lambda g: min(g.final_points) < 0),
    "T8 a south round of an east game": ("south_in", lambda g: g.rounds[4]["wind"] == 1),
    "T8 a west round of a south game": ("west_in", lambda g: g.rounds[8]["wind"] == 2),
    "dropped out and back": (
        "disconnected", lambda g: kinds(g)[0] == LEAVE and kinds(g).count(RETURN) == 2
    ),
    "sanma double ron": ("sanma_double_ron", lambda g: g.rounds[0]["wins"] == 2),
    "S12 nagashi of three": (
        "sanma_nagashi", lambda g: paid(g) == [8000, -4000, -4000, 0]
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", COVERAGE)
def test_the_coverage_table(case: str, scripted: Played) -> None:
    name, holds = COVERAGE[case]
    assert holds(scripted[name])


def test_the_referee_has_nothing_against_them(scripted: Played) -> None:
    for name, game in scripted.items():
        for nth, table in enumerate(game.rounds):
            referee = Referee(game, table)
            referee.watch()
            assert not referee.faults, (name, nth, referee.faults)


def test_a_scenario_that_cannot_happen_is_refused() -> None:
    hopeless = Scenario("hopeless", "", (Deal(("0 tsumo 1m",), {0: "19m19p19s1234z258m"}),))
    with pytest.raises(UsageError, match="'0 tsumo 1m' was never possible"):
        play_scenario(hopeless)


def test_a_wall_has_every_tile_once() -> None:
    deal = Deal((), {0: "123m0456p"}, draws="1z", last="9s", away="2z")
    for players, size in ((4, 136), (3, 108)):
        hand = {0: "19m0456p"} if players == 3 else deal.hands
        wall = lay_wall(Deal((), hand, last="9s"), players, 0, 1)
        assert len(set(wall[:size].tolist())) == size
    with pytest.raises(UsageError, match="more 1m"):
        lay_wall(Deal((), {0: "1111m", 1: "1m"}), 4, 0, 1)


def test_scripts_are_read_or_refused() -> None:
    assert parse_line("1 pon 5z")[0] == 1
    with pytest.raises(UsageError):
        parse_line("1 sing 5z")
