"""Sessions of games other than riichi written by hand: every cell was worked out from a document.

Each session is one table of a score sheet. A row is a win, a kong, a draw or a penalty, with the
changes of the four seats as the document of its game gives them (worked examples: SYSTEMS.md).
"""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

PEOPLE = ("Ann", "Bo", "Cai", "Dai")
_COLUMNS = (
    "date", "table", "rules", "East", "South", "West", "North", "round", "dealer",
    "outcome", "winner", "loser", "tenpai", "three_suits", "hand", "melds", "win_tile", "bird",
    "dealt", "fed", "haitei", "houtei",
    "delta_0", "delta_1", "delta_2", "delta_3", "points_0", "points_1",
    "points_2", "points_3", "result_0", "result_1", "result_2", "result_3",
)  # fmt: skip

TOML = {
    "mcr-club.toml": 'extends = "mcr"\nstart_points = 500\nfalse_win = 10\n',
    "changsha-club.toml": 'extends = "changsha"\nsmall_self_drawn = 2\nsmall_discard = 2\n'
    "big_self_drawn = 6\nbig_discard = 6\n",
    "sichuan-club.toml": 'extends = "sichuan"\nbase = 1\nkong_unit = 1\nflower_pig = 16\n'
    "not_ready = 4\nkongs_returned = true\n",
    "chengdu-club.toml": 'extends = "chengdu"\nbase = 1\nnot_ready = 2\n',
    "yangzhou-club.toml": 'extends = "yangzhou"\nbase = 1\n',
    "yingkou-club.toml": 'extends = "yingkou"\nbase = 1\n',
    "popular-club.toml": 'extends = "qq-popular"\npair_258_points = 2\n',
    "no-fan-club.toml": 'extends = "qq-no-fan"\ncoin = 100\nleaving_coins = 5000\n',
    "kawuxing-club.toml": 'extends = "kawuxing"\nbig = 4\nordinary = 1\n',
    "fushun-club.toml": 'extends = "fushun-3p"\ntile_set = 116\nbase = 1\n',
    "two-rounds.toml": 'extends = "qingyuan"\nrounds = 2\n',
}
"""The rule sets of the clubs: the amounts that the documents leave out."""

Row = dict[str, Any]


def row(
    number: int, dealer: int, deltas: str, win: str = "", hand: str = "", melds: str = "",
    **more: Any,
) -> Row:  # fmt: skip
    """Return a row: ``win`` is ``1`` for a self-drawn win (or a kong) of seat 1, ``1<2`` for one on
    seat 2's tile; without it the row is a draw, unless ``outcome`` says otherwise. ``hand`` is the
    tiles, a colon, and the winning tile."""
    winner, _, loser = win.partition("<")
    tiles, _, tile = hand.partition(":")
    found: Row = {"round": number, "dealer": dealer, "winner": winner, "loser": loser}
    found |= {f"delta_{seat}": amount for seat, amount in enumerate(deltas.split())}
    found |= {"hand": tiles, "win_tile": tile, "melds": melds}
    return found | ({} if winner else {"outcome": "draw"}) | more


def result(points: str, results: str) -> Row:
    """Return the row with the points and the result of each seat at the end of a session."""
    found: Row = {f"points_{seat}": amount for seat, amount in enumerate(points.split())}
    return found | {f"result_{seat}": amount for seat, amount in enumerate(results.split())}


_SMALL = "123m456p789s234s55p:5p"
"""Four sets and a pair without any pattern."""

SESSIONS: dict[str, tuple[str, list[Row]]] = {
    # mcr.md §1: 3(8 + n) or 24 + n; the dealer never repeats; sixteen rounds; a draw pays nothing.
    # The first two wins are the examples M-1 (8) and M-3 (22). Table points 4, 2, 1, 0.
    "mcr": ("mcr", [
        row(1, 0, "-8 32 -16 -8", "1<2", "234p77z:2p", "chi:123p pon:444s chi:789m"),
        row(2, 1, "90 -30 -30 -30", "0", "123456789m234p99s:2p"),
        row(3, 2, "0 0 0 0"),
        row(4, 3, "-8 -8 -20 36", "3<2"),
        row(5, 0, "48 -16 -16 -16", "0"),
        row(6, 1, "-8 33 -8 -17", "1<3"),
        row(7, 2, "-16 -16 48 -16", "2"),
        row(8, 3, "0 0 0 0"),
        *(row(n, (n - 1) % 4, "-8 -8 32 -16", "2<3") for n in range(9, 16)),
        row(16, 3, "-16 32 -8 -8", "1<0"),
        result("26 -29 174 -171", "2 1 4 0"),
    ]),
    # mcr.md §1 and §6: 500 points to start with; a false win (诈和) pays 10 to each other seat,
    # and may be written beside the win of its round
    "mcr with fines": ("mcr-club.toml", [
        row(1, 0, "-8 32 -16 -8", "1<2", points_0=492, points_1=532, points_2=484, points_3=492),
        row(2, 1, "10 10 10 -30", outcome="penalty"),
        row(3, 2, "-30 10 10 10", outcome="penalty"),
        row(3, 2, "-8 32 -16 -8", "1<2", "234p77z:2p", "chi:123p pon:444s chi:789m"),
        row(4, 3, "-8 -8 -17 33", "3<2"),
    ]),
    # regional-guangdong.md: 2 to the power of the fan; GD-1 and GD-2; everyone wins on one tile;
    # the dealer stays on his win, on a draw, and on several wins if he is among them; the wind
    # changes when the fourth seat passes the deal
    "guangdong": ("guangdong-jph", [
        row(1, 0, "6 -2 -2 -2", "0", "123m456p99s:1m", "chi:234s pon:777p"),
        row(2, 0, "0 0 0 0"),
        row(3, 0, "1 0 0 -1", "0<3", "123m456p99s:1m", "chi:234s pon:777p"),
        row(3, 0, "0 0 2 -2", "2<3", "123m456p234p789s88s:1m"),
        row(4, 0, "0 8 -8 0", "1<2", "55544s:5s", "pon:111m pon:666z pon:888s"),
        row(5, 1, "0 0 0 0"),
        row(6, 1, "-24 0 24 0", "2<0"),
        row(7, 2, "-16 -16 -16 48", "3", "12345678911234m:4m"),
        row(8, 3, "16 0 -16 0", "0<2"),
        row(9, 0, "0 0 0 0"),
    ]),
    # regional-changsha.md: who discarded a tile that several win on deals, else the winner; 四喜 as
    # dealt is paid like a small self-drawn win (CS-1); CS-2 and CS-3; the bird 7m is the seat
    # opposite the dealer and wins twice (CS-4)
    "changsha": ("changsha-club.toml", [
        row(1, 0, "0 0 4 -4", "2<3", "123m456p789p55p:5p", "pon:333s", bird="7m"),
        row(2, 2, "-2 6 -2 -2", "1", "8888s123m1379p46m", dealt="yes"),
        row(2, 2, "2 -2 0 0", "0<1", "123m456p789p55p:5p", "pon:333s"),
        row(2, 2, "0 -6 0 6", "3<1", "44555p:5p", "pon:111m pon:999s pon:777s"),
        row(3, 1, "0 0 0 0"),
        row(4, 1, "-6 18 -6 -6", "1", "223355m778899s66p:6p"),
        row(5, 1, "0 0 0 0"),
    ]),
    # regional-sichuan.md 5 and 6: a concealed kong takes 2 from each seat that has not won, an
    # added one 1; play goes on until three have won; who has won pays no more. A draw: 查大叫 4,
    # 查花猪 16, and who is not ready gives back what it got for kongs. The first winner deals next.
    "sichuan": ("sichuan-club.toml", [
        row(1, 0, "6 -2 -2 -2", "0", melds="ankan:1111m"),
        row(1, 0, "0 1 -1 0", "1<2", "234567m345678p99p:3p"),
        row(1, 0, "-4 0 -4 8", "3", "23445667788999m:9m"),
        row(1, 0, "2 0 -2 0", "0<2", "23456734577s:2s", "ankan:1111m"),
        row(2, 1, "-1 -1 3 -1", "2", melds="kakan:4444s"),
        row(2, 1, "1 -1 0 0", "0<1", "234456567888m11p:1p"),
        row(2, 1, "0 -4 0 4", "3<1", "12334556778999p:1p"),
        row(2, 1, "1 5 -7 1", tenpai="1"),
        row(3, 1, "12 24 12 -48", tenpai="1", three_suits="3"),
        row(4, 1, "0 0 0 0", tenpai="none"),
    ]),
    # regional-chengdu.md, CD-1: 清一色 2, 对对和 1, one kong 1; the fan double
    "chengdu": ("chengdu-club.toml", [
        row(1, 0, "0 16 -16 0", "1<2", "77999m:9m", "kan:1111m pon:333m pon:555m"),
        row(1, 0, "-2 0 -2 4", tenpai="3"),
        row(2, 1, "0 0 0 0", tenpai="0,1,2,3"),
    ]),
    # regional-qingyuan.md: QY-1, QY-2 (the exposed kong was fed by the last seat) and QY-3
    "qingyuan": ("qingyuan", [
        row(1, 0, "-3 -3 9 -3", "2", "123p456p789s555z66s:6s"),
        row(2, 1, "-9 30 -9 -12", "1", "23445678999p:9p", "kan:1111p", fed="3"),
        row(3, 1, "42 -14 -14 -14", "0", "77888s:8s", "ankan:2222s pon:333s pon:555s"),
        row(4, 2, "0 0 0 0"),
        row(5, 2, "-3 -3 9 -3", "2"),
    ]),
    # regional-yangzhou.md: 清对对 6 (YZ-1), 混一色 2, 混对对 4 (YZ-2), 屁胡 1; 庄家胡或者黄庄则连庄
    "yangzhou": ("yangzhou-club.toml", [
        row(1, 0, "6 -6 0 0", "0<1", "88999s:9s", "pon:222s pon:444s pon:666s"),
        row(2, 0, "0 0 0 0"),
        row(3, 0, "0 1 0 -1", "1<3", _SMALL),
        row(3, 0, "0 0 2 -2", "2<3", "123p345p678p555z99p:5p"),
        row(4, 1, "-4 -4 -4 12", "3", "77999m:9m", "pon:111m pon:333m pon:555z"),
        row(5, 2, "0 0 0 0"),
    ]),
    # regional-datong.md, base 10: DT-1 to DT-4; each round that the dealer deals again adds 10
    # between him and each other seat; a kong is paid at once; a seat that leaves pays 80
    "datong": ("datong", [
        row(1, 0, "60 -20 -20 -20", "0", _SMALL),
        row(2, 0, "90 -30 -30 -30", "0", _SMALL),
        row(3, 0, "-20 60 -20 -20", "1", melds="ankan:1111z"),
        row(3, 0, "-30 -10 60 -20", "2<3", _SMALL),
        row(4, 1, "0 0 0 0"),
        row(5, 1, "-50 110 -30 -30", "1<0", "12345678911234m:4m"),
        row(6, 1, "0 0 0 -80", outcome="penalty"),
    ]),
    # regional-yingkou.md, YK-1; the document names no dealer and no payment of a draw
    "yingkou": ("yingkou-club.toml", [
        row(1, 0, "-1 3 -1 -1", "1", "456p789s234s55p:5p", "pon:111m"),
        row(2, 1, "0 0 0 0"),
        row(3, 1, "0 1 -1 0", "1<2", "456p789s234s55p:5p", "pon:111m"),
        row(4, 1, "0 0 0 0"),
    ]),
    # regional-nanchang.md: NC-2; 杠精 14 from each is no win; 七对自摸 8 from each
    "nanchang": ("nanchang-jing", [
        row(1, 0, "-16 -16 69 -37", "2<3", "德国七星放炮"),
        row(2, 1, "42 -14 -14 -14", "0", "杠精"),
        row(2, 1, "-8 -8 -8 24", "3", "七对自摸"),
        row(3, 2, "0 0 0 0"),
        row(4, 2, "-2 -2 8 -4", "2<3"),
    ]),
    # regional-qq-no-fan.md: QN-1 and QN-2; 004 L164-167: coins, here 100 a point
    "qq no fan": ("no-fan-club.toml", [
        row(1, 0, "-10 30 -10 -10", "1", _SMALL),
        row(2, 1, "10 0 -10 0", "0<2", _SMALL),
        row(3, 2, "0 0 0 0"),
        result("0 30 -20 -10", "0 3000 -2000 -1000"),
    ]),
    # regional-qq-popular.md: QP-1 (碰碰和 6, here with 无字 1 and 断幺 2 … written without hands)
    "qq popular": ("popular-club.toml", [
        row(1, 0, "6 -6 0 0", "0<1"),
        row(2, 1, "-7 -7 21 -7", "2"),
        row(3, 2, "0 0 0 0"),
    ]),
    # 004 L51-57: as Chinese Official
    "qq guobiao": ("qq-guobiao", [
        row(1, 0, "-8 32 -16 -8", "1<2", "234p77z:2p", "chi:123p pon:444s chi:789m"),
        row(2, 1, "0 0 0 0"),
    ]),
    # regional-kawuxing.md: KW-1 is big, KW-2 ordinary
    "kawuxing": ("kawuxing-club.toml", [
        row(1, 0, "-4 8 -4", "1", "123m456s777z789m99s:5s"),
        row(2, 1, "0 0 0"),
        row(3, 1, "-1 0 1", "2<0", "123m345s777z789m99s:5s"),
        row(4, 2, "0 0 0"),
    ]),
    "fushun": ("fushun-club.toml", [
        row(1, 0, "2 -1 -1", "0"),
        row(2, 0, "-1 -1 2", "2"),
        row(3, 1, "0 0 0"),
    ]),
}  # fmt: skip


def write_sheet(folder: Path, sessions: Iterable[tuple[str, str, list[Row]]]) -> Path:
    """Write sessions (name, rule set, rows) as the tables of a score sheet, with their TOML."""
    for name, text in TOML.items():
        (folder / name).write_text(text)
    path = folder / "sessions.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        sheet = csv.DictWriter(file, _COLUMNS)
        sheet.writeheader()
        for name, rules, rows in sessions:
            seats = 3 if "delta_3" not in rows[0] else 4
            people = dict(zip(_COLUMNS[3 : 3 + seats], PEOPLE, strict=False))
            for each in rows:
                about = {"date": "2026-11-30", "table": name, "rules": rules, **people}
                sheet.writerow(about | each)
    return path
