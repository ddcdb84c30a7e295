"""Replay: plays the events of every round forward, and makes the tables.

It knows the flow of the game, but no log format. ``play_rounds.py`` is the pass over the events.
:mod:`paifu.schema.tables` says what the columns of a table mean.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from paifu.game.events import CHI, DISCARD, KITA, WIN, Array, Batch
from paifu.game.fingerprint import identify
from paifu.game.tiles import NO_TILE
from paifu.replay import game_tables, tables
from paifu.replay import row_types as r
from paifu.replay.batch_parts import parts_of
from paifu.replay.flags import MOST_FLAGS, REASONS
from paifu.replay.game_ends import Finals, finals, recorded_finals
from paifu.replay.game_seat_sums import game_seats
from paifu.replay.play_arrays import Played, Recorded, Rows, Workspace
from paifu.replay.play_rounds import play
from paifu.replay.rights import rights_of
from paifu.replay.table_state import fresh_table
from paifu.replay.win_order import in_order_of_payment
from paifu.rules.hands.suit_tables import suit_tables

__all__ = ["VERSION", "replay"]

VERSION = 8
"""Raise it when the rows of a game change; ``ingest --refresh`` then reads games again."""


def _played(batch: Batch, players: Array, rights: Array) -> Played:
    return Played(
        players, rights, batch.game_rounds, batch.round_events, batch.round_wind,
        batch.round_number,
        batch.round_honba, batch.round_sticks, batch.round_dealer, batch.round_indicator,
        batch.round_haipai, batch.round_scores, batch.event_kind, batch.event_seat,
        batch.event_tile, batch.event_from, batch.event_tsumogiri, batch.event_consumed,
    )  # fmt: skip


def _recorded(batch: Batch, final_points: Array) -> Recorded:
    return Recorded(
        final_points, batch.round_recorded_outcome, batch.round_recorded_tenpai,
        batch.round_recorded_before, batch.round_recorded_delta, batch.stated_event,
        batch.stated_scores, batch.win_hand, batch.win_points, batch.win_limit, batch.win_pao,
        batch.win_honba, batch.win_sticks, batch.win_indicators, batch.win_before, batch.win_delta,
    )  # fmt: skip


def _room(batch: Batch, first_seat: Array, *, actions: bool) -> Rows:
    """Return room for all rows of a batch; ``first_seat`` int64[R + 1] ends with their number."""
    kinds, rounds = batch.event_kind, len(batch.round_wind)
    discards = int((kinds == DISCARD).sum())
    acts = discards + int(((kinds >= CHI) & (kinds <= KITA)).sum() + (kinds == WIN).sum())
    round_seats = np.empty(first_seat[-1], r.ROUND_SEAT)
    return Rows(
        rounds=np.repeat(r.BLANK_ROUND, rounds),
        round_seats=round_seats,
        round_seat_words=round_seats.view(np.uint64),
        first_seat=first_seat[:-1],
        actions=np.empty(acts + 1 if actions else 1, r.ACTION),
        risks=np.empty(3 * discards + 1, r.RISK),
        wins=np.repeat(r.BLANK_WIN, len(batch.win_event)),
        flags=np.empty(MOST_FLAGS * rounds, r.FLAG),
        disconnected=np.zeros((len(batch.games), 4), np.int8),
    )


def _by_round(batch: Batch, values: Array) -> Array:
    """Return, for each round, the value of its game."""
    return np.repeat(values, np.diff(batch.game_rounds))


def _ura(batch: Batch, wins: Array) -> Array:
    """Return each round's recorded ura indicators: those of its first win with any."""
    ura = np.full((len(batch.round_wind), 5), NO_TILE, np.int8)
    shown = batch.win_ura[wins["record"]]
    for i in np.flatnonzero(shown[:, 0] != NO_TILE)[::-1]:
        ura[wins["round"][i]] = shown[i]
    return ura


def replay(batch: Batch, source_ids: Array, *, actions: bool = True) -> dict[str, pa.Table]:
    """Play a batch forward and return its rows of every table in ``schema.PLAY_TABLES``.

    ``source_ids`` int64[G] is the source of each game. Without ``actions`` that table is empty.
    Columns are in the order and types of the schema; words of closed lists and single tiles are
    dictionary-encoded. A log that breaks the rules of play gets rows in ``flags``. Raises
    ``ValueError`` for a batch that :meth:`~paifu.game.events.Batch.validate` refuses.
    """
    batch.validate()
    batch = in_order_of_payment(batch)
    parts = [
        _replay_part(part, source_ids[first : first + len(part.games)], actions=actions)
        for first, part in parts_of(batch)
    ]
    return {name: pa.concat_tables([part[name] for part in parts]) for name in parts[0]}


def _replay_part(batch: Batch, source_ids: Array, *, actions: bool) -> dict[str, pa.Table]:
    """Return the rows of a validated batch, played forward at once."""
    players = np.array([3 if info.players == 3 else 4 for info in batch.games], dtype=np.int64)
    round_players = _by_round(batch, players)
    first_seat = np.zeros(len(round_players) + 1, np.int64)
    np.cumsum(round_players, out=first_seat[1:])
    out = _room(batch, first_seat, actions=actions)
    recorded_points = recorded_finals(batch)
    rights = rights_of(batch.games)
    table = fresh_table()
    play(
        suit_tables(4), suit_tables(3), _played(batch, players, rights),
        _recorded(batch, recorded_points), out,
        Workspace(table, table.view(np.uint64), fresh_table().view(np.uint64)),
    )  # fmt: skip
    identity = identify(batch)
    game_id = _by_round(batch, identity.game_id)
    round_index = np.arange(len(game_id)) - _by_round(batch, batch.game_rounds[:-1])
    round_index = round_index.astype(np.int16)
    action_rows = out.actions[: int(table["actions"][0]) if actions else 0]
    win_rows = out.wins[: int(table["wins"][0])]
    flag_rows = _that_apply(batch, out.flags[: int(table["flags"][0])])
    ends = finals(
        batch, out.rounds, out.round_seats, first_seat, players, recorded_points,
        rights["leftover_sticks"],
    )  # fmt: skip
    more = _flags_of_record(batch, ends)
    wins, win_yaku = tables.wins(
        win_rows, batch, game_id, round_index,
        *(_by_round(batch, values) for values in _rule_facts(batch, players)),
    )  # fmt: skip
    ids = identity.game_id
    return {
        "games": game_tables.games(
            batch, source_ids, identity, ends, _reasons_by_game(batch, flag_rows, more)
        ),
        "seats": game_tables.seats(batch, ids, ends, out.disconnected),
        "rounds": tables.rounds(
            out.rounds, batch, game_id, round_index, round_players,
            _by_round(batch, ends.scheduled), _ura(batch, win_rows),
        ),
        "round_seats": tables.round_seats(
            out.round_seats, batch, game_id, round_index, round_players
        ),
        "game_seats": game_seats(out.round_seats, np.diff(batch.game_rounds), ids, players),
        "actions": tables.actions(action_rows, game_id, round_index, round_players),
        "discard_risks": tables.discard_risks(
            out.risks[: int(table["risks"][0])], game_id, round_index, round_players
        ),
        "wins": wins,
        "win_yaku": win_yaku,
        "seeds": game_tables.seeds(batch, ids),
        "flags": tables.flags(
            flag_rows, game_id, round_index,
            [(int(ids[game]), where, reason) for game, where, reason in more],
        ),
    }  # fmt: skip


def _rule_facts(batch: Batch, players: Array) -> tuple[Array, Array, Array]:
    """Return for each game whether it has red fives, has open tanyao, and counts kita as dora."""
    infos = batch.games
    aka = np.array([info.aka is not False for info in infos], dtype=bool)
    kuitan = np.array([-1 if i.kuitan is None else int(i.kuitan) for i in infos], dtype=np.int8)
    folds = np.array([info.platform == "tenhou" for info in infos], dtype=bool) | (players == 4)
    return aka, kuitan, folds


def _flags_of_record(batch: Batch, ends: Finals) -> list[tuple[int, int, str]]:
    """Return ``(game, round or -1, reason)`` for each fault outside the play."""
    noted = [
        (game, where, reason)
        for game, info in enumerate(batch.games)
        if info.notes
        for where, reason in game_tables.noted(info)
    ]
    wrong = [(game, -1, reason) for game, reason in ends.contradictions]
    return list(dict.fromkeys([*noted, *wrong]))


_OF_RIICHI = [
    REASONS.index(reason)
    for reason in ("hidden_tiles", "dora_missing", "wall_overdrawn", "win_not_complete")
]
"""Flags for riichi only: other games have no indicators, another wall and other forms."""


def _that_apply(batch: Batch, rows: Array) -> Array:
    """Return the flags; games other than riichi lose the flags that only riichi can have."""
    riichi = np.array([info.riichi for info in batch.games], dtype=bool)
    if riichi.all():
        return rows
    games = np.searchsorted(batch.game_rounds, rows["round"], side="right") - 1
    return rows[riichi[games] | ~np.isin(rows["reason"], _OF_RIICHI)]


def _reasons_by_game(
    batch: Batch, rows: Array, more: list[tuple[int, int, str]]
) -> dict[int, list[str]]:
    """Return the reasons found in each flagged game, without repetition."""
    found: dict[int, dict[str, None]] = {}
    games = np.searchsorted(batch.game_rounds, rows["round"], side="right") - 1
    for game, reason in zip(games.tolist(), rows["reason"].tolist(), strict=True):
        found.setdefault(game, {})[REASONS[reason]] = None
    for game, _, reason in more:
        found.setdefault(game, {})[reason] = None
    return {game: list(reasons) for game, reasons in found.items()}
