"""Tenhou client traffic: one seat's view of a game is the game with the others' tiles hidden."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from paifu.formats.base import Blob, Imported
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.registry import detect
from paifu.formats.tenhou_client import importer as client
from paifu.game.events import DRAW, WIN, Batch
from paifu.game.tiles import HIDDEN
from paifu.host.shipped_files import resource_dir

TAG = re.compile(r'<([A-Za-z]+)(\d*)((?:\s+\w+="[^"]*")*)\s*/?>')
BY_SEAT = {"ten": 1, "dan": 1, "rate": 1, "sx": 1, "sc": 2, "owari": 2}


def log(name: str) -> str:
    return (resource_dir("data") / f"{name}.mjlog").read_text(encoding="utf-8")


def seen(text: str, own: int) -> list[str]:
    """Return the messages that Tenhou sends to one seat of a game, without the client's own."""
    out: list[str] = []
    drawn: dict[int, str] = {}
    for name, tile, rest in TAG.findall(text):
        values = dict(re.findall(r'(\w+)="([^"]*)"', rest))
        if tile:
            seat = "TUVW".find(name) if name in "TUVW" else "DEFG".find(name)
            relative = (seat - own) % 4
            if name in "TUVW":
                drawn[seat] = tile
                out.append(f"<{'TUVW'[relative]}{tile if relative == 0 else ''}/>")
            else:
                letter = "DEFG"[relative]
                if relative and drawn.get(seat) == tile:
                    letter = letter.lower()
                out.append(f"<{letter}{tile}/>")
            continue
        if name in ("mjloggm", "SHUFFLE"):
            continue
        told = {}
        for key, value in values.items():
            if key in ("who", "fromWho", "paoWho", "oya"):
                value = str((int(value) - own) % 4)
            elif key in BY_SEAT and not (key == "ten" and name == "AGARI"):
                each, parts = BY_SEAT[key], value.split(",")
                parts += ["0"] * (4 * each - len(parts))
                turned = [(seat + own) % 4 for seat in range(4)]
                value = ",".join(",".join(parts[each * s : each * (s + 1)]) for s in turned)
            elif re.fullmatch(r"(?:n|hai)\d", key):
                relative = (int(key[-1]) - own) % 4
                if name == "INIT" and relative:
                    continue
                key = "hai" if name == "INIT" else f"{key[:-1]}{relative}"
                if name == "RYUUKYOKU" and key == "hai0" and "type" not in values:
                    continue  # its own hand is not sent to it
            told[key] = value
        if name == "TAIKYOKU":
            told["log"] = "2019010100gm-00a9-0000-0123abcd"
        written = " ".join(f'{key}="{value}"' for key, value in told.items())
        out.append(f"<{name} {written}/>")
    return out


def as_lines(messages: Iterable[str]) -> bytes:
    return "".join(f'Get: {tag} \nSend: <D p="3"/>\n' for tag in messages).encode()


def as_tags(messages: Iterable[str]) -> bytes:
    return "\n".join(messages).encode() + b'\n<D p="3"/><N type="1" hai0="1"/><N />'


def as_dump(messages: Iterable[str]) -> bytes:
    """Return a hex dump in which messages are broken at any place."""
    stream = b"\0".join(tag.encode() for tag in messages)
    out = ["*** Begin logging at Thu Mar 13 15:03:31 2008"]
    for start in range(0, len(stream), 100):
        out.append("15:03:32: server->client")
        for at in range(start, min(start + 100, len(stream)), 16):
            row = stream[at : min(at + 16, start + 100)]
            out.append(f"{at - start:08X}| {row.hex(' ').upper()} ".ljust(58) + "|...")
        out.append("15:03:32: client->server\n00000000| 3C 44 20 70 3D 22 33 22 2F 3E 00 |<D")
    return "\n".join(out).encode()


def read(data: bytes) -> Imported:
    imported = client.read([Blob(data, 0)])
    imported.batch.validate()
    return imported


def batch_of(name: str) -> Batch:
    return mjlog.read([Blob(log(name).encode(), 0)]).batch


@pytest.mark.parametrize("name", ["double_ron", "south_1", "four_riichi", "pao_tsumo", "kita_ron"])
@pytest.mark.parametrize("own", range(4))
def test_all_that_a_seat_was_shown_is_as_in_the_log_of_the_game(name: str, own: int) -> None:
    whole = batch_of(name)
    if own >= whole.games[0].players:
        return
    imported = read(as_lines(seen(log(name), own)))
    assert not imported.rejects
    view = imported.batch
    for column in (
        "round_scores", "round_dealer", "round_indicator", "round_honba", "event_kind",
        "event_seat", "event_from", "event_tsumogiri", "event_consumed", "win_hand", "win_delta",
        "win_before", "win_points", "win_fu", "yaku_id", "yaku_han", "round_recorded_delta",
        "round_recorded_tenpai", "round_recorded_outcome", "stated_scores",
    ):  # fmt: skip
        assert np.array_equal(getattr(view, column), getattr(whole, column)), column
    hidden = view.event_tile == HIDDEN
    tsumo = np.append((view.event_kind == WIN)[1:], False)  # the tile is shown at the win
    unseen = (whole.event_kind == DRAW) & (whole.event_seat != own) & ~tsumo
    assert np.array_equal(hidden, unseen)
    assert np.array_equal(view.event_tile[~hidden], whole.event_tile[~hidden])
    assert np.array_equal(view.round_haipai[:, own], whole.round_haipai[:, own])
    others = np.delete(view.round_haipai, own, axis=1)[:, : whole.games[0].players - 1]
    assert (others == HIDDEN).all()
    info, told = view.games[0], whole.games[0]
    for field in ("players", "names", "dan", "rate", "final_points", "result", "complete"):
        assert getattr(info, field) == getattr(told, field), field
    assert info.log_id == "2019010100gm-00a9-0000-0123abcd"


@pytest.mark.parametrize("framing", [as_lines, as_tags, as_dump])
def test_every_framing_carries_the_same_game(framing) -> None:
    data = framing(seen(log("double_ron"), 1))
    assert detect(data) == "tenhou_client"
    view, expected = read(data).batch, read(as_lines(seen(log("double_ron"), 1))).batch
    assert np.array_equal(view.event_tile, expected.event_tile)
    assert view.games[0].names == expected.games[0].names


def test_a_round_joined_after_its_deal_is_left_out_and_said() -> None:
    messages = seen(log("south_1"), 2)
    deals = [at for at, tag in enumerate(messages) if tag.startswith("<INIT")]
    start = messages[: deals[0]]
    again = [*start, messages[deals[2]].replace("INIT", "REINIT").replace("hai=", 'kawa0="1" hai=')]
    cut = [*messages[: deals[1] + 9], *again, *messages[deals[2] + 9 :]]
    imported = read(as_lines(cut))
    assert not imported.rejects
    assert len(imported.batch.games) == 1  # after a reconnection the game goes on
    assert "no_beginning" in imported.batch.games[0].notes
    assert len(imported.batch.round_wind) == len(deals) - 1


def test_games_of_one_file_are_distinguished() -> None:
    other = [tag.replace("0123abcd", "4567abcd") for tag in seen(log("south_1"), 0)]
    imported = read(as_lines([*seen(log("double_ron"), 3), *other]))
    assert [game.complete for game in imported.batch.games] == [True, True]
    assert imported.batch.games[1].log_id == "2019010100gm-00a9-0000-4567abcd"


def test_traffic_without_a_deal_says_so() -> None:
    lobby = b'Send: <HELO name="a" tid="f0" sx="M" />\nGet: <HELO uname="%41" auth="1-2"/>\n'
    assert detect(lobby) == "tenhou_client"
    (reject,) = read(lobby).rejects
    assert reject.reason == "no game in it: only messages of the lobby"
    start = seen(log("south_1"), 2)
    joined = as_lines([*start[:3], '<REINIT seed="0,0,0,1,1,1" ten="250" oya="0" hai="1"/>'])
    (reject,) = read(joined).rejects
    assert reject.reason == "it begins within a round and ends before the next deal"


def test_a_broken_message_costs_its_game_only() -> None:
    messages = seen(log("south_1"), 0)
    bad = [tag.replace("<T", "<T9", 1) if tag.startswith("<T1") else tag for tag in messages]
    other = [tag.replace("0123abcd", "4567abcd") for tag in seen(log("double_ron"), 0)]
    imported = read(as_lines([*bad, *other]))
    assert len(imported.batch.games) == 1
    assert len(imported.rejects) == 1
    assert imported.rejects[0].position.startswith("byte ")


def test_real_traffic_is_read(corpus: Path) -> None:
    files = [p for p in sorted((corpus / "tenhou_client").iterdir()) if p.suffix != ".zip"]
    blobs = [Blob(path.read_bytes(), 0, name=path.name) for path in files]
    assert {detect(blob.data) for blob in blobs} == {"tenhou_client"}
    imported = client.read(blobs)
    assert sorted(blobs[reject.blob].name for reject in imported.rejects) == [
        "1207301650.txt", "5b111_2018-02-06_07_34_02.log", "5b111_2018-02-07_18_28_01.log",
        "5b111_2018-02-07_19_22_01.log", "63276_2018-01-22_12_36_49.log",
    ]  # fmt: skip
