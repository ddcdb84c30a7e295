"""The one pass over the events: every round of a batch played forward, its rows written.

:func:`play` is the driver: it starts each round, hands each event to the kernel that knows what it
means, and ends the round. It trusts a validated batch and nothing else: events by nobody, out of
turn or after the end are flagged, and the play goes on from what the log says.
"""

from __future__ import annotations

from typing import NamedTuple

from paifu.game.events import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DISCONNECT,
    DORA,
    DRAW,
    KAKAN,
    KITA,
    OUTCOME_SANCHAHOU,
    PON,
    RECONNECT,
    RIICHI,
    RIICHI_ACCEPTED,
    RYUUKYOKU,
    WIN,
    Array,
)
from paifu.game.tiles import DORA_OF, DORA_OF_SANMA, KINDS
from paifu.kernels.compiling import inner, njit
from paifu.replay.acts import (
    come_up,
    deal,
    declare_riichi,
    discard,
    draw,
    note_haipai,
    see,
    take_discard,
)
from paifu.replay.calls import ankan, call, kakan, kita, pass_offer
from paifu.replay.flags import (
    EVENT_AFTER_END,
    OUT_OF_TURN,
    RIICHI_NOT_ACCEPTED,
    RIICHI_WITHOUT_DISCARD,
    flag,
    list_flags,
)
from paifu.replay.round_ends import abort_due, end_in_draw, finish_round, pass_abort
from paifu.replay.row_types import MOST_DORA, ROUND_RON, ROUND_TSUMO
from paifu.replay.running_points import (
    check_printed,
    check_stated,
    pay,
    pay_stick,
    pay_win,
    start_points,
)
from paifu.replay.seat_hand import KIND, bit, refresh, settle, win_wait_kind
from paifu.replay.table_state import (
    ENDED,
    IN_RIICHI,
    NO_RIICHI,
    NOTHING,
    OFFERED_DISCARD,
    ROUND_WORDS,
    ROW_SIZE,
    ROW_WORDS,
    Record,
    Records,
)
from paifu.replay.win_rows import add_win
from paifu.rules.hands.suit_tables import SuitTables

DRAWS_SANMA = 55
_LOW_MISSING, _HIGH_MISSING = 1, 7  # 2m-8m


class Played(NamedTuple):
    """The events of a batch, and its deals, as kernels take them."""

    game_rounds: Array
    round_events: Array
    wind: Array
    number: Array
    honba: Array
    sticks: Array
    dealer: Array
    indicator: Array
    haipai: Array
    scores: Array
    kind: Array
    seat: Array
    tile: Array
    feeder: Array
    tsumogiri: Array
    consumed: Array


class Recorded(NamedTuple):
    """What the log recorded of the ends of rounds, as kernels take it."""

    outcome: Array
    tenpai: Array
    before: Array
    delta: Array
    stated_event: Array
    stated_scores: Array
    win_hand: Array
    win_points: Array
    win_limit: Array
    win_pao: Array
    win_honba: Array
    win_sticks: Array
    win_indicators: Array
    win_before: Array
    win_delta: Array


@inner
def _copy(source: Array, start: int, target: Array, to: int, count: int) -> None:
    """Copy words; Numba takes seconds to compile the assignment of a slice."""
    for i in range(count):
        target[to + i] = source[start + i]


@inner
def _turn_up(table: Record, tile: int) -> None:
    """A dora indicator is turned up."""
    come_up(table, tile, -1)
    see(table, tile)
    if table.indicators < MOST_DORA:
        table.dora[table.indicators] = tile
    table.indicators += 1
    kind = KIND[tile]
    if kind < KINDS:
        table.dora_kinds |= bit(DORA_OF_SANMA[kind] if table.players == 3 else DORA_OF[kind])


@inner
def _start_round(
    table: Record, r: int, players: int, dealer: int, indicator: int, haipai: Array
) -> None:
    table.players = players
    table.row = r
    table.turn = dealer
    if players == 3:
        table.tiles_left = DRAWS_SANMA
        for kind in range(_LOW_MISSING, _HIGH_MISSING + 1):
            table.seen[kind] = 4
    _turn_up(table, indicator)
    for seat in range(players):
        row = table.rows[seat]
        row.round = r
        row.seat = seat
        row.seat_wind = (seat - dealer) % players
        row.is_dealer = seat == dealer
        row.disconnected = table.away[seat]
        deal(table, table.seats[seat], row, seat, haipai[seat])


@inner
def _check_stick(table: Record) -> None:
    """What was offered has passed: a declaration tile must have been paid for by now."""
    declarer = table.offered_seat
    if (
        table.offered == OFFERED_DISCARD
        and table.seats[declarer].riichi == IN_RIICHI
        and table.rows[declarer].riichi_accepted == 0
    ):
        flag(table, RIICHI_NOT_ACCEPTED, declarer)


@inner
def _undo_declaration(table: Record) -> None:
    """Something else than the declarer's discard followed a riichi declaration."""
    flag(table, RIICHI_WITHOUT_DISCARD, table.declaring)
    table.seats[table.declaring].riichi = NO_RIICHI
    table.declaring = -1


@inner
def _accept_riichi(table: Record, seat: int) -> None:
    if table.seats[seat].riichi != IN_RIICHI or table.rows[seat].riichi_accepted == 1:
        flag(table, RIICHI_WITHOUT_DISCARD, seat)
        return
    table.rows[seat].riichi_accepted = 1
    pay_stick(table, seat)


@inner
def _end_by_win(table: Record, tsumo: int) -> None:
    table.sticks = 0
    table.round_wins += 1
    table.outcome = ROUND_TSUMO if tsumo else ROUND_RON
    table.phase = ENDED


@inner
def _draw_round(table: Record, outcome: int, before: Array, delta: Array) -> None:
    table.abort_due = abort_due(table, table.offered, outcome)
    if outcome != OUTCOME_SANCHAHOU:  # three wins on the declaration tile void it
        _check_stick(table)
    pass_offer(table, -1)
    check_stated(table, before)
    end_in_draw(table, outcome, delta)
    pay(table, delta, 0)
    table.phase = ENDED


@inner
def _comes_too_late(table: Record, kind: int, seat: int) -> bool:
    """Tell whether an event comes after the round's end, where only further rons may come."""
    if kind == WIN and table.outcome == ROUND_RON and table.round_wins < table.players - 1:
        return False
    flag(table, EVENT_AFTER_END, seat)
    return True


@inner
def _connect(table: Record, seat: int, away: bool) -> None:
    if 0 <= seat < table.players:
        table.away[seat] = away
        if away:
            table.ever_away[seat] = 1
            table.rows[seat].disconnected = 1


@inner
def _carry_over(table: Record, dealer: int, wind: int, number: int, honba: int) -> None:
    streak = table.dealer_wins if table.last_dealer == dealer else 0
    table.dealer_wins = streak + 1 if table.dealer_won else 0
    table.dealer_rounds = 1 + (table.dealer_rounds if table.last_dealer == dealer else 0)
    table.last_dealer = dealer
    table.had_round = 1
    table.last_wind = wind
    table.last_number = number
    table.last_honba = honba
    table.last_scores_known = table.scores_known
    table.last_sticks = table.sticks
    table.last_dealer_won = table.dealer_won
    table.last_drawn = table.round_wins == 0
    for seat in range(table.players):
        table.last_scores[seat] = table.scores[seat]


@inner
def _take_rights(table: Record, rights: Record) -> None:
    """Take over what the game's rule set forbids."""
    table.kuikae = rights.kuikae
    table.riichi_points = rights.riichi_points
    table.riichi_tiles = rights.riichi_tiles
    table.furiten_riichi = rights.furiten_riichi
    table.riichi_kan = rights.riichi_kan
    table.own_tiles_exhaust = rights.own_tiles_exhaust
    table.kita_furiten = rights.kita_furiten
    table.ankan_furiten = rights.ankan_furiten
    table.aborts = rights.aborts
    table.kan_dora = rights.kan_dora


@inner
def _start_game(table: Record) -> None:
    table.had_round = 0
    table.last_dealer = -1
    table.dealer_wins = 0
    table.dealer_rounds = 0
    for seat in range(4):
        table.away[seat] = 0
        table.ever_away[seat] = 0


@njit
def play(
    tables4: SuitTables, tables3: SuitTables, played: Played, recorded: Recorded,
    rounds: Records, actions: Records, risks: Records, wins: Records,
    flags: Records, players: Array, rights: Records, final_points: Array, first_row: Array,
    disconnected: Array, table_block: Records, table_words: Array, fresh: Array, row_words: Array,
    unknown: Array,
) -> int:  # fmt: skip
    """Play every round of a batch forward, write its rows, and return how many flags there are.

    ``players`` int64[G]; ``rights`` [G] are of :mod:`~paifu.replay.rights`; ``final_points``
    int32[G, 4] as recorded or ``UNKNOWN``; ``first_row`` int64[R] is each round's first row in
    ``round_seats``; ``disconnected`` int8[G, 4] is written.
    ``table_block`` holds one table to work in; it, a fresh one, and the rows of ``round_seats``
    come as uint64 words too. ``unknown`` int32[4] are scores nobody recorded.
    """
    table = table_block[0]
    kinds, event_seats, tiles = played.kind, played.seat, played.tile
    feeders, consumed, said = played.feeder, played.consumed, played.tsumogiri
    stated_event = recorded.stated_event
    record = -1
    stated = 0
    flag_count = 0
    for game in range(len(players)):
        seated = players[game]
        tables = tables3 if seated == 3 else tables4
        _start_game(table)
        _take_rights(table, rights[game])
        for r in range(played.game_rounds[game], played.game_rounds[game + 1]):
            _copy(fresh, ROUND_WORDS, table_words, ROUND_WORDS, len(fresh) - ROUND_WORDS)
            dealer = played.dealer[r] % seated
            _start_round(table, r, seated, dealer, played.indicator[r], played.haipai[r])
            for seat in range(seated):
                refresh(tables, table.seats[seat])
                note_haipai(table, table.seats[seat], table.rows[seat], played.wind[r])
            start_points(
                table, played.wind[r], played.number[r], played.honba[r], played.sticks[r],
                played.dealer[r], played.scores[r],
            )  # fmt: skip
            for e in range(played.round_events[r], played.round_events[r + 1]):
                kind = kinds[e]
                seat = event_seats[e]
                tile = tiles[e]
                if kind == WIN:
                    record += 1
                if kind == DISCONNECT or kind == RECONNECT:
                    _connect(table, seat, kind == DISCONNECT)
                    continue
                if table.phase == ENDED and _comes_too_late(table, kind, seat):
                    continue
                if kind == DORA:
                    _turn_up(table, tile)
                    continue
                if table.declaring >= 0 and (seat != table.declaring or kind != DISCARD):
                    _undo_declaration(table)
                if kind == RYUUKYOKU:
                    _draw_round(
                        table, recorded.outcome[r], recorded.before[r],
                        recorded.delta[r],
                    )  # fmt: skip
                    continue
                if not 0 <= seat < seated:
                    flag(table, OUT_OF_TURN, -1)
                    continue
                if kind == WIN:
                    check_stated(table, recorded.win_before[record])
                    check_printed(
                        table, played.honba[r], recorded.win_honba[record],
                        recorded.win_sticks[record],
                    )  # fmt: skip
                    for other in range(seated):
                        settle(tables, table.seats[other])
                    wait_kind = win_wait_kind(tables, table.seats[seat], KIND[tile])
                    win = add_win(
                        table, actions, risks, wins, seat, tile, feeders[e], record, dealer,
                        played.wind[r], played.honba[r], wait_kind, recorded.win_hand[record],
                        recorded.win_indicators[record],
                    )  # fmt: skip
                    pay_win(
                        table, win, recorded.win_delta[record], recorded.win_points[record],
                        recorded.win_limit[record], recorded.win_pao[record],
                    )  # fmt: skip
                    _end_by_win(table, win.tsumo)
                    continue
                if kind == RIICHI_ACCEPTED:
                    _accept_riichi(table, seat)
                    while stated < len(stated_event) and stated_event[stated] < e:
                        stated += 1
                    if stated < len(stated_event) and stated_event[stated] == e:
                        check_stated(table, recorded.stated_scores[stated])
                    continue
                if table.offered != NOTHING:
                    _check_stick(table)
                    pass_abort(table)
                    calls = kind == CHI or kind == PON or kind == DAIMINKAN
                    pass_offer(table, seat if calls else -1)
                me = table.seats[seat]
                row = table.rows[seat]
                if kind == DRAW:
                    settle(tables, me)
                    draw(table, me, seat, tile)
                elif kind == DISCARD:
                    if take_discard(table, me, row, seat, tile, said[e]):
                        refresh(tables, me)
                    discard(table, actions, risks, seat, tile)
                elif kind == RIICHI:
                    declare_riichi(table, me, seat)
                elif kind == ANKAN:
                    ankan(tables, table, me, row, actions, seat, tile, consumed[e])
                elif kind == KAKAN:
                    kakan(table, me, row, actions, seat, tile)
                elif kind == KITA:
                    kita(table, me, row, actions, seat, tile, consumed[e])
                else:
                    call(table, actions, seat, kind, tile, feeders[e], consumed[e])
            last = r + 1 == played.game_rounds[game + 1]
            for seat in range(seated):
                settle(tables, table.seats[seat])
            finish_round(
                tables, table, rounds[r], recorded.tenpai[r],
                unknown if last else played.scores[r + 1], final_points[game] if last else unknown,
            )  # fmt: skip
            _copy(table_words, ROW_WORDS, row_words, first_row[r] * ROW_SIZE, seated * ROW_SIZE)
            flag_count = list_flags(table, flags, flag_count)
            _carry_over(table, dealer, played.wind[r], played.number[r], played.honba[r])
        for seat in range(4):
            disconnected[game, seat] = table.ever_away[seat]
    return flag_count
