"""Importer of Tenhou client traffic: games as one seat saw them.

The other seats' hands and draws are hidden. Everything else is kept: discards, calls, shown hands,
payments. The games are rewritten as mjlogs and read by the importer of mjlogs.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from paifu.formats.base import Blob, Imported, Reject, excerpt
from paifu.formats.mjlog import importer as mjlog
from paifu.formats.tenhou_client.one_view import View, mjlog_of, views
from paifu.formats.tenhou_client.traffic import begun_on, is_traffic, server_tags
from paifu.game.events import DRAW, OUTCOME_NAGASHI, WIN, Batch
from paifu.game.tiles import HIDDEN, NO_TILE

KEY = "tenhou_client"
TITLE = "Tenhou client traffic"


def sniff(head: bytes) -> bool:
    """Return whether content begins with traffic of Tenhou's client."""
    return is_traffic(head)


def read(blobs: Sequence[Blob]) -> Imported:
    """Read games; a game that cannot be read becomes a reject."""
    logs: list[Blob] = []
    found: list[tuple[int, View, list[int], list[int]]] = []
    rejects: list[Reject] = []
    for index, blob in enumerate(blobs):
        seen = list(views(server_tags(blob.data)))
        for view in seen:
            if not view.is_dealt():
                rejects.append(_without_deal(index, view, blob))
                continue
            text, starts, origins = mjlog_of(view)
            logs.append(replace(blob, data=text, log_id=view.log_id or blob.log_id))
            found.append((index, view, starts, origins))
        if not seen:
            reason = "no game in it: only messages of the lobby"
            rejects.append(Reject(index, "byte 0", reason, excerpt(blob.data)))
    imported = mjlog.read(logs)
    for reject in imported.rejects:
        index, _, starts, origins = found[reject.blob]
        element = bisect_right(starts, int(reject.position.removeprefix("byte ") or 0)) - 1
        place = f"byte {origins[max(0, element)]}"
        rejects.append(Reject(index, place, reject.reason, reject.excerpt))
    for game, log in enumerate(imported.game_blob):
        index, view, _, _ = found[log]
        info = imported.batch.games[game]
        info.format = KEY
        info.position = view.position
        info.sha256 = hashlib.sha256(logs[log].data).digest()
        if info.played_at is None and (begun := begun_on(blobs[index].data)):
            info.played_at, info.played_precision = begun, "day"
        if view.rejoined:
            info.notes.append("no_beginning")
        if view.unknown:
            info.notes.append("unknown_tag")
        _hide(imported.batch, game, view.own_seat)
    game_blob = [found[log][0] for log in imported.game_blob]
    return Imported(imported.batch, game_blob, sorted(rejects, key=lambda reject: reject.blob))


def _without_deal(index: int, view: View, blob: Blob) -> Reject:
    reason = (
        "it begins within a round and ends before the next deal"
        if view.rejoined
        else "the traffic breaks off before the first deal"
    )
    return Reject(index, view.position, reason, excerpt(blob.data))


def _hide(batch: Batch, game: int, own: int) -> None:
    """Hide the tiles of a game that its seat ``own`` was not shown."""
    first, last = batch.game_rounds[game : game + 2].tolist()
    hands = batch.round_haipai[first:last]
    others = np.arange(hands.shape[1]) != own
    hands[:, others] = np.where(hands[:, others] == NO_TILE, NO_TILE, HIDDEN)
    events = slice(*batch.round_events[[first, last]].tolist())
    unseen = (batch.event_kind[events] == DRAW) & (batch.event_seat[events] != own)
    kinds, seats, tiles = batch.event_kind[events], batch.event_seat[events], batch.event_tile
    tsumo = np.flatnonzero((kinds == WIN) & (seats == batch.event_from[events]))
    tsumo = tsumo[(tsumo > 0) & (kinds[tsumo - 1] == DRAW)]
    tiles[events][unseen] = HIDDEN
    tiles[events][tsumo - 1] = tiles[events][tsumo]  # it was shown at the win
    nagashi = batch.round_recorded_outcome[first:last] == OUTCOME_NAGASHI
    batch.round_recorded_tenpai[first:last, own][nagashi] = -1
