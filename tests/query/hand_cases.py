"""Statistics of four sample games counted by hand; the figures follow from this description.

``double_ron`` has five rounds, so 20 rows of round and seat; the first dealer is seat 0. The seats
are called A, B, C and D here, and have their names if a statistic gives names.

1. E1: D deals no longer than it takes: each discards once (4z, 1s, 1s, 1z), A (234567m34599p67s,
   tenpai as dealt, on 58s) wins by tsumo on 8s, dama: pinfu, menzen tsumo, 2,100 (700 from each).
2. E1, one honba: A (two away) discards 1m, B and C 9p, both dealt a tenpai on 58s; D, dealt
   123789m123789p1z, declares double riichi with 4z. A draws 5s and deals in to B and C: pinfu and
   tanyao, 2,000 each. B is nearer: it gets the honba and the stick (2,300 + 1,000).
3. E2: C pons 6z at its turn 6, B calls chi at 7, D pons 3p at 11 and calls chi at 14 (then tenpai
   on 8s for two discards). A declares riichi at turn 12 with 8s from the hand, on 5s (four live).
   After it: B 8s, C 5m, D 4p, A 4m, B 2p, C 4m, D 1z; A wins by tsumo, 2,700, no ura.
4. E3: C pons 8s at its turn 5. B declares riichi at turn 9 with 9m, on 258m (eight live). After it:
   C 7p, D 1p, A 1s, B 6s, C 6p, D 9p, A 1s, B 4z, C 6p, D 6s, A 6s, B 1p, and C, one away with an
   open hand, deals in with 2m at turn 14: riichi, tanyao, 2,600, no ura.
5. E4: A declares riichi at turn 11 with 4z, on 47p (five live). After it: B 3m, C 5p, D 9m, A 4s,
   B 3s, C 3m, D 2m, all of which A had discarded or let pass; A wins by tsumo: pinfu, a red five,
   one ura, mangan 8,000. Final points 33,500 26,900 21,000 18,600.

Points at the starts: 25,000 each; 27,100 24,300 24,300 24,300; 22,800 27,600 26,300 23,300; 25,500
26,300 25,600 22,600; 25,500 28,900 23,000 22,600. Discards: 1 1 1 1; 2 1 1 1; 13 13 14 15;
12 12 14 13; 12 12 12 13. Shanten of the haipai: 0 4 3 3; 2 0 0 0; 1 4 5 4; 4 4 4 5; 4 3 4 4.
Their dora and red fives: 0 1 1 0; 2 0 0 0; 0 1 2 0; 0 0 2 1; 1 0 1 1. Their kinds of terminals and
honours: 1 6 2 4; 4 0 0 5; 3 5 8 4; 8 5 3 5; 4 4 4 7.

``pao_tsumo`` is one round: seat 0, dealt 12m99p345s556677z, pons 5z (of B), 6z (of B) and 7z (of
C) at its turns 2, 3 and 4 and discards 9s, 3s, 4s, 5s: two away, two away, one away, tenpai. The
others discard what they draw and stay three away: B 5z, 6z, 8p, 8p, C 7z, 8s, D 1s; after the
second pon these are B 8p, C 7z, B 8p, C 8s and D 1s. Then daisangen by tsumo, paid by C alone.

``atozuke`` is one round: seat 0, the dealer, calls an open kan of four 5p, one of them red, under
two indicators 4p, holds 234m067s and waits on 9s and 7z; B discards 7z, its only yaku: chun
with ten dora, sanbaiman, 36,000, and B is bust.

``south_2`` has a seed. Its seven riichis, and the draws left in the live wall after each:

a. seat 0, 3p, two live, 31 left, lost: 3p is the 10th of them
b. seat 0, 8s, four live, 42 left, won: 8s are the 11th, 19th and 37th
c. seat 1, 7s, two live, 34 left, lost: 7s is the 7th
d. seat 0, 58m, six live, 29 left, won: 5m are the 2nd and 24th
e. seat 1, 147m, six live, 21 left, won: 4m is the 1st, 7m the 13th and 19th
f. seat 2, 6s, four live, 28 left, lost: 6s are the 16th and 23rd
g. seat 0, 25p, eight live, 41 left, won: 5p the 14th and 29th, 2p the 28th

Its six wins, and the ura indicator under each: closed with one 4s (3s), open without north (3z),
riichi b without 6z (5z), d with two 9m (8m), e with two 1m (9m), g with one 3s (2s).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

A, B, C, D = 'トビ"本"', "ウグイス二世", "フクロウ+1", "ウグイス's"


@dataclass(frozen=True)
class Case:
    """Some columns of a statistic, counted by hand."""

    name: str
    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    game: str = "double_ron"
    some: bool = False
    """Only some rows were counted."""
    params: dict[str, Any] = field(default_factory=dict)


CASES: list[Case] = []


def case(
    name: str, columns: str, *rows: tuple[Any, ...], game: str = "double_ron", some: bool = False,
    **params: Any,
) -> None:  # fmt: skip
    CASES.append(Case(name, tuple(columns.split()), list(rows), game, some, params))


# --- yaku ---------------------------------------------------------------------------------------

YAKU = (
    ("pinfu", 4, 6), ("menzen_tsumo", 3, 6), ("riichi", 3, 6), ("tanyao", 3, 6),
    ("aka_dora", 1, 6), ("ura_dora", 1, 6),
)  # fmt: skip
case("yaku_frequency", "yaku wins n", *YAKU)
case("yaku_frequency", "yaku wins n", *YAKU, source="recorded")
case("yaku_frequency", "yaku wins n", *YAKU, source="computed")
case("yaku_by_ruleset", "yaku wins n", *YAKU)
# three wins in riichi, three dama, one of them (round 1) the dealer's
case(
    "yaku_frequency", "yaku n_riichi riichi_rate n_closed closed_rate n_open n_dealer dealer_rate",
    ("pinfu", 3, 1 / 3, 3, 1.0, 0, 1, 1.0), ("tanyao", 3, 1 / 3, 3, 2 / 3, 0, 1, 0.0), some=True,
)  # fmt: skip
# turns 2, 2 and 2, and 14, 13 and 13
case(
    "yaku_by_turn", "from_turn yaku wins n",
    (1, "pinfu", 3, 3), (1, "tanyao", 2, 3), (1, "menzen_tsumo", 1, 3), (13, "riichi", 3, 3),
    (13, "menzen_tsumo", 2, 3), (13, "aka_dora", 1, 3), (13, "pinfu", 1, 3), (13, "tanyao", 1, 3),
    (13, "ura_dora", 1, 3),
)  # fmt: skip
case(
    "yaku_pairs", "yaku other wins n lift",
    ("menzen_tsumo", "pinfu", 2, 6, 1.0), ("menzen_tsumo", "riichi", 2, 6, 4 / 3),
    ("pinfu", "tanyao", 2, 6, 1.0), ("pinfu", "riichi", 1, 6, 0.5),
    ("riichi", "tanyao", 1, 6, 2 / 3),
    min_wins=1,
)  # fmt: skip
case("han_and_fu", "han fu wins n", (2, 20, 1, 6), (2, 30, 2, 6), (2, 40, 2, 6), (5, 20, 1, 6))
case("han_and_fu", "han fu wins n", (2, 30, 2, 3), (2, 40, 1, 3), won_by="ron")
case(
    "limits", "state limit wins n",
    ("closed", "none", 3, 3), ("riichi", "none", 2, 3), ("riichi", "mangan", 1, 3),
)  # fmt: skip
case(
    "dora_kinds", "kind han wins n",
    ("aka", 0, 5, 6), ("aka", 1, 1, 6), ("dora", 0, 6, 6), ("ura", 0, 2, 3), ("ura", 1, 1, 3),
)  # fmt: skip
case("atozuke", "wins n", (0, 1), game="south_2")  # the open win is tanyao
case(
    "atozuke", "wins n rate tsumo_rate average_points average_points_of_others",
    (1, 1, 1.0, 0.0, 36_000.0, None), game="atozuke",
)  # fmt: skip

# --- wins ---------------------------------------------------------------------------------------

# 2,100 + 2,000 + 2,000 + 2,700 + 2,600 + 8,000 = 19,400
case(
    "wins", "state wins n win_rate tsumo_rate average_points",
    ("all", 6, 20, 0.3, 0.5, 19_400 / 6), ("closed", 3, 20, 0.15, 1 / 3, 6_100 / 3),
    ("riichi", 3, 20, 0.15, 2 / 3, 13_300 / 3),
)  # fmt: skip
# with honba and sticks: 2,100; 2,300 + 1,000; 2,000; and 2,700, 2,600, 8,000 + 1,000 each
case("wins", "state average_points", ("all", 23_700 / 6), points="received", some=True)
case(
    "wins_from", "own_state won_from from_dealer wins n",
    ("closed", "closed", True, 2, 6), ("riichi", "tsumo", False, 2, 6),
    ("closed", "tsumo", False, 1, 6), ("riichi", "open", True, 1, 6),
)  # fmt: skip
case(
    "win_points", "is_dealer state won_by n average_points rate_7700",
    (True, "closed", "tsumo", 1, 2_100.0, 0.0), (False, "closed", "ron", 2, 2_000.0, 0.0),
    (False, "riichi", "ron", 1, 2_600.0, 0.0), (False, "riichi", "tsumo", 2, 5_350.0, 0.5),
)  # fmt: skip
case("win_turns", "at_turn wins n", (2, 3, 6), (13, 2, 6), (14, 1, 6))
# B holds two 8s itself: six live, including the winning tile; the others eight, eight
case(
    "win_waits",
    "state wait_kind wins n average_live",
    ("closed", "ryanmen", 3, 3, 22 / 3),
    some=True,
)
case(
    "win_waits",
    "state wait_kind wins",
    ("riichi", "ryanmen", 2),
    ("riichi", "kanchan", 1),
    some=True,
)

# --- deal-ins -----------------------------------------------------------------------------------

# ended open: B, C, D of round 3 and C of round 4; in riichi: four
case(
    "deal_in", "state n deal_in_rounds deal_ins deal_in_rate average_cost average_turn",
    ("all", 20, 2, 3, 0.1, 3_450.0, 8.0), ("closed", 12, 1, 2, 1 / 12, 4_300.0, 2.0),
    ("open", 4, 1, 1, 0.25, 2_600.0, 14.0), ("riichi", 4, 0, 0, 0.0, None, None),
)  # fmt: skip
case(
    "deal_in_to", "own_state winner_state to_dealer deal_ins n average_paid",
    ("closed", "closed", False, 2, 3, 2_150.0), ("open", "riichi", False, 1, 3, 2_600.0),
)  # fmt: skip
case(
    "deal_in_by_turn", "turn deal_in_rounds n average_cost",
    (1, 0, 20, None), (2, 1, 13, 4_300.0), (14, 1, 3, 2_600.0), (15, 0, 1, None), some=True,
)  # fmt: skip
case(
    "deal_in_by_shanten", "shanten state deal_in_rounds n n_rounds average_cost",
    (1, "open", 1, 2, 20, 2_600.0), (2, "closed", 1, 2, 20, 4_300.0),
)  # fmt: skip
case(
    "largest_deal_ins", "player round n_winners cost tile",
    (A, "E1.1", 2, 4_300, "5s"), (C, "E3.0", 1, 2_600, "2m"),
)  # fmt: skip
# round 2: 5s, on which the opponent in riichi did not win. Round 3: 8s, 2p, 4m genbutsu, 5m with 8m
# but not 2m discarded, 4p (all 3p in sight but no 7p), the fourth 1z. Round 4: 7p with 4p
# discarded, 6p with 9p but not 3p, the second 6p passed before; 2m. Round 5: all six genbutsu.
case(
    "deal_in_by_tile_class", "class live n deal_ins",
    ("no_suji_28", None, 1, 1), ("no_suji_456", None, 2, 0), ("genbutsu", None, 16, 0),
    ("half_suji_456", None, 2, 0), ("honour", 0, 1, 0), ("suji_37", None, 1, 0),
)  # fmt: skip
# against A's second and third pon: 8p twice, 7z with the three that A may hold unseen, 8s after 5s,
# 1s after 4s
case(
    "deal_in_by_tile_class", "class live n deal_ins",
    ("honour", 3, 1, 0), ("no_suji_28", None, 2, 0), ("suji_19", None, 1, 0),
    ("suji_28", None, 1, 0),
    game="pao_tsumo", threat="open",
)  # fmt: skip
# dora: 3s, 9s, 8p, 1m; so 5s, 8s, 7p, both 6p, 9p, both 3m and 2m are near one
case(
    "deal_in_by_dora", "class near_dora n deal_ins",
    ("genbutsu", "near", 6, 0), ("genbutsu", "none", 10, 0), ("half_suji_456", "near", 1, 0),
    ("half_suji_456", "none", 1, 0), ("honour", "none", 1, 0), ("no_suji_28", "none", 1, 1),
    ("no_suji_456", "near", 1, 0), ("no_suji_456", "none", 1, 0), ("suji_37", "near", 1, 0),
)  # fmt: skip
case(
    "deal_in_by_outside", "class outside n deal_ins",
    ("half_suji_456", False, 2, 0), ("no_suji_28", False, 1, 1), ("no_suji_456", False, 2, 0),
    ("suji_37", False, 1, 0),
)  # fmt: skip
case(
    "danger_by_turn", "class threat_turn n deal_ins",
    ("genbutsu", 0, 6, 0), ("genbutsu", 1, 7, 0), ("genbutsu", 2, 3, 0), ("half_suji_456", 0, 1, 0),
    ("half_suji_456", 1, 1, 0), ("honour", 1, 1, 0), ("no_suji_28", 3, 1, 1),
    ("no_suji_456", 0, 2, 0), ("suji_37", 0, 1, 0),
)  # fmt: skip
# folded: B in round 3 (8s, 2p), A and D in round 4, B, C and D in round 5; C in rounds 3 and 4
# threw one safe tile and more; A in round 2 and D in round 3 none
case(
    "facing_riichi", "answer n deal_in_rate average_cost paid_tsumo_rate balance",
    ("folded", 6, 0.0, None, 4 / 6, -1_550.0), ("mixed", 2, 0.5, 2_600.0, 0.5, -1_650.0),
    ("pushed", 2, 0.5, 4_300.0, 0.5, -2_500.0),
)  # fmt: skip

# B and C won in round 2 without a call or riichi, B in round 4 in riichi
case(
    "deal_in_by_threat", "shown deal_ins n average_turn average_points mangan_rate",
    ("nothing", 2, 3, 2.0, 2_000.0, 0.0), ("riichi", 1, 3, 14.0, 2_600.0, 0.0),
)  # fmt: skip
# 5s in round 2, the first discard after D's: no suji has passed, and 25s and 58s are the tile's
case("danger_by_suji", "tile_suji suji_left n deal_ins", (2, 18, 1, 0), some=True)
# 2m in round 4, of C, the dealer, to B, six turns after its riichi
case(
    "deal_in_cost", "class from_turn to_turn against_dealer ippatsu n deal_ins average_paid "
    "average_lost",
    ("no_suji_28", 13, 18, False, False, 1, 1, 2_600.0, 2_600.0), some=True,
)  # fmt: skip

# --- riichi -------------------------------------------------------------------------------------

# four, each its round's first; three won 2,700, 2,600 and 8,000; D lost its stick
case(
    "riichi", "riichi n n_rounds riichi_rate chased_rate win_rate balance n_won income n_dealt_in",
    ("all", 4, 20, 0.2, 0.0, 0.75, 3_075.0, 3, 13_300 / 3, 0),
    ("first", 4, 20, 0.2, 0.0, 0.75, 3_075.0, 3, 13_300 / 3, 0),
)  # fmt: skip
case("ippatsu_and_ura", "indicators n ippatsu_rate ura_rate", (1, 3, 0.0, 1 / 3))
case("riichi_by_live", "live n win_rate", (3, 1, 0.0), (4, 1, 1.0), (5, 1, 1.0), (8, 1, 1.0))
case(
    "riichi_by_turn", "turn wait riichi n win_rate",
    (1, "bad", "first", 1, 0.0), (9, "good", "first", 1, 1.0), (11, "bad", "first", 1, 1.0),
    (12, "bad", "first", 1, 1.0),
)  # fmt: skip
case(
    "riichi_by_turn", "turn wait win_rate",
    (1, "tanki", 0.0), (9, "multi", 1.0), (11, "ryanmen", 1.0), (12, "kanchan", 1.0), wait="kind",
)  # fmt: skip
case(
    "riichi_by_wait", "wait_kind n average_live multi_wait_rate win_rate balance",
    ("kanchan", 1, 4.0, 0.0, 1.0, 2_700.0), ("multi", 1, 8.0, 1.0, 1.0, 2_600.0),
    ("ryanmen", 1, 5.0, 1.0, 1.0, 8_000.0), ("tanki", 1, 3.0, 0.0, 0.0, -1_000.0),
)  # fmt: skip
case("riichi_by_wait", "wait_kind n", ("tanki", 1), double="true")
# 1z, 258m, 47p and 5s
case(
    "riichi_by_tile", "wait_kind tiles outs n win_rate balance",
    ("tanki", "z", 3, 1, 0.0, -1_000.0), ("multi", "258", 8, 1, 1.0, 2_600.0),
    ("ryanmen", "47", 5, 1, 1.0, 8_000.0), ("kanchan", "5", 4, 1, 1.0, 2_700.0),
)  # fmt: skip
case(
    "riichi_tiles", "class n ronned_rate win_rate balance",
    ("1 9", 1, 0.0, 1.0, 2_600.0), ("2 8", 1, 0.0, 1.0, 2_700.0), ("honour", 2, 0.0, 0.5, 3_500.0),
)  # fmt: skip
case(
    "dama_or_riichi", "wait choice n win_rate average_points",
    ("bad", "riichi", 3, 2 / 3, 5_350.0), ("good", "dama", 3, 1.0, 6_100 / 3),
    ("good", "riichi", 1, 1.0, 2_600.0),
)  # fmt: skip

# --- calls --------------------------------------------------------------------------------------

case(
    "calls", "calls n call_rate win_rate deal_in_rate",
    (0, 16, 0.2, 0.375, 0.0625), (1, 3, 0.2, 0.0, 1 / 3), (2, 1, 0.2, 0.0, 0.0),
)  # fmt: skip
# B deals round 3 and C round 4: -1,300 and -2,600; the others lost 700 each
case(
    "open_rounds", "seat n n_rounds call_rate calls_per_open_round win_rate deal_in_rate income",
    ("all", 4, 20, 0.2, 1.25, 0.0, 0.25, -1_325.0), ("dealer", 2, 5, 0.4, 1.0, 0.0, 0.5, -1_950.0),
    ("other", 2, 15, 2 / 15, 1.5, 0.0, 0.0, -700.0),
)  # fmt: skip
case(
    "first_call", "turn n deal_in_rate balance",
    (5, 1, 1.0, -2_600.0), (6, 1, 0.0, -700.0), (7, 1, 0.0, -1_300.0), (11, 1, 0.0, -700.0),
)  # fmt: skip
case("kans", "kan n n_rounds rate", *((kan, 0, 20, 0.0) for kan in ("ankan", "daiminkan", "kakan")))
case("open_tenpai", "melds turn n tenpai_rate", (2, 14, 1, 1.0), (2, 15, 1, 1.0), some=True)
case(
    "open_tenpai", "melds turn n tenpai_rate", (1, 2, 1, 0.0), (2, 3, 1, 0.0), (3, 4, 1, 1.0),
    game="pao_tsumo",
)  # fmt: skip
# B was dealt 55z in round 1; 33z was not yakuhai for its holders
case("yakuhai_pairs", "choice n win_rate", ("not called", 1, 0.0))
# A's three dragons; B was dealt 11z
case(
    "yakuhai_pairs",
    "choice n win_rate",
    ("called", 3, 1.0),
    ("not called", 1, 0.0),
    game="pao_tsumo",
)

# --- draws, dealing, the deal -------------------------------------------------------------------

case("draws", "state n n_rounds draw_rate", ("all", 0, 5, 0.0), ("open", 0, 4, 0.0), some=True)
# as dealer: +2,100 -4,300 -1,300 -2,600 -4,000; hit by 1,300 and by a mangan of 4,000
case(
    "dealer",
    "is_dealer n win_rate deal_in_rate call_rate balance n_hit_by_tsumo hit_by_mangan_rate "
    "hit_by_mangan_points longest_streak average_haipai_shanten n_wins of_wins_rate",
    (True, 5, 0.2, 0.4, 0.4, -2_020.0, 2, 0.5, 4_000.0, 1, 2.8, 6, 1 / 6),
    (False, 15, 1 / 3, 0.0, 2 / 15, 10_100 / 15, 7, 2 / 7, 2_000.0, None, 44 / 15, 6, 5 / 6),
)  # fmt: skip
case(
    "seat_winds", "seat n win_rate deal_in_rate balance",
    ("east", 5, 0.2, 0.4, -2_020.0), ("south", 5, 0.4, 0.0, 1_980.0), ("west", 5, 0.2, 0.0, -280.0),
    ("north", 5, 0.4, 0.0, 320.0),
)  # fmt: skip
case(
    "haipai", "shanten n win_rate deal_in_rate",
    (0, 4, 0.75, 0.0), (1, 1, 1.0, 0.0), (2, 1, 0.0, 1.0), (3, 3, 0.0, 0.0), (4, 9, 2 / 9, 1 / 9),
    (5, 2, 0.0, 0.0),
)  # fmt: skip
case("haipai", "shanten n", (0, 1), (2, 1), (4, 3), seat="dealer")
case("haipai_dora", "dora n win_rate", (0, 10, 0.5), (1, 7, 1 / 7), (2, 3, 0.0))
case(
    "haipai_orphans", "kinds n win_rate",
    (0, 2, 1.0), (1, 1, 1.0), (2, 1, 0.0), (3, 2, 0.5), (4, 6, 1 / 6), (5, 4, 0.25), (6, 1, 0.0),
    (7, 1, 0.0), (8, 2, 0.0),
)  # fmt: skip
case(
    "shanten_by_turn", "turn shanten hands n",
    (1, 2, 1, 4), (1, 3, 3, 4), (2, 2, 1, 3), (2, 3, 2, 3), (3, 1, 1, 2), (3, 3, 1, 2),
    (4, 0, 1, 2), (4, 3, 1, 2),
    game="pao_tsumo",
)  # fmt: skip
case(
    "tenpai_by_turn", "turn n tenpai_rate riichi_rate dama_rate open_tenpai_rate",
    (1, 4, 0.0, 0.0, 0.0, 0.0), (2, 3, 0.0, 0.0, 0.0, 0.0), (3, 2, 0.0, 0.0, 0.0, 0.0),
    (4, 2, 0.5, 0.0, 0.0, 0.5),
    game="pao_tsumo",
)  # fmt: skip
# 4z 1s 1s 1z; 1m 9p 9p 4z; 2p 1m 1s 1m; 2z 1p 2z 3z; 9m 2p 1s 1p; 1z is the round's wind and D's
# 4z in round 2 its own
case(
    "first_discards", "class n n_all win_rate",
    ("1 9", 12, 20, 4 / 12), ("guest wind", 4, 20, 0.25), ("2 8", 2, 20, 0.5),
    ("value wind", 2, 20, 0.0),
)  # fmt: skip

# --- placement ----------------------------------------------------------------------------------

case(
    "placement", "player n average_placement top_two_rate average_points average_result",
    (A, 1, 1.0, 1.0, 33_500.0, 43.5), (B, 1, 2.0, 1.0, 26_900.0, 6.9),
    (C, 1, 3.0, 0.0, 21_000.0, -19.0), (D, 1, 4.0, 0.0, 18_600.0, -31.4),
)  # fmt: skip
case(
    "placement_by_start_seat", "seat average_placement average_points",
    (0, 1.0, 33_500.0), (1, 2.0, 26_900.0), (2, 3.0, 21_000.0), (3, 4.0, 18_600.0),
)  # fmt: skip
case(
    "placement_by_points", "round from_points n average_placement first_rate",
    ("E1", 20_000, 3, 3.0, 0.0), ("E1", 25_000, 5, 2.2, 0.4), ("E2", 20_000, 2, 2.5, 0.5),
    ("E2", 25_000, 2, 2.5, 0.0), ("E3", 20_000, 1, 4.0, 0.0), ("E3", 25_000, 3, 2.0, 1 / 3),
    ("E4", 20_000, 2, 3.5, 0.0), ("E4", 25_000, 2, 1.5, 0.5),
)  # fmt: skip
# in E4 B leads by 3,400 before A
case(
    "placement_by_points", "round from_points n average_placement",
    ("E4", 0, 1, 2.0), ("E4", 3_000, 1, 1.0), ("E4", 5_000, 1, 3.0), ("E4", 6_000, 1, 4.0),
    measure="gap", step=1_000, some=True,
)  # fmt: skip
case(
    "all_last", "rank is_dealer n keep_rate climb_rate fall_rate last_rate average_gap_to_next",
    (1, False, 1, 0.0, 0.0, 1.0, 0.0, None), (2, False, 1, 0.0, 1.0, 0.0, 0.0, 3_400.0),
    (3, False, 1, 1.0, 0.0, 0.0, 0.0, 2_500.0), (4, True, 1, 1.0, 0.0, 0.0, 1.0, 400.0),
)  # fmt: skip
# A declares riichi and wins, from second to first; the others fold
case(
    "all_last_play",
    "rank from_points n riichi_rate n_facing fold_rate win_rate keep_rate climb_rate fall_rate",
    (1, 0, 1, 0.0, 1, 1.0, 0.0, 0.0, 0.0, 1.0), (2, 0, 1, 1.0, 0, None, 1.0, 0.0, 1.0, 0.0),
    (3, 0, 1, 0.0, 1, 1.0, 0.0, 1.0, 0.0, 0.0), (4, 0, 1, 0.0, 1, 1.0, 0.0, 1.0, 0.0, 0.0),
)  # fmt: skip
# B led by 3,400, A and C were 3,400 and 2,500 behind
case(
    "all_last_play", "rank from_points n", (1, 3_000, 1), (2, 3_000, 1), (3, 2_000, 1), (4, 0, 1),
    step=1_000,
)  # fmt: skip
case("busts", "last_round busts n", ("all", 0, 4), ("paid_tsumo", 0, 4), ("won_tsumo", 0, 4))
# C ends at -23,000, others' tsumo its last round
case(
    "busts", "last_round busts n", ("all", 1, 4), ("paid_tsumo", 1, 4), some=True, game="pao_tsumo"
)

# --- players ------------------------------------------------------------------------------------

case(
    "players", "player n win_rate n_deal_ins n_riichis n_open average_win riichi_balance "
    "riichi_income points_per_round",
    (A, 5, 0.6, 1, 2, 0, 12_800 / 3, 5_350.0, 5_350.0, 1_700.0),
    (B, 5, 0.4, 0, 1, 1, 2_300.0, 2_600.0, 2_600.0, 380.0),
    (C, 5, 0.2, 1, 0, 2, 2_000.0, None, None, -800.0),
    (D, 5, 0.0, 0, 1, 1, None, -1_000.0, None, -1_280.0),
)  # fmt: skip
case(
    "player_percentiles", "player n_players placement_pct win_pct points_pct",
    (A, 4, 1.0, 1.0, 1.0), (B, 4, 2 / 3, 2 / 3, 2 / 3), (C, 4, 1 / 3, 1 / 3, 1 / 3),
    (D, 4, 0.0, 0.0, 0.0), min_games=1,
)  # fmt: skip
case(
    "player_trend", "player month n_games average_placement n points_per_round",
    (A, "2026-01", 1, 1.0, 5, 1_700.0), (B, "2026-01", 1, 2.0, 5, 380.0),
    (C, "2026-01", 1, 3.0, 5, -800.0), (D, "2026-01", 1, 4.0, 5, -1_280.0),
)  # fmt: skip
case(
    "player_records", "player largest_win most_han yakuman double_riichi longest_streak "
    "largest_deal_in most_points fewest_points",
    (A, 8_000, 5, 0, 0, 1, 4_300, 33_500, 22_800), (B, 2_600, 2, 0, 0, 0, 0, 28_900, 24_300),
    (C, 2_000, 2, 0, 0, 0, 2_600, 26_300, 21_000), (D, None, None, 0, 1, 0, 0, 24_300, 18_600),
)  # fmt: skip
case(
    "opponents", "player opponent n ahead_rate",
    *((own, other, 1, float(at < to)) for at, own in enumerate((A, B, C, D))
      for to, other in enumerate((A, B, C, D)) if at != to),
    min_games=1,
)  # fmt: skip

# --- rating -------------------------------------------------------------------------------------

# a 9-dan first, and three 7-dan: +30, 0 and -10 (7 + 2)
case(
    "dan_points", "room length dan n average_dan_points",
    ("houou", "east", "七段", 3, -20.0), ("houou", "east", "九段", 1, 60.0),
)  # fmt: skip
case(
    "stable_dan", "player n n_last stable_dan",
    (A, 1, 0, None), (B, 1, 0, None), (C, 1, 0, None), (D, 1, 1, -2.0), min_games=1,
)  # fmt: skip
# the table's mean is (2,189.55 + 2,223.01 + 2,005.77 + 2,114.89) / 4 = 2,133.305
case(
    "rating", "player n n_order_unknown n_assumed last_r total_change",
    (A, 1, 0, 1, 2_189.55, 0.2 * (30 - 56.245 / 40)),
    (B, 1, 0, 1, 2_223.01, 0.2 * (10 - 89.705 / 40)),
    (C, 1, 0, 1, 2_005.77, 0.2 * (-10 + 127.535 / 40)),
    (D, 1, 0, 1, 2_114.89, 0.2 * (-30 + 18.415 / 40)),
)  # fmt: skip
# at least 400 games are assumed; after 395 games more than a fifth counts
case(
    "rating", "player n_assumed total_change", (A, 0, 0.21 * (30 - 56.245 / 40)), some=True,
    games_before=395,
)  # fmt: skip
case(
    "rating_history", "player game n room dan r change missing",
    (A, 1, 1, "houou", "九段", 2_189.55, 0.2 * (30 - 56.245 / 40), None), some=True,
)  # fmt: skip

# --- luck ---------------------------------------------------------------------------------------

# 0 2 1 4 4, 4 0 4 4 3, 3 0 5 4 4, 3 0 4 5 4: 58 in all
case(
    "luck_haipai", "player n average_shanten average_of_all better good_rate",
    (A, 5, 2.2, 2.9, 0.7, 0.6), (B, 5, 3.0, 2.9, -0.1, 0.2), (C, 5, 3.2, 2.9, -0.3, 0.2),
    (D, 5, 3.2, 2.9, -0.3, 0.2),
)  # fmt: skip
# own draws are each fourth: the 24th for d, the 16th for f, the 28th for g
case(
    "luck_waits", "live n n_live average_in_wall none_left_rate median_next_draw median_own_draw "
    "win_rate",
    (2, 2, 4, 1.0, 0.0, 8.5, None, 0.0), (4, 2, 8, 2.5, 0.0, 13.5, 4.0, 0.5),
    (6, 2, 12, 2.5, 0.0, 1.5, 6.0, 1.0), (8, 1, 8, 3.0, 0.0, 14.0, 7.0, 1.0),
    game="south_2",
)  # fmt: skip
case(
    "luck_ura", "state indicators n ura_rate average_ura most_ura",
    ("closed", 1, 1, 1.0, 1.0, 1), ("open", 1, 1, 0.0, 0.0, 0), ("riichi", 1, 4, 0.75, 1.25, 2),
    game="south_2",
)  # fmt: skip
# seven riichis of three players are too few to compare with thirty others
case(
    "player_luck",
    "n win_rate n_compared deserved_rate average_in_wall n_wins average_ura fair_ura",
    (4, 0.75, 0, None, 2.25, 3, 1.0, 2.0), (2, 0.5, 0, None, 2.0, 1, 2.0, 1.0),
    (1, 0.0, 0, None, 2.0, 0, None, None),
    game="south_2",
)  # fmt: skip

# --- rounds and games ---------------------------------------------------------------------------

case("rounds_by_outcome", "outcome rounds n", ("tsumo", 3, 5), ("double_ron", 1, 5), ("ron", 1, 5))
case(
    "rounds_by_wind",
    "round n win_rate deal_in_rate riichi_rate call_rate average_discards most_honba",
    ("E1", 8, 0.375, 0.125, 0.125, 0.0, 4.5, 1), ("E2", 4, 0.25, 0.0, 0.25, 0.75, 55.0, 0),
    ("E3", 4, 0.25, 0.25, 0.25, 0.25, 51.0, 0), ("E4", 4, 0.25, 0.0, 0.25, 0.0, 49.0, 0),
)  # fmt: skip
case("games", "length n average_rounds bust_rate", ("east", 1, 5.0, 0.0))
case("rare_events", "event rounds n", ("double_ron", 1, 5))
case("rare_events", "event rounds n", ("pao_tsumo", 1, 1), ("yakuman", 1, 1), game="pao_tsumo")
case(
    "records", "record value n",
    ("win points", 8_000, 6), ("win han", 5, 6), ("dora in a win", 2, 6), ("honba", 1, 5),
    ("riichi sticks at a start", 0, 5), ("rounds of a game", 5, 1), ("final points", 33_500, 4),
    ("fewest final points", 18_600, 4),
)  # fmt: skip
case(
    "data_quality", "kind detail found n",
    ("verdict win", "match", 6, 6), ("verdict round", "match", 5, 5),
    ("verdict game", "match", 1, 1),
)  # fmt: skip
