"""Real logs of other formats than mjlog, re-scored: all agree except those with known faults.

Every disagreement was examined by hand. Each is listed here by file and place, with the fault of
the record. The test fails if there is a new disagreement, or if a listed one is gone.
"""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest

import paifu
from paifu.lake.lake import Lake

FOLDERS = (
    "tenhou6", "mjai", "mjai_more", "majsoul", "majsoul_tenhou6", "majsoul_protobuf",
    "mleague_tenhou6", "mleague_page", "riichicity", "tenhou_client", "kobalab_paipu",
)  # fmt: skip

CHINESE = (
    "a program's own Chinese Official: no eight points from everybody, wins below eight points, "
    "no honours counted beside all chows, waits left out, honba"
)
MADE_UP = "a sample of three players put together: the payments are those of other hands"
CHINESE_DRAGONS = (
    "a program's: all chows counted with a pair of dragons, and no honours counted beside them"
)
NO_WIN = "a hand made up for its calls, which does not win"
MADE_UP_DISCARDS = "discards made up: tiles that were not in the hands"
TSUMO_AS_RON = "written down by hand: a tsumo has the value the hand has by ron"
STICK_BACK = "the converter gives the winner the stick of a riichi ronned on its declaration tile"
NINE_KINDS = "played in 2022, when the league's rules had nine kinds; jpml-a has those of 2023"
PLAYED_ON = "programs that play on after four riichi, or four like winds discarded first"
LATE_RIICHI = "programs that declare riichi with fewer than four tiles left"
FIRST_DRAW = "programs whose seat 0, or the last game's dealer, draws first whoever deals"
UNROUNDED = "the program does not round fu up"

Places = dict[str, set[int | tuple[int, int]]]

KNOWN: dict[str, tuple[Places, str]] = {
    # mjai
    "haifu_log_1000_0.json": ({"win": {4}}, UNROUNDED),
    "haifu_log_1000_0~0a70493c.json": ({"win": {4}}, UNROUNDED),
    "haifu_log_1000_0~000f7d5a.json": (
        {"win": {0, 1}, "round": {1, 2}, "game": {-1}},
        "the program does not count ippatsu, and does not round fu up",
    ),
    "haifu_log_1000_0~1914b041.json": (
        {"win": {0, 1, 2, 3}, "round": {0, 1, 2, 3}, "game": {-1}},
        CHINESE,
    ),
    "haifu_log_1000_0~223bfaa9.json": (
        {"win": {1, 2, 3}, "draw": {0}, "round": {0, 1, 2, 3}, "game": {-1}},
        CHINESE,
    ),
    "haifu_log_1000_0~27bf1c75.json": (
        {"win": {1, 2}, "round": {2}, "game": {-1}},
        CHINESE_DRAGONS,
    ),
    "haifu_log_1000_0~634a3ba5.json": (
        {"win": {0, 1, 2, 3}, "round": {2, 3}, "game": {-1}},
        CHINESE,
    ),
    "haifu_log_1000_0~75b51054.json": ({"win": {0, 1, 2, 3}}, CHINESE),
    "haifu_log_1000_0~75dd0595.json": (
        {"win": {0, 1, (1, 1), 2, 3}, "round": {0, 1, 2, 3}, "game": {-1}},
        CHINESE,
    ),
    "haifu_log_1000_0~7e50dbea.json": ({"win": {0, 1, 2, 3}}, CHINESE),
    "haifu_log_1000_0~8d8a6457.json": (
        {"win": {0, 1, 2, 3}, "round": {0, 3}, "game": {-1}},
        CHINESE,
    ),
    "haifu_log_1000_0~9d93927d.json": ({"win": {0, 1, 3}, "round": {0, 1}, "game": {-1}}, CHINESE),
    "haifu_log_1000_0~a6c1f9cf.json": (
        {"win": {0, 1, 2, 3}, "round": {1, 2, 3}, "game": {-1}},
        CHINESE,
    ),
    "haifu_log_1000_0~b94cf27f.json": ({"win": {1, 2, 3}, "round": {3}, "game": {-1}}, CHINESE),
    "haifu_log_1000_0~cae76e8b.json": (
        {"win": {1, 2, 3}, "round": {1, 2, 3}, "game": {-1}},
        CHINESE,
    ),
    "haifu_log_1000_0~e8c71742.json": ({"win": {1, 2, 3}, "round": {2, 3}, "game": {-1}}, CHINESE),
    "haifu_log_1001_0.json": ({"win": {1, 2, 3}, "round": {2}, "game": {-1}}, CHINESE),
    "sample-nuki.mjson": (
        {"win": {2, 3, 5, 7, 8, 9}, "round": {2, 3, 5, 7, 8, 9}, "game": {-1}},
        MADE_UP,
    ),
    "sample.mjson": (
        {
            "win": {0, 1, 2, 3, 4, 5, 8},
            "draw": {6, 7},
            "round": {0, 1, 2, 3, 4, 5, 8},
            "game": {-1},
        },
        MADE_UP,
    ),
    "sample2.mjson": (
        {"win": {0, 1, 3, 4, 5, 8}, "draw": {6, 7}, "round": {0, 1, 2, 3, 4, 5, 6, 7, 8}},
        MADE_UP,
    ),
    "sample3.mjson": (
        {
            "win": {2, 3, 4, 7, 11, 13},
            "draw": {5, 9},
            "round": {1, 3, 4, 8, 9, 11, 13},
            "game": {-1},
        },
        MADE_UP,
    ),
    **{
        f"20200912_143702_{rest}.mjson": ({"win": {0}, "round": {0}}, PLAYED_ON)
        for rest in (
            "17ce5f7f-58b3-4ee7-8256-14b318f1cb87",
            "2bec06a1-d637-4885-afd8-6724a52b70dd",
            "5bb2b027-7c0f-444d-b6c4-93b51ee0b3e9",
            "71eaaa49-2316-4261-ad7f-177bfb36f3b5",
        )
    },
    **{
        f"20200912_{rest}.mjson": ({"round": {0}}, LATE_RIICHI)
        for rest in (
            "143702_36551bb4-88c5-49fa-aaac-7a9fb575dbdf",
            "143702_b22bc718-9e34-447a-8c6b-9e18fd130876",
            "143946_e848775d-bae4-49e8-9265-91ee88d351b5",
            "143946_ef4fd9ad-8245-4129-9ce2-cecf5b0d2317",
        )
    },
    "20201108_200002_37002354-50b4-4e64-858c-5d1a4d462d81.mjson": (
        {"win": {2}, "round": {1, 2, 3, 4}},
        FIRST_DRAW,
    ),
    "sample~3.mjson": ({"round": {1, 2, 3, 4, 5}}, FIRST_DRAW),
    "20200912_143702_0272e1a9-e9b1-4485-beb6-7b6235857d17.mjson": (
        {"win": {0}},
        "the program counts houtei a tile before the last",
    ),
    # Mahjong Soul
    "Sample.json": ({"win": {8}}, STICK_BACK),
    "riichi_sengen_ron.json": ({"win": {5}}, STICK_BACK),
    "tensoul_hanchan_with_noname.json": (
        {"win": {5}},
        "the converter names the seat's wind wrong: norths of the north seat as west",
    ),
    # tenhou.net/6 written by hand and by test suites
    "confusing_nakis_2.json": ({"win": {0}}, NO_WIN),
    "mod.extracted.jsonl": ({"round": {0}}, MADE_UP_DISCARDS),
    "tenhou6-old.extracted.jsonl": ({"win": {0}}, "a sample: two yakuman for the price of one"),
    "インターネット麻雀日本選手権20220406鱼1.txt": (
        {"win": {2, 11}},
        "by hand: indicators left out and the round's east as the seat's; three han for 2,000",
    ),
    "インターネット麻雀日本選手権20220406鱼2.txt": (
        {"win": {1, 5, 7}},
        "by hand: ura dora counted among the dora",
    ),
    "第39期十段位決定戦5.txt": (
        {"win": {0, 9}, "round": {1}},
        "by hand: a dora that no indicator shows; iipeikou claimed for 233445s",
    ),
    "SingleTest.extracted.jsonl": ({"draw": {0}}, NINE_KINDS),
    "L001_S014_0012_02A": ({"win": {1}}, TSUMO_AS_RON),
    # majiang
    "第39期十段位決定戦1.json": ({"win": {4, 7, 10}}, TSUMO_AS_RON),
    "第39期十段位決定戦3.json": (
        {"win": {7}, "round": {1, 2}},
        f"{TSUMO_AS_RON}; the points of one deal are a stick short, those of the next are right",
    ),
    "第39期十段位決定戦4.json": ({"win": {3, 4}}, TSUMO_AS_RON),
    "第39期十段位決定戦6.json": (
        {"win": {0, 4, 5, 6, 9}, "draw": {8}},
        f"{TSUMO_AS_RON}; {NINE_KINDS}",
    ),
}


@pytest.fixture(scope="module")
def lake(corpus, tmp_path_factory):
    place = tmp_path_factory.mktemp("formats") / "lake"
    paifu.ingest([corpus / folder for folder in FOLDERS], lake=place)
    paifu.rescore(place)
    with Lake.open(place) as opened:
        yield opened


DIFFERING = """SELECT parse_filename(s.path), subject, coalesce(round_index, -1),
    coalesce(win_index, 0) FROM verdicts JOIN games USING (game_id)
    JOIN sources AS s USING (source_id) WHERE status IN ('mismatch', 'illegal')"""


def test_every_difference_is_a_known_fault_of_its_record(lake):
    found = defaultdict(lambda: defaultdict(set))
    for file, subject, round_, win in lake.sql(DIFFERING).fetchall():
        found[file][subject].add((round_, win) if win else round_)
    assert {file: dict(places) for file, places in found.items()} == {
        file: places for file, (places, _) in KNOWN.items()
    }


MATCHED = {"draw": 317, "game": 203, "round": 2195, "wall": 63, "win": 2192}
"""How many agree, by what is judged."""

ILLEGAL = {
    "round": {MADE_UP: 26, FIRST_DRAW: 9, LATE_RIICHI: 4, MADE_UP_DISCARDS: 1, CHINESE: 1},
    "win": {
        CHINESE: 19, MADE_UP: 24, PLAYED_ON: 4, CHINESE_DRAGONS: 1, FIRST_DRAW: 1, NO_WIN: 1,
    },
}  # fmt: skip
"""How many are illegal by the rules of their game, by whose fault it is."""

UNSCORABLE = {
    "round": {
        "the lobby's own settings are not known": 442,
        "the log does not begin with the first round": 47,
        # after rounds of made-up play, of wins whose ura dora or payments are not known
        "the round before could not be settled": 10,
        "the log lacks a dora indicator that a kan turned up": 2,
    },
    "win": {
        "the ura dora are not known": 16,
        "the room has yaku or payments of its own": 3,
    },
}
"""How many cannot be judged, by reason."""


def test_all_agree_but_those_whose_reason_is_known(lake):
    query = "SELECT subject, count(*) FROM verdicts WHERE status = 'match' GROUP BY subject"
    assert dict(lake.sql(query).fetchall()) == MATCHED


@pytest.mark.parametrize("subject", ILLEGAL)
def test_what_is_illegal_is_so_by_the_play_of_a_record_that_is_known(lake, subject):
    files = lake.sql(
        f"""SELECT parse_filename(s.path) FROM verdicts JOIN games USING (game_id)
        JOIN sources AS s USING (source_id)
        WHERE status = 'illegal' AND subject = '{subject}'"""
    ).fetchall()
    assert Counter(KNOWN[file][1] for (file,) in files) == ILLEGAL[subject]


@pytest.mark.parametrize("subject", UNSCORABLE)
def test_what_cannot_be_judged_has_its_reason(lake, subject):
    reasons = lake.sql(
        f"""SELECT reason, count(*) FROM verdicts
        WHERE status = 'unscorable' AND subject = '{subject}' GROUP BY reason"""
    ).fetchall()
    assert dict(reasons) == UNSCORABLE[subject]


def test_the_faults_are_what_they_are_said_to_be(lake):
    def fields(reason):
        files = [file for file, (_, why) in KNOWN.items() if why == reason]
        query = f"""SELECT DISTINCT field FROM verdict_fields JOIN games USING (game_id)
            JOIN sources AS s USING (source_id) WHERE parse_filename(s.path) IN {tuple(files)}"""
        return {row[0] for row in lake.sql(query).fetchall()}

    assert fields(UNROUNDED) == {"fu"}
    assert fields(TSUMO_AS_RON) == {"points", "honba_points"}  # the payments agree
    assert {name.rstrip("0123_") for name in fields(STICK_BACK)} == {"delta", "honba_points"}


def test_the_fan_a_chinese_program_lists_are_read(lake):
    counted = lake.sql(
        """SELECT count(*) FROM win_yaku AS a JOIN win_yaku AS b
        USING (game_id, round_index, win_index) JOIN games USING (game_id)
        WHERE ruleset = 'mcr' AND a.yaku = 'all_chows' AND b.yaku = 'no_honors'"""
    ).fetchone()[0]
    assert counted > 8  # all chows implies no honours, which then does not count


def test_a_win_whose_ura_dora_are_not_known_carries_its_recorded_payments_on(lake):
    """The next round is compared with the recorded payments, not with a hand without its ura."""
    followed = lake.sql(
        f"""SELECT after.status FROM verdicts AS win JOIN verdicts AS after USING (game_id)
        JOIN games USING (game_id) JOIN sources AS s USING (source_id)
        WHERE parse_filename(s.path) NOT IN {tuple(KNOWN)}
            AND win.subject = 'win' AND win.reason = 'the ura dora are not known'
            AND after.subject = 'round' AND after.round_index = win.round_index + 1"""
    ).fetchall()
    assert {status for (status,) in followed} == {"match", "unscorable"}


def test_only_the_damaged_are_rejected(lake):
    rejected = lake.sql(
        """SELECT parse_filename(path), position FROM rejects JOIN sources USING (source_id)"""
    ).fetchall()
    assert dict(rejected) == {
        "sample_tenhou.json": "$.log[0][5][2]",  # made up: 60, a discard, among the draws
        "open-tanyao-no-rule.json": "$.log[0]",  # made up: a pon of 2p that nobody discarded
        # client traffic that ends before the next deal, or has no game at all
        "1207301650.txt": "byte 3842",
        "5b111_2018-02-06_07_34_02.log": "byte 0",
        "5b111_2018-02-07_18_28_01.log": "byte 0",
        "5b111_2018-02-07_19_22_01.log": "byte 0",
        "63276_2018-01-22_12_36_49.log": "byte 0",
    }
