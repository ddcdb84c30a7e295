"""Inputs nobody meant to write: whole logs of every format, and seeded ways to spoil them."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import orjson

from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import play_games
from paifu.simulate.log_files import FORMATS
from tests.helpers.damage import broken

WRITTEN = {"mjlog": "mjlog", "tenhou_json": "tenhou-json", "mjai": "mjai", "majiang": "majiang"}
"""Formats that paifu writes, by their key: their seeds are simulated games."""

FOLDERS = {
    "majsoul": "majsoul",
    "majsoul_protobuf": "majsoul_protobuf",
    "riichicity": "riichicity",
    "mleague_page": "mleague_page",
    "tenhou_client": "tenhou_client",
    "lobby_lists": "sc_lists",
    "botzone": "mcr",
}
"""Folders of the corpus with logs of the other formats."""

SHEET = b"""rules,hand,melds,win_tile,tsumo,winner,loser,dealer,flowers,fan,han,delta_1,delta_2
mcr,56677899m,pon:777z chi:123m,8m,no,1,2,0,2,\xe6\xb7\xb7\xe4\xb8\x80\xe8\x89\xb2,10,34,-18
tenhou-4p,234m067p345s88s67m,,8m,yes,0,,0,0,,3,-2000,-1000
sichuan,,ankan:1111m,,,0,,0,,,,,
"""

BOOK = """date,place,game,rules,East,South,West,North,round,dealer,outcome,winner,discarder,riichi,\
tenpai,hand,East change,South change,West change,North change,East points
2026-11-30,Kanda,1,wrc,A,B,C,D,E1,,ron,B,C,B,,,0,3900,-3900,0,
,,,,,,,,E2,,流局,,,none,"A,B",,1500,1500,-1500,-1500,
,,,,,,,,E2-1,,tsumo,A,,,,234m345p345567s22p,6300,-2100,-2100,-2100,
30.11.2026,Kanda,2,sichuan,A,B,C,D,1,A,,A,,,,,3,-1,-1,-1,
,,3,mcr,A,B,C,D,,,,,,,,,,,,,10
""".encode()

SHEETS = {"win_sheet": SHEET, "score_sheet": BOOK}
"""A whole sheet of each form that people write."""

LONGEST = 60_000
"""Bytes of a seed at most."""
FEW = 8
"""How many of the smallest logs are seeds of a job: small inputs find more in the same time."""
SHORT = 1_000
"""Points with which short games begin: most end with their first round."""

JUNK: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 34, 37, 255, 256, 32_768, 65_536, 1 << 31, 1 << 63, 1 << 64,
    -(1 << 63), 0.5, 1e300, "", "0", "-1", "5z", "0m", "x" * 300, "\u0000", "東",
    [], [[]], [0], [-1] * 5, {}, {"": {}}, {"type": "hora"}, [None], ["1m"] * 20,
)  # fmt: skip
"""Values that stand where others belong."""

OF_EACH_TYPE: tuple[Any, ...] = (None, True, -1, 1 << 64, 0.5, "", "x", [[]], {"": {}})
"""One value of each type, where others belong."""


def seeds(format: str, corpus: Path | None, *, short: bool = False) -> list[bytes]:
    """Return whole logs of a format, or only short ones.

    The list is empty if they are in the corpus and there is no corpus.
    """
    if format in SHEETS:
        return [SHEETS[format]]
    if format in WRITTEN:
        write, _ = FORMATS[WRITTEN[format]]
        played = []
        for players in (4, 3):
            if players == 4 or format != "majiang":
                rules = rulesets.get(f"tenhou-{players}p")
                if short:
                    rules = replace(rules, start_points=SHORT)
                flow = flow_of(rules, players, "one_round", True, True)
                played += play_games(np.arange(6), 21, rules, flow)
        return [write(game) for game in played]
    if corpus is None:
        return []
    files = sorted(path for path in (corpus / FOLDERS[format]).rglob("*") if path.is_file())
    if short:
        files = sorted(files, key=lambda path: path.stat().st_size)[:FEW]
    texts = [path.read_bytes() for path in files if path.stat().st_size <= LONGEST]
    return texts or [min(files, key=lambda path: path.stat().st_size).read_bytes()[:LONGEST]]


def spoiled(texts: list[bytes], seed: int) -> Iterator[bytes]:
    """Yield spoiled logs without end: damaged bytes, and JSON with values out of place.

    None is empty: a file of no bytes holds no log, which is nobody's fault.
    """
    random = Random(seed)
    while True:
        text = random.choice(texts)
        yield from filter(None, broken([text], 1, random.randrange(1 << 32)))
        yield from _mistyped(text, random)


def _mistyped(text: bytes, random: Random) -> Iterator[bytes]:
    """Yield a JSON log, or JSON lines, five times with a few values replaced."""
    for parts in ([text], [line for line in text.splitlines() if line]):
        try:
            documents = [orjson.loads(part) for part in parts]
        except ValueError:
            continue
        for _ in range(5):
            changed = pickle.loads(pickle.dumps(documents))
            for _ in range(random.randrange(1, 4)):
                _replace_one(changed if len(parts) > 1 else changed[0], random)
            yield b"\n".join(map(_dumps, changed))
        return


def misplaced(text: bytes) -> Iterator[bytes]:
    """Yield a JSON log, or JSON lines, with one of each type of value at every place in turn."""
    for parts in ([text], [line for line in text.splitlines() if line]):
        try:
            documents = [orjson.loads(part) for part in parts]
        except ValueError:
            continue
        for holder, key in _places(documents):
            kept = holder[key]
            for holder[key] in OF_EACH_TYPE:
                yield b"\n".join(map(_dumps, documents))
            holder[key] = kept
        return


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list and object within a value with each of its keys."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])


def _dumps(value: Any) -> bytes:
    try:
        return orjson.dumps(value)
    except TypeError:  # an integer of more than 64 bits
        return json.dumps(value).encode()


def _replace_one(value: Any, random: Random) -> None:
    """Replace, leave out or double one value somewhere within a JSON value."""
    while isinstance(value, dict | list) and value:
        key = (
            random.choice(list(value)) if isinstance(value, dict) else random.randrange(len(value))
        )
        inner = value[key]
        if isinstance(inner, dict | list) and inner and random.random() < 0.9:
            value = inner
            continue
        kind = random.randrange(5)
        if kind == 0:
            del value[key]
        elif kind == 1 and isinstance(value, list):
            value.insert(key, inner)
        else:
            value[key] = deepcopy(random.choice(JUNK))
        return
