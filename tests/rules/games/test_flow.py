"""The flow of each game: every statement of its document, with the section it stands in.

Documents are those of the folder of rules, and the seeds beside it (002 第几节, 004 L…).
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl
import pytest

from paifu.errors import RuleError
from paifu.rules.fan.flow import (
    Flow,
    draw_payments,
    false_win_payments,
    leaving_payments,
    missing_at_draw,
    next_round,
    rank_of,
    session_ends,
    session_results,
)
from paifu.rules.fan.game import Game
from paifu.rules.rulesets import game_names, get_any, load_any


def game(name: str, **options: Any) -> Game:
    found = get_any(name)
    assert isinstance(found, Game)
    return found.with_options(options)


def rounds(*given: dict[str, Any], players: int = 4) -> pl.DataFrame:
    """Return rounds as a frame: ``first`` names the seats that won first."""
    rows = []
    for index, facts in enumerate(given):
        first = facts.get("first", ())
        row = {"game_id": 1, "round_index": index, "dealer": 0, "wind": 0, "discarder": None}
        row |= {f"first_{seat}": seat in first for seat in range(players)}
        rows.append(row | {name: value for name, value in facts.items() if name != "first"})
    return pl.DataFrame(rows, schema_overrides={"discarder": pl.Int16, "dealer": pl.Int16})


class After(NamedTuple):
    """A round, and who deals next by a document."""

    says: str
    rules: str
    dealer: int
    first: tuple[int, ...]
    discarder: int | None
    deals: int | None


MCR, GD, CS = (
    "mcr.md §1, 004 L242 第八条",
    "regional-guangdong.md, 002 §四",
    "regional-changsha.md, 002",
)
YZ, DT = "regional-yangzhou.md, 002 §2", "regional-datong.md, 000 §Ⅱ L70"

DEALERS = [
    After(f"{MCR}: 无论是否和牌，庄家不连庄", "mcr", 1, (1,), None, 2),
    After(f"{MCR}: another wins", "mcr", 1, (0,), 3, 2),
    After(f"{MCR}: a draw", "mcr", 3, (), None, 0),
    After("regional-qq-popular.md: 国标馆 is mcr.md", "qq-guobiao", 0, (0,), None, 1),
    After("regional-qq-popular.md: 大众馆 adds to 国标馆", "qq-popular", 0, (), None, 1),
    After(f"{GD} 1: 庄家和牌 … 依然由该庄家做庄", "guangdong-jph", 2, (2,), 0, 2),
    After(f"{GD} 1: 流局 … 依然由该庄家做庄", "guangdong-jph", 2, (), None, 2),
    After(f"{GD} 2: 非庄家和牌 … 下家", "guangdong-jph", 2, (0,), 2, 3),
    After("002 §五 一炮多响包括庄家 … 继续当庄", "guangdong-jph", 2, (1, 2), 3, 2),
    After("002 §五 一炮多响 without the dealer", "guangdong-jph", 3, (1, 2), 3, 0),
    After(f"{CS} B: 通炮者坐庄", "changsha", 0, (0, 2), 3, 3),
    After(f"{CS} B: 其次和家坐庄", "changsha", 0, (2,), 3, 2),
    After(f"{CS} B: the dealer wins", "changsha", 1, (1,), None, 1),
    After(f"{YZ}: 庄家胡 … 连庄", "yangzhou", 3, (3,), 1, 3),
    After(f"{YZ}: 黄庄则庄家连庄", "yangzhou", 3, (), None, 3),
    After(f"{YZ}: 轮庄", "yangzhou", 3, (1,), 0, 0),
    After(f"{YZ}: 一炮多响 with the dealer", "yangzhou", 1, (1, 2), 0, 1),
    After(f"{DT}: 莊家胡牌 … 繼續做莊", "datong", 1, (1,), None, 1),
    After(f"{DT}: 閑家贏 … 下一家當庄", "datong", 1, (3,), 1, 2),
    After(f"{DT}: 黃庄 … 繼續坐莊", "datong", 1, (), None, 1),
]


@pytest.mark.parametrize("given", DEALERS, ids=lambda given: f"{given.rules}: {given.says}")
def test_who_deals_next(given: After) -> None:
    flow = game(given.rules).course
    frame = rounds({"dealer": given.dealer, "first": given.first, "discarder": given.discarder})
    assert frame.select(next_round(flow, 4)["dealer"]).item() == given.deals


OPEN = [
    # what the documents leave open: the default, and the other choices of the table
    ("qingyuan", {}, (2,), None, 1),
    ("qingyuan", {"dealer_after_other_win": "winner"}, (2,), None, 2),
    ("qingyuan", {"dealer_after_draw": "next"}, (), None, 1),
    ("nanchang-jing", {}, (0,), None, 0),
    ("nanchang-jing", {"dealer_after_own_win": "next"}, (0,), None, 1),
    ("yingkou", {}, (), None, 0),
    ("sichuan", {}, (3,), 1, 3),
    ("sichuan", {}, (2, 3), 1, 1),
    ("sichuan", {"dealer_after_several_wins": "as_one"}, (2, 3), 1, 2),
    ("chengdu", {"dealer_after_other_win": "stays"}, (3,), 1, 0),
    ("changsha", {}, (), None, 0),
    ("changsha", {"dealer_after_draw": "next"}, (), None, 1),
    ("qq-no-fan", {"dealer_after_own_win": "stays"}, (0,), None, 0),
]


@pytest.mark.parametrize(("name", "options", "first", "discarder", "deals"), OPEN)
def test_what_a_document_leaves_open_is_an_option(
    name: str, options: dict[str, str], first: tuple[int, ...], discarder: int | None, deals: int
) -> None:
    chosen = game(name, **options)
    for option in options:
        sentence = next(each.doc for each in chosen.choices if each.name == option)
        assert "The source does not say" in sentence
    frame = rounds({"first": first, "discarder": discarder})
    assert frame.select(next_round(chosen.course, 4)["dealer"]).item() == deals


def test_three_players_pass_the_deal_among_three() -> None:
    frame = rounds({"dealer": 2, "first": (0,), "discarder": 1}, players=3)
    for name in ("kawuxing", "fushun-3p"):
        assert frame.select(next_round(game(name).course, 3)["dealer"]).item() == 0


def test_the_page_of_sessions_has_the_flow_of_every_game() -> None:
    """docs/sessions.md: the defaults, in bold if the source of the game states them."""
    page = (Path(__file__).parents[3] / "docs" / "sessions.md").read_text(encoding="utf-8")
    options = (
        "dealer_after_own_win", "dealer_after_other_win", "dealer_after_several_wins",
        "dealer_after_draw", "winners",
    )  # fmt: skip
    rows = [line.strip("| ").split(" | ") for line in page.split("\n") if line.startswith("| `")]
    told = {
        name: values
        for names, *values in rows
        for name in re.findall(r"`([\w-]+)`", names)
        if len(values) == len(options)
    }
    assert set(told) == set(game_names())
    for name, values in told.items():
        flow = game(name).flow
        shown = [str(getattr(flow, option)) for option in options]
        bold = [f"**{v}**" if o in flow.said else v for o, v in zip(options, shown, strict=True)]
        assert values == bold, name


def test_a_fact_that_is_not_known_leaves_the_dealer_unknown() -> None:
    frame = rounds({"first": (1, 2)}).with_columns(discarder=pl.lit(None, pl.Int16))
    assert frame.select(next_round(game("changsha").course, 4)["dealer"]).item() is None
    unknown = frame.with_columns(first_1=pl.lit(None, pl.Boolean))
    for name in ("changsha", "mcr"):
        after = unknown.select(next_round(game(name).course, 4)["dealer"]).item()
        assert after is None


# --- winds, rounds and the end of a session


def test_mcr_is_sixteen_rounds() -> None:
    """mcr.md §1: 4 hands are a 圈, 4 圈 a 局; 第一圈为东风圈 … 第四圈为北风圈 (004 L242)."""
    course = game("mcr").course
    frame = rounds(*({"dealer": n % 4, "wind": n // 4, "first": (0,)} for n in range(16)))
    following = frame.select(**next_round(course, 4), ends=session_ends(course, 4))
    expected = [((n + 1) % 4, (n + 1) // 4 % 4) for n in range(16)]
    assert list(zip(following["dealer"], following["wind"], strict=True)) == expected
    assert following["number"].to_list() == [(n + 1) % 4 + 1 for n in range(16)]
    assert following["ends"].to_list() == [False] * 15 + [True]


def test_guangdong_changes_the_wind_when_the_fourth_deal_ends() -> None:
    """002 §五 风圈 3: 当最后一位玩家做庄之牌局完结而没有连庄 … 一圈."""
    course = game("guangdong-jph").course
    frame = rounds(
        {"dealer": 3, "first": (3,)},
        {"dealer": 3, "first": ()},
        {"dealer": 3, "first": (1,)},
        {"dealer": 3, "wind": 3, "first": (1,)},
    )
    following = frame.select(**next_round(course, 4), ends=session_ends(course, 4))
    assert following["wind"].to_list() == [0, 0, 1, 0]
    assert not following["ends"].any()  # the document names no last round


def test_a_session_ends_after_its_rounds_or_circles() -> None:
    rotating = game("guangdong-jph", circles=1).course
    frame = rounds(*({"dealer": n, "first": ((n + 1) % 4,)} for n in range(4)))
    assert frame.select(session_ends(rotating, 4)).to_series().to_list() == [False] * 3 + [True]
    four = game("sichuan", rounds=2).course
    assert frame.select(session_ends(four, 4)).to_series().to_list() == [False, True, True, True]


def test_games_without_a_wind_in_turn_have_no_round_wind() -> None:
    for name in ("changsha", "sichuan", "datong", "yangzhou"):
        wind = next_round(game(name).course, 4)["wind"]
        assert rounds({"dealer": 3, "first": (1,), "discarder": 0}).select(wind).item() is None


# --- draws


def drawn(flow: Flow, ready: str, pigs: str = "", out: str = "") -> list[int | None]:
    """Return what each seat gets at a draw; the texts are the numbers of seats."""
    row: dict[str, bool] = {}
    for seat in range(4):
        row[f"waits_{seat}"] = str(seat) not in out
        row[f"ready_{seat}"] = str(seat) in ready
        row[f"pig_{seat}"] = str(seat) in pigs
    frame = pl.DataFrame([row])
    return list(
        frame.select(each.alias(str(seat)) for seat, each in enumerate(draw_payments(flow, 4))).row(
            0
        )
    )


@pytest.mark.parametrize(
    ("ready", "pigs", "out", "deltas"),
    [
        ("01", "", "", [4, 4, -4, -4]),  # 查大叫: each not ready pays each ready seat 2
        ("0123", "", "", [0, 0, 0, 0]),
        ("", "", "", [0, 0, 0, 0]),
        ("0", "3", "", [20, 14, 14, -48]),
        ("0", "", "1", [4, 0, -2, -2]),  # 未和者: who has won neither pays nor is paid
        ("", "23", "0", [0, 32, -16, -16]),
    ],
)
def test_sichuan_pays_at_a_draw_what_the_club_states(
    ready: str, pigs: str, out: str, deltas: list[int]
) -> None:
    """regional-sichuan.md: 流局查卫生(查花猪), 查叫; the document names no amounts."""
    course = game("sichuan", flower_pig=16, not_ready=2).course
    assert drawn(course, ready, pigs, out) == deltas


def test_a_pig_may_pay_for_not_being_ready_too() -> None:
    course = game("chengdu", flower_pig=16, not_ready=2, pig_pays_both=True).course
    assert drawn(course, "0", "3") == [2 + 2 + 2 + 16, 16 - 2, 16 - 2, -48 - 2]


def test_amounts_of_a_draw_are_asked_for_only_if_they_are_paid() -> None:
    course = game("sichuan", not_ready=2).course
    assert drawn(course, "01") == [4, 4, -4, -4]
    assert drawn(course, "01", "3")[3] is None
    row = {"waits": True, "ready": False, "pig": False}
    frame = pl.DataFrame([{f"{name}_{seat}": v for name, v in row.items() for seat in range(4)}])
    frame = frame.with_columns(pig_3=pl.lit(True))
    assert frame.select(missing_at_draw(course, 4)).item() == "flower_pig"
    assert frame.select(missing_at_draw(game("mcr").course, 4)).item() is None


@pytest.mark.parametrize("name", [n for n in game_names() if n not in ("sichuan", "chengdu")])
def test_elsewhere_a_draw_pays_nothing(name: str) -> None:
    """No other document has a payment at a draw."""
    assert drawn(game(name).course, "0", "1") == [0, 0, 0, 0]


# --- winners, the last tiles, tiles let pass


def test_who_wins_a_tile() -> None:
    one = {"mcr", "datong", "qq-guobiao", "qq-popular", "qq-no-fan"}
    """mcr.md §1 (004 L242 (三)): one winner, the nearest. regional-datong.md 9 截胡. 004 L43:
    最先和牌的为胜利者. All others win in guangdong, changsha (通炮), sichuan 5, yangzhou."""
    assert {name for name in game_names() if game(name).course.winners == "one"} == one
    stated = {"guangdong-jph", "changsha", "sichuan", "yangzhou", "mcr", "datong", "qq-no-fan"}
    assert stated <= {name for name in game_names() if game(name).flow.said.get("winners") == ""}


def test_statements_that_no_table_changes() -> None:
    flows = {name: game(name).flow for name in game_names()}
    # regional-sichuan.md 4: 最后四张自动和
    assert {name for name, flow in flows.items() if flow.forced_last == 4} == {"sichuan"}
    # regional-datong.md: a draw with 6½ stacks left
    assert {name: flow.undrawn for name, flow in flows.items() if flow.undrawn} == {"datong": 13}
    # regional-qingyuan.md: 只允许自摸不允许吃糊
    assert {name for name, flow in flows.items() if not flow.by_discard} == {"qingyuan"}
    # 漏和: 002 §五 of Guangdong, 002 5 of Changsha
    assert {name for name, flow in flows.items() if flow.missed_win} == {
        "guangdong-jph",
        "changsha",
    }
    # regional-sichuan.md 6 (未和者), regional-chengdu.md 血战到底: until one is left
    assert {n: f.most_winners for n, f in flows.items() if f.play_on} == {
        "sichuan": 3,
        "chengdu": 3,
    }


# --- fines, table points, coins


def test_datong_leaving_costs_eight_bases() -> None:
    """regional-datong.md, 000 L71: 強退的玩家每次扣8倍基本分80分; who gets them is left open."""
    assert leaving_payments(game("datong").course, 10, 4, 1) == [0, -80, 0, 0]
    shared = game("datong", leaving_fine_to="others", leaving_fine=9).course
    assert leaving_payments(shared, 10, 4, 1) == [30, -90, 30, 30]


@pytest.mark.parametrize(("amount", "deltas"), [(10, [-30, 10, 10, 10]), (20, [-60, 20, 20, 20])])
def test_mcr_false_win(amount: int, deltas: list[int]) -> None:
    """mcr.md §1: false win -10 or -20 to each (B:32-36), amounts that the seed leaves out."""
    assert false_win_payments(game("mcr", false_win=amount).course, 4, 0) == deltas
    assert false_win_payments(game("mcr").course, 4, 0) is None


@pytest.mark.parametrize(
    ("points", "worth"),
    [
        ([120, -40, 8, -88], [4, 1, 2, 0]),
        ([50, 50, -20, -80], [3, 3, 1, 0]),
        ([0, 0, 0, 0], [1.75] * 4),
        ([90, -30, -30, -30], [4, 1, 1, 1]),
    ],
)
def test_mcr_table_points(points: list[int], worth: list[float]) -> None:
    """Table points of tournaments, shared by seats with equal points."""
    frame = pl.DataFrame([{f"final_{seat}": each for seat, each in enumerate(points)}])
    expressions = session_results(game("mcr").course, 4)
    found = frame.select(each.alias(str(seat)) for seat, each in enumerate(expressions)).row(0)
    assert list(found) == worth
    other = session_results(game("mcr", table_points=[5, 3, 1, 0]).course, 4)[0]
    assert frame.select(other).item() in (5, 4, 2.25)


def coins(flow: Flow, points: list[int], left: int | None = None) -> list[float | None]:
    row: dict[str, Any] = {f"change_{seat}": each for seat, each in enumerate(points)}
    row |= {f"final_{seat}": 0 for seat in range(4)}
    row |= {f"left_{seat}": seat == left for seat in range(4)}
    expressions = session_results(flow, 4)
    frame = pl.DataFrame([row])
    return list(frame.select(each.alias(str(seat)) for seat, each in enumerate(expressions)).row(0))


@pytest.mark.parametrize("name", ["qq-guobiao", "qq-popular", "qq-no-fan"])
def test_qq_coins(name: str) -> None:
    """004 L164-167: coins change when a game has ended; one who leaves loses, the others do not."""
    course = game(name, coin=100, leaving_coins=5000).course
    assert coins(course, [30, -10, -10, -10]) == [3000, -1000, -1000, -1000]
    assert coins(course, [30, -10, -10, -10], left=2) == [0, 0, -5000, 0]
    assert coins(game(name).course, [30, -10, -10, -10]) == [None] * 4


@pytest.mark.parametrize(
    ("points", "rank"),
    [(11_999, None), (12_000, "九万"), (39_999, "西风"), (160_000, "发"), (999_999, "雀神")],
)
def test_qq_ranks(points: int, rank: str | None) -> None:
    """004 L156-163: 九万 12000 … 雀神 200000."""
    assert rank_of(points, game("qq-no-fan").flow) == rank


def test_starting_points_are_given_by_the_table() -> None:
    """mcr.md §6: 500 in the book, which the seed leaves out; no other document has any."""
    assert all(game(name).course.start_points == 0 for name in game_names())
    assert game("mcr", start_points=500).course.start_points == 500


# --- options


@pytest.mark.parametrize(
    ("name", "options", "need"),
    [
        ("mcr", {"dealer_after_several_wins": "discarder"}, 'winners = "all"'),
        ("changsha", {"circles": 4}, "a deal that passes in turn"),
        ("sichuan", {"pig_pays_both": True}, "flower_pig and not_ready"),
        ("chengdu", {"kongs_returned": True}, "kong_money = true"),
        ("datong", {"leaving_fine": 0, "leaving_fine_to": "others"}, "a leaving_fine"),
    ],
)
def test_an_option_without_effect_is_refused(name: str, options: dict[str, Any], need: str) -> None:
    with pytest.raises(RuleError, match="changes nothing without") as refused:
        game(name, **options)
    assert need in str(refused.value)


@pytest.mark.parametrize("value", [[4, 2, 1], "4 2 1 0", [4, 2, 1, "0"], [4, 2, 1, True], 4])
def test_table_points_are_as_many_numbers(value: Any) -> None:
    with pytest.raises(RuleError, match="a list of 4 numbers"):
        game("mcr", table_points=value)


def test_a_flow_in_toml(tmp_path: Any) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(
        'extends = "mcr"\nstart_points = 500\ntable_points = [5, 3, 1, 0]\n'
        'dealer_after_own_win = "stays"\n'
    )
    ours = load_any(path)
    assert isinstance(ours, Game)
    assert ours.course.table_points == (5, 3, 1, 0)
    assert ours.course.dealer_after_own_win == "stays"
    assert ours.hash != game("mcr").hash
    path.write_text('extends = "mcr"\ntable_points = [4, 2, 1, 0]\n')
    same = load_any(path)
    assert same.hash == game("mcr").hash
