"""Lobby lists: every kind of line, unusual names, keys equal to those of logs, parts."""

from __future__ import annotations

import gzip
import io
import re
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paifu.formats import registry as importers
from paifu.formats import tenhou
from paifu.formats.base import Blob, Imported
from paifu.formats.lobby_lists import importer as lobby_lists
from paifu.game.fingerprint import list_key, text_hash
from paifu.sources.containers import Member, open_sources
from paifu.sources.lines import whole_lines
from paifu.sources.unpack import UnpackError

LINES = {
    "sca": "L1001 | 15:24 | 三般南喰赤－ | イマヨナ(+95.0) A B(-27.0) C(-68.0)",
    "scb": "00:00 | 17 | 三般南喰赤－ | すむ(+56.0) NoName(+1.0) んち(-57.0)",
    "scc": '23:00 | 30 | 四鳳南喰赤－ | <a href="http://tenhou.net/0/?log='
    '2018092823gm-00a9-0000-445a08e4">牌譜</a> | a&amp;b(+59.0) c(+11.0) d(-14.0) e(-56.0)<br>',
    "scd": "00:10 | 02 | 三若東喰赤祝５ | x(+76.0,+4枚) y(-5.0,0枚) z(-71.0,-4枚)",
    "sce": '00:13 | 01 | 四技－喰赤－ | <a href="http://tenhou.net/0/?log='
    '2015123000gm-0841-0000-7f6598fc">牌譜</a> | p(+8.0) q(0.0) r(0.0) s(-8.0)<br>',
    "scf": 'C0431 | 20:08 | 四般南喰赤－ | <a href="http://tenhou.net/0/?log='
    '2015122220gm-0009-10431-355ea9f0">牌譜</a> | k(+56.0) l,m(+10.0) n&lt;(-20.0) o(-46.0)<br>',
}  # fmt: skip


def read(text: str | bytes, name: str = "scb20180928.log", **fields: int) -> Imported:
    data = text if isinstance(text, bytes) else text.encode()
    return lobby_lists.read([Blob(data, 7, name=name, **fields)])


def games(imported: Imported) -> list[dict[str, object]]:
    assert imported.results is not None
    return imported.results.games.to_pylist()


def seats(imported: Imported) -> list[dict[str, object]]:
    assert imported.results is not None
    return imported.results.seats.to_pylist()


@pytest.mark.parametrize("kind", LINES)
def test_every_kind_of_list_is_recognised_and_read(kind: str) -> None:
    text = LINES[kind]
    assert importers.detect(text.encode()) == "lobby_lists"
    imported = read(f"{text}\n{text}\n", f"{kind}20180928.log")
    assert not imported.rejects
    assert [game["position"] for game in games(imported)] == ["line 1", "line 2"]
    assert len({game["game_id"] for game in games(imported)}) == 1
    assert not imported.batch.games


def test_a_line_tells_where_when_and_under_which_rules() -> None:
    (game,) = games(read(LINES["scc"]))
    assert game["played_at"] == datetime(2018, 9, 28, 14, 0)  # 23:00 in Japan
    assert game["played_precision"] == "minute"
    assert game["log_id"] == "2018092823gm-00a9-0000-445a08e4"
    assert (game["go_type"], game["room"], game["length"], game["lobby"]) == (
        0xA9, "houou", "south", "0",
    )  # fmt: skip
    assert (game["detail"], game["complete"], game["source_id"]) == ("result", False, 7)
    (cup,) = games(read(LINES["scf"]))
    assert (cup["lobby"], cup["played_at"]) == ("10431", datetime(2015, 12, 22, 11, 8))
    (chips,) = games(read(LINES["scd"]))
    assert (chips["ruleset"], chips["room"], chips["length"]) == ("tenhou-chip-5", "若", "east")
    assert [seat["chips"] for seat in seats(read(LINES["scd"]))] == [4, 0, -4]
    (private,) = games(read(LINES["sca"]))
    assert (private["lobby"], private["players"]) == ("1001", 3)
    assert [g["minutes"] for g in (game, cup, chips, private)] == [30, None, 2, None]
    (endless,) = games(read(LINES["scb"].replace("| 17 |", "| 99999 |")))
    assert endless["minutes"] is None


def test_players_stand_in_their_order_with_their_results() -> None:
    rows = seats(read(LINES["scc"]))
    assert [row["player"] for row in rows] == ["a&b", "c", "d", "e"]
    assert [row["placement"] for row in rows] == [1, 2, 3, 4]
    assert [row["result"] for row in rows] == [59.0, 11.0, -14.0, -56.0]
    assert [row["anonymous"] for row in seats(read(LINES["scb"]))] == [False, True, False]


@given(
    st.lists(
        st.tuples(
            st.text(
                st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=8
            ).filter(lambda name: name == name.strip() and not re.search(r"\d\)( |$)", name)),
            st.integers(-9999, 9999),
        ),
        min_size=3,
        max_size=4,
    )
)
def test_names_may_hold_anything(players: list[tuple[str, int]]) -> None:
    def escaped(name: str) -> str:
        return name.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    rule = {3: "三般南喰赤－", 4: "四般南喰赤－"}[len(players)]
    told = " ".join(f"{escaped(name)}({result / 10:+.1f})" for name, result in players)
    imported = read(f"00:00 | 17 | {rule} | {told}")
    assert [(row["player"], row["result"]) for row in seats(imported)] == [
        (name, result / 10) for name, result in players
    ]


@given(
    st.lists(st.tuples(st.sampled_from(["a", "b", "ab", "☆", "NoName"]), st.integers(-600, 600)),
             min_size=4, max_size=4),
)  # fmt: skip
def test_a_line_and_the_log_of_its_game_have_one_key(players: list[tuple[str, int]]) -> None:
    told = " ".join(f"{name}({result / 10:+.1f})" for name, result in players)
    (game,) = games(read(f"23:59 | 17 | 四鳳南喰赤－ | {told}", "scc20180928.html"))
    log = tenhou.find_log_id("2018092823gm-00a9-0000-445a08e4")
    assert log is not None
    assert game["list_key"] == list_key(
        log.played_at, tenhou.game_type(log.go_type).rule_text,
        [name for name, _ in players], [result / 10 for _, result in players],
    )  # fmt: skip


def test_the_id_of_a_listed_game_adds_lobby_and_minute_to_the_key() -> None:
    (game,) = games(
        read("L1001 | 15:24 | 三般南喰赤－ | a(+5.0) b(0.0) c(-5.0)", "sca20180928.log")
    )
    key = "\0".join(["2018092815", "三般南喰赤－", "a", "50", "b", "0", "c", "-50"])
    assert game["list_key"] == text_hash(key.encode())
    assert game["game_id"] == text_hash(f"{key}\0L1001\0{15 * 60 + 24}".encode())


def test_a_list_without_a_date_has_no_key() -> None:
    (game,) = games(read(LINES["scb"], "scb.log"))
    assert game["list_key"] is None
    assert game["played_at"] is None
    assert game["played_precision"] is None
    assert games(read(LINES["scb"], "scb20181399.log"))[0]["played_at"] is None


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("24:00 | 17 | 三般南喰赤－ | a(+56.0) b(+1.0) c(-57.0)", "no time"),
        ("hello", "no time"),
        ("00:00 | 17 | 五般南喰赤－ | a(+56.0) b(+1.0) c(-57.0)", "no rule text"),
        ("00:00 | 17 | 三般南喰赤－", "no rule text"),
        ("00:00 | 17 | 三般南喰赤－ | a(+56.0) c(-57.0)", "not as many players"),
        ("00:00 | 17 | 三般南喰赤－ | a(+56.0) b(+1.0) c(-57)", "not as many players"),
        ("00:00 | 17 | 三般南喰赤－ | a(+56.0) b(+1.0) c(-57.0", "not as many players"),
        ("00:00 | 17 | 三般南喰赤－ | a(+56.0) b(++1.0) c(-57.0)", "not as many players"),
        ("00:00 | 17 | 三般南喰赤－ | a(+56.0) b(+1.0,枚) c(-57.0)", "not as many players"),
        ("00:00 | 17 | 三般南喰赤－ | <a href=", "not as many players"),
        ("00:00 | 17 | 三般南喰赤－ | ", "no rule text"),
    ],
)
def test_a_bad_line_is_refused_alone(line: str, reason: str) -> None:
    imported = read(f"{LINES['scb']}\n{line}\n{LINES['scc']}", lines_before=100)
    assert len(games(imported)) == 2
    (reject,) = imported.rejects
    assert reject.position == "line 102"
    assert reason in reject.reason
    assert reject.excerpt == line[:80].rstrip("\n")


@given(st.binary(max_size=200), st.integers(0, 300))
def test_no_bytes_crash_the_reader(noise: bytes, at: int) -> None:
    line = LINES["scc"].encode()
    imported = read(line[:at] + noise + line[at:])
    assert imported.results is not None
    assert imported.results.seats.num_rows == sum(
        imported.results.games.column("players").to_pylist()
    )


# --- parts ------------------------------------------------------------------------------------


@given(st.lists(st.text("ab", max_size=9), max_size=20), st.integers(4, 30))
def test_parts_are_whole_lines_and_lose_nothing(lines: list[str], size: int) -> None:
    text = "\n".join(lines).encode()
    parts = []
    try:
        parts.extend(whole_lines(text[:3], io.BytesIO(text[3:]), size))
    except UnpackError:
        assert max(map(len, lines)) >= size
        return
    assert b"".join(part for _, part in parts) == text
    counted = 0
    for before, part in parts:
        assert len(part) <= 2 * size
        assert before == counted
        counted += part.count(b"\n")
    assert all(part.endswith(b"\n") or len(part) >= size for _, part in parts[:-1])


@pytest.mark.parametrize("packed", [False, True])
def test_a_long_list_comes_in_parts_and_its_lines_keep_their_numbers(
    tmp_path: Path, packed: bool
) -> None:
    line = LINES["scb"].encode() + b"\n"
    text = line * (20_000_000 // len(line))
    file = tmp_path / "scb20180928.log"
    file.write_bytes(gzip.compress(text, 1) if packed else text)
    (source,) = open_sources([file])
    numbers: list[int] = []
    for member in source.members():
        assert isinstance(member, Member)
        assert len(member.packed) <= 16 << 20
        blob = member.unpack()
        assert isinstance(blob, Blob)
        results = lobby_lists.read([blob]).results
        assert results is not None
        positions = results.games.column("position")
        numbers += [int(text.removeprefix("line ")) for text in positions.to_pylist()]
    assert source.complete
    assert numbers == list(range(1, text.count(b"\n") + 1))


# --- real lists -------------------------------------------------------------------------------


def test_every_real_list_is_read(corpus: Path) -> None:
    files = sorted((corpus / "sc_lists").iterdir())
    refused: dict[str, list[str]] = {}
    for file in files:
        data = file.read_bytes()
        data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
        assert importers.detect(data) == "lobby_lists", file.name
        imported = read(data, file.name)
        found = games(imported)
        if imported.rejects:
            refused[file.name] = [reject.position for reject in imported.rejects]
        lines = sum(1 for line in data.splitlines() if line.strip())
        assert len(found) + len(imported.rejects) == lines
        # the address and the rule text agree
        for game in found:
            if game["log_id"] is not None:
                kind = tenhou.game_type(int(str(game["go_type"])))
                assert game["players"] == kind.players
                assert game["aka"] == kind.aka
                if not kind.skill:
                    assert game["length"] == kind.length
        results = np.array([row["result"] for row in seats(imported)])
        firsts = [row["placement"] == 1 for row in seats(imported)]
        falling = np.append(True, results[1:] <= results[:-1])
        assert (falling | firsts).all()
    # a copyist wrapped two lines of this list; another list was cut off
    assert refused == {"scc.html": ["line 3", "line 4", "line 6", "line 11", "line 12"]}
