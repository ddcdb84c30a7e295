"""The flags: what can be wrong with a log that reads, each with the sentence that explains it."""

from __future__ import annotations

FLAGS: dict[str, str] = {
    # the play
    "tile_not_in_hand": "A tile was discarded, melded or won with that the seat did not hold.",
    "fifth_copy": "More copies of a tile came up than the set has.",
    "out_of_turn": "A seat drew, discarded, called or won when it was not its turn to.",
    "discard_missing": "A seat drew or called twice without discarding between.",
    "bad_meld": "The tiles of a call do not make the meld it claims.",
    "call_without_draw_left": "A chi, pon or kan on the last discard, or a kan without a tile to replace it.",
    "bad_chi": "A chi from a seat other than the one before, or with three players.",
    "kakan_without_pon": "A tile was added to a pon that was not there.",
    "riichi_open": "Riichi with an open hand.",
    "riichi_noten": "Riichi with a hand that was not tenpai after the declaration discard.",
    "riichi_twice": "Riichi declared by a seat already in riichi.",
    "riichi_without_discard": "A riichi declaration that no discard followed.",
    "riichi_not_accepted": "The declaration tile passed but the stick was not paid.",
    "hand_changed_in_riichi": "A discard in riichi other than the tile just drawn.",
    "call_in_riichi": "An open call by a seat in riichi.",
    "too_many_kans": "A fifth kan.",
    "wall_overdrawn": "More tiles were drawn than the wall has.",
    "dora_missing": "Fewer dora indicators were turned up than kans call for.",
    "dora_surplus": "More dora indicators were turned up than kans call for.",
    "win_not_complete": "A win with a hand that is not complete.",
    "win_without_tile": "A win on a tile that was not just drawn, discarded, added or set aside.",
    "event_after_end": "Something happened after the round had ended.",
    "no_end": "The log breaks off within the round.",
    "hidden_tiles": "The log hides tiles, so that hands are not known.",
    "short_haipai": "A seat was dealt something other than 13 tiles.",
    "wrong_tile_for_players": "A tile that the game's tile set does not have.",
    # the record against itself (formats.md §3.2)
    "hand_differs": "The hand shown at a win is not the hand replayed.",
    "tenpai_differs": "The hands shown at a draw are not those tenpai in replay.",
    "scores_not_carried": "A round starts with other points or sticks than the one before left.",
    "scores_before_differ": "Points stated before a payment are not the start less the sticks paid.",
    "honba_differs": "Honba or sticks printed beside a win are not those on the table.",
    "round_order": "Wind, number or honba do not follow from the round before.",
    "dealer_differs": "The dealer is not the seat the round number says.",
    "sum_differs": "Payments of a round do not sum to the sticks taken.",
    "result_sum": "Final results do not sum to zero.",
    "final_differs": "Final points are not the last round's end plus leftover sticks.",
    "indicators_differ": "Dora indicators listed at a win are not those turned up.",
    "outcome_differs": "The recorded kind of draw is not what the play shows.",
    # the log
    "go_type_contradicts_players": "The game type says another number of players than sat down.",
    "unknown_tag": "The log has a tag or field the importer does not know.",
    "no_rounds": "The game has no round.",
    "no_beginning": "The log begins within a round, which is left out.",
    "points_unknown": "The log gives no points: every round starts with the starting points.",
}
"""Reasons a game is flagged for, each with its sentence."""
