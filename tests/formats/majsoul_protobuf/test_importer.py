"""Mahjong Soul's protocol buffers: one game in every wrapping, live games, hostile input."""

from __future__ import annotations

import base64
import copy
import json
import random
import textwrap
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paifu.errors import LogError
from paifu.formats import registry
from paifu.formats.base import Blob, Imported
from paifu.formats.majsoul import importer as majsoul
from paifu.formats.majsoul_protobuf import importer as protobuf
from paifu.formats.majsoul_protobuf.live import unmasked
from paifu.formats.majsoul_protobuf.messages import SCHEMAS
from paifu.formats.majsoul_protobuf.wire import decode, read_varint
from paifu.game.events import DISCARD, DRAW, KITA, OUTCOMES, WIN
from paifu.game.fingerprint import identify
from paifu.game.tiles import HIDDEN, TEXT, parse_tiles
from paifu.replay.replay_batch import replay

Record = tuple[str, dict[str, Any]]


def tiles(hand: str) -> list[str]:
    return [TEXT[code] for code in parse_tiles(hand)]


UUID = "240501-01234567-89ab-4def-8123-456789abcdef"
EAST = tiles("123406789m1122z")
SOUTH = tiles("123406789p3344z")
WEST = tiles("123406789s5566z")
NORTH = tiles("123m456p789s77z99p")
NINE = tiles("19m19p19s123z5678m")

PLAY: list[Record] = [
    ("NewRound", {
        "chang": 0, "ju": 0, "ben": 0, "liqibang": 0, "scores": [25000] * 4, "doras": ["1p"],
        "tiles0": [*EAST, "7m"], "tiles1": SOUTH, "tiles2": WEST, "tiles3": NORTH,
    }),
    ("DiscardTile", {"seat": 0, "tile": "7m", "moqie": True, "is_liqi": True}),
    ("DealTile", {"seat": 1, "tile": "5z", "left_tile_count": 68}),
    ("DiscardTile", {"seat": 1, "tile": "5z", "moqie": True}),
    ("ChiPengGang", {"seat": 2, "type": 1, "tiles": ["5z", "5z", "5z"], "froms": [2, 2, 1]}),
    ("DiscardTile", {"seat": 2, "tile": "1s"}),
    ("DealTile", {"seat": 3, "tile": "2z", "left_tile_count": 67}),
    ("DiscardTile", {"seat": 3, "tile": "2z", "moqie": True}),
    ("Hule", {
        "hules": [{
            "hand": EAST, "hu_tile": "2z", "seat": 0, "qinjia": True, "liqi": True,
            "doras": ["1p"], "li_doras": ["3z"], "count": 4,
            "fans": [{"id": 2, "val": 1}, {"id": 30, "val": 1}, {"id": 16, "val": 2},
                     {"id": 33, "val": 0}],
            "fu": 40, "point_rong": 12000, "title_id": 1,
        }],
        "old_scores": [24000, 25000, 25000, 25000], "delta_scores": [13000, 0, 0, -12000],
    }),
    ("NewRound", {
        "chang": 0, "ju": 0, "ben": 1, "liqibang": 0, "scores": [37000, 25000, 25000, 13000],
        "doras": ["1p"], "tiles0": [*NINE, "4z"], "tiles1": WEST, "tiles2": SOUTH, "tiles3": EAST,
    }),
    ("LiuJu", {"type": 1, "seat": 0, "tiles": NINE}),
]  # fmt: skip
HEAD: dict[str, Any] = {
    "uuid": UUID, "start_time": 1714500000, "end_time": 1714502000,
    "config": {"category": 2, "mode": {"mode": 2}, "meta": {"mode_id": 12}},
    "accounts": [
        {"account_id": 10 + seat, "seat": seat, "nickname": "abcd"[seat], "level": {"id": 10402}}
        for seat in (2, 0, 3, 1)
    ],
    "result": {"players": [
        {"seat": seat, "part_point_1": [37000, 25000, 25000, 13000][seat],
         "total_point": [22000, 5000, -5000, -22000][seat]} for seat in range(4)
    ]},
}  # fmt: skip


def varint(number: int) -> bytes:
    number &= (1 << 64) - 1
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def field(number: int, content: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(content)) + content


def encode(message: str, fields: dict[str, Any], *, packed: bool = True) -> bytes:
    """Return a message as a server writes it, with its fields in the order of their numbers."""
    return b"".join(
        _encoded(number, spec.kind, part, packed=packed)
        for number, spec in sorted(SCHEMAS[message].items())
        if spec.name in fields
        for part in ([fields[spec.name]] if not spec.repeated or spec.kind in ("int", "uint")
                     else fields[spec.name])
    )  # fmt: skip


def _encoded(number: int, kind: str, value: Any, *, packed: bool) -> bytes:
    if isinstance(value, list):
        if packed:
            return field(number, b"".join(map(varint, value)))
        return b"".join(varint(number << 3) + varint(each) for each in value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, dict):
        return field(number, encode(kind, value))
    return field(number, value.encode() if isinstance(value, str) else value)


def wrapped(name: str, content: bytes) -> bytes:
    return encode("Wrapper", {"name": name, "data": content})


def record(entry: Record) -> bytes:
    name, fields = entry
    return wrapped(f".lq.Record{name}", encode(f"Record{name}", fields))


def details(play: list[Record] = PLAY, *, version: int = 210715) -> bytes:
    entries = [record(entry) for entry in play]
    if version == 0:
        inner = b"".join(field(1, entry) for entry in entries)
    else:
        actions = [
            varint(1 << 3) + varint(800) + varint(2 << 3) + varint(1) + field(3, entry)
            for entry in entries
        ]
        actions.insert(1, varint(1 << 3) + varint(900) + varint(2 << 3) + varint(3))
        inner = varint(2 << 3) + varint(version) + b"".join(field(3, each) for each in actions)
    return wrapped(".lq.GameDetailRecords", inner)


def answer(content: bytes = b"", **fields: Any) -> bytes:
    return encode("ResGameRecord", {"head": HEAD, "data": content or details()} | fields)


def request(number: int, method: str, content: bytes = b"") -> bytes:
    return b"\x02" + number.to_bytes(2, "little") + wrapped(method, content)


def reply(number: int, content: bytes) -> bytes:
    return b"\x03" + number.to_bytes(2, "little") + wrapped("", content)


def b64(content: bytes) -> str:
    return base64.b64encode(content).decode()


def read(*files: bytes | str | dict[str, Any] | list[Any]) -> Imported:
    return protobuf.read([Blob(as_bytes(file), 0) for file in files])


def as_bytes(file: bytes | str | dict[str, Any] | list[Any]) -> bytes:
    if isinstance(file, bytes):
        return file
    return (file if isinstance(file, str) else json.dumps(file)).encode()


def as_json(play: list[Record] = PLAY) -> dict[str, Any]:
    listed = [{"name": f".lq.Record{name}", "data": data} for name, data in play]
    return {"head": HEAD, "data": listed}


def in_every_way() -> dict[str, Any]:
    frames = [
        request(5, ".lq.Lobby.fetchGameRecord"), request(6, ".lq.Lobby.heatbeat"), reply(6, b""),
        reply(5, answer()),
    ]  # fmt: skip
    return {
        "wrapper": details(),
        "of 2019": details(version=0),
        "answer": answer(),
        "base64": b64(details()),
        "base64 in lines": "\n".join(textwrap.wrap(b64(answer()), 76)),
        "base64 without its end, for URLs": base64.urlsafe_b64encode(answer()).decode().rstrip("="),
        "hex": answer().hex(),
        "HEX": details().hex().upper(),
        "head in JSON": {"head": HEAD, "data": b64(details()), "data_url": "https://a.example"},
        "any key": [{"n": 1}, {"wire": details().hex()}],
        "data address": {"body": "data:application/octet-stream;base64," + b64(answer())},
        "list of bytes": {"type": "Buffer", "data": list(answer())},
        "JSON in JSON": {"text": json.dumps({"data": b64(answer())})},
        "one frame": reply(5, answer()),
        "capture": {"frames": [{"opcode": 2, "data": b64(frame)} for frame in frames]},
        "capture in lines": "\n".join(json.dumps({"data": b64(frame)}) for frame in frames),
        "a list of frames, one a line of text": "\n".join(f"recv {b64(frame)}" for frame in frames),
        "each record by itself": {
            "head": HEAD,
            "actions": [{"passed": 1, "type": 1, "result": b64(record(entry))} for entry in PLAY],
        },
    }


@pytest.mark.parametrize("way", in_every_way())
def test_every_wrapping_gives_the_game_that_decoded_json_gives(way: str) -> None:
    file = as_bytes(in_every_way()[way])
    assert registry.detect(file) == "majsoul_protobuf"
    imported = read(file)
    assert not imported.rejects
    expected = majsoul.read([Blob(json.dumps(as_json()).encode(), 0)])
    assert identify(imported.batch).game_id == identify(expected.batch).game_id
    for name in ("event_kind", "event_seat", "event_tile", "event_from", "event_tsumogiri",
                 "win_delta", "win_before", "win_hand", "win_han", "win_fu", "win_ura",
                 "round_scores", "round_recorded_outcome", "yaku_id", "yaku_han"):  # fmt: skip
        np.testing.assert_array_equal(
            getattr(imported.batch, name), getattr(expected.batch, name), name
        )


def test_the_head_says_who_played_when_and_what() -> None:
    (info,) = read(answer()).batch.games
    assert info.names == ("a", "b", "c", "d")
    assert info.player_ids == ("10", "11", "12", "13")
    assert (info.log_id, info.room, info.length, info.ruleset) == (
        UUID, "jade", "south", "majsoul-4p",
    )  # fmt: skip
    assert info.final_points == (37000, 25000, 25000, 13000)
    assert info.result == (22.0, 5.0, -5.0, -22.0)
    assert info.complete


def test_the_name_of_a_file_without_a_head_says_which_game_and_which_day() -> None:
    (info,) = protobuf.read([Blob(details(), 0, name=f"{UUID}.bin")]).batch.games
    assert (info.log_id, info.played_precision) == (UUID, "day")
    assert info.played_at is not None
    assert f"{info.played_at:%Y-%m-%d}" == "2024-04-30"  # midnight in China
    assert not info.complete


def test_settings_that_are_zero_are_left_out_on_the_wire_and_in_force() -> None:
    rule = {"init_point": 25000, "fandian": 30000, "fanfu": 1, "shiduan": 1}
    mode = {"mode": 2, "detail_rule": rule}
    head = HEAD | {"config": {"category": 1, "mode": mode, "meta": {"room_id": 5}}}
    (info,) = read(answer(head=head)).batch.games
    assert (info.aka, info.kuitan, info.room, info.lobby) == (False, True, "friend", "5")
    assert info.ruleset == "majsoul-custom"
    assert read(answer()).batch.games[0].aka  # a ranked table, which does not list settings


def test_three_players_and_a_north_set_aside() -> None:
    hands = {
        "tiles0": tiles("19m123456789p441z"),
        "tiles1": tiles("123406789s5566z"),
        "tiles2": tiles("123456789s7722z"),
    }
    play: list[Record] = [
        ("NewRound", {"ju": 0, "scores": [35000] * 3, "doras": ["1p"]} | hands),
        ("BaBei", {"moqie": False}),
        ("DealTile", {"tile": "3z", "left_tile_count": 54}),
        ("DiscardTile", {"tile": "1z"}),
    ]
    batch = read(details(play)).batch
    assert batch.games[0].players == 3
    assert KITA in batch.event_kind


def test_scores_below_zero_and_numbers_that_are_not_packed() -> None:
    deal = PLAY[0][1] | {"scores": [-1200, 51200, 25000, 25000]}
    for packed in (True, False):
        message = encode("RecordNewRound", deal, packed=packed)
        assert decode(message, SCHEMAS["RecordNewRound"])["scores"] == deal["scores"]


def test_what_a_publisher_has_cut_away_is_not_known_and_not_nought() -> None:
    play = copy.deepcopy(PLAY)
    for name in ("count", "fu", "hand", "title_id", "li_doras", "fans", "point_rong"):
        play[8][1]["hules"][0].pop(name, None)
    batch = read(details(play)).batch
    assert (batch.win_han[0], batch.win_fu[0], batch.win_limit[0]) == (-1, -1, -1)
    assert (batch.win_hand[0] == -1).all()
    assert (batch.win_ura[0] == -1).all()


# --- live games -------------------------------------------------------------------------------


def actions_of(play: list[Record], seat: int) -> list[tuple[str, bytes]]:
    """Return a game as the server sends it to one seat: hands and draws of others are hidden."""
    actions = []
    for name, fields in play:
        told = dict(fields)
        if name == "NewRound":
            told["tiles"] = told[f"tiles{seat}"]
        elif name == "DealTile" and told.get("seat", 0) != seat:
            del told["tile"]
        actions.append((f"Action{name}", encode(f"Action{name}", told)))
    return actions


def prototype(action: tuple[str, bytes], *, masked: bool = True) -> bytes:
    name, content = action
    content = unmasked(content) if masked else content
    return encode("ActionPrototype", {"step": 1, "name": name, "data": content})


def notice(action: tuple[str, bytes]) -> bytes:
    return b"\x01" + wrapped(".lq.ActionPrototype", prototype(action))


def joining(seat: int) -> list[bytes]:
    asked = encode("ReqAuthGame", {"account_id": 10 + seat, "game_uuid": UUID})
    people = [{k: v for k, v in person.items() if k != "seat"} for person in HEAD["accounts"]]
    told = {"players": people, "seat_list": [10, 11, 12, 13], "game_config": HEAD["config"]}
    return [
        request(1, ".lq.FastTest.authGame", asked), reply(1, encode("ResAuthGame", told)),
        b"\x01" + wrapped(".lq.ActionPrototype", prototype(("ActionMJStart", b""))),
    ]  # fmt: skip


def ending() -> bytes:
    result = encode("NotifyGameEndResult", {"result": HEAD["result"]})
    return b"\x01" + wrapped(".lq.NotifyGameEndResult", result)


def capture(frames: list[bytes]) -> dict[str, Any]:
    return {"frames": [b64(frame) for frame in frames]}


@pytest.mark.parametrize("seat", range(4))
def test_a_live_game_is_one_seats_view(seat: int) -> None:
    file = capture([*joining(seat), *map(notice, actions_of(PLAY, seat)), ending()])
    assert registry.detect(as_bytes(file)) == "majsoul_protobuf"
    imported = read(file)
    assert not imported.rejects
    batch = imported.batch
    full = majsoul.read([Blob(json.dumps(as_json()).encode(), 0)]).batch
    for name in ("event_kind", "event_seat", "win_delta", "win_han", "round_scores"):
        np.testing.assert_array_equal(getattr(batch, name), getattr(full, name), name)
    hidden = (batch.event_kind == DRAW) & (batch.event_seat != seat)
    assert (batch.event_tile[hidden] == HIDDEN).all()
    np.testing.assert_array_equal(batch.event_tile[~hidden], full.event_tile[~hidden])
    for other in range(4):
        expected = full.round_haipai[:, other] if other == seat else HIDDEN
        np.testing.assert_array_equal(batch.round_haipai[:, other], expected)
    (info,) = batch.games
    assert (info.names, info.log_id, info.complete) == (("a", "b", "c", "d"), UUID, True)
    flags = replay(batch, np.zeros(1, np.int64))["flags"].column("reason").to_pylist()
    assert set(flags) == {"hidden_tiles"}


def test_the_seat_follows_from_its_draws_where_nobody_says_who_joined() -> None:
    told = read(capture([*map(notice, actions_of(PLAY, 1))])).batch
    assert [TEXT[code] for code in told.round_haipai[0, 1]] == SOUTH
    unknown = read(capture([notice(actions_of(PLAY, 2)[0])]))
    assert "seat" in unknown.rejects[0].reason


def restored(actions: list[tuple[str, bytes]], *, masked: bool) -> list[bytes]:
    protos = b"".join(field(2, prototype(action, masked=masked)) for action in actions)
    return [request(9, ".lq.FastTest.syncGame"), reply(9, field(4, protos))]


@pytest.mark.parametrize("masked", [True, False])
def test_a_round_that_is_sent_again_after_a_reconnect_is_played_once(masked: bool) -> None:
    actions = actions_of(PLAY, 3)
    once = capture([*joining(3), *map(notice, actions), ending()])
    again = capture([
        *joining(3), *map(notice, actions[:4]), *joining(3)[:2],
        *restored(actions[:6], masked=masked), *map(notice, actions[6:]), ending(),
    ])  # fmt: skip
    assert identify(read(again).batch).game_id == identify(read(once).batch).game_id


def test_a_game_joined_within_a_round_is_read_from_the_next_deal_on_and_says_so() -> None:
    actions = actions_of(PLAY, 0)
    batch = read(capture(list(map(notice, actions[2:])))).batch
    assert len(batch.round_wind) == 1
    assert batch.games[0].notes == ["no_beginning"]


def test_two_live_games_in_one_capture() -> None:
    frames = [*joining(0), *map(notice, actions_of(PLAY, 0)), ending()]
    assert len(read(capture(2 * frames)).batch.games) == 2
    without_end = [frame for frame in frames if frame != ending()]
    assert len(read(capture(without_end[2:] + without_end[2:])).batch.games) == 2


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (encode("ResGameRecord", {"head": HEAD, "data_url": "https://a.example/x"}), "data_url"),
        (capture([request(1, ".lq.Lobby.fetchGameRecord"),
                  reply(1, encode("ResGameRecord", {"error": {"code": 1203}}))]), "no game"),
        (capture([request(1, ".lq.Lobby.heatbeat"), reply(1, b"")]), "no game"),
        (details([]), "without a round"),
        (details([PLAY[0], ("DiscardTile", {"tile": "9z"})]), "9z"),
        (wrapped(".lq.GameDetailRecords", b"\x0a\xff\x7f"), "longer than the bytes"),
        (details([PLAY[0]]) + b"\x0b", "wire type 3"),
    ],
)  # fmt: skip
def test_a_refusal_says_why_and_where(file: Any, reason: str) -> None:
    imported = read(file)
    assert not imported.batch.games
    assert reason in imported.rejects[0].reason
    assert imported.rejects[0].position


def test_a_bad_record_has_its_place_and_its_neighbours_are_read() -> None:
    broken = copy.deepcopy(PLAY)
    broken[4][1]["froms"] = [2, 2, 2]
    file = [{"a": b64(details())}, {"a": b64(details(broken))}, {"a": b64(details(version=0))}]
    imported = read(json.dumps(file))
    assert len(imported.batch.games) == 2
    assert [reject.position for reject in imported.rejects] == ["$[1].a, record 4"]


def bombs() -> Iterator[tuple[str, bytes]]:
    deal = encode("RecordNewRound", PLAY[0][1])
    yield (
        "many elements",
        wrapped(
            ".lq.GameDetailRecords",
            field(1, wrapped(".lq.RecordNewRound", deal + b"\x52\x00" * (1 << 18))),
        ),
    )
    yield "many records", wrapped(".lq.GameDetailRecords", field(1, b"") * (1 << 18))
    yield (
        "many deals",
        wrapped(".lq.GameDetailRecords", field(1, record(("LiuJu", {"type": 1}))) * (1 << 14)),
    )
    text = b64(details())
    for _ in range(12):
        text = b64(json.dumps({"a": text}).encode())
    yield "base64 in base64", json.dumps({"a": text}).encode()
    nested = json.dumps({"data": b64(details())})
    for _ in range(12):
        nested = json.dumps({"a": nested})
    yield "JSON in JSON", nested.encode()
    yield "a number without end", wrapped(".lq.GameDetailRecords", b"\x08" + b"\xff" * (1 << 20))
    yield "a long list", json.dumps({"a": b64(details())[:40], "b": [10] * (1 << 20)}).encode()


@pytest.mark.parametrize("name", [name for name, _ in bombs()])
def test_hostile_bytes_take_little_memory(name: str) -> None:
    data = dict(bombs())[name]
    tracemalloc.start()
    imported = read(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not imported.batch.games
    assert imported.rejects
    assert peak < 20 * len(data) + (8 << 20)


def test_a_number_has_ten_bytes_at_most() -> None:
    assert read_varint(varint(-5), 0, 10) == ((1 << 64) - 5, 10)
    with pytest.raises(LogError, match="too long"):
        read_varint(b"\xff" * 11, 0, 11)
    with pytest.raises(LogError, match="breaks off"):
        read_varint(b"\xff\xff", 0, 2)


@given(st.integers(0, 2**32), st.sampled_from(["details", "answer", "capture", "live"]))
@example(409073938, "capture")  # a message without a byte
@settings(max_examples=50)
def test_spoiled_files_never_crash(seed: int, what: str) -> None:
    rng = random.Random(seed)
    frames = [*joining(2), *map(notice, actions_of(PLAY, 2)), ending()]
    if what == "live":
        at = rng.randrange(len(frames))
        frames[at] = spoiled(rng, frames[at])
        read(capture(frames))
        return
    data = {
        "details": details(), "answer": answer(),
        "capture": as_bytes(in_every_way()["capture"]),
    }[what]  # fmt: skip
    imported = read(spoiled(rng, data))
    imported.batch.validate()
    assert imported.batch.games or imported.rejects


def spoiled(rng: random.Random, data: bytes) -> bytes:
    kind = rng.randrange(3)
    if kind == 0:
        return data[: rng.randrange(1, len(data))]
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(changed))
        if kind == 1:
            changed[at] = rng.randrange(256)
        else:
            changed[at:at] = rng.randbytes(rng.randrange(1, 9))
    return bytes(changed)


# --- real records -----------------------------------------------------------------------------


def test_every_real_record_is_read(corpus: Path) -> None:
    files = sorted((corpus / "majsoul_protobuf").iterdir())
    blobs = [Blob(file.read_bytes(), 0, name=file.name) for file in files]
    assert {registry.detect(blob.data) for blob in blobs} == {"majsoul_protobuf"}
    imported = protobuf.read(blobs)
    assert not imported.rejects
    batch = imported.batch
    assert imported.game_blob == list(range(len(files)))
    names = [file.name.split(".")[0] for file in files]
    ids = dict(zip(names, identify(batch).game_id.tolist(), strict=True))
    assert len(set(zip(names, identify(batch).game_id.tolist(), strict=True))) == len(ids) == 3
    assert "unknown_tag" not in {note.split("@")[0] for info in batch.games for note in info.notes}


def test_the_bytes_of_a_game_give_equal_tables_however_they_are_wrapped(corpus: Path) -> None:
    (published,) = (corpus / "majsoul").glob("190301*")
    source = np.zeros(1, np.int64)
    files = [published, *sorted((corpus / "majsoul_protobuf").glob("2019*ResGameRecord.*"))]
    tables = [replay(protobuf.read([Blob(file.read_bytes(), 0)]).batch, source) for file in files]
    for other in tables[1:]:
        for name, table in tables[0].items():
            same = [column for column in table.column_names if column != "position"]
            assert table.select(same).equals(other[name].select(same)), name


def test_published_json_is_the_same_game_but_for_the_yaku_it_left_out(corpus: Path) -> None:
    (file,) = (corpus / "majsoul").glob("190301*")
    published = json.loads(file.read_bytes())
    del published["data"]
    ours = protobuf.read([Blob(file.read_bytes(), 0)]).batch
    theirs = majsoul.read([Blob(json.dumps(published).encode(), 0)]).batch
    assert identify(ours).game_id == identify(theirs).game_id
    for name in ("event_kind", "event_tile", "win_hand", "win_delta", "win_fu", "win_han",
                 "win_points", "win_limit", "win_ura", "round_recorded_delta"):  # fmt: skip
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), name)
    assert len(ours.yaku_id) > len(theirs.yaku_id) == 0


def test_kinds_of_events_are_there_to_be_read(corpus: Path) -> None:
    data = (corpus / "majsoul_protobuf" / "2024_v210715_4p.GameDetailRecords.b64").read_bytes()
    batch = protobuf.read([Blob(data, 0)]).batch
    assert len(batch.round_wind) == 15
    assert (batch.event_kind == WIN).sum() == 11
    assert (batch.event_kind == DISCARD).any()
    assert {OUTCOMES[code] for code in batch.round_recorded_outcome} == {"win", "exhaustive"}
