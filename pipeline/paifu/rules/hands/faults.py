"""Why a hand cannot be scored: the faults by key, and the sentence for each fault.

The engine returns a key. :func:`paifu.rules.hands.hands.fault_in` finds in the hand what the fault
is about. Only :func:`sentence` puts a fault into words.
"""

from __future__ import annotations

from paifu.errors import Fault
from paifu.game.tiles import TEXT

FAULTS: dict[str, str] = {
    "ok": "",
    # text that cannot be read
    "unreadable_hand": "the hand is not written in tiles like 123m0456p11z",
    "unreadable_melds": "the melds are not written like chi:123s pon:777z ankan:2222s kita",
    "unreadable_win_tile": "the winning tile is not one tile",
    "unreadable_indicators": "an indicator is not one tile",
    "bad_feeders": "who fed the open kans is not a list of seats, one for each in order",
    "hidden_tiles": "tiles of the hand are not known",
    # hands that cannot exist
    "bad_seat": "a seat or wind is not one of the table's",
    "bad_meld": "a meld is not a run, a triplet or a kan",
    "too_many_melds": "there are more than four melds",
    "tile_count": "the tiles are not fourteen, a kan counted as three",
    "five_copies": "there are more than four copies of a tile, indicators and norths counted",
    "too_many_reds": "there are more red fives than fives",
    "win_tile_absent": "the winning tile is not in the concealed hand",
    "sanma_tiles": "three players have no 2m-8m",
    "sanma_chi": "three players have no chi",
    "kita": "only three players set norths aside, at most four",
    "riichi_open": "riichi with an open hand",
    "ippatsu_without_riichi": "ippatsu, double riichi or open riichi without riichi",
    "own_tile": "a ron on the winner's own tile",
    "tsumo_loser": "nobody discards the winning tile of a tsumo",
    "own_pao": "the seat that is liable for a hand fed it: it is not the winner",
    "own_feed": "an open kong is fed by another seat than its owner",
    "dealer_streak": "a dealer has dealt every round that he won",
    "ura_without_riichi": "ura indicators are turned over for riichi only",
    "ura_beyond_dora": "an ura indicator lies under each dora indicator, and there are more",
    "tsumo_event": "rinshan and haitei are tsumo, houtei, chankan, a ronned kita and three winners "
    "of a tile are ron",
    "one_ron": "a tile is won on in one way: houtei, chankan and a ronned kita exclude each other",
    "rinshan_without_kan": "rinshan is the draw after a kan or a north set aside, and the hand has "
    "neither",
    "ippatsu_over": "a kan or a north set aside ends ippatsu: no ippatsu with rinshan, on the "
    "discard after one, or with a double riichi and a kan",
    "first_turn_called": "a call, a kan or a north set aside ends the first turn for everybody, "
    "also for the seat that makes it",
    "first_turn_riichi": "riichi comes with a discard, and a win on the first turn comes before it",
    "first_turn_order": "a ron on the first turn is on a tile of a seat that plays before the "
    "winner: nobody plays before the dealer",
    "first_turn_last_tile": "the last tile of the wall is not drawn in the first go-around",
    "chankan_copy": "the other three copies of a robbed tile lie in the kan, not in the hand nor "
    "as indicators",
    "last_copy_held": "the other three copies of a last copy lie open, not in the hand",
    "foreign_tiles": "the game has no such tile",
    "foreign_flowers": "the game has no flowers, or not so many",
    "foreign_chi": "the game has no chi",
    "foreign_players": "the game is for another number of players",
    "foreign_wild": "the game has no wild tile",
    "foreign_bird": "the game has no bird tile",
    "foreign_liable": "the game makes no seat pay for all; riichi's liability is pao",
    "foreign_out": "the game ends with its first win, so that no seat has won before",
    "foreign_raised": "in this game no seat raises its wins and losses",
    "foreign_fed": "who fed a kong makes no difference in this game",
    "feeder_unknown": "the seat that fed the open kong is missing",
    "foreign_reds": "the game has no red fives",
    "foreign_riichi": "the game has no riichi, dora, honba, sticks or norths set aside",
    "foreign_triple_ron": "three winners of one tile make no difference in this game",
    "foreign_kong": "a kong by itself is not paid in this game",
    "foreign_dealt": "a hand as dealt is not paid in this game",
    "not_named": "the source names the hands it pays and does not say which tiles they are: name "
    "the hand",
    "unknown_name": "the game's table has no hand of that name",
    "named_otherwise": "its name and its record disagree about how it was won",
    "event_won": "a kong by itself and a hand as dealt are not won on a tile: no rinshan, "
    "haitei, houtei, chankan or last copy",
    "dealt_tiles": "a hand as dealt has thirteen tiles (the dealer's also fourteen) and no melds",
    "seat_is_out": "a seat that has won already neither wins nor pays again",
    "kita_ron": "only three players set norths aside, and the winning tile is then a 4z",
    "kita_ron_forbidden": "under these rules a north set aside may not be ronned",
}
"""Why a hand cannot be scored: a sentence by key; the position of a key is its code."""

_COUNTED = ("five_copies", "chankan_copy", "last_copy_held")
"""Faults that say how many copies there are of their tiles."""

FAULT_KEYS: tuple[str, ...] = tuple(FAULTS)
FAULT: dict[str, int] = {key: code for code, key in enumerate(FAULTS)}
FIRST_IMPOSSIBLE = FAULT["bad_seat"]
"""Codes from here on are hands that can be read but cannot exist."""


def sentence(fault: Fault, game: str) -> str:
    """Return what is wrong with a hand of a game, in words.

    >>> sentence(Fault("five_copies", ((4, 6),)), "tenhou-4p")
    'there are more than four copies of a tile, indicators and norths counted: 6 of 5m'
    >>> sentence(Fault("foreign_tiles", ((27, 2), (33, 1))), "sichuan")
    'sichuan has no 1z, 7z'
    """
    text = FAULTS[fault.key]
    tiles = ", ".join(TEXT[kind] for kind, _ in fault.tiles)
    if fault.key == "foreign_tiles" and tiles:
        return f"{game} has no {tiles}"
    if fault.key.startswith("foreign_"):
        return text.replace("the game", game, 1)
    if fault.key == "tile_count" and fault.number is not None:
        return f"{text}: there are {fault.number}"
    if fault.key in _COUNTED and tiles:
        return f"{text}: {', '.join(f'{count} of {TEXT[kind]}' for kind, count in fault.tiles)}"
    return f"{text}: {tiles}" if tiles else text
