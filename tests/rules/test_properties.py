"""Properties of every hand, tested with random legal hands."""

from __future__ import annotations

import random
from functools import cache
from itertools import permutations

import numpy as np
import polars as pl
import pytest

from paifu.game.notation import read_hand
from paifu.game.tiles import DORA_OF, KIND_OF, TEXT, parse_tiles, tiles_text
from paifu.rules import rulesets
from paifu.rules.engine import score
from paifu.rules.hands import shapes
from paifu.rules.hands.from_wins import read_wins
from paifu.rules.riichi.toml_rules import parse
from tests.helpers.random_hands import RandomHand, random_hand
from tests.helpers.winning_hands import Row, scored, table, win, yaku_lists

NAMES = [name for name in rulesets.names() if not name.startswith("tenhou-custom")]


@cache
def hands_of(count: int, seed: int, players: int = 4) -> list[RandomHand]:
    rng = random.Random(seed)
    return [random_hand(rng, players) for _ in range(count)]


def players_of(name: str) -> int:
    return rulesets.get(name).players


@pytest.mark.parametrize("name", NAMES)
def test_payments_sum_to_the_sticks_taken(name: str) -> None:
    ruleset = rulesets.get(name)
    rng = random.Random(11)
    rows = []
    for hand in hands_of(1500, 11, players_of(name)):
        row = hand.row() | {"sticks": rng.randrange(4), "honba": rng.randrange(4)}
        for column in ("pao_daisangen", "pao_daisuushi", "pao_suukantsu"):
            row[column] = rng.choice([None, *set(range(hand.players)) - {row["winner"]}])
        rows.append(row)
    wins = scored(rows, ruleset).wins.filter(pl.col("status") == "ok")
    assert len(wins) > 800
    total = wins.select(pl.sum_horizontal("delta_0", "delta_1", "delta_2", "delta_3")).to_series()
    assert (total == wins["stick_points"]).all()
    assert (wins["points"] > 0).all()


@pytest.mark.parametrize("name", NAMES)
def test_one_more_dora_never_lowers_the_points(name: str) -> None:
    ruleset = rulesets.get(name)
    fewer, more = [], []
    for hand in hands_of(1500, 12, players_of(name)):
        row = hand.row()
        held = {int(KIND_OF[code]) for code in parse_tiles(row["hand"])}
        free = [
            kind for kind in range(34)
            if int(DORA_OF[kind]) in held and kind not in held and (kind not in range(9))
        ]  # fmt: skip
        if not free or "ankan" in row["melds"]:
            continue
        fewer.append(row | {"dora_indicators": row["dora_indicators"][:1]})
        more.append(row | {"dora_indicators": [*row["dora_indicators"][:1], TEXT[free[0]]]})
    before, after = scored(fewer, ruleset).wins, scored(more, ruleset).wins
    both = (before["status"] == "ok") & (after["status"] == "ok")
    assert both.sum() > 400
    assert (after.filter(both)["points"] >= before.filter(both)["points"]).all()


def shuffled(row: Row, rng: random.Random) -> Row:
    """Return the same hand with its tiles and melds in another order."""
    codes = parse_tiles(row["hand"])
    rng.shuffle(codes)
    words = row["melds"].split()
    rng.shuffle(words)
    indicators = row["dora_indicators"][:]
    rng.shuffle(indicators)
    return row | {
        "hand": tiles_text(codes, sort=False), "melds": " ".join(words),
        "dora_indicators": indicators,
    }  # fmt: skip


@pytest.mark.parametrize("players", [4, 3])
def test_the_order_of_tiles_melds_and_indicators_never_matters(players: int) -> None:
    rng = random.Random(13)
    rows = [hand.row() for hand in hands_of(2000, 13, players)]
    ruleset = rulesets.get(f"tenhou-{players}p")
    plain, mixed = scored(rows, ruleset), scored([shuffled(row, rng) for row in rows], ruleset)
    assert mixed.wins.drop("reading").equals(plain.wins.drop("reading"))
    assert yaku_lists(mixed, len(rows)) == yaku_lists(plain, len(rows))


def test_suits_can_be_exchanged() -> None:
    """Under Tenhou's rules, all yaku except ryuuiisou are the same in every suit."""
    ruleset = rulesets.get("tenhou-4p")
    rows = [hand.row() | {"dora_indicators": []} for hand in hands_of(700, 14)]
    plain = scored(rows, ruleset)
    green = {hand for hand, key, _ in plain.yaku.iter_rows() if key == "ryuuiisou"}
    for order in permutations("mps"):
        swap = str.maketrans("mps", "".join(order))
        turned = [
            row
            | {
                "hand": row["hand"].translate(swap),
                "melds": " ".join(
                    f"{word}:{tiles.translate(swap)}"
                    for word, _, tiles in (each.partition(":") for each in row["melds"].split())
                ),
                "win_tile": row["win_tile"].translate(swap),
                "ura_indicators": [],
            }
            for row in rows
        ]
        again = scored(turned, ruleset)
        now_green = {hand for hand, key, _ in again.yaku.iter_rows() if key == "ryuuiisou"}
        kept = [i for i in range(len(rows)) if i not in green | now_green]
        without_ura = scored([row | {"ura_indicators": []} for row in rows], ruleset)
        columns = ["han", "fu", "yakuman", "points", "status"]
        assert again.wins[kept].select(columns).equals(without_ura.wins[kept].select(columns))


def test_the_reading_scored_is_never_beaten_by_another() -> None:
    """If a yaku does not count, another reading may be the best; it is never worth more."""
    ruleset = rulesets.get("tenhou-4p")
    rows = [hand.row() for hand in hands_of(3000, 15) if not hand.melds and not hand.tsumo]
    found = scored(rows, ruleset).wins
    for key in ("pinfu", "chiitoitsu", "ryanpeikou", "iipeikou", "sanankou", "ittsuu", "chanta"):
        fewer = parse(
            f'extends = "tenhou-4p"\n[yaku]\nforbid = ["{key}"]', name="fewer", get=rulesets.get,
            where="fewer.toml",
        )  # fmt: skip
        without = scored(rows, fewer).wins
        pinfu_aside = (
            key != "pinfu"
        )  # without pinfu a closed tsumo has two more fu; here all wins are ron
        assert pinfu_aside or (found["fu"].drop_nulls() != 20).all()
        worth = found["points"].fill_null(0) - without["points"].fill_null(0)
        assert (worth >= 0).all()


def test_chunks_and_threads_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = table([hand.row() for hand in hands_of(3000, 16)])
    hands, ruleset = read_wins(rows), rulesets.get("majsoul-4p")
    whole = score(hands, ruleset, jobs=1)
    monkeypatch.setattr("paifu.rules.engine.CHUNK", 700)
    for jobs in (1, 3):
        parts = score(hands, ruleset, jobs=jobs)
        assert parts.wins.equals(whole.wins)
        assert parts.yaku.equals(whole.yaku)
    assert (np.diff(whole.yaku["hand"].to_numpy()) >= 0).all()


def test_readings_hold_exactly_the_tiles_of_the_hand() -> None:
    rows = [hand.row() for hand in hands_of(2000, 17)]
    found = scored(rows, rulesets.get("general")).wins
    for row, reading in zip(rows, found["reading"], strict=True):
        if reading is None:
            continue
        hand = read_hand(f"{row['hand']} {row['melds']}")
        tiles = hand.tiles + [code for _, codes in hand.melds for code in codes]
        kinds = sorted(int(KIND_OF[code]) for code in tiles)
        assert sorted(parse_tiles(reading)) == kinds


def test_a_batch_of_hands_with_many_readings_has_them_all() -> None:
    """More readings than hands: the columns of readings grow until all fit."""
    row = win("22233344455566p", "2p", by="tsumo")
    one, many = (read_wins(table([row] * count)) for count in (1, 2000))
    readings_of = [
        shapes.readings(h.concealed, h.meld_kind, h.meld_tile, h.win_tile, h.tsumo)
        for h in (one, many)
    ]
    alone, together = readings_of
    assert len(alone) > 2
    assert len(together) == 2000 * len(alone)
    assert together[-len(alone) :].drop("hand").equals(alone.drop("hand"))


CHANGED: dict[str, tuple[str, pl.Expr]] = {
    # an option, and the hands that it affects: two han and fu, a pair, a yaku, a dora, a red five
    "kiriage_mangan = true": (
        "points",
        ((pl.col("han") == 4) & (pl.col("fu") == 30))
        | ((pl.col("han") == 3) & (pl.col("fu") == 60)),
    ),
    "double_wind_pair_fu = 2": ("fu", pl.col("double_wind_pair")),
    "kan_dora = false": ("dora_han", pl.col("indicators") > 1),
    "ura_dora = false": ("ura_han", pl.col("ura_han") > 0),
    'red_fives = "off"': ("aka_han", pl.col("aka_han") > 0),
    'counted_yakuman = "off"': ("points", pl.col("limit") == "kazoe"),
    "max_yakuman = 1": ("points", pl.col("yakuman") > 1),
    '[yaku]\nforbid = ["ippatsu"]': ("han", pl.col("ippatsu")),
}


@pytest.mark.parametrize("lines", CHANGED)
def test_an_option_changes_only_hands_it_is_about(lines: str) -> None:
    column, about = CHANGED[lines]
    ruleset = rulesets.get("tenhou-4p")
    changed = parse(
        f'extends = "tenhou-4p"\n{lines}', name="changed", get=rulesets.get, where="changed.toml"
    )
    rows = [hand.row() for hand in hands_of(4000, 18)]
    before, after = scored(rows, ruleset).wins, scored(rows, changed).wins
    facts = before.with_columns(
        indicators=pl.Series([len(row["dora_indicators"]) for row in rows]),
        ippatsu=pl.Series([row["ippatsu"] for row in rows]),
        double_wind_pair=pl.Series(
            [
                row["seat_wind"] == row["round_wind"]
                and (reading or "").endswith(f"{row['seat_wind'] + 1}" * 2 + "z")
                for row, reading in zip(rows, before["reading"], strict=True)
            ]
        ),
        differs=before[column].ne_missing(after[column]),
    ).with_columns(concerned=about.fill_null(False))
    assert facts["differs"].sum() > 0
    assert facts.filter(pl.col("differs") & ~pl.col("concerned")).is_empty()
