"""The tables of a lake and all their columns: the one place that defines them.

Every column has a name, a type, a unit if it measures something, and a sentence. The types are
``int16``, ``int32``, ``int64``, ``bool``, ``text``, ``double``, ``timestamp`` (UTC in microseconds,
without a zone, so that every client shows the same time), ``binary``, and lists of ``int16``,
``int32``, ``double`` or ``text``. Integers are signed so that differences in a query do not overflow. Words
that occur often: ``turn`` is 1 + the earlier discards of the seat in the round; ``table_turn`` is
(1 + all earlier discards of the round) / players; ``live`` counts the copies that a seat cannot
see: four of each kind, minus those in its own hand, all discards, all melds, all set-aside norths
and all dora indicators shown.
"""

from __future__ import annotations

from paifu.schema.table import Table, columns

SCHEMA_VERSION = 12

_GAME = "game_id int64 Signed 64-bit fingerprint of the game's play (fingerprint v1).\n"
_ROUND = _GAME + "round_index int16 Position of the round in its game, from 0.\n"
_WIN = _ROUND + "win_index int16 Position of the win in its round, from 0, in order of payment.\n"

_SCORE = """
han int16? [han] Han with dora; NULL for a yakuman, except a counted yakuman.
fu int16? [fu] Fu as counted, rounded; on Tenhou a yakuman has its real fu.
yakuman int16? How many yakuman (a double yakuman is 2); 0 without yakuman and for a counted yakuman.
limit text? none, mangan, haneman, baiman, sanbaiman, kazoe or yakuman.
points int32? [points] What the hand is worth, without honba and sticks.
honba_points int32? [points] Received for honba.
stick_points int32? [points] Received for riichi sticks, including the winner's own.
dora_han int16? [han] From dora and kan dora; includes kita where the record counts kita as dora (Tenhou).
aka_han int16? [han] From red fives.
ura_han int16? [han] From ura and kan-ura dora; NULL unless the winner was in riichi.
kita_han int16? [han] From set-aside norths; NULL where the record includes it in dora_han.
pao_seat int16? The seat liable for feeding the hand, if any.
chips int16? [chips] Chips the winner gets from each payer; NULL outside chip rule sets.
delta_0 int32? [points] Change of seat 0's points by this win, with honba and sticks.
delta_1 int32? [points] Change of seat 1's points by this win.
delta_2 int32? [points] Change of seat 2's points by this win.
delta_3 int32? [points] Change of seat 3's points by this win; NULL with three players.
"""

_CHANCES = "\n".join(
    f"place_{place}{after}{' double ' if must and place < 4 else ' double? '}"
    f"Chance to end {word} {when}{'; NULL with three players' if place == 4 else ''}."
    for after, must, when in (
        ("", True, "before the deal"),
        ("_sticks", False, "once the round's riichi sticks were paid; NULL if none was"),
        (
            "_paid",
            False,
            "after all payments, if the same seat dealt again; NULL in the last round",
        ),
        ("_after", True, "at the next deal, or the place at the end of the game"),
    )
    for place, word in enumerate(("first", "second", "third", "fourth"), 1)
)

_EVENT_MODEL = """
model_id text The model: rule set, event, and a hash of the weights.
population text The games it was fitted on, in words.
games int32 Number of these games.
log_loss double? Mean log loss on games held out; NULL if not measured.
log_loss_constant double? The same of the mean chance.
"""

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(
            "games",
            "game",
            ("game_id",),
            "Every known game, once, in however many logs and lists it was found.",
            columns(
                _GAME
                + """
deal_id int64? Hash of the first round's deal; NULL for a game known only from a list.
list_key int64? Hash of date, hour, rule text, and names and results in order of placement; of a score sheet, of all that it says of the game.
log_id text? The platform's own id of the game; of a score sheet its date, number, place and table.
platform text Where it was played: tenhou, majsoul, mjai, majiang, mleague, sheet (a table of people), unknown.
format text The log format it was read from: the key of an importer.
source_id int64 The source file it was read from.
member text Path of the log within its source; empty if the source is the log itself.
position text Where the log starts within its member: `byte 0`, `line 3` or a JSON path.
sha256 binary? SHA-256 of the log's decompressed bytes.
played_at timestamp? Start of the game, UTC.
played_precision text? How exact played_at is: second, minute, hour or day.
minutes int16? [minutes] How long the game took, if the record says so: lobby lists, Mahjong Soul.
players int16 3 or 4.
length text? Scheduled length: east, south, or the platform's word for another length.
ruleset text The rule set that the record names, as a preset; a win sheet may name a TOML file.
game text? The game if it is not riichi: the preset that its rule set is or extends, such as mcr or changsha; NULL for riichi.
aka bool? Red fives are in play.
kuitan bool? Open tanyao counts.
fast bool? The fast clock.
room text? Tenhou: ippan, joukyuu, tokujou, houou; else the platform's word; of a score sheet the place.
lobby text? The platform's lobby; of a score sheet the table.
go_type int32? Tenhou's raw GO type bits.
rounds int16 Rounds played.
ended_by text? last_round, agari_yame, tenpai_yame, bust, sudden_death, broken_off, unknown.
detail text play; rounds for rounds of a score sheet, without acts; result if only the result is known; sheet for a win of a win sheet.
complete bool The record has the play up to the end of the game.
flags list<text> Reasons found in table flags for this game, each once; empty for a clean game.
remarks text? What a person noted in the score sheet about the game as a whole; kept only under `--names keep`.
trail list<int32>? For each round, 32 bits of the hash of its deal and 32 bits of the hash of the whole round (fingerprint.py).
opening binary? Each seat's draws, calls and discards in the first round (fingerprint.py).
plays int32? Length of all trails, which shows which of two games is longer.
"""
            ),
        ),
        Table(
            "seats",
            "game and seat",
            ("game_id", "seat"),
            "Who sat where, and how the game ended for them.",
            columns(
                _GAME
                + """
seat int16 0-3; seat 0 is the first dealer. If only a list has the game: the place minus one.
player text? Name, as kept under the lake's name policy.
player_id text? Platform account, if the record has it.
anonymous bool NoName, guests and programs; they are not in player rankings.
dan int16? The platform's rank code.
dan_name text? The rank's name.
rate double? Rating (Tenhou R) before the game.
table_rate double? Mean rating of the seats of the game; NULL unless every seat has one.
sex text? As recorded: M, F or C (computer).
final_points int32? [points] Points at the end of the game with leftover sticks, as recorded; if not recorded, the points at the end of the last round, with leftover sticks by the rule set.
final_recorded bool The log gives the final points.
placement int16? 1 for first; ties by the rule set, or by seat if that is not known.
result double? [thousands] Final result with uma and oka, as recorded.
chips int16? [chips] Chips won or lost, if the lobby has chips.
disconnected bool The seat was disconnected at some point of the game.
"""
            ),
        ),
        Table(
            "rounds",
            "round",
            ("game_id", "round_index"),
            "One round, from the deal to its end.",
            columns(
                _ROUND
                + """
wind int16 Round wind: 0 east, 1 south, 2 west, 3 north.
number int16 1-4, as in East 1.
honba int16 Honba on the table.
sticks int16 Riichi sticks on the table at the start.
sticks_end int16 Riichi sticks left on the table at the end.
dealer int16 The dealer's seat.
dice list<int16> The two dice, 1-6; empty if not recorded.
is_all_last bool The last scheduled round of the game's length, or a later one.
is_extra bool Beyond the scheduled length (west-in of a south game, south-in of an east game).
outcome text tsumo ron double_ron triple_ron exhaustive nagashi kyuushu suufon suucha suukan sanchahou chombo (on a score sheet: a penalty ended the round) unknown
turns int16 Discards made in the round by all seats.
tiles_left int16 Drawable tiles left at the end.
dora_indicators list<text> Dora indicators turned up, in order.
ura_indicators list<text> Ura indicators as recorded, in order; empty if none were shown.
scores_start list<int32> [points] Points of each seat at the start.
kans int16 Kans declared in the round.
riichis int16 Accepted riichis.
abort_due text? The abortive draw that was due at the end of the play, as replay finds it; NULL if none.
aborts_passed list<text> Those of suufon, suucha and suukan that were due before the end of the play, in order; under a rule set with the first of them, the acts after it are not allowed.
remarks text? What a person noted in the score sheet about the round, its rows with semicolons between them; kept only under `--names keep`.
"""
            ),
        ),
        Table(
            "round_seats",
            "round and seat",
            ("game_id", "round_index", "seat"),
            "A round from the view of one seat: every fact that a player statistic needs.",
            columns(
                _ROUND
                + """
players int16 3 or 4.
seat int16 0-3.
round_wind int16 0 east, 1 south, 2 west, 3 north.
seat_wind int16 0 east (the dealer), 1 south, 2 west, 3 north.
is_dealer bool The seat is the dealer.
points_start int32 [points] At the start of the round.
points_end int32? [points] At the end of the round, as recorded by the payments, the next round's start or the final points; NULL if the log gives none of them.
delta int32? [points] points_end - points_start; includes the own riichi stick.
rank_start int16 Placement at the start, ties by seat.
rank_end int16? Placement at the end, ties by seat; NULL if points_end is NULL.
gap_to_next int32? [points] Distance to the seat one rank higher at the start; NULL for the first.
gap_to_first int32 [points] Distance to the first at the start; 0 for the first.
haipai text The first 13 tiles, sorted; empty on a score sheet, where all that only the play can give is 0, empty or NULL.
haipai_shanten int16? Shanten of the first 13 tiles (also for the dealer), best of all forms. NULL if the log hides tiles, like every shanten.
haipai_dora int16 Dora and red fives in the first 13 tiles.
haipai_yaochuu_kinds int16 Different terminals and honours in the first 13 tiles.
yakuhai_pairs int16 Pairs (exactly two tiles) of a dragon, of the round's wind or of the seat's wind in the first 13 tiles.
yakuhai_pairs_called int16 How many of these pairs the seat made a pon of.
discards int16 Discards made.
first_discards text The first six discards, in order, such as 1z9m0p.
tsumogiri int16 Discards of the tile just drawn.
shanten_min int16? Lowest shanten at the deal or after a discard; -1 for a win.
shanten_end int16? Shanten of the 13 tiles held at the end; 0 for the winner, before the winning tile.
state_end text riichi, open (at least one chi, pon, daiminkan or kakan) or closed.
tenpai_turn int16? Turn of the discard after which the seat was first tenpai; 0 for a tenpai haipai.
tenpai_table_turn double? table_turn of that discard; 0 for a tenpai haipai.
tenpai_wait text? Tiles waited for then.
tenpai_wait_kind text? Kind of that wait: ryanmen, kanchan, penchan, shanpon, tanki, multi (several kinds of tile beyond ryanmen and shanpon), chiitoi, kokushi, kokushi13.
tenpai_live int16? Live copies of the tiles waited for then: copies that the seat could not see.
tenpai_tiles_left int16? Drawable tiles left then.
tenpai_draws int16? Draws from the live wall by all seats until then.
riichi_turn int16? Turn of the declaration discard, accepted or not.
riichi_table_turn double? table_turn of that discard.
riichi_accepted bool? The stick was paid; NULL without a declaration.
riichi_double bool? Double riichi: on the first turn, before any call.
riichi_order int16? 1 for the round's first declaration, 2 for the next, …
riichi_later int16? How many other seats declared after this declaration.
riichi_tile text? The declaration tile.
riichi_ronned bool? The declaration tile was ronned.
riichi_wait text? Tiles waited for at the declaration.
riichi_wait_kind text? Kind of that wait, as tenpai_wait_kind.
riichi_wait_tiles int16? Kinds of tile waited for.
riichi_live int16? Live copies of the tiles waited for at the declaration: copies that the seat could not see.
riichi_tiles_left int16? Drawable tiles left at the declaration.
riichi_draws int16? Draws from the live wall by all seats until then.
furiten_riichi bool? One of the tiles waited for was among the seat's own discards at the declaration.
end_wait text? Tiles waited for at the end, NULL if not tenpai.
end_wait_kind text? Kind of that wait.
end_live int16? Live copies of them at the end: copies that the seat could not see.
furiten_end text? none, own, temporary or riichi, at the end; NULL if not tenpai.
calls int16 Open calls: chi + pon + daiminkan.
chi int16 Chi made.
pon int16 Pon made.
daiminkan int16 Open kans made from a discard.
ankan int16 Concealed kans made.
kakan int16 Kans added to a pon, including a robbed kan.
kita int16 Norths set aside, including a robbed north.
first_call_turn int16? Turn of the first open call.
first_call_table_turn double? table_turn of that call.
won bool The seat won.
won_by text? tsumo or ron.
win_points int32? [points] Points of the win, without honba and sticks; 0 without a win, NULL if not recorded.
win_turn int16? Turn of the win.
win_table_turn double? table_turn of the win.
deal_ins int16 Wins on this seat's tile in the round, 0-3.
deal_in_points int32? [points] Paid for them as the discarder, with honba; NULL if not recorded.
deal_in_turn int16? Turn of the discard (or kan or kita) that dealt in.
deal_in_table_turn double? table_turn of that discard.
deal_in_shanten int16? Shanten after that discard.
deal_in_state text? The seat's own state then: riichi (also with the declaration tile), open or closed.
deal_in_tile text? The tile that dealt in.
facing_riichi int16 Discards made against an opponent in riichi.
facing_riichi_safe int16 How many of these discards were genbutsu to every opponent in riichi.
tsumo_paid int32? [points] Paid for another seat's tsumo, with honba; NULL if not recorded.
tsumo_paid_limit text? Limit of that tsumo, as in wins.
pao_paid int32 [points] Paid as the liable seat (pao), apart from the seat's own deal-in; 0 if not recorded.
held_draw text? The last tile drawn, if no act of the seat followed: it declared kyuushu kyuuhai, or the log breaks off.
outcome text won_tsumo won_ron deal_in paid_tsumo bystander draw_tenpai draw_noten nagashi abort unknown
tenpai_at_draw bool? Tenpai at an exhaustive draw, from replay; NULL if the round ended otherwise.
tenpai_shown bool? Tenpai at an exhaustive draw, as recorded.
three_suits bool? At a draw, the hand has all three suits (花猪), as a score sheet says.
penalty int32? [points] Got or paid for penalties in the round, as a score sheet says.
tenpai_exhausted bool? One tile short at the draw, but the concealed hand itself holds all four copies of every tile it waits for. This is not tenpai here; some rules count it as tenpai.
keishiki bool? Tenpai at the draw only by a wait whose copies the seat holds itself.
nagashi bool At an exhaustive draw: every discard was a terminal or honour, and no discard was called.
disconnected bool The seat was away at some point of the round.
kuikae int16 Discards of the same tile right after a chi or pon of it.
kuikae_suji int16 Discards of the tile at the other end of the run right after a chi.
kita_after_pon int16 Norths set aside right after a pon, before a draw.
riichi_kans int16 Ankans in riichi.
riichi_kan_drawn int16 Those of them without the drawn tile.
riichi_kan_wait int16 Those of them that changed the wait.
riichi_kan_readings int16 Those of them of a kind that is not a triplet in every reading of the hand.
riichi_broken int16 Discards in riichi other than the drawn tile, and calls in riichi.
"""
            ),
        ),
        Table(
            "game_seats",
            "game and seat, of games with play",
            ("game_id", "seat"),
            "A game from the view of one seat: sums over round_seats, which statistics of players add up."
            " A sum is NULL if one of its values is NULL.",
            columns(
                _GAME
                + """
seat int16 0-3.
players int16 3 or 4.
rounds int16 Rounds played.
haipai_shanten int32? Sum of haipai_shanten.
delta int32? [points] Sum of delta.
wins int16 Rounds won.
tsumo_wins int16 Wins by tsumo.
closed_wins int16 Wins with a closed hand and not in riichi (dama).
win_points int32? [points] Sum of win_points.
win_turns int32 Sum of win_turn.
deal_in_rounds int16 Rounds with a deal-in.
deal_ins int16 Sum of deal_ins: a double ron counts twice.
deal_in_points int32? [points] Sum of deal_in_points.
deal_in_riichi int16 Rounds with a deal-in in which the seat was in riichi at the end.
deal_in_open int16 Rounds with a deal-in in which the seat's hand was open at the end.
deal_in_tenpai int16? Rounds with a deal-in in which the seat was tenpai at the end.
riichis int16 Rounds with a riichi, accepted or not.
riichi_turns int32 Sum of riichi_turn.
riichi_wins int16 Riichis that won.
riichi_deal_ins int16 Riichis that dealt in, with the declaration tile or later.
riichi_ronned int16 Riichis whose declaration tile was ronned.
riichi_draws int16 Riichis in rounds that were drawn by exhaustion, including nagashi mangan.
riichi_delta int32? [points] Sum of delta of rounds with a riichi.
riichi_win_delta int32? [points] Sum of delta of riichis that won.
riichi_deal_in_delta int32? [points] Sum of delta of riichis that dealt in.
first_riichis int16 Riichis that were the first of their round.
chased_riichis int16 Riichis after which another seat declared riichi.
furiten_riichis int16 Riichis that were furiten at the declaration.
multi_wait_riichis int16? Riichis that wait for two or more kinds of tile.
good_wait_riichis int16? Riichis that wait for six or more live tiles.
open_rounds int16 Rounds with an open call.
open_wins int16 Rounds with an open call that the seat won.
open_deal_ins int16 Rounds with an open call in which the seat dealt in.
open_draws int16 Rounds with an open call that were drawn by exhaustion, including nagashi mangan.
calls int32 Open calls.
draws int16 Rounds drawn by exhaustion, including nagashi mangan.
draw_tenpai int16? Rounds drawn by exhaustion in which the seat was tenpai.
dealer_rounds int16 Rounds as the dealer.
dealer_wins int16 Rounds as the dealer that the seat won.
dealer_hits int16 Rounds as the dealer in which the seat paid for another seat's tsumo of a known limit.
dealer_mangan_hits int16 Those of these tsumos that were mangan or more (oyakaburi).
dealer_mangan_points int32 [points] Paid for these tsumos of mangan or more.
"""
            ),
        ),
        Table(
            "actions",
            "act of a seat",
            ("game_id", "round_index", "seq"),
            "Every discard, call, kan, kita and win, in order. Left out by `ingest --no-actions`.",
            columns(
                _ROUND
                + """
players int16 3 or 4.
seq int16 Position among the round's acts, from 0.
turn int16 1 + the seat's earlier discards.
table_turn double (1 + all earlier discards) / players.
seat int16 Who acts.
action text discard, riichi (the declaration discard), chi, pon, daiminkan, ankan, kakan, kita, tsumo, ron.
drawn text? The tile drawn just before; NULL after a call and for calls and ron.
tile text The tile discarded, called, added, set aside or won on; any of the four for an ankan.
tsumogiri bool? A discard of the tile just drawn.
from_seat int16? Whose tile was called or won on.
meld text? Tiles of the meld, including the called tile.
shanten int16? Shanten of the 13 tiles (with melds) held after the act; NULL if the seat must still discard or draw.
waits text? Tiles waited for after the act, if shanten is 0.
tiles_left int16 Drawable tiles left.
dora_shown int16 Dora indicators turned up before the act.
open_melds int16 Open melds of the seat after the act.
"""
            ),
        ),
        Table(
            "discard_risks",
            "discard and threatening opponent",
            ("game_id", "round_index", "seq", "against"),
            "Each discard against each opponent in riichi or with two or more open melds.",
            columns(
                _ROUND
                + """
players int16 3 or 4.
seq int16 The discard's seq in actions.
turn int16 As in actions.
table_turn double As in actions.
seat int16 The seat that discards.
against int16 The opponent.
threat text riichi or open.
threat_turn int16 Discards that the opponent has made since its riichi (0: none yet); for open, since its second open meld.
tile text The tile discarded.
class text What the tile is against that opponent. genbutsu: the opponent cannot win on it, because it is among its discards, or passed since its riichi or since its last discard. honour: any other honour. A number tile is classed by the ryanmen waits on it: all excluded by suji (suji_19, suji_28, suji_37, suji_456); all excluded with the help of four visible neighbours (no_chance); one side excluded by suji and the other possible (half_suji_456); no side excluded by suji and at least one possible (no_suji_19, no_suji_28, no_suji_37, no_suji_456).
suji_left int16 Suji left against that opponent, 0-18 (0-12 with three players): pairs of tiles three apart, such as 1m4m, of which the opponent has discarded neither and, since its riichi, let neither pass.
tile_suji int16 How many of these suji the tile belongs to, 0-2.
chance int16? A ryanmen on the tile needs two neighbours; this is how many copies of the scarcer neighbour the discarder could not see, on the side where more are left: 0 no chance, 1 one chance. Sides excluded by suji do not count; NULL if no side is left (genbutsu, honour, suji).
live int16 Copies of the tile that the discarder could not see, without the discarded tile.
near_dora text none, near (same suit, at most two away from a dora) or dora.
outside_early bool Nearer to the 1 or 9 than a tile of its suit among that opponent's first six discards before its riichi (sotogawa).
tsumogiri bool The tile just drawn.
state text The discarder's own state: riichi, open or closed.
shanten int16? The discarder's shanten after the discard.
against_dealer bool That opponent is the dealer.
ippatsu bool A win of that opponent on the discard would be ippatsu.
dealt_in bool That opponent won on it.
"""
            ),
        ),
        Table(
            "wins",
            "win",
            ("game_id", "round_index", "win_index"),
            "Every win: its hand and circumstances as replayed, its value as recorded.",
            columns(
                _WIN
                + """
seq int16 The win's seq in actions.
players int16 3 or 4.
winner int16 Winning seat.
loser int16? Seat whose tile was won on; NULL for tsumo.
tsumo bool Won by own draw.
dealer int16 The dealer's seat.
round_wind int16 0-3.
seat_wind int16 The winner's seat wind, 0-3.
hand text Concealed tiles with the winning tile, sorted.
melds text Melds in order, such as `chi:123s pon:777z kan:1111p kakan:2222s ankan:2222s kita`.
win_tile text The winning tile.
wait text? Kinds of tile waited for. NULL on a win sheet, like every column that only the play can give.
wait_kind text? As in round_seats.tenpai_wait_kind; if a wait has several parts, the part that won.
wait_live int16? Live copies of the wait just before the win, including the winning tile: copies that the winner could not see.
turn int16? 1 + the winner's discards.
table_turn double? (1 + all discards) / players.
tiles_left int16? Drawable tiles left.
winner_state text riichi, open or closed (dama).
loser_state text? riichi, open or closed; NULL for tsumo.
loser_shanten int16? The loser's shanten after the discard.
riichi bool In riichi, including double riichi.
double_riichi bool Riichi declared on the first turn, before any call.
ippatsu bool Within one go-around after riichi, with no call in between.
rinshan bool On the replacement tile after a kan or kita.
haitei bool Tsumo on the last tile of the live wall; not on a replacement tile.
houtei bool Ron on the discard after the last tile of the live wall.
chankan bool On a tile added to a pon, or on an ankan robbed by kokushi.
kita_ron bool On a north being set aside.
ankan_ron bool? Ron on a tile of an ankan, which kokushi may rob under some rule sets; NULL on a win sheet.
first_turn bool Before the winner's first discard and before any call (tenhou, chihou, renhou).
after_kita bool A rinshan that followed a kita.
furiten text? none, own, temporary or riichi: the winner's furiten at that moment.
passed int16? Winning tiles that the winner let pass in riichi or since its last discard, as a sum: 1 a discard or an added tile, 2 a north being set aside, 4 an ankan that kokushi could rob. Rule sets differ in which of them cause furiten. NULL on a win sheet.
honba int16 Honba paid for this win; 0 for the later winners on the same tile.
sticks int16 Sticks that this win takes, including the winner's own; 0 for the later winners.
dora_indicators list<text> Dora indicators turned up before the win, in order, from the events.
ura_indicators list<text> Ura indicators as recorded; empty if none were shown.
aka bool Red fives are in play.
kuitan bool? Open tanyao counts in this game.
pao_daisangen int16? Seat whose tile was called for the third dragon set.
pao_daisuushi int16? Seat whose tile was called for the fourth wind set.
pao_suukantsu int16? Seat whose tile was called for the fourth kan, if it was a daiminkan.
riichi_sticks int16 Sticks accepted in this round before the win.
dealer_wins int16 Rounds the dealer has won in a row before this one, for paarenchan.
dealer_rounds int16 Rounds the dealer has dealt in a row before this one, for paarenchan.
yaku_recorded int16 Number of yaku that the record names, including dora of each kind: the rows of win_yaku.
recorded_indicators list<text> Dora indicators as listed in the record of this win.
recorded_honba int16? Honba as listed in the record of this win.
recorded_sticks int16? Sticks as listed in the record of this win.
loser_paid int32? [points] Paid by the seat that discarded the winning tile, with honba; NULL for tsumo.
flowers int16? Flowers set aside, on a win sheet of a game that has them.
last_copy bool? The other three copies of the winning tile were visible, as a win sheet says.
liable int16? Seat that pays for all, as a win sheet says.
wild text? The wild tile, which stands for any other, on a win sheet.
bird text? The bird tile, which is turned up after the win and whose number names a seat, on a win sheet (Changsha).
out list<int16>? Seats that had already won and did not pay, on a win sheet.
fed list<int16>? Seats that fed the open kans, in their order, on a win sheet (Qingyuan).
raised list<int16>? Seats that had raised their wins and losses beforehand, on a win sheet (Yingkou).
dealt bool? A payment for the hand as dealt, on a win sheet (Changsha).
triple_ron bool? Three seats won on the tile, as a win sheet says.
open_riichi bool? Riichi with the hand shown; NULL if the log or win sheet does not say.
after_rinshan bool? Won on the discard after a replacement tile, as a win sheet says; for played games re-scoring finds it from the acts.
"""
                + _SCORE
            ),
        ),
        Table(
            "win_yaku",
            "win and yaku",
            ("game_id", "round_index", "win_index", "yaku"),
            "Yaku as recorded, including dora of each kind; ura with 0 han has no row.",
            columns(
                _WIN
                + """
yaku text Key of the yaku vocabulary.
han int16 [han] As recorded; 13 for a yakuman, 26 for a double yakuman.
"""
            ),
        ),
        Table(
            "seeds",
            "game with a shuffle seed or recorded walls",
            ("game_id",),
            "The seed from which the walls of a game follow, or the walls themselves.",
            columns(
                _GAME
                + """
kind text The seed's prefix, which says how the wall follows from it; recorded if the log has the walls.
seed binary The seed's words, or the text of the older text forms; for recorded walls, one line per round with its digest.
"""
            ),
        ),
        Table(
            "flags",
            "fault of a log that can be read",
            ("game_id", "round_index", "seq", "seat", "reason"),
            "Where a record breaks the rules of play or contradicts itself.",
            columns(
                _GAME
                + """
round_index int16? The round; NULL for the whole game.
seq int16? Position among the round's acts, if the fault is at one of them.
seat int16? The seat with the fault, if it is one seat.
reason text Key of the list of flags.
"""
            ),
        ),
        Table(
            "sources",
            "source file read",
            ("source_id",),
            "Where the games came from, and which versions read them.",
            columns("""
source_id int64 Hash of the source's content.
path text As given; hashed under the hash policy.
format text Container format: file, gzip, zip, tar, sqlite, …
sha256 binary? SHA-256 of the file as it lay on disk; NULL for a stream that has none.
bytes int64 [bytes] Size on disk.
modified_at timestamp? Of the file.
logs int32 Logs found in it.
games int32 Games stored from it that were not known before.
rejected int32 Logs in it that could not be read.
complete bool It was read to its end.
paifu_version text Version of paifu that read it.
importer_version text Versions of the importers, as `mjlog=1`.
replay_version int16 Version of replay.
ingested_at timestamp When.
"""),
        ),
        Table(
            "rejects",
            "log that could not be read",
            ("source_id", "member", "position"),
            "Nothing is lost in silence: what could not be read, where and why. Of a file with several logs"
            " the first ten, and of an archive the first thousand; one more row says how many others there"
            " are.",
            columns("""
source_id int64 The source.
member text Path within it.
position text Where: `byte 1234`, `line 3`, a JSON path.
format text? The log format it was taken for; NULL where none fits.
importer_version int16? Of that format; a newer one tries again. NULL under `--format`: any run does.
reason text Why, in a sentence; what it quotes is '…' unless names are kept.
excerpt text? Some bytes of the place; NULL unless names are kept.
ingested_at timestamp When.
"""),
        ),
        Table(
            "walls",
            "round of a game with a seed or recorded walls",
            ("game_id", "round_index"),
            "The wall regenerated from the game's seed, or as recorded. Derived by rescore.",
            columns(
                _ROUND
                + """
wall text All tiles in array order (136, or 108 with three players), MPSZ without grouping.
layout text Which positions are rinshan, dora and ura: n288-base64, n288-hex or recorded.
dice list<int16> The dice that follow from the seed, 1-6; empty for a recorded wall.
"""
            ),
        ),
        Table(
            "luck",
            "seat of a round with a wall that was tenpai or won",
            ("game_id", "round_index", "seat"),
            "What the wall held for each seat, hidden from the players. Derived by rescore.",
            columns(
                _ROUND
                + """
seat int16 0-3.
tenpai_in_wall int16? Winning tiles left in the live wall at first tenpai; tenpai_live counts those that the seat could not see.
tenpai_next_draw int16? Number of the draw, from 1 and counting all seats, that was the first of them; NULL if no draw was.
tenpai_own_draw int16? Number of the seat's own draw, from 1, that would have been the first of them if nobody had called; NULL if no draw.
riichi_in_wall int16? Winning tiles left in the live wall at the declaration.
riichi_next_draw int16? As tenpai_next_draw, from the declaration.
riichi_own_draw int16? As tenpai_own_draw, from the declaration.
ura_indicators list<text> Ura indicators under the dora indicators turned up when the seat won, in riichi or not; empty without a win.
ura_han int16? [han] Han that they would give the winner's hand; NULL without a win.
"""
            ),
        ),
        Table(
            "scored_wins",
            "win and rule set",
            ("game_id", "round_index", "win_index", "ruleset_hash"),
            "The value of each win by the rules engine. Derived by rescore.",
            columns(
                _WIN
                + """
ruleset text Name of the rule set.
ruleset_hash int64 Hash of what the rule set sets.
engine_version int16 Version of the rules engine.
reading text? The reading of the hand that was scored, `123m 456p 789s 111z 55p`.
"""
                + _SCORE
            ),
        ),
        Table(
            "scored_yaku",
            "win, rule set and yaku",
            ("game_id", "round_index", "win_index", "ruleset_hash", "yaku"),
            "Yaku that the rules engine finds. Derived by rescore.",
            columns(
                _WIN
                + """
ruleset_hash int64 Hash of what the rule set sets.
yaku text Key of the yaku vocabulary.
han int16 [han] Its value here; 13 for a yakuman, 26 for a double yakuman.
"""
            ),
        ),
        Table(
            "computed_results",
            "game, seat and rule set",
            ("game_id", "seat", "ruleset_hash"),
            "The final result of each seat under a rule set: its points through all rounds, from "
            "the rule set's starting points, with uma and oka. Derived by rescore, for complete games "
            "in which every round could be settled.",
            columns(
                _GAME
                + """
seat int16 0-3.
ruleset text Name of the rule set; `games.ruleset` is the one that the record names.
ruleset_hash int64 Hash of what the rule set sets.
engine_version int16 Version of the rules engine.
placement int16 1 to 4; seats with equal points share the better place if the rule set says so.
points int32 [points] Points at the end of the game, with leftover sticks by the rule set.
result double? [thousands] With uma and oka; in games other than riichi table points or coins; NULL for games without.
"""
            ),
        ),
        Table(
            "verdicts",
            "subject and rule set",
            ("subject", "game_id", "round_index", "win_index", "ruleset_hash"),
            "Whether the record agrees with the computation. Derived by rescore. The verdicts on "
            "the record are those under the rule set that it names: `JOIN games USING (game_id, "
            "ruleset)`. Other verdicts are under other rule sets.",
            columns(
                """
subject text win, draw, round, game or wall.
"""
                + _GAME
                + """
round_index int16? NULL for a game.
win_index int16? NULL unless the subject is a win.
ruleset text Name of the rule set.
ruleset_hash int64 Hash of what it sets.
engine_version int16 Version of the rules engine.
status text match, mismatch, illegal or unscorable.
reason text? Why it is illegal or unscorable; for a session of a game other than riichi also what differs, in words.
"""
            ),
        ),
        Table(
            "verdict_fields",
            "field that differs",
            ("subject", "game_id", "round_index", "win_index", "ruleset_hash", "field"),
            "Each field that differs, as recorded and as computed. Derived by rescore.",
            columns(
                """
subject text win, draw, round, game or wall.
"""
                + _GAME
                + """
round_index int16? NULL for a game.
win_index int16? NULL unless the subject is a win.
ruleset_hash int64 Hash of what the rule set sets.
field text The field: a column name, or yaku.
recorded text? As recorded.
computed text? As computed.
"""
            ),
        ),
        Table(
            "round_values",
            "round, seat and placement model",
            ("game_id", "round_index", "seat", "model_id"),
            "What each position was worth: the chances of the places before and after a round. "
            "Filled by `paifu value`, for complete games of riichi without flags under rules that "
            "the model knows.",
            columns(
                _ROUND
                + """
seat int16 0-3.
model_id text The model: key of placement_models.
cause text How the round ended for the seat, as outcome of round_seats.
"""
                + _CHANCES
            ),
        ),
        Table(
            "placement_models",
            "placement model",
            ("model_id",),
            "The models with which games of this lake were valued. Filled by `paifu value`.",
            columns("""
model_id text Rule set it was fitted on, and a hash of all that it computes.
current bool The model of the last `paifu value`, for its number of players.
players int16 3 or 4.
rulesets list<text> The rule sets of the games it was fitted on. Other rule sets with the same points, target, bust and ties are valued with it too.
lengths list<text> The lengths of these games.
population text These games in words.
games int32 Number of these games.
rounds int32 Number of their rounds.
features_version int16 Version of what the model looks at.
features list<text> What it looks at; weights has players - 1 numbers for each, for the places but the last.
weights list<double> Weights of the features.
log_loss double? Mean log loss of a seat's place, on games held out; NULL if not measured.
log_loss_rank_round double? The same of a table by rank and round.
log_loss_gaps double? The same of a smoothed table by rank, round and the gaps to both neighbours.
"""),
        ),
        Table(
            "deal_in_models",
            "rule set, threat and class of tile",
            ("ruleset", "threat", "class"),
            "Logistic models of the chance that an opponent wins on a discard; view deal_in_chances "
            "applies them. Filled by `paifu value`.",
            columns(
                """
ruleset text The rule set of the games it is fitted on, and for.
threat text As discard_risks.threat.
class text As discard_risks.class.
weights list<double> Weights of what the view looks at, in its order.
"""
                + _EVENT_MODEL
            ),
        ),
        Table(
            "riichi_models",
            "rule set and kind of wait",
            ("ruleset", "wait_kind"),
            "Logistic models of the chance that an accepted riichi wins; view riichi_chances "
            "applies them. Filled by `paifu value`.",
            columns(
                """
ruleset text The rule set of the games it is fitted on, and for.
wait_kind text As round_seats.riichi_wait_kind.
weights list<double> Weights of what the seat could see at the declaration, in the view's order.
wall_weights list<double>? Weights of the same with what the wall held; NULL if no wall was known.
"""
                + _EVENT_MODEL
            ),
        ),
        Table(
            "place_points",
            "scheme, and what it depends on",
            ("scheme", "players", "length", "ruleset", "room", "dan", "since"),
            "What each place is worth, by scheme. A NULL stands for any value. Filled by `paifu value`.",
            columns("""
scheme text 7dan (Tenhou's Phoenix room at 7-dan, for every seat), tenhou (each seat's own room and dan), majsoul (own room and rank), uma (the rule set's uma and oka, in thousands).
players int16 3 or 4.
length text? As games.length.
ruleset text? As games.ruleset.
room text? As games.room.
dan int16? As seats.dan.
points list<double> What first to last place are worth.
since timestamp? Games played from then on, and games without a date.
until timestamp? Games played before.
"""),
        ),
    )
}
"""Every table of a lake, by name."""
DERIVED = frozenset(
    {
        "walls", "luck", "scored_wins", "scored_yaku", "computed_results", "verdicts",
        "verdict_fields", "round_values",
    }
)  # fmt: skip
"""Tables with rows of games that are computed from the others: round_values by value, the rest by
rescore."""
MODEL_TABLES = frozenset({"placement_models", "deal_in_models", "riichi_models", "place_points"})
"""Tables that value writes as a whole; the tables that are not named here are filled by ingest."""

PLAY_TABLES = (
    "games", "seats", "rounds", "round_seats", "game_seats", "actions", "discard_risks", "wins",
    "win_yaku", "seeds", "flags",
)  # fmt: skip
"""Tables with rows of a game, filled by ingest."""

LAKE_TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(
            "lake_info",
            "fact about the lake itself",
            ("key",),
            "Schema version, policy for names and other facts that paifu needs to open a lake.",
            columns("""
key text schema_version, names, salt_check, created_by or commits.
value text Its value.
"""),
        ),
        Table(
            "forgotten",
            "game or player that must not come back",
            ("kind", "digest"),
            "Keyed hashes of what `paifu forget` removed.",
            columns("""
kind text game or player.
digest text Keyed hash of the game id, or of the name or account.
forgotten_at timestamp When.
"""),
        ),
    )
}
"""Tables with facts about the lake itself."""
