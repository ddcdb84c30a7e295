"""The payments of a round, the next round, and the end of a game, in plain Python.

Only the value of a hand comes from the rules engine. Who pays it, honba, sticks, liability, draws,
renchan, the extra round and the end of the game are computed here independently, so that re-scoring
a simulation compares two implementations of settlement. T1-T33 and S1-S13 are the rules of the
Tenhou rule sheets for four and three players.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from paifu.rules.riichi.ruleset import RuleSet
from paifu.simulate.flow import (
    BUST_BELOW_ZERO,
    BUST_ZERO,
    RENCHAN_NEVER,
    RENCHAN_TENPAI,
    STICKS_SHARED,
    STICKS_SHARED_DOWN,
    STICKS_STAY,
    Flow,
)
from paifu.simulate.table_record import (
    AGARI_YAME,
    BUST,
    EXHAUSTIVE,
    LAST_ROUND,
    NAGASHI,
    NOBODY,
    RON,
    SUDDEN_DEATH,
    TENPAI_YAME,
    TSUMO,
)

STICK = 1000
YAKUMAN_BASE = 8000
_LIMIT_BASE = {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000, "kazoe": 8000}
_MANGAN = _LIMIT_BASE["mangan"]


@dataclass(frozen=True, slots=True)
class Win:
    """A win as settlement needs it: the winner, whose tile, and the basic points of the hand."""

    winner: int
    loser: int
    """The seat whose tile was won on; the winner itself by tsumo."""
    base: int
    """Basic points (2000 for a mangan), with all yakuman."""
    feeder: int = NOBODY
    """The seat that is liable for a yakuman (pao)."""
    fed_base: int = 0
    """Basic points of the yakuman for which it is liable."""
    own_sticks: int = 0
    """1 if the winner has a riichi stick of this round on the table."""


@dataclass(slots=True)
class Ended:
    """A round at its end, before payments, and the fields that :func:`settle` fills in."""

    outcome: int
    scores: list[int]
    """Points by seat, after the riichi sticks of the round were paid."""
    dealer: int
    wind: int
    honba: int
    sticks: int
    wins: list[Win] = field(default_factory=list)
    tenpai: list[bool] = field(default_factory=list)
    nagashi: list[bool] = field(default_factory=list)
    # filled in by settle
    deltas: list[list[int]] = field(default_factory=list)
    """A row for each win, or one row for a draw."""
    after: list[int] = field(default_factory=list)
    """Points by seat; at the game's end with leftover sticks, if the rules give them to a seat."""
    sticks_after: int = 0
    next_wind: int = 0
    next_dealer: int = 0
    next_honba: int = 0
    ended_by: int = -1
    """How the game ends with this round, or -1."""


def base_of(limit: str, han: int | None, fu: int, yakuman: int, kiriage: bool) -> int:
    """Return the basic points of a hand from its value: fu x 2^(han + 2) below the limits.

    >>> base_of("none", 3, 40, 0, False), base_of("yakuman", None, 30, 2, False)
    (1280, 16000)
    """
    if limit == "yakuman":
        return YAKUMAN_BASE * yakuman
    if limit in _LIMIT_BASE:
        return _LIMIT_BASE[limit]
    base: int = fu << ((han or 0) + 2)
    return _MANGAN if kiriage and base == 1920 else min(base, _MANGAN)


def up_to_hundred(points: int) -> int:
    """Return points rounded up to a hundred."""
    return -(-points // 100) * 100


def ron_points(base: int, by_dealer: bool) -> int:
    """Return what a ron pays: four shares, or six if the dealer wins."""
    return up_to_hundred(base * (6 if by_dealer else 4))


def tsumo_share(base: int, dealer_in_it: bool) -> int:
    """Return what one seat pays for a tsumo: double if it or the winner is the dealer."""
    return up_to_hundred(base * (2 if dealer_in_it else 1))


def _tsumo_shares(base: int, winner: int, dealer: int, players: int) -> list[int]:
    """Return what each seat pays for a tsumo; with three players the fourth share is lost (S12)."""
    return [
        0 if seat == winner else tsumo_share(base, dealer in (seat, winner))
        for seat in range(players)
    ]


def win_delta(win: Win, dealer: int, honba: int, sticks: int, flow: Flow) -> list[int]:
    """Return each seat's change by one win, with the honba and sticks that it gets."""
    paid = [0] * flow.players
    honba_all = honba * flow.honba * (flow.players - 1)
    by_dealer = win.winner == dealer
    fed = win.feeder not in (NOBODY, win.winner)
    rest = win.base - win.fed_base if fed else win.base
    if win.loser == win.winner:
        shares = _tsumo_shares(rest, win.winner, dealer, flow.players)
        for seat, share in enumerate(shares):
            paid[seat] += share + (honba * flow.honba if seat != win.winner and not fed else 0)
        if fed:  # T20: as if the feeder had dealt in, also for honba
            paid[win.feeder] += ron_points(win.fed_base, by_dealer) + honba_all
    elif fed and win.feeder != win.loser:
        half = ron_points(win.fed_base, by_dealer) // 2
        paid[win.feeder] += half + (honba_all if flow.pao_honba_feeder else 0)
        paid[win.loser] += half + (0 if flow.pao_honba_feeder else honba_all)
        paid[win.loser] += ron_points(rest, by_dealer)
    else:
        paid[win.loser] += ron_points(win.base, by_dealer) + honba_all
    delta = [-points for points in paid]
    delta[win.winner] += sum(paid) + STICK * sticks
    return delta


def _win_deltas(end: Ended, flow: Flow) -> list[list[int]]:
    """Return the change by each win: the nearest winner gets honba and sticks (T19)."""
    others = sum(win.own_sticks for win in end.wins[1:])
    deltas = []
    for nth, win in enumerate(end.wins):
        if flow.honba_to_all:
            honba, sticks = end.honba, end.sticks - others if nth == 0 else win.own_sticks
        else:
            honba, sticks = (end.honba, end.sticks) if nth == 0 else (0, 0)
        deltas.append(win_delta(win, end.dealer, honba, sticks, flow))
    return deltas


def noten_delta(tenpai: list[bool], flow: Flow) -> list[int]:
    """Return each seat's change of points at an exhaustive draw (T7).

    >>> from paifu.rules import rulesets
    >>> from paifu.simulate.flow import flow_of
    >>> flow = flow_of(rulesets.get("tenhou-4p"), 4, "south", True, True)
    >>> noten_delta([True, False, False, False], flow)
    [3000, -1000, -1000, -1000]
    """
    ready = sum(tenpai)
    if ready in (0, flow.players):
        return [0] * flow.players
    gain, loss = flow.noten_pool // ready, flow.noten_pool // (flow.players - ready)
    return [gain if is_tenpai else -loss for is_tenpai in tenpai]


def nagashi_delta(nagashi: list[bool], dealer: int, flow: Flow) -> list[int]:
    """Return each seat's change by nagashi mangan; several are added up (T18)."""
    delta = [0] * flow.players
    for seat, achieved in enumerate(nagashi):
        if achieved:
            shares = _tsumo_shares(_MANGAN, seat, dealer, flow.players)
            delta[seat] += sum(shares)
            delta = [points - share for points, share in zip(delta, shares, strict=True)]
    return delta


def _first(scores: list[int]) -> int:
    """Return the seat in first place; ties are in the order of seats (T13)."""
    return scores.index(max(scores))


def leads(seat: int, scores: list[int], flow: Flow) -> bool:
    """Return whether a seat is first; by some rules a tie does not count (T10)."""
    if flow.yame_sole_first:
        return all(scores[seat] > points for other, points in enumerate(scores) if other != seat)
    return _first(scores) == seat


def _dealer_goes_on(end: Ended, flow: Flow) -> bool:
    """Return whether the dealer stays dealer, because it won or was tenpai at a draw."""
    if flow.renchan == RENCHAN_NEVER:
        return False
    if end.outcome in (TSUMO, RON):
        return any(win.winner == end.dealer for win in end.wins)
    is_draw = end.outcome in (EXHAUSTIVE, NAGASHI)
    return is_draw and flow.renchan == RENCHAN_TENPAI and end.tenpai[end.dealer]


def end_of_game(end: Ended, flow: Flow) -> int:
    """Return how the game ends after a round and its payments, or -1 if it goes on."""
    scores = end.after
    low = min(scores)
    if (flow.bust == BUST_BELOW_ZERO and low < 0) or (flow.bust == BUST_ZERO and low <= 0):
        return BUST  # T9
    is_abort = end.outcome not in (TSUMO, RON, EXHAUSTIVE, NAGASHI)
    goes_on = _dealer_goes_on(end, flow)
    stays = goes_on or (is_abort and bool(flow.abort_renchan))
    won = end.outcome in (TSUMO, RON)
    reached = max(scores) >= flow.target_points
    first = leads(end.dealer, scores, flow)
    last_of_wind = end.dealer == flow.players - 1
    if end.wind >= flow.winds:  # T8: the extra round
        if goes_on and first and reached and flow.yame_in_extra_round:
            return AGARI_YAME if won else TENPAI_YAME
        if reached and not (flow.extra_round_dealer and stays and not first):
            return SUDDEN_DEATH
        return LAST_ROUND if last_of_wind and not stays else -1
    if end.wind < flow.winds - 1 or not last_of_wind:
        return -1
    if not stays:
        return LAST_ROUND if reached or not flow.extra_round else -1
    may_stop = flow.agari_yame if won else flow.tenpai_yame
    if goes_on and may_stop and first and scores[end.dealer] >= flow.target_points:
        return AGARI_YAME if won else TENPAI_YAME  # T10
    return -1


def _follow(end: Ended, flow: Flow) -> None:
    """Fill in the next round: T7, T15, T18."""
    won = end.outcome in (TSUMO, RON)
    is_abort = not won and end.outcome not in (EXHAUSTIVE, NAGASHI)
    stays = _dealer_goes_on(end, flow) or (is_abort and bool(flow.abort_renchan))
    more_honba = stays or (not won and (is_abort or bool(flow.honba_noten_dealer)))
    end.next_honba = end.honba + 1 if more_honba else 0
    end.next_dealer = end.dealer if stays else (end.dealer + 1) % flow.players
    end.next_wind = end.wind + (not stays and end.next_dealer == 0)


def _give_sticks(end: Ended, flow: Flow) -> None:
    """Give sticks left at the game's end to the first, or as the rules say (T12)."""
    if end.sticks_after == 0 or flow.leftover_sticks == STICKS_STAY:
        return
    best = max(end.after)
    first = [seat for seat, points in enumerate(end.after) if points == best]
    if flow.leftover_sticks not in (STICKS_SHARED, STICKS_SHARED_DOWN):
        first = first[:1]
    share = STICK * end.sticks_after // len(first) // 100 * 100
    for seat in first:
        end.after[seat] += share
    if flow.leftover_sticks == STICKS_SHARED:
        end.after[first[0]] += STICK * end.sticks_after - share * len(first)
    end.sticks_after = 0


def settle(end: Ended, flow: Flow) -> None:
    """Pay a round and fill in the next round or the end of the game.

    Points after the last round include leftover sticks; its ``deltas`` do not.
    """
    if end.outcome in (TSUMO, RON):
        end.deltas = _win_deltas(end, flow)
    elif end.outcome == EXHAUSTIVE:
        end.deltas = [noten_delta(end.tenpai, flow)]
    elif end.outcome == NAGASHI:
        end.deltas = [nagashi_delta(end.nagashi, end.dealer, flow)]
    else:
        end.deltas = [[0] * flow.players]
    end.after = [points + sum(d) for points, *d in zip(end.scores, *end.deltas, strict=True)]
    end.sticks_after = 0 if end.wins else end.sticks
    end.ended_by = end_of_game(end, flow)
    _follow(end, flow)
    if end.ended_by >= 0:
        _give_sticks(end, flow)


def results(scores: list[int], rules: RuleSet) -> list[float]:
    """Return each seat's final result in thousands: points minus the return, plus uma and oka.

    >>> from paifu.rules import rulesets
    >>> results([56000, 26600, 4000, 13400], rulesets.get("tenhou-4p"))
    [66.0, 6.6, -46.0, -26.6]
    """
    players = len(scores)
    uma = list(rules.uma)
    if rules.uma_floating:
        uma = list(rules.uma_floating[sum(points >= rules.return_points for points in scores)])
    uma[0] += rules.oka
    ranking = sorted(range(players), key=lambda seat: (-scores[seat], seat))
    tenths = [(points - rules.return_points) // 100 for points in scores]
    for points in set(scores):
        placed = [place for place, seat in enumerate(ranking) if scores[seat] == points]
        pool = 10 * sum(uma[place] for place in placed)
        share_ties = rules.ties != "seat"
        for nth, place in enumerate(placed):
            if share_ties:
                odd = pool - pool // len(placed) * len(placed) if nth == 0 else 0
                tenths[ranking[place]] += pool // len(placed) + odd
            else:
                tenths[ranking[place]] += 10 * uma[place]
    if rules.result_rounding == "thousands":
        return [float(whole) for whole in whole_results(scores, rules)]
    return [tenth / 10 for tenth in tenths]


def whole_results(scores: list[int], rules: RuleSet) -> list[int]:
    """Return results in whole thousands, halves away from zero; the first gets the rest (T11).

    >>> from paifu.rules import rulesets
    >>> whole_results([41500, 33000, 31000, -5500], rulesets.get("tenhou-4p"))
    [52, 13, -9, -56]
    """
    ranking = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    values = [0] * len(scores)
    for place, seat in enumerate(ranking):
        sign = -1 if scores[seat] < 0 else 1
        thousands = sign * ((abs(scores[seat]) + 500) // 1000)
        values[seat] = thousands - rules.return_points // 1000 + int(rules.uma[place])
    values[ranking[0]] = -sum(values[seat] for seat in ranking[1:])
    return values
