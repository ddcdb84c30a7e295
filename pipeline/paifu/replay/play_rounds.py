"""The single pass over the events: plays every round of a batch forward and writes its rows.

:func:`play` is the driver: it starts each round, passes each event to the kernel for its kind, and
ends the round. It relies only on a validated batch: events without a seat, out of turn or after the
end are flagged, and play continues from what the log says.
"""

from __future__ import annotations

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
    deal_seat,
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
from paifu.replay.play_arrays import (
    Deal,
    Event,
    Played,
    Recorded,
    RecordedWin,
    Rows,
    Workspace,
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


@inner
def _copy(source: Array, start: int, target: Array, to: int, count: int) -> None:
    """Copy words; Numba would take seconds to compile the assignment of a slice."""
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
def _take_rights(table: Record, rights: Record) -> None:
    """Copy what the game's rule set forbids to the table."""
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
def _start_game(table: Record, players: int, rights: Record) -> None:
    table.players = players
    _take_rights(table, rights)
    table.had_round = 0
    table.last_dealer = -1
    table.dealer_wins = 0
    table.dealer_rounds = 0
    for seat in range(4):
        table.away[seat] = 0
        table.ever_away[seat] = 0


@inner
def _start_round(tables: SuitTables, table: Record, r: int, deal: Deal) -> None:
    """Deal a round on a fresh table."""
    table.row = r
    table.dealer = deal.dealer % table.players
    table.turn = table.dealer
    if table.players == 3:
        table.tiles_left = DRAWS_SANMA
        for kind in range(_LOW_MISSING, _HIGH_MISSING + 1):
            table.seen[kind] = 4
    _turn_up(table, deal.indicator)
    for seat in range(table.players):
        row = table.rows[seat]
        row.round = r
        row.seat = seat
        row.seat_wind = (seat - table.dealer) % table.players
        row.is_dealer = seat == table.dealer
        row.disconnected = table.away[seat]
        deal_seat(table, table.seats[seat], row, seat, deal.haipai[seat])
    for seat in range(table.players):
        refresh(tables, table.seats[seat])
        note_haipai(table, table.seats[seat], table.rows[seat], deal.wind)
    start_points(table, deal)


@inner
def _carry_over(table: Record, wind: int, number: int, honba: int) -> None:
    """Keep the facts of a round with which the next round is compared."""
    streak = table.dealer_wins if table.last_dealer == table.dealer else 0
    table.dealer_wins = streak + 1 if table.dealer_won else 0
    table.dealer_rounds = 1 + (table.dealer_rounds if table.last_dealer == table.dealer else 0)
    table.last_dealer = table.dealer
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
def _connect(table: Record, seat: int, away: bool) -> None:
    if 0 <= seat < table.players:
        table.away[seat] = away
        if away:
            table.ever_away[seat] = 1
            table.rows[seat].disconnected = 1


@inner
def _comes_too_late(table: Record, event: Event) -> bool:
    """Return whether an event comes after the round's end, where only rons by others may follow."""
    if table.phase != ENDED:
        return False
    if event.kind == WIN and table.outcome == ROUND_RON and 0 <= event.seat < table.players:
        if table.rows[event.seat].won == 0:
            return False
    flag(table, EVENT_AFTER_END, event.seat)
    return True


@inner
def _is_no_act(table: Record, event: Event) -> bool:
    """Handle an event that is not an act of a seat; return whether it was such an event."""
    kind = event.kind
    if kind == DISCONNECT or kind == RECONNECT:
        _connect(table, event.seat, kind == DISCONNECT)
        return True
    if _comes_too_late(table, event):
        return True
    if kind == DORA:
        _turn_up(table, event.tile)
        return True
    if table.declaring >= 0 and (event.seat != table.declaring or kind != DISCARD):
        _undo_declaration(table)
    if kind != RYUUKYOKU and not 0 <= event.seat < table.players:
        flag(table, OUT_OF_TURN, -1)
        return True
    return False


@inner
def _undo_declaration(table: Record) -> None:
    """An event other than the declarer's discard followed a riichi declaration."""
    flag(table, RIICHI_WITHOUT_DISCARD, table.declaring)
    table.seats[table.declaring].riichi = NO_RIICHI
    table.declaring = -1


@inner
def _check_stick(table: Record) -> None:
    """The offered tile has passed: a riichi must be paid for by now."""
    declarer = table.offered_seat
    if (
        table.offered == OFFERED_DISCARD
        and table.seats[declarer].riichi == IN_RIICHI
        and table.rows[declarer].riichi_accepted == 0
    ):
        flag(table, RIICHI_NOT_ACCEPTED, declarer)


@inner
def _accept_riichi(table: Record, seat: int) -> None:
    if table.seats[seat].riichi != IN_RIICHI or table.rows[seat].riichi_accepted == 1:
        flag(table, RIICHI_WITHOUT_DISCARD, seat)
        return
    table.rows[seat].riichi_accepted = 1
    pay_stick(table, seat)


@inner
def _check_stick_scores(table: Record, event: int, stated: Array, scores: Array) -> None:
    """Check the points that the log states at an event, if it states any."""
    while table.stated < len(stated) and stated[table.stated] < event:
        table.stated += 1
    if table.stated < len(stated) and stated[table.stated] == event:
        check_stated(table, scores[table.stated])


@inner
def _end_by_draw(table: Record, outcome: int, before: Array, delta: Array) -> None:
    table.abort_due = abort_due(table, table.offered, outcome)
    if outcome != OUTCOME_SANCHAHOU:  # three wins on the riichi discard cancel the riichi
        _check_stick(table)
    pass_offer(table, -1)
    check_stated(table, before)
    end_in_draw(table, outcome, delta)
    pay(table, delta, 0)
    table.phase = ENDED


@inner
def _end_by_win(
    tables: SuitTables, table: Record, rows: Rows, event: Event, deal: Deal, recorded: Recorded,
    number: int,
) -> None:  # fmt: skip
    """A seat wins: this is win ``number`` of the batch."""
    record = RecordedWin(
        number, recorded.win_hand[number], int(recorded.win_points[number]),
        int(recorded.win_limit[number]), int(recorded.win_pao[number]),
        int(recorded.win_honba[number]), int(recorded.win_sticks[number]),
        recorded.win_indicators[number], recorded.win_before[number], recorded.win_delta[number],
    )  # fmt: skip
    check_stated(table, record.before)
    check_printed(table, deal.honba, record)
    for seat in range(table.players):
        settle(tables, table.seats[seat])
    wait_kind = win_wait_kind(tables, table.seats[event.seat], KIND[event.tile])
    win = add_win(table, rows, event, deal, record, wait_kind)
    pay_win(table, win, record)
    table.sticks = 0
    table.round_wins += 1
    table.outcome = ROUND_TSUMO if win.tsumo else ROUND_RON
    table.phase = ENDED


@inner
def _act(
    tables: SuitTables, table: Record, actions: Records, risks: Records, event: Event,
    consumed: Array,
) -> None:  # fmt: skip
    """A seat draws, discards, declares riichi, calls, or lays something down."""
    kind, seat, tile = event.kind, event.seat, event.tile
    me = table.seats[seat]
    if table.offered != NOTHING:
        _check_stick(table)
        pass_abort(table)
        calls = kind == CHI or kind == PON or kind == DAIMINKAN
        pass_offer(table, seat if calls else -1)
    if kind == DRAW:
        settle(tables, me)
        draw(table, me, seat, tile)
    elif kind == DISCARD:
        if take_discard(table, event):
            refresh(tables, me)
        discard(table, actions, risks, seat, tile)
    elif kind == RIICHI:
        declare_riichi(table, me, seat)
    elif kind == ANKAN:
        ankan(tables, table, actions, event, consumed)
    elif kind == KAKAN:
        kakan(table, actions, event)
    elif kind == KITA:
        kita(table, actions, event, consumed)
    else:
        call(table, actions, event, consumed)


@inner
def _play_round(
    tables: SuitTables, table: Record, played: Played, recorded: Recorded, rows: Rows, r: int
) -> None:
    """Play the events of a round that has been dealt."""
    deal = Deal(
        int(played.wind[r]), int(played.number[r]), int(played.honba[r]), int(played.sticks[r]),
        int(played.dealer[r]), int(played.indicator[r]), played.haipai[r], played.scores[r],
    )  # fmt: skip
    _start_round(tables, table, r, deal)
    for e in range(played.round_events[r], played.round_events[r + 1]):
        event = Event(
            int(played.kind[e]), int(played.seat[e]), int(played.tile[e]), int(played.feeder[e]),
            int(played.tsumogiri[e]),
        )  # fmt: skip
        record = table.records
        if event.kind == WIN:
            table.records += 1
        if _is_no_act(table, event):
            continue
        if event.kind == RYUUKYOKU:
            _end_by_draw(table, recorded.outcome[r], recorded.before[r], recorded.delta[r])
        elif event.kind == WIN:
            _end_by_win(tables, table, rows, event, deal, recorded, record)
        elif event.kind == RIICHI_ACCEPTED:
            _accept_riichi(table, event.seat)
            _check_stick_scores(table, e, recorded.stated_event, recorded.stated_scores)
        else:
            _act(tables, table, rows.actions, rows.risks, event, played.consumed[e])
    for seat in range(table.players):
        settle(tables, table.seats[seat])


@njit
def play(
    tables4: SuitTables, tables3: SuitTables, played: Played, recorded: Recorded, rows: Rows,
    workspace: Workspace,
) -> None:  # fmt: skip
    """Play every round of a batch forward and write its rows.

    The table has the numbers of rows of ``actions``, ``risks``, ``wins`` and ``flags``.
    """
    table = workspace.table[0]
    round_words = len(workspace.fresh) - ROUND_WORDS
    for game in range(len(played.players)):
        seated = played.players[game]
        tables = tables3 if seated == 3 else tables4
        end = played.game_rounds[game + 1]
        _start_game(table, seated, played.rights[game])
        for r in range(played.game_rounds[game], end):
            _copy(workspace.fresh, ROUND_WORDS, workspace.words, ROUND_WORDS, round_words)
            _play_round(tables, table, played, recorded, rows, r)
            scores = recorded.final_points[game] if r + 1 == end else played.scores[r + 1]
            finish_round(tables, table, rows.rounds[r], recorded.tenpai[r], scores)
            _copy(
                workspace.words, ROW_WORDS, rows.round_seat_words,
                rows.first_seat[r] * ROW_SIZE, seated * ROW_SIZE,
            )  # fmt: skip
            list_flags(table, rows.flags)
            _carry_over(table, played.wind[r], played.number[r], played.honba[r])
        for seat in range(4):
            rows.disconnected[game, seat] = table.ever_away[seat]
