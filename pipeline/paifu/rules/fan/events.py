"""What games other than riichi pay for without a complete hand: kongs, dealt hands, named hands.

Each is an ``Event`` of its game. A kong without other tiles is a kong that is paid at once.
``dealt`` says that the tiles are the dealt hand. If the game pays hands by name, the text in the
place of the tiles is the name of a hand.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from paifu.game.tiles import KINDS
from paifu.rules.fan.game import ByName, Event, Game, amounts_needed, count_rows, resolved
from paifu.rules.fan.payments import fan_rows, score_columns
from paifu.rules.hands.faults import FAULT
from paifu.rules.hands.features import has
from paifu.rules.hands.hands import Hands, find_foreign_facts, seat_faults
from paifu.rules.hands.shapes import ANKAN, DAIMINKAN, KAKAN, NO_MELD

Int8Array = npt.NDArray[np.int8]

HAND, KONG, DEALT, NAMED = range(4)
"""What a row of a batch is."""

_KONGS = (DAIMINKAN, KAKAN, ANKAN)


def sorts(hands: Hands, game: Game) -> Int8Array:
    """Return int8[N]: ``HAND`` or the sort of event; a game by name has only ``NAMED``."""
    if game.by_name:
        return np.full(len(hands), NAMED, dtype=np.int8)
    found = np.full(len(hands), HAND, dtype=np.int8)
    melds = hands.meld_kind
    alone = np.isin(melds[:, 0], _KONGS) & (melds[:, 1] == NO_MELD)
    found[alone & ~hands.concealed.any(axis=1) & (hands.name == "")] = KONG
    found[hands.dealt] = DEALT
    return found


def _event(game: Game, sort: int) -> Event | None:
    return {KONG: game.kong, DEALT: game.dealt, NAMED: game.by_name}[sort]


def refusal_of(game: Game, sort: int) -> str:
    """Return why an event of a sort is paid nothing, for people."""
    event = _event(game, sort)
    return event.refusal if event else ""


def score_events(
    hands: Hands, game: Game, sort: int, context: tuple[str, ...]
) -> tuple[pl.DataFrame, pl.DataFrame, Int8Array]:
    """Return the score columns, fan and faults of events of one sort.

    The score columns include ``worth``, ``won`` and ``needed``; the fan are as
    :func:`~paifu.rules.fan.payments.fan_rows` returns them; the faults are int8[N] codes.
    """
    event = _event(game, sort)
    fault = _faults(hands, game, sort, event)
    if event is None:
        event = Event(what="", columns=lambda hands, options: {})
    facts = dict(event.columns(hands, game.options))
    if isinstance(event, ByName):
        facts |= _facts_of_names(hands, event, fault)
    columns: dict[str, Any] = {name: getattr(hands, name) for name in context}
    columns |= {
        "hand": np.arange(len(hands), dtype=np.int32),
        "is_dealer": hands.winner == hands.dealer,
        **facts,
    }
    rows = pl.DataFrame(columns)
    rows = pl.concat([rows, count_rows(rows, event.fan, game)], how="horizontal")
    rows = rows.with_columns(may_win=resolved(event.may_win, game.options))
    rows = rows.with_columns(
        worth=resolved(event.worth, game.options).cast(pl.Int32),
        won=has("may_win") & pl.Series(fault == 0),
    )
    scored = score_columns(rows, event.payments, game)
    won = np.flatnonzero(rows["won"].to_numpy())
    yaku = fan_rows(rows, won, event.fan)
    needed = pl.Series("needed", [None] * len(rows), dtype=pl.String)
    if game.missing:
        needed = amounts_needed(rows, event.worth, game)
    scored = scored.with_columns(rows["worth"], rows["won"], needed)
    return scored, yaku, fault


def _faults(hands: Hands, game: Game, sort: int, event: Event | None) -> Int8Array:
    """Return the code of what is wrong with each event."""
    codes = hands.fault.copy()
    excused = [FAULT["unreadable_win_tile"]]
    if sort == NAMED:
        excused.append(FAULT["unreadable_hand"])
        codes[hands.concealed.any(axis=1) | (hands.name == "")] = FAULT["not_named"]
    codes[np.isin(codes, excused)] = 0
    seats = (hands.players < 3) | (hands.players > 4) | seat_faults(hands)
    for name, least in (("winner", 0), ("loser", -1), ("dealer", 0)):
        seat = getattr(hands, name)
        seats |= (seat < least) | (seat >= hands.players)
    is_out = (hands.out >> np.clip(hands.winner, 0, 3) & 1) == 1
    is_out |= (hands.loser >= 0) & ((hands.out >> np.clip(hands.loser, 0, 3) & 1) == 1)
    wrong = [
        ("bad_seat", seats),
        ("foreign_players", hands.players != game.players),
        ("own_tile", ~hands.tsumo & (hands.loser == hands.winner)),
        ("tsumo_loser", hands.tsumo & (hands.loser >= 0)),
        ("seat_is_out", is_out),
        ("own_pao", (hands.liable >= 0) & (hands.liable == hands.winner)),
    ]
    if sort != NAMED:
        of_a_tile = hands.rinshan | hands.haitei | hands.houtei | hands.after_rinshan
        of_a_tile |= hands.chankan | hands.kita_ron | hands.last_copy | hands.triple_ron
        wrong.append(("event_won", of_a_tile))
    if event is None:
        wrong.append(({KONG: "foreign_kong", DEALT: "foreign_dealt"}[sort], seats | True))
    has_kind = np.array([kind in game.tile_kinds for kind in range(KINDS)])
    if sort == DEALT:
        tiles = hands.concealed.sum(axis=1)
        dealer = hands.winner == hands.dealer
        counted = (tiles == 13) | ((tiles == 14) & dealer)
        wrong += [
            ("dealt_tiles", ~counted | (hands.meld_kind != NO_MELD).any(axis=1)),
            ("five_copies", (hands.concealed > 4).any(axis=1)),
            ("foreign_tiles", (hands.concealed > 0)[:, ~has_kind].any(axis=1)),
        ]
    if sort == KONG:
        tile = np.clip(hands.meld_tile[:, 0], 0, KINDS - 1)
        fed = hands.meld_kind[:, 0] == DAIMINKAN
        fed_by_no_one = (hands.loser < 0) | hands.tsumo
        wrong += [
            ("foreign_tiles", ~has_kind[tile]),
            ("own_tile", np.where(fed, fed_by_no_one, ~hands.tsumo)),
        ]
    for key, rows in wrong:
        codes[rows & (codes == 0)] = FAULT[key]
    find_foreign_facts(hands, (game.known_facts - {"fed"}) | {"dealt"}, codes)
    return codes


def _facts_of_names(
    hands: Hands, event: ByName, fault: Int8Array
) -> Mapping[str, npt.NDArray[Any]]:
    """Return the facts that the names say, a column for each.

    A name that the game does not know, or that contradicts how the hand was won, is marked in
    ``fault``.
    """
    texts = hands.name.tolist()
    read = {text: event.read(text) for text in {*texts}}
    drawn = {text: event.drawn(text) for text in read}
    for row, text in enumerate(texts):
        if fault[row] == 0 and read[text] is None:
            fault[row] = FAULT["unknown_name"]
        elif fault[row] == 0 and drawn[text] not in (None, bool(hands.tsumo[row])):
            fault[row] = FAULT["named_otherwise"]
    return {
        fact: np.array([(read[text] or {}).get(fact, 0) for text in texts], dtype=np.int16)
        for fact in event.facts
    }
