"""The fingerprints of games: what they depend on, and what they must not depend on."""

from __future__ import annotations

from datetime import datetime

import numpy as np
import pytest

from paifu.game.events import Batch, concat
from paifu.game.fingerprint import Identity, begins, identify, list_key
from tests.helpers.handmade import batch_of

FIRST = """
round east 1 dora 3p
haipai 123m456p789s1122z | 19m19p19s1234567z | 222m333p444s5556z | 0m0p0s678m678p6789s
0 draw 5m
0 discard 5m*
1 draw 9m
1 discard 1m
2 draw 7z
2 ankan 2m with 222m
2 draw 4z
dora 9s
2 discard 4z*
3 draw 6z
3 riichi
3 discard 6z*
3 accepted
0 draw 2z
0 discard 1m
"""
SECOND = """
2 win 1m from 0 delta -1000 0 2000 0
round south 2 honba 0 sticks 0 dora 4p scores 24000 25000 27000 24000
haipai 123m456p789s1122z | 19m19p19s1234567z | 222m333p444s5556z | 0m0p0s678m678p6789s
1 draw 5s
1 discard 5s*
2 chi 5s from 1 with 46s
"""
WHOLE = "game players=4\n" + FIRST + SECOND


def ids(batch: Batch) -> tuple[list[int], list[int]]:
    identity = identify(batch)
    return identity.game_id.tolist(), identity.deal_id.tolist()


def opening_of(identity: Identity, game: int) -> bytes:
    return identity.opening[identity.openings[game] : identity.openings[game + 1]].tobytes()


def row(identity: Identity, batch: Batch, game: int = 0) -> tuple[list[int], bytes, int]:
    first, last = batch.game_rounds[game], batch.game_rounds[game + 1]
    return (
        identity.trail[first:last].ravel().tolist(),
        opening_of(identity, game),
        int(identity.plays[game]),
    )


def fnv(parts: list[int], h: int = 0xCBF29CE484222325) -> int:
    for byte in parts:
        h = (h ^ byte) * 0x100000001B3 % 2**64
    return h


def finish(h: int) -> int:
    h = (h ^ h >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    h = (h ^ h >> 27) * 0x94D049BB133111EB % 2**64
    h ^= h >> 31
    return h - 2**64 if h >= 2**63 else h


def test_the_fingerprint_is_the_one_the_docstring_describes() -> None:
    batch = batch_of("""
        game players=3
        round east 2 honba 300 dora 0p
        haipai 1239p | 0p5p | 119m
        1 draw 4z
        1 kita
        1 draw 5p
        1 ankan 5p with 0p5p5p
        2 pon 1m from 1 with 11m
        2 kakan 1m
        2 discard 9m
        0 daiminkan 0p from 2 with 5p5p5p
    """)
    none = [63]
    deal = fnv(
        [0, 1, 300 & 255, 300 >> 8, 35]
        + [9, 10, 11, 17] + none * 9 + [13, 35] + none * 11 + [0, 0, 8] + none * 10
    )  # fmt: skip
    trails = [
        [128 + 2, 35, 13, 13, 13],
        [30, 128 + 5, 13, 128 + 3, 13],
        [128 + 1, 0, 0, 0, 128 + 4, 0, 64 + 8],
    ]
    little = lambda h: list(h.to_bytes(8, "little"))  # noqa: E731
    whole = fnv([part for h in (deal, *map(fnv, trails)) for part in little(h)])
    identity = identify(batch)
    assert identity.game_id[0] == finish(fnv(little(whole), fnv([1, 3])))
    assert identity.deal_id[0] == finish(fnv(little(deal), fnv([1, 3])))
    assert identity.trail[0].view(np.uint32).tolist() == [deal % 2**32, whole % 2**32]
    assert opening_of(identity, 0) == b"".join(bytes([*trail, 255]) for trail in trails)
    assert identity.plays[0] == sum(map(len, trails))


def test_golden_ids() -> None:
    # existing lakes hold these numbers: they never change while the version is 1
    assert ids(batch_of(WHOLE)) == ([-6514129295141225743], [-6935684638344556552])


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("dora 9s\n2 discard 4z*", "2 discard 4z*\ndora 9s"),  # when a kan dora is turned up
        ("5m*", "5m?"),  # tsumogiri
        ("3 accepted", "3 accepted 25000 25000 25000 24000"),
        ("scores 24000 25000 27000 24000", "scores 1 2 3 4"),
        ("2 win 1m from 0 delta -1000 0 2000 0", "end exhaustive"),
        ("game players=4", "game players=4 name=a,b,c,d"),
        ("123m456p789s1122z |", "2z123m654p789s112z |"),  # the order of the tiles in a deal
        ("5s from 1 with 46s", "5s from 1 with 64s"),
        ("0 draw 5m\n0 discard 5m*\n1 draw 9m", "1 draw 9m\n0 draw 5m\n0 discard 5m*"),
    ],
)  # fmt: skip
def test_what_formats_do_not_all_tell_does_not_matter(said: str, instead: str) -> None:
    assert said in WHOLE
    assert ids(batch_of(WHOLE.replace(said, instead))) == ids(batch_of(WHOLE))


@pytest.mark.parametrize(
    ("said", "instead"),
    [
        ("0 draw 5m", "0 draw 0m"),  # a red five is another tile
        ("0 discard 1m\n2 win", "0 discard 2m\n2 win"),
        ("with 46s", "with 67s"),
        ("2 ankan 2m", "2 kakan 2m"),
        ("2 ankan 2m", "3 ankan 2m"),
        ("south 2 honba 0", "south 2 honba 1"),
        ("sticks 0 dora 4p", "sticks 0 dora 5p"),
    ],
)
def test_what_was_played_matters(said: str, instead: str) -> None:
    whole = WHOLE.replace("0 discard 1m\n\n", "0 discard 1m\n")
    assert said in whole
    changed, deal = ids(batch_of(whole.replace(said, instead)))
    assert changed != ids(batch_of(whole))[0]
    assert deal == ids(batch_of(whole))[1]


def test_another_first_deal_is_another_deal_and_game() -> None:
    games, deals = ids(batch_of(WHOLE + WHOLE.replace("1122z |", "1133z |")))
    assert len(set(games)) == len(set(deals)) == 2


def test_a_game_has_its_id_whatever_lies_beside_it_in_the_batch() -> None:
    one = batch_of(WHOLE)
    games, deals = ids(
        concat([batch_of("game players=3\n" + "game players=4\n" + FIRST), one, one])
    )
    assert games[2] == games[3] == ids(one)[0][0]
    assert deals[1] == deals[2] == deals[3]


def test_a_game_cut_off_anywhere_begins_the_whole_one() -> None:
    lines = WHOLE.splitlines()
    batch = batch_of(WHOLE)
    whole = row(identify(batch), batch)
    first = lines.index("0 draw 5m")
    for end in range(first, len(lines)):
        if lines[end - 1].startswith("round"):
            continue  # not dealt yet
        cut = batch_of("\n".join(lines[:end]))
        assert begins(row(identify(cut), cut), whole), lines[:end]


def test_a_game_that_went_on_otherwise_does_not_begin_it() -> None:
    batch = batch_of(WHOLE)
    whole = row(identify(batch), batch)
    for said, instead in (
        ("1 discard 1m", "1 discard 9m"),  # in the first round
        ("5556z |", "5555z |"),  # another deal
    ):
        other = batch_of("game players=4\n" + FIRST.replace(said, instead))
        assert not begins(row(identify(other), other), whole)
    other = batch_of(WHOLE.replace("0 discard 1m", "0 discard 2m"))  # in a round played to its end
    assert not begins(row(identify(other), other), whole)
    longer = batch_of(WHOLE + "\n2 discard 8s")
    assert not begins(row(identify(longer), longer), whole)
    assert begins(whole, row(identify(longer), longer))


def test_list_key_needs_everything_a_list_says() -> None:
    start = datetime(2019, 12, 31, 15, 20)
    names, results = ["ᗜ", "Lask&Yu", "a b", "x"], [12.0, 52.3, -20.0, -44.3]
    key = list_key(start, "四鳳南喰赤－", names, results)
    assert key is not None
    assert list_key(start.replace(minute=0), "四鳳南喰赤－", names, results) == key
    assert list_key(start.replace(hour=14), "四鳳南喰赤－", names, results) != key
    assert list_key(start, "四鳳東喰赤－", names, results) != key
    assert list_key(start, "四鳳南喰赤－", names, [12.0, 52.4, -20.0, -44.4]) != key
    assert list_key(None, "四鳳南喰赤－", names, results) is None
    in_the_year_10000 = start.replace(year=9999, month=12, day=31, hour=23)
    assert list_key(in_the_year_10000, "四鳳南喰赤－", names, results) is None
    assert list_key(start, None, names, results) is None
    assert list_key(start, "四鳳南喰赤－", [None, *names[1:]], results) is None
    assert list_key(start, "四鳳南喰赤－", names, None) is None
