"""The flags: what can be wrong with a log that can be read, each with a sentence about it."""

from __future__ import annotations

OWN_YAKU = "own_yaku"
"""Flag of a game whose wins depend on settings of its room. No rule set has them."""

RIICHI_UNKNOWN = "riichi_unknown"
"""Flag of a round of a score sheet without a column for riichi."""

WRONG_SUMS = ("points_sum", "sum_differs", "final_differs")
"""Flags of a game whose points do not add up; in a score sheet it is a slip of the pen."""

FLAGS: dict[str, str] = {
    # the play
    "tile_not_in_hand": "The seat discarded, melded or won with a tile that it did not hold.",
    "fifth_copy": "More copies of a tile came up than the set has.",
    "out_of_turn": "A seat drew, discarded, called or won out of turn.",
    "discard_missing": "A seat drew or called twice without a discard in between.",
    "bad_meld": "The tiles of a call do not make the meld it claims.",
    "call_without_draw_left": "A chi, pon or kan on the last discard, or a kan without a tile to replace it.",
    "bad_chi": "A chi from a seat other than the previous one, or with three players.",
    "kakan_without_pon": "A tile was added to a pon that the seat does not have.",
    "riichi_open": "Riichi with an open hand.",
    "riichi_noten": "Riichi with a hand that was not tenpai after the declaration discard.",
    "riichi_twice": "Riichi declared by a seat already in riichi.",
    "riichi_without_discard": "A riichi declaration that no discard followed.",
    "riichi_not_accepted": "The declaration tile passed but the stick was not paid.",
    "hand_changed_in_riichi": "A discard in riichi other than the tile just drawn.",
    "call_in_riichi": "An open call by a seat in riichi.",
    "too_many_kans": "A fifth kan.",
    # the play, by the rule set of the game
    "kuikae": "Kuikae: the tile called was discarded again.",
    "kuikae_suji": "Kuikae: the other end of the run called was discarded.",
    "riichi_without_points": "Riichi by a seat without the 1000 points that the rule set asks for.",
    "riichi_too_late": "Riichi with fewer tiles left to draw than the rule set asks for.",
    "riichi_furiten": "Riichi in furiten, which the rule set forbids.",
    "kita_after_pon": "A north was set aside right after a pon, which the rule set forbids.",
    "riichi_kan": "An ankan in riichi, which the rule set forbids.",
    "riichi_kan_drawn": "An ankan in riichi without the tile just drawn.",
    "riichi_kan_wait": "An ankan in riichi that changed the wait.",
    "riichi_kan_readings": "An ankan in riichi of tiles that are not a triplet in every reading of the hand.",
    "abort_passed": "An abortive draw was due, but the round went on.",
    # the play
    "wall_overdrawn": "More tiles were drawn than the wall has.",
    "dora_missing": "Fewer dora indicators were turned up than the kans require.",
    "dora_surplus": "More dora indicators were turned up than the kans require.",
    "win_not_complete": "A win with a hand that is not complete.",
    "win_without_tile": "A win on a tile that was not just drawn, discarded, added or set aside.",
    "event_after_end": "Something happened after the round had ended.",
    "no_end": "The log breaks off within the round.",
    "hidden_tiles": "The log hides tiles, so that hands are not known.",
    "short_haipai": "A seat was dealt something other than 13 tiles.",
    "wrong_tile_for_players": "A tile that the game's tile set does not have.",
    # the record against itself (formats.md §3.2)
    "hand_differs": "The hand shown at a win differs from the hand that replay found.",
    "tenpai_differs": "The hands shown at a draw are not the hands that are tenpai in replay.",
    "scores_not_carried": "A round does not start with the points and sticks that the round before left.",
    "scores_before_differ": "Points stated before a payment are not the starting points minus the sticks paid.",
    "honba_differs": "Honba or sticks recorded with a win are not those on the table.",
    "round_order": "Wind, number or honba of the round do not follow from the round before.",
    "dealer_differs": "The dealer is not the seat that the round number requires.",
    "sum_differs": "Payments of a round do not sum to the sticks taken.",
    "result_sum": "Final results do not sum to zero.",
    RIICHI_UNKNOWN: "The score sheet does not say who paid a riichi stick: fill in its column riichi (none: nobody).",
    "points_sum": "The final points of a score sheet do not add up to the points that the game began with.",
    "final_differs": "Final points of a whole game are not those after its last round plus leftover sticks.",
    "indicators_differ": "Dora indicators listed at a win are not those turned up.",
    "outcome_differs": "The recorded kind of draw is not what the play shows.",
    # the log
    "go_type_contradicts_players": "The game type has a different number of players than the game.",
    "unknown_tag": "The log has a tag or field that the importer does not know.",
    "attribute_twice": "An element has an attribute twice with different values; the first counts.",
    "no_rounds": "The game has no round.",
    "no_beginning": "The log begins in the middle of a round; this round is left out.",
    OWN_YAKU: "The room has its own yaku or payments (old yaku, 古役, and other modes).",
    "points_unknown": "The log gives no points: every round starts with the starting points.",
}
"""Reasons a game is flagged for, each with its sentence."""
