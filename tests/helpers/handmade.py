"""Batches written by hand, in a short language for games.

Each line is one event; ``#`` starts a comment::

    game players=4 name=Alice,Bob,Carol,Dave
    round east 1 honba 0 sticks 0 dora 3p scores 25000 25000 25000 25000
    haipai 123m456p789s1122z | 19m19p19s1234567z | … | …
    0 draw 5m
    0 discard 5m            # 5m* is tsumogiri, 5m? does not say
    1 pon 5m from 0 with 55m
    1 chi 5m from 0 with 46m
    1 daiminkan 5m from 0 with 550m
    0 ankan 5m with 550m
    0 kakan 5m
    0 kita
    0 riichi
    0 accepted              # or: 0 accepted 24000 25000 25000 25000
    dora 4p
    2 win 5m from 1 delta 0 -1000 1000 0
    end exhaustive tenpai 1 0 0 1 delta 1500 -1500 -1500 1500
    0 gone
    0 back
"""

from __future__ import annotations

import numpy as np

from paifu.game import events as ev
from paifu.game.events import Batch, GameInfo
from paifu.game.tiles import CODE, NO_TILE, parse_tiles

_WINDS = ("east", "south", "west", "north")
_KINDS = {
    "draw": ev.DRAW, "discard": ev.DISCARD, "chi": ev.CHI, "pon": ev.PON,
    "daiminkan": ev.DAIMINKAN, "ankan": ev.ANKAN, "kakan": ev.KAKAN, "kita": ev.KITA,
    "riichi": ev.RIICHI, "accepted": ev.RIICHI_ACCEPTED, "win": ev.WIN,
    "gone": ev.DISCONNECT, "back": ev.RECONNECT,
}  # fmt: skip


def _padded(values: list[int], size: int, filler: int) -> list[int]:
    return values + [filler] * (size - len(values))


class _Columns:
    """Rows collected under a prefix; fields that are not given have the batch's unknown value."""

    def __init__(self, prefix: str, defaults: dict[str, object]) -> None:
        self.prefix, self.defaults = prefix, defaults
        self.rows: list[dict[str, object]] = []

    def add(self, **values: object) -> dict[str, object]:
        self.rows.append(self.defaults | values)
        return self.rows[-1]

    def put(self, batch: Batch) -> None:
        for name in self.defaults:
            empty = getattr(batch, f"{self.prefix}_{name}")
            values = [row[name] for row in self.rows]
            if values:
                setattr(batch, f"{self.prefix}_{name}", np.array(values, dtype=empty.dtype))


def batch_of(text: str) -> Batch:
    """Return the batch that a text in the language above describes, validated."""
    batch = Batch()
    unknown4 = [ev.UNKNOWN] * 4
    rounds = _Columns("round", {
        "wind": 0, "number": 0, "honba": 0, "sticks": 0, "dealer": 0, "dice": [-1, -1],
        "indicator": NO_TILE, "haipai": [[NO_TILE] * 13] * 4, "scores": [25000] * 4,
        "recorded_outcome": ev.OUTCOME_UNKNOWN, "recorded_tenpai": [-1] * 4,
        "recorded_before": unknown4, "recorded_delta": unknown4,
    })  # fmt: skip
    events = _Columns("event", {
        "kind": 0, "seat": -1, "tile": NO_TILE, "from": -1, "tsumogiri": -1,
        "consumed": [NO_TILE] * 3,
    })  # fmt: skip
    wins = _Columns("win", {
        "event": 0, "hand": [NO_TILE] * 14, "fu": -1, "han": -1, "yakuman": -1,
        "points": ev.UNKNOWN, "limit": -1, "pao": -1, "honba": -1, "sticks": -1,
        "indicators": [NO_TILE] * 5, "ura": [NO_TILE] * 5,
        "before": unknown4, "delta": unknown4, "chips": -1,
    })  # fmt: skip
    game_rounds, round_events, stated = [0], [0], []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words:
            continue
        if words[0] == "game":
            options = dict(word.split("=", 1) for word in words[1:])
            info = GameInfo(players=int(options.get("players", 4)))
            if "name" in options:
                info.names = tuple(options["name"].split(","))
            for key in ("length", "ruleset", "platform"):
                if key in options:
                    setattr(info, key, options[key])
            info.complete = options.get("complete", "yes") == "yes"
            batch.games.append(info)
            game_rounds.append(game_rounds[-1])
        elif words[0] == "round":
            game_rounds[-1] += 1
            round_events.append(len(events.rows))
            number = int(words[2]) - 1
            row = rounds.add(wind=_WINDS.index(words[1]), number=number, dealer=number)
            for key, value in zip(words[3::2], words[4::2], strict=False):
                if key == "scores":
                    scores = [int(word) for word in words[words.index("scores") + 1 :]]
                    row["scores"] = _padded(scores, 4, 0)
                    break
                row["indicator" if key == "dora" else key] = (
                    CODE[value] if key == "dora" else int(value)
                )
        elif words[0] == "haipai":
            hands = [parse_tiles(hand) for hand in " ".join(words[1:]).split("|")]
            hands = [_padded(hand, 13, NO_TILE) for hand in hands]
            rounds.rows[-1]["haipai"] = hands + [[NO_TILE] * 13] * (4 - len(hands))
        elif words[0] == "dora":
            events.add(kind=ev.DORA, tile=CODE[words[1]])
        elif words[0] == "end":
            _end(words, rounds.rows[-1])
            seat = int(words[words.index("by") + 1]) if "by" in words else -1
            events.add(kind=ev.RYUUKYOKU, seat=seat)
        else:
            _event(words, events, wins, rounds.rows[-1], stated)
        if round_events:
            round_events[len(rounds.rows) :] = [len(events.rows)]
    for columns in (rounds, events, wins):
        columns.put(batch)
    batch.game_rounds = np.array(game_rounds, dtype=np.int64)
    batch.round_events = np.array(round_events, dtype=np.int64)
    batch.win_yaku = np.zeros(len(wins.rows) + 1, dtype=np.int64)
    if stated:
        batch.stated_event = np.array([event for event, _ in stated], dtype=np.int64)
        batch.stated_scores = np.array([scores for _, scores in stated], dtype=np.int32)
    batch.validate()
    return batch


def _numbers(words: list[str], key: str) -> list[int] | None:
    if key not in words:
        return None
    start = words.index(key) + 1
    numbers: list[int] = []
    for word in words[start : start + 4]:
        if not word.lstrip("-").isdigit():
            break
        numbers.append(int(word))
    return _padded(numbers, 4, 0)


def _end(words: list[str], row: dict[str, object]) -> None:
    row["recorded_outcome"] = ev.OUTCOMES.index(words[1])
    for key in ("tenpai", "delta", "before"):
        if (numbers := _numbers(words, key)) is not None:
            row[f"recorded_{key}"] = numbers


def _event(
    words: list[str], events: _Columns, wins: _Columns, row: dict[str, object],
    stated: list[tuple[int, list[int]]],
) -> None:  # fmt: skip
    seat, verb = int(words[0]), words[1]
    event = events.add(kind=_KINDS[verb], seat=seat)
    index = len(events.rows) - 1
    if verb == "accepted" and len(words) > 2:
        stated.append((index, _padded([int(word) for word in words[2:]], 4, 0)))
    if verb == "kita":
        event["tile"] = CODE["4z"]
    if verb in ("riichi", "accepted", "gone", "back", "kita"):
        return
    tile = words[2]
    if verb == "discard":
        event["tsumogiri"] = 1 if tile.endswith("*") else -1 if tile.endswith("?") else 0
        tile = tile.rstrip("*?")
    event["tile"] = CODE[tile]
    if "from" in words:
        event["from"] = int(words[words.index("from") + 1])
    if "with" in words:
        event["consumed"] = _padded(parse_tiles(words[words.index("with") + 1]), 3, NO_TILE)
    if verb == "win":
        event["from"] = int(words[words.index("from") + 1]) if "from" in words else seat
        row["recorded_outcome"] = ev.OUTCOME_WIN
        win = wins.add(event=index)
        for key in ("delta", "before"):
            if (numbers := _numbers(words, key)) is not None:
                win[key] = numbers
        for key in ("points", "honba", "sticks", "pao", "han", "fu"):
            if key in words:
                win[key] = int(words[words.index(key) + 1])
        if "hand" in words:
            win["hand"] = _padded(parse_tiles(words[words.index("hand") + 1]), 14, NO_TILE)
