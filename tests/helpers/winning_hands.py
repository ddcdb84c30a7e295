"""Winning hands for tests, as rows: written by hand, read from the oracles, or random."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow as pa

from paifu.game.tiles import TEXT, parse_tiles, tiles_text
from paifu.rules.engine import Scored, score
from paifu.rules.hands.from_wins import read_wins
from paifu.rules.riichi.ruleset import RuleSet

Row = dict[str, Any]

COLUMNS: dict[str, Any] = {
    "players": 4, "winner": 0, "loser": None, "tsumo": False, "dealer": 0, "round_wind": 0,
    "seat_wind": 0, "hand": "", "melds": "", "win_tile": "", "riichi": False,
    "double_riichi": False, "open_riichi": False, "ippatsu": False, "rinshan": False,
    "after_kita": False, "haitei": False, "houtei": False, "after_rinshan": False,
    "chankan": False, "kita_ron": False, "first_turn": False, "loser_state": None, "honba": 0,
    "sticks": 0, "dora_indicators": [], "ura_indicators": [], "aka": True, "kuitan": True,
    "pao_daisangen": None, "pao_daisuushi": None, "pao_suukantsu": None, "dealer_wins": 0,
    "dealer_rounds": 0,
}  # fmt: skip
"""The default values of a row."""

_TYPES = {
    **{name: pa.bool_() for name, value in COLUMNS.items() if isinstance(value, bool)},
    **{
        name: pa.int16()
        for name, value in COLUMNS.items()
        if not isinstance(value, bool | str | list)
    },
    **{name: pa.string() for name in ("hand", "melds", "win_tile", "loser_state")},
    **{name: pa.list_(pa.string()) for name in ("dora_indicators", "ura_indicators")},
}


def win(hand: str, tile: str, *, seat_wind: int = 1, by: str = "ron", **facts: Any) -> Row:
    """Return a win: ``hand`` holds the winning tile; ``seat_wind`` 0 is the dealer's, seat 0."""
    row = {**COLUMNS, "hand": hand, "win_tile": tile, "tsumo": by == "tsumo"}
    row |= {"seat_wind": seat_wind, "winner": seat_wind}
    if by == "ron":
        first = facts.get("first_turn") and seat_wind  # only those before the winner have played
        row["loser"] = 0 if first else (seat_wind + 1) % facts.get("players", 4)
    return row | facts


def table(rows: list[Row]) -> pa.Table:
    """Return rows in the form that the engine reads."""
    return pa.table(
        {name: pa.array([row[name] for row in rows], type=_TYPES[name]) for name in COLUMNS}
    )


def scored(rows: list[Row], ruleset: RuleSet) -> Scored:
    """Score rows under a rule set."""
    return score(read_wins(table(rows)), ruleset, jobs=1)


def result(row: Row, ruleset: RuleSet) -> Row:
    """Score one row: the columns of its score, and ``yaku`` with their han."""
    found = scored([row], ruleset)
    return found.wins.row(0, named=True) | {
        "yaku": dict(zip(found.yaku["yaku"], found.yaku["han"], strict=True))
    }


def yaku_lists(found: Scored, count: int) -> list[dict[str, int]]:
    """Return the yaku of each hand with their han."""
    out: list[dict[str, int]] = [{} for _ in range(count)]
    for hand, key, han in found.yaku.iter_rows():
        out[hand][key] = han
    return out


# --- the oracles of others --------------------------------------------------------------------


def majiang_tiles(text: str) -> list[str]:
    """Return the tiles of ``m340p11`` as MPSZ texts."""
    out, suit = [], ""
    for character in text:
        if character in "mpsz":
            suit = character
        elif character.isdigit():
            out.append(character + suit)
    return out


def majiang_row(case: Row) -> Row:
    """Return a case of ``tenhou_wins_10000.json`` as a row; seats are seat winds."""
    given, param = case["in"], case["in"]["param"]
    concealed, *melds = given["shoupai"].split(",")
    tiles = majiang_tiles(concealed)
    ron = given.get("rongpai")
    tile = majiang_tiles(ron)[0] if ron else tiles[-1]
    if ron:
        tiles.append(tile)
    words = []
    for meld in melds:
        members = majiang_tiles(meld)
        kinds = {member.replace("0", "5") for member in members}
        if len(kinds) == 3:
            word = "chi"
        elif len(members) == 3:
            word = "pon"
        elif not re.search(r"[-=+]", meld):
            word = "ankan"
        else:
            word = "kan" if meld[-1] in "-=+" else "kakan"
        words.append(f"{word}:{tiles_text(parse_tiles(''.join(members)))}")
    seat, facts = param["menfeng"], param["hupai"]
    loser = (seat + {"+": 1, "=": 2, "-": 3}[ron[-1]]) % 4 if ron else None
    last = facts.get("haidi", 0)
    return win(
        tiles_text(parse_tiles("".join(tiles))), tile, seat_wind=seat, by="ron" if ron else "tsumo",
        loser=loser, melds=" ".join(words), round_wind=param["zhuangfeng"],
        riichi=facts.get("lizhi", 0) > 0, double_riichi=facts.get("lizhi", 0) == 2,
        ippatsu=bool(facts.get("yifa")), rinshan=bool(facts.get("lingshang")),
        chankan=bool(facts.get("qianggang")), haitei=last == 1, houtei=last == 2,
        first_turn=bool(facts.get("tianhu")), honba=param["jicun"]["changbang"],
        sticks=param["jicun"]["lizhibang"],
        dora_indicators=[majiang_tiles(tile)[0] for tile in param["baopai"]],
        ura_indicators=[majiang_tiles(tile)[0] for tile in param["fubaopai"] or []],
    )  # fmt: skip


def tile_text_136(tile: int, *, red: bool = True) -> str:
    """Return the MPSZ text of a tile 0-135; 16, 52 and 88 are the red fives."""
    if red and tile in (16, 52, 88):
        return "0" + "mps"[tile // 36]
    return TEXT[tile // 4]


def majsoul_row(case: Row) -> Row:
    """Return a case of ``riichi_wins_4p/3p.json`` as a row."""
    facts = case["conditions"]
    tile = tile_text_136(case["win_tile_136"])
    words = ["kita"] * facts["kita_count"]
    for meld in case["melds"]:
        word = {"daiminkan": "kan"}.get(meld["meld_type"], meld["meld_type"])
        tiles = tiles_text(parse_tiles("".join(tile_text_136(each) for each in meld["tiles"])))
        words.append(f"{word}:{tiles}")
    hand = [tile_text_136(each) for each in case["tiles_136"]]
    if len(hand) % 3 == 1:  # one case has its winning tile among them
        hand.append(tile)
    return win(
        tiles_text(parse_tiles("".join(hand))), tile, seat_wind=facts["player_wind"],
        by="tsumo" if facts["tsumo"] else "ron", melds=" ".join(words),
        players=facts["num_players"], round_wind=facts["round_wind"],
        riichi=facts["riichi"], double_riichi=facts["double_riichi"], ippatsu=facts["ippatsu"],
        haitei=facts["haitei"], houtei=facts["houtei"], rinshan=facts["rinshan"],
        chankan=facts["chankan"], first_turn=facts["tsumo_first_turn"], honba=facts["honba"],
        dora_indicators=[tile_text_136(each, red=False) for each in case["dora_indicators"]],
        ura_indicators=[tile_text_136(each, red=False) for each in case["ura_indicators"]],
    )  # fmt: skip


def cases(path: Path) -> list[Row]:
    """Return the cases of an oracle file."""
    content = json.loads(path.read_text(encoding="utf-8"))
    return content if isinstance(content, list) else content["cases"]
