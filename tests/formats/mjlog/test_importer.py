"""The mjlog importer on logs written for the tests: every element in every notation."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from paifu.formats.base import Blob, Imported, Reject
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.mjlog.tags import decode_meld
from paifu.formats.mjlog.tokeniser import END, ROOT
from paifu.formats.registry import detect
from paifu.game import events as ev
from paifu.game.events import LIMITS, OUTCOMES, Batch, GameInfo
from paifu.game.tiles import NO_TILE, TEXT, tiles_text
from paifu.schema.yaku import YAKU
from tests.formats.mjlog.mjlog_twin import meld as plain_meld

GO = '<GO type="169" lobby="0"/>'
UN = (
    '<UN n0="%41" n1="%42%2B" n2="%E6%9D%B1" n3="%4E%6F%4E%61%6D%65" dan="16,17,18,0" '
    'rate="2001.50,2100.00,2222.22,1500.00" sx="M,F,M,C"/>'
)
TAIKYOKU = '<TAIKYOKU oya="0"/>'
HANDS = (
    "0,4,8,12,16,20,24,28,32,36,40,44,48",
    "1,5,9,13,17,21,25,29,33,37,41,45,49",
    "2,6,10,14,18,22,26,30,34,38,42,46,50",
    "3,7,11,15,19,23,27,31,35,39,43,47,51",
)


def init(seed: str = "0,0,0,2,3,52", ten: str = "250,250,250,250", more: str = "") -> str:
    hands = " ".join(f'hai{seat}="{hand}"' for seat, hand in enumerate(HANDS))
    return f'<INIT seed="{seed}" ten="{ten}" oya="0" {hands}{more}/>'


def log(*elements: str, about: str = GO + UN + TAIKYOKU) -> bytes:
    return ROOT + (about + "".join(elements)).encode() + END


def read(data: bytes, name: str = "", **blob: object) -> Imported:
    imported = mjlog.read([Blob(data, 0, name=name, **blob)])
    imported.batch.validate()
    return imported


def game(data: bytes, name: str = "", **blob: object) -> tuple[Batch, GameInfo]:
    imported = read(data, name, **blob)
    assert not imported.rejects
    return imported.batch, imported.batch.games[0]


def reject(data: bytes) -> Reject:
    imported = read(data)
    assert not imported.batch.games
    assert len(imported.rejects) == 1
    return imported.rejects[0]


def told(batch: Batch) -> list[str]:
    """Return the events as short text."""
    kinds = "draw discard chi pon daiminkan ankan kakan kita riichi accepted dora win end bye back"
    out = []
    for at in range(len(batch.event_kind)):
        words = [kinds.split()[batch.event_kind[at]], str(batch.event_seat[at])]
        if batch.event_tile[at] != NO_TILE:
            words.append(TEXT[batch.event_tile[at]])
        if batch.event_from[at] != ev.NO_SEAT:
            words.append(f"from {batch.event_from[at]}")
        if batch.event_tsumogiri[at] == 1:
            words.append("tsumogiri")
        consumed = [tile for tile in batch.event_consumed[at].tolist() if tile != NO_TILE]
        if consumed:
            words.append(f"with {tiles_text(consumed)}")
        out.append(" ".join(words))
    return out


# --- the play -----------------------------------------------------------------------------------


def test_a_round_is_its_seed_its_deal_and_its_points() -> None:
    batch, _ = game(log(init("5,3,2,0,5,16", "243,-12,400,369")))
    assert (batch.round_wind[0], batch.round_number[0]) == (1, 1)  # south 2
    assert (batch.round_honba[0], batch.round_sticks[0]) == (3, 2)
    assert batch.round_dice[0].tolist() == [0, 5]
    assert TEXT[batch.round_indicator[0]] == "0m"
    assert tiles_text(batch.round_haipai[0, 0].tolist()) == "1234067899m1234p".replace("99", "9")
    assert batch.round_scores[0].tolist() == [24300, -1200, 40000, 36900]


def test_a_discard_is_tsumogiri_when_it_is_the_very_tile_drawn() -> None:
    batch, _ = game(log(init(), "<T60/>", "<D61/>", "<U62/>", "<E62/>", "<V63/>", "<F2/>"))
    assert told(batch) == [
        "draw 0 7p", "discard 0 7p",  # another copy of the same kind: from the hand
        "draw 1 7p", "discard 1 7p tsumogiri",
        "draw 2 7p", "discard 2 1m",
    ]  # fmt: skip


def test_what_was_drawn_is_forgotten_after_a_call_and_between_rounds() -> None:
    pon = f'<N who="0" m="{(3 * 13 + 0) << 9 | 3 << 5 | 8 | 1}" />'  # 5p from seat 1
    batch, _ = game(log(init(), "<T60/>", pon, "<D60/>", "<U61/>", init(), "<E61/>"))
    assert told(batch)[2] == "discard 0 7p"
    assert told(batch)[4] == "discard 1 7p"


@pytest.mark.parametrize(
    ("bits", "expected"),
    [
        # chi: base, called tile and copies; always from the seat before (3)
        ((7 * 1 + 2) * 3 + 1 << 10 | 1 << 3 | 0 << 5 | 0 << 7 | 4 | 3, "chi 1 4p from 0 with 3p0p"),
        # pon of the red five: the unused copy is 5-bit coded, the called one counts the used
        ((13 * 3 + 0) << 9 | 3 << 5 | 8 | 2, "pon 1 0p from 3 with 55p"),
        ((13 * 3 + 1) << 9 | 0 << 5 | 8 | 2, "pon 1 5p from 3 with 55p"),
        # kakan: the coded copy is the added one; it does not matter who discarded the pon's tile
        ((13 * 3 + 1) << 9 | 0 << 5 | 16 | 2, "kakan 1 0p with 555p"),
        (27 * 4 + 2 << 8 | 0, "ankan 1 1z with 111z"),
        (22 * 4 + 1 << 8 | 1, "daiminkan 1 5s from 2 with 0s55s".replace("0s55s", "055s")),
        (30 * 4 << 8 | 32, "kita 1 4z"),
    ],
)  # fmt: skip
def test_calls_are_decoded(bits: int, expected: str) -> None:
    batch, _ = game(log(init(), f'<N who="1" m="{bits}" />'))
    assert told(batch) == [expected.replace("3p0p", "30p")]


def test_every_16_bits_decode_as_the_table_says_or_not_at_all() -> None:
    import numpy as np

    out = np.zeros(5, dtype=np.int64)
    kinds = dict(
        enumerate(["draw", "discard", "chi", "pon", "daiminkan", "ankan", "kakan", "kita"])
    )
    readable = 0
    for bits in range(1 << 16):
        kind = decode_meld(bits, 2, 1, out)
        name, tile, relative, consumed = plain_meld(bits)
        ids = [tile, *consumed]
        sane = all(0 <= i < 136 for i in ids)
        if name == "chi":
            sane &= relative > 0 and (bits >> 10) // 3 <= 20
        elif name == "pon":
            sane &= relative > 0
        assert (kind >= 0) == sane, bits
        if sane:
            readable += 1
            assert kinds[kind] == name
            assert out[0] == tile // 4
            assert out[1] == ((2 + relative) % 4 if name in ("chi", "pon", "daiminkan") else -1)
            assert [kind for kind in out[2:] if kind >= 0] == [i // 4 for i in consumed]
    assert 0 < readable < 1 << 16
    for bits in (-1, 1 << 16, 1 << 40):
        assert decode_meld(bits, 0, 0, out) == -1


def test_riichi_has_two_steps_and_may_state_points() -> None:
    batch, _ = game(
        log(
            init(),
            '<REACH who="2" step="1"/>',
            '<REACH who="2" ten="250,250,240,250" step="2"/>',
            '<REACH who="1" step="2"/>',  # until 2010 without points
        )
    )
    assert told(batch) == ["riichi 2", "accepted 2", "accepted 1"]
    assert batch.stated_event.tolist() == [1]
    assert batch.stated_scores.tolist() == [[25000, 25000, 24000, 25000]]


def test_disconnections_are_events_at_any_place() -> None:
    batch, info = game(
        log(
            '<BYE who="3" />', init(), '<UN n3="%41" />', "<T60/>",
            '<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,250,0" />', '<BYE who="0" />',
            init("1,1,0,0,0,3"), '<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,250,0" />',
            '<BYE who="1" />',
        )
    )  # fmt: skip
    assert told(batch) == [
        "bye 3", "back 3", "draw 0 7p", "end -1", "bye 0",
        "end -1", "bye 1",
    ]  # fmt: skip
    assert batch.round_events.tolist() == [0, 5, 7]
    assert info.names[3] == "NoName"  # coming back under another name does not rename


def test_without_red_fives_their_ids_are_plain_fives() -> None:
    about = GO.replace("169", "171") + UN
    batch, info = game(log(init(), "<T52/>", '<DORA hai="88" />', about=about))
    assert told(batch) == ["draw 0 5p", "dora -1 5s"]
    assert "0" not in tiles_text(batch.round_haipai[0].reshape(-1).tolist())
    assert info.aka is False


# --- how rounds end -----------------------------------------------------------------------------
RON = (
    '<AGARI ba="1,2" hai="0,4,8,52,53,54" m="30729" machi="52" ten="40,8000,1" '
    'yaku="18,1,52,3,54,1" doraHai="3,7" who="0" fromWho="2" '
    'sc="250,83,250,0,250,-83,240,0" />'
)


def test_a_win_is_as_the_record_has_it() -> None:
    batch, info = game(log(init(), RON))
    assert told(batch) == ["win 0 0p from 2"]
    assert OUTCOMES[batch.round_recorded_outcome[0]] == "win"
    assert tiles_text([tile for tile in batch.win_hand[0] if tile >= 0]) == "123m055p"
    assert (batch.win_fu[0], batch.win_han[0], batch.win_points[0]) == (40, 5, 8000)
    assert (LIMITS[batch.win_limit[0]], batch.win_yakuman[0], batch.win_pao[0]) == ("mangan", 0, -1)
    assert (batch.win_honba[0], batch.win_sticks[0]) == (1, 2)
    assert [YAKU[number].key for number in batch.yaku_id] == ["haku", "dora", "aka_dora"]
    assert batch.yaku_han.tolist() == [1, 3, 1]
    assert batch.win_indicators[0].tolist() == [0, 1, -1, -1, -1]
    assert batch.win_ura[0].tolist() == [-1] * 5
    assert batch.win_before[0].tolist() == [25000, 25000, 25000, 24000]
    assert batch.win_delta[0].tolist() == [8300, 0, -8300, 0]
    assert batch.win_chips[0] == -1
    assert not info.complete


def test_a_limit_of_five_is_a_yakuman_or_a_counted_one() -> None:
    counted = RON.replace("8000,1", "32000,5").replace("52,3", "52,12")
    batch, _ = game(log(init(), counted))
    assert (LIMITS[batch.win_limit[0]], batch.win_han[0], batch.win_yakuman[0]) == ("kazoe", 14, 0)
    yakuman = RON.replace("8000,1", "64000,5").replace('yaku="18,1,52,3,54,1"', 'yakuman="39,42"')
    batch, _ = game(log(init(), yakuman.replace("who=", 'paoWho="3" who=', 1)))
    assert (LIMITS[batch.win_limit[0]], batch.win_han[0], batch.win_yakuman[0]) == (
        "yakuman",
        -1,
        2,
    )
    assert [YAKU[number].key for number in batch.yaku_id] == ["daisangen", "tsuuiisou"]
    assert batch.yaku_han.tolist() == [13, 13]
    assert batch.win_pao[0] == 3


def test_double_ron_is_two_wins() -> None:
    batch, _ = game(log(init(), RON, RON.replace('who="0"', 'who="1"').replace("18,1,", "")))
    assert told(batch) == ["win 0 0p from 2", "win 1 0p from 2"]
    assert batch.win_yaku.tolist() == [0, 3, 5]


def test_chip_lobbies_count_chips_of_winner_and_players() -> None:
    sc = "250,80,250,-80,250,0,250,0,0,2,0,-2,0,0,0,0"
    win = RON.replace("250,83,250,0,250,-83,240,0", sc)
    owari = 'owari="330,30.0,170,-30.0,250,10.0,250,-10.0,2,0,-2,0,0,0,0,0" ratio="0"'
    about = GO.replace("169", "1577") + UN
    win = win.replace("/>", owari + "/>")
    batch, info = game(log(init(), win.replace("doraHai", 'chip="54,2" doraHai'), about=about))
    assert batch.win_delta[0].tolist() == [8000, -8000, 0, 0]
    assert batch.win_chips[0] == 2
    assert info.chips == (2, -2, 0, 0)
    assert (info.final_points, info.result) == (
        (33000, 17000, 25000, 25000),
        (30.0, -30.0, 10.0, -10.0),
    )
    assert (info.ruleset, info.rule_text) == ("tenhou-chip-5", None)
    batch, _ = game(log(init(), win, about=about))
    assert batch.win_chips[0] == 0  # a chip lobby, without any chips won


@pytest.mark.parametrize(
    ("kind", "shown", "outcome", "tenpai", "who"),
    [
        ("", 'hai1="1" hai3="2"', "exhaustive", [0, 1, 0, 1], -1),
        ("", "", "exhaustive", [0, 0, 0, 0], -1),
        ("nm", 'hai0="1"', "nagashi", [1, 0, 0, 0], -1),
        ("yao9", 'hai2="1"', "kyuushu", [-1, -1, -1, -1], 2),
        ("reach4", 'hai0="1" hai1="1" hai2="1" hai3="1"', "suucha", [-1, -1, -1, -1], -1),
        ("ron3", 'hai0="1" hai1="1" hai2="1"', "sanchahou", [-1, -1, -1, -1], -1),
        ("kan4", "", "suukan", [-1, -1, -1, -1], -1),
        ("kaze4", "", "suufon", [-1, -1, -1, -1], -1),
    ],
)
def test_rounds_end_without_a_win(
    kind: str, shown: str, outcome: str, tenpai: list[int], who: int
) -> None:
    kind = f'type="{kind}" ' if kind else ""
    end = f'<RYUUKYOKU {kind}ba="0,1" sc="250,-15,250,15,240,-15,250,15" {shown}/>'
    batch, _ = game(log(init(), end.replace('" />', '"/>')))
    assert told(batch) == [f"end {who}"]
    assert OUTCOMES[batch.round_recorded_outcome[0]] == outcome
    assert batch.round_recorded_tenpai[0].tolist() == tenpai
    assert batch.round_recorded_before[0].tolist() == [25000, 25000, 24000, 25000]
    assert batch.round_recorded_delta[0].tolist() == [-1500, 1500, -1500, 1500]


def test_three_players_have_no_fourth_seat() -> None:
    about = GO.replace("169", "185") + UN.replace("%4E%6F%4E%61%6D%65", "")
    deal = init("4,0,0,0,0,0", "350,350,350,0").replace(f'hai3="{HANDS[3]}"', 'hai3=""')
    end = '<RYUUKYOKU ba="0,0" sc="350,-10,350,20,350,-10,0,0" hai1="1" />'
    batch, info = game(log(deal, end, about=about))
    assert (info.players, info.names, info.sex) == (3, ("A", "B+", "東"), ("M", "F", "M"))
    assert (batch.round_wind[0], batch.round_number[0]) == (1, 0)
    assert batch.round_haipai[0, 3].tolist() == [NO_TILE] * 13
    assert batch.round_recorded_tenpai[0].tolist() == [0, 1, 0, -1]
    assert (info.ruleset, info.rule_text) == ("tenhou-3p", "三鳳南喰赤－")
    _, info = game(log(deal, end))
    assert info.notes == ["go_type_contradicts_players"]


# --- about the game -----------------------------------------------------------------------------


def test_players_and_room() -> None:
    _, info = game(log(init()))
    assert (info.platform, info.format, info.players) == ("tenhou", "mjlog", 4)
    assert info.names == ("A", "B+", "東", "NoName")
    assert info.bots == (False, False, False, True)
    assert info.dan == (16, 17, 18, 0)
    assert info.dan_names == ("七段", "八段", "九段", "新人")
    assert info.rate == (2001.5, 2100.0, 2222.22, 1500.0)
    assert (info.length, info.aka, info.kuitan, info.fast) == ("south", True, True, False)
    assert (info.room, info.lobby, info.go_type) == ("houou", "0", 169)
    assert (info.ruleset, info.rule_text) == ("tenhou-4p", "四鳳南喰赤－")
    assert (info.log_id, info.played_at, info.played_precision) == (None, None, None)


def test_a_log_with_little_about_itself_is_read() -> None:
    _, info = game(log(init(), about='<GO type="9"/><UN n0="%41" n1="" n2="" n3=""/>'))
    assert (info.names, info.dan, info.rate, info.sex) == (("A", None, None, None), (), (), ())
    _, info = game(log(init(), about=""))
    assert (info.go_type, info.aka, info.room, info.length) == (None, None, None, None)


def test_the_log_id_comes_from_the_database_the_name_or_the_log() -> None:
    name = "2009022023gm-00e1-0000-c603794d&tw=1.mjlog"
    other = "2010010100gm-00a9-0009-xaabbccddeeff"
    _, info = game(log(init()), name)
    assert (info.log_id, info.played_precision) == ("2009022023gm-00e1-0000-c603794d", "hour")
    assert info.played_at == datetime(2009, 2, 20, 14)  # 23 o'clock in Japan
    minute = datetime(2010, 1, 1, 3, 4)
    _, info = game(log(init()), name, log_id=other, played_at=minute)
    assert (info.log_id, info.played_at, info.played_precision) == (other, minute, "minute")
    shuffle = f'<SHUFFLE seed="" ref="{other}"/>'
    _, info = game(log(init(), about=shuffle + '<GO type="9"/>'), "1.txt")
    assert (info.log_id, info.lobby) == (other, "9")
    _, info = game(log(init()), "2009130123gm-00e1-0000-c603794d.mjlog")  # no such month
    assert info.log_id is None


@pytest.mark.parametrize(
    ("shuffle", "kind", "seed"),
    [
        ("mt19937ar-sha512-n288-base64,QUJDRA==", "mt19937ar-sha512-n288-base64", b"ABCD"),
        ("mt19937ar-sha512-n288,1F,2E", "mt19937ar-sha512-n288", b"1F,2E"),
        ("x-base64,QUJD*A==", "x-base64-damaged", b"QUJD*A=="),
        ("x-base64,QUJDRA=", "x-base64-damaged", b"QUJDRA="),
        ("", None, None),
    ],
)
def test_the_seed_is_kept(shuffle: str, kind: str | None, seed: bytes | None) -> None:
    _, info = game(log(init(), about=f'<SHUFFLE seed="{shuffle}" ref=""/>' + GO))
    assert (info.shuffle_kind, info.shuffle_seed) == (kind, seed)


def test_rounds_with_seeds_of_their_own_are_kept_in_order() -> None:
    first, second = ' shuffle="mt19937ar,A1,B2"', ' shuffle="mt19937ar,C3"'
    _, info = game(log(init(more=first), init(more=second)))
    assert (info.shuffle_kind, info.shuffle_seed) == ("mt19937ar", b"A1,B2;C3")


OWARI = ' owari="400,50.0,300,10.0,200,-20.0,100,-40.0"'


@pytest.mark.parametrize(
    ("go", "start", "owari", "ruleset"),
    [
        ('<GO type="9" lobby="0"/>', "250", OWARI, "tenhou-4p"),
        ('<GO type="9" lobby="0"/>', "300", OWARI, "tenhou-4p"),  # an odd record, not odd rules
        ('<GO type="9" lobby="1234"/>', "250", OWARI, "tenhou-4p"),
        ('<GO type="9" lobby="1234"/>', "300", OWARI, "tenhou-custom"),
        ('<GO type="9" lobby="1234"/>', "250", OWARI.replace("50.0", "60.0"), "tenhou-custom"),
        # uma as East games had it before 2009-08
        ('<GO type="1" lobby="1234"/>', "250", OWARI.replace("50.0", "40.0")
         .replace("10.0,200,-20", "5.0,200,-15").replace("-40", "-30"), "tenhou-4p"),
        ('<GO type="9" lobby="1111" csrule="1"/>', "250", OWARI, "tenhou-custom"),
        (f'<GO type="{0x0841}" lobby="0"/>', "250", OWARI, "tenhou-custom"),
        (f'<GO type="{0x0229}" lobby="0"/>', "250", OWARI, "tenhou-chip"),
        (f'<GO type="{0x0621}" lobby="0"/>', "250", OWARI, "tenhou-chip-5"),
    ],
)  # fmt: skip
def test_rule_sets(go: str, start: str, owari: str, ruleset: str) -> None:
    deal = init(ten=",".join([start] * 4))
    end = f'<RYUUKYOKU ba="0,0" sc="400,0,300,0,200,0,100,0"{owari} />'
    _, info = game(log(deal, end, about=go + UN))
    assert info.complete
    assert info.ruleset == ruleset


# --- other ways of writing ----------------------------------------------------------------------
PLAIN = log(init(), "<T60/>", "<D60/>", '<N who="1" m="30729" />', RON)


def _differently() -> dict[str, bytes]:
    text = PLAIN.decode()
    reordered = re.sub(r'<AGARI (ba="[^"]*") (.*?) />', r"<AGARI \2 \1/>", text)
    moved = text.replace(GO, "").replace(TAIKYOKU, TAIKYOKU + GO)
    return {
        "byte order mark": b"\xef\xbb\xbf" + PLAIN,
        "declaration": b'<?xml version="1.0" encoding="UTF-8"?>\n' + PLAIN,
        "UTF-16": text.encode("utf-16"),
        "comments": text.replace("<T60/>", "<!-- <D1/> --><T60/>").encode(),
        "pretty": text.replace("><", ">\n\t<").encode(),
        "CR LF": text.replace("><", ">\r\n<").encode(),
        "single quotes": text.replace('"', "'").encode(),
        "line breaks in elements": text.replace(" yaku=", "\n      yaku=").encode(),
        "spaces in lists": text.replace('ten="250,250', 'ten="250, 250').encode(),
        "attribute order": reordered.encode(),
        "game type late": moved.encode(),
        "end tags": text.replace("<T60/>", "<T60></T60>").encode(),
        "spaces before the slash": text.replace("/>", "  />").encode(),
        "numeric entities": text.replace('who="1"', 'who="&#x31;"').encode(),
        "a raw name": text.replace("%E6%9D%B1", "東").encode(),
        "another root version": text.replace('"2.3"', '"2.2"').encode(),
        "trailing newline": PLAIN + b"\r\n",
    }


@pytest.mark.parametrize("name", _differently())
def test_a_log_written_differently_is_the_same_game(name: str) -> None:
    data = _differently()[name]
    assert data != PLAIN
    assert mjlog.sniff(data)
    assert detect(data) == "mjlog"
    batch, info = game(data)
    expected, expected_info = game(PLAIN)
    assert told(batch) == told(expected)
    info.sha256 = expected_info.sha256
    assert info == expected_info
    for column in ("round_haipai", "round_scores", "win_hand", "win_delta", "yaku_id"):
        assert getattr(batch, column).tolist() == getattr(expected, column).tolist()


def test_unknown_values_are_left_out_and_noted() -> None:
    for strange in (
        PLAIN.replace(b"<T60/>", b'<CHAT who="1" text="hi"/><T60/>'),
        PLAIN.replace(b'who="1" m', b'who="1" mood="3" m'),
        PLAIN.replace(b"<T60/>", b"<T60/>hello"),
        PLAIN.replace(b"<T60/>", b'<T60 auto="1"/>'),
        PLAIN.replace(b"18,1,", b"18,1,63,1,"),  # a yaku without a name
        PLAIN.replace(b"2001.50", b"two thousand"),
        log(init(), '<RYUUKYOKU type="kaze5" ba="0,0" sc="250,0,250,0,250,0,250,0"/>'),
    ):
        batch, info = game(strange)
        assert info.notes == ["unknown_tag"]
        if b"kaze5" in strange:
            assert OUTCOMES[batch.round_recorded_outcome[0]] == "unknown"
        else:
            assert told(batch) == told(game(PLAIN)[0])


# --- logs that cannot be read -------------------------------------------------------------------


def test_a_log_cut_off_is_an_incomplete_game_up_to_there() -> None:
    whole = told(game(PLAIN)[0])
    inside = PLAIN.index(b"<AGARI") + 30
    batch, info = game(PLAIN[:inside])
    assert told(batch) == whole[:-1]
    assert not info.complete
    assert OUTCOMES[batch.round_recorded_outcome[0]] == "unknown"
    finished = PLAIN.replace(b'240,0" />', b'240,0"' + OWARI.encode() + b" />")
    _, info = game(finished[: finished.index(END)])
    assert info.complete  # only the closing tag is missing


def test_a_log_cut_off_before_the_first_deal_is_a_reject_at_its_end() -> None:
    cut = PLAIN[: PLAIN.index(b"<INIT") + 9]
    assert reject(cut).position == f"byte {len(cut)}"
    assert reject(cut).reason == "the log breaks off before the first deal"
    assert reject(log()).reason == "no round was dealt"
    assert reject(b"").position == "byte 0"


@pytest.mark.parametrize(
    ("damage", "at", "reason"),
    [
        ((b"<T60/>", b"<T136/>"), b"<T136", "a tile that is not one of the ids 0 to 135"),
        ((b"<T60/>", b"<T999/>"), b"<T999", "a tile that is not one of the ids 0 to 135"),
        ((b'hai0="0,4', b'hai0="0,0,4'), b"<INIT", '<INIT>: hai0="0,0,4'),
        ((b'm="30729"', b'm="99999"'), b"<N who", "a call whose number is not the code of a meld"),
        ((b'who="1"', b'who="4"'), b"<N who", '<N>: who="4" is a seat that is not one of 0 to 3'),
        ((b' m="30729" />', b" />"), b"<N who", "<N> has no m, which it must have"),
        ((b'sc="250,83', b'sc="83'), b"<AGARI", "a list of numbers of the wrong length"),
        ((b"40,8000,1", b"40,8000,7"), b"<AGARI", 'ten="40,8000,7" is an impossible number'),
        ((b"<TAIKYOKU", b"<T60/><TAIKYOKU"), b"<T60/><TAI", "play before the first deal"),
        ((b"<D60/>", b"<D60"), b"<N who", "damaged XML: not well-formed"),
        ((b"<D60/>", b"<D60/></oops>"), b"oops>", "damaged XML: mismatched tag"),
        ((b"<D60/>", b"<D60/>&hai;"), b"&hai", "damaged XML: undefined entity"),
        ((b"<D60/>", b"<D60/>\xff"), b"\xff", "damaged XML: not well-formed"),
        ((END, END + PLAIN), END + ROOT, "damaged XML: junk after document element"),
    ],
)  # fmt: skip
def test_damage_is_a_reject_that_says_where(
    damage: tuple[bytes, bytes], at: bytes, reason: str
) -> None:
    data = PLAIN.replace(*damage, 1)
    found = reject(data)
    position = int(found.position.removeprefix("byte "))
    assert abs(position - data.index(at)) <= len(END)
    assert reason in found.reason
    assert found.excerpt
    assert len(found.excerpt) <= 80


def test_content_that_is_not_mjlog_is_described() -> None:
    page = b"<!DOCTYPE html><html><body>404</body></html>"
    assert reject(page).reason == "not an mjlog but a web page"
    assert not mjlog.sniff(page)
    assert reject(b"<html><body/></html>").reason == "not an mjlog: its outermost element is <html>"
    future = PLAIN.replace(b'"2.3"', b'"3.0"')
    assert reject(future).reason == "mjlog of version 3.0; version 2.3 is known"


def test_entities_are_never_expanded() -> None:
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>'
        + PLAIN.replace(b"%41", b"&b;")
    )
    assert reject(bomb).reason == "not an mjlog but a document type declaration"


def test_one_bad_log_leaves_the_others_alone() -> None:
    pretty = _differently()["pretty"]
    bad = PLAIN.replace(b"<T60/>", b"<T200/>")
    imported = mjlog.read([Blob(data, 0) for data in (PLAIN, bad, pretty, b"", PLAIN)])
    imported.batch.validate()
    assert sorted(imported.game_blob) == [0, 2, 4]
    assert [rejected.blob for rejected in imported.rejects] == [1, 3]
    assert told(imported.batch) == 3 * told(game(PLAIN)[0])
    assert mjlog.read([]).batch.games == []
