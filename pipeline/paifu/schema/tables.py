"""The tables of a lake and all their columns: the one place that defines them.

Every column has a name, a type, a unit where it measures something, and a sentence. The types are
few: ``int16`` ``int32`` ``int64`` ``bool`` ``text`` ``double`` ``timestamp`` (UTC in microseconds,
without a zone, so that what a client shows does not depend on where it runs) ``binary`` and lists
of ``int16``, ``int32`` or ``text``. Integers are signed so that differences in a query cannot wrap
round. Words that recur: ``turn`` is 1 + the discards the seat has made in the round
before this; ``table_turn`` is (1 + all discards of the round before this) / players; ``live``
counts the copies a seat cannot see: four of each kind less those in its own hand and melds, all
discards, all melds, all set-aside norths and all dora indicators shown.
"""

from __future__ import annotations

from paifu.schema.table import Table, columns

SCHEMA_VERSION = 4

_GAME = "game_id int64 Signed 64-bit fingerprint of the game's play (fingerprint v1).\n"
_ROUND = _GAME + "round_index int16 Position of the round in its game, from 0.\n"
_WIN = _ROUND + "win_index int16 Position of the win in its round, from 0, in order of payment.\n"

_SCORE = """
han int16? [han] Han with dora; NULL for a yakuman that is not a counted one.
fu int16? [fu] Fu as counted, rounded; a yakuman has its real fu on Tenhou.
yakuman int16? How many yakuman (a double one is 2); 0 for none and for a counted yakuman.
limit text? none, mangan, haneman, baiman, sanbaiman, kazoe or yakuman.
points int32? [points] What the hand is worth, without honba and sticks.
honba_points int32? [points] Received for honba.
stick_points int32? [points] Received for riichi sticks, the winner's own included.
dora_han int16? [han] From dora and kan dora; with kita where the record folds it in (Tenhou).
aka_han int16? [han] From red fives.
ura_han int16? [han] From ura and kan-ura dora; NULL unless the winner was in riichi.
kita_han int16? [han] From set-aside norths; NULL where the record folds it into dora_han.
pao_seat int16? The seat liable for feeding the hand, if any.
chips int16? [chips] Chips the winner gets from each payer; NULL outside chip rule sets.
delta_0 int32? [points] Change of seat 0 by this win, honba and sticks included.
delta_1 int32? [points] Change of seat 1 by this win.
delta_2 int32? [points] Change of seat 2 by this win.
delta_3 int32? [points] Change of seat 3 by this win; NULL with three players.
"""

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        Table(
            "games",
            "game",
            ("game_id",),
            "Every game known, once, whichever logs and lists it was found in.",
            columns(
                _GAME
                + """
deal_id int64? Hash of the first round's deal; NULL for a game known only from a list.
list_key int64? Hash of date, hour, rule text and placement-ordered names and results.
log_id text? The platform's own id of the game.
platform text Where it was played: tenhou, majsoul, mjai, majiang, mleague, unknown.
format text The log format it was read from, an importer's key.
source_id int64 The source file it was read from.
member text Path of the log within its source; empty where the source is the log itself.
position text Where the log starts within its member, as `byte 0`, `line 3` or a JSON path.
sha256 binary? SHA-256 of the log's decompressed bytes.
played_at timestamp? Start of the game, UTC.
played_precision text? How exact played_at is: second, minute, hour or day.
minutes int16? [minutes] How long the game took, where the record says: lobby lists, Mahjong Soul.
players int16 3 or 4.
length text? Scheduled length: east, south, or what else the platform has.
ruleset text The rule set preset the record says the game was played under; a win sheet may name a TOML file.
game text? What is played, where it is not riichi: the preset its rule set is or extends, such as mcr or changsha; NULL for riichi.
aka bool? Red fives are in play.
kuitan bool? Open tanyao counts.
fast bool? The fast clock.
room text? Tenhou: ippan, joukyuu, tokujou, houou; otherwise the platform's word.
lobby text? The platform's lobby.
go_type int32? Tenhou's raw GO type bits.
rounds int16 Rounds played.
ended_by text? last_round, agari_yame, tenpai_yame, bust, sudden_death, broken_off, unknown.
detail text play; result where only a lobby list knows the game; sheet for a win of a win sheet.
complete bool The record reaches the end of the game with its play.
flags list<text> Reasons found in table flags for this game, each once; empty for a clean game.
trail list<int32>? Of each round, 32 bits of its deal's and of its whole hash (identity.py).
opening binary? Each seat's draws, calls and discards in the first round (identity.py).
plays int32? Length of all trails, to tell which of two games is longer.
"""
            ),
        ),
        Table(
            "seats",
            "game and seat",
            ("game_id", "seat"),
            "Who sat where, and how it ended for them.",
            columns(
                _GAME
                + """
seat int16 0-3; seat 0 dealt first. Where only a list knows the game: the place less one.
player text? Name, as kept under the lake's name policy.
player_id text? Platform account, where the record has one.
anonymous bool NoName, guests and programs: not in player rankings.
dan int16? The platform's rank code.
dan_name text? The rank's name.
rate double? Rating (Tenhou R) before the game.
table_rate double? Mean rating of the seats of the game; NULL unless every seat has one.
sex text? As recorded: M, F or C (computer).
final_points int32? [points] Points at the end, leftover sticks included: as recorded, else the last round's end, sticks left on the table as the rule set has it.
final_recorded bool The log gives the final points.
placement int16? 1 for first; ties by the rule set, else by seat.
result double? [thousands] Final result with uma and oka, as recorded.
chips int16? [chips] Chips won or lost, where the lobby has them.
disconnected bool The seat dropped out at some point of the game.
"""
            ),
        ),
        Table(
            "rounds",
            "round",
            ("game_id", "round_index"),
            "One hand dealt and played to its end.",
            columns(
                _ROUND
                + """
wind int16 Round wind: 0 east, 1 south, 2 west, 3 north.
number int16 1-4, as in East 1.
honba int16 Repeat counters on the table.
sticks int16 Riichi sticks on the table at the start.
sticks_end int16 Riichi sticks left on the table at the end.
dealer int16 The dealer's seat.
dice list<int16> The two dice, 1-6; empty where not recorded.
is_all_last bool The last scheduled round of the game's length, or a later one.
is_extra bool Beyond the scheduled length (west-in of a south game, south-in of an east game).
outcome text tsumo ron double_ron triple_ron exhaustive nagashi kyuushu suufon suucha suukan sanchahou unknown
turns int16 Discards made in the round by all seats.
tiles_left int16 Drawable tiles left at the end.
dora_indicators list<text> Dora indicators turned up, in order.
ura_indicators list<text> Ura indicators as recorded, in order; empty where none was shown.
scores_start list<int32> [points] Points of each seat at the start.
kans int16 Kans declared in the round.
riichis int16 Accepted riichis.
abort_due text? The abortive draw the play was due at its end, as replay sees it, else NULL.
aborts_passed list<text> Of suufon, suucha and suukan those the play was due before its end, in order; a rule set that has the first of them forbids what was played after it.
"""
            ),
        ),
        Table(
            "round_seats",
            "round and seat",
            ("game_id", "round_index", "seat"),
            "A round as one player lived it: every fact a player statistic needs.",
            columns(
                _ROUND
                + """
players int16 3 or 4.
seat int16 0-3.
round_wind int16 0 east, 1 south, 2 west, 3 north.
seat_wind int16 0 east (the dealer), 1 south, 2 west, 3 north.
is_dealer bool The seat deals.
points_start int32 [points] At the start of the round.
points_end int32? [points] At its end, as recorded: by the payments, the next round's start or the final points; NULL where the log gives none of them.
delta int32? [points] points_end - points_start, own riichi stick included.
rank_start int16 Placement at the start, ties by seat.
rank_end int16? Placement at the end, ties by seat; NULL with points_end.
gap_to_next int32? [points] To the seat ranked one better at the start; NULL for the first.
gap_to_first int32 [points] To the first at the start; 0 for the first.
haipai text The first 13 tiles, sorted.
haipai_shanten int16? Shanten of the first 13 tiles, the dealer's too; best of all forms. Like every shanten NULL where the log hides tiles.
haipai_dora int16 Dora and red fives in the first 13 tiles.
haipai_yaochuu_kinds int16 Different terminals and honours in the first 13 tiles.
yakuhai_pairs int16 Pairs, of two tiles just, of a dragon, the round's wind or the seat's own in the first 13 tiles.
yakuhai_pairs_called int16 Of them those the seat made a pon of.
discards int16 Discards made.
first_discards text The first six discards, in order, as 1z9m0p.
tsumogiri int16 Discards of the tile just drawn.
shanten_min int16? Lowest shanten at the deal or after a discard; -1 for a win.
shanten_end int16? Shanten of the 13 tiles held at the end, the winner's before the winning tile: 0.
state_end text riichi, open (at least one chi, pon, daiminkan or kakan) or closed.
tenpai_turn int16? Turn of the discard after which the seat was first tenpai; 0 for a tenpai haipai.
tenpai_table_turn double? table_turn of the same; 0 for a tenpai haipai.
tenpai_wait text? Tiles waited for then.
tenpai_wait_kind text? Kind of that wait: ryanmen, kanchan, penchan, shanpon, tanki, multi (several kinds of tile beyond ryanmen and shanpon), chiitoi, kokushi, kokushi13.
tenpai_live int16? Copies of the waited tiles live then, as the seat could see.
tenpai_tiles_left int16? Drawable tiles left then.
tenpai_draws int16? Draws from the live wall by all seats until then.
riichi_turn int16? Turn of the declaration discard, accepted or not.
riichi_table_turn double? table_turn of the same.
riichi_accepted bool? The stick was paid; NULL without a declaration.
riichi_double bool? Double riichi: on the first turn, no call by anyone before.
riichi_order int16? 1 for the round's first declaration, 2 for the next, …
riichi_later int16? Declarations by others after this one: how often it was chased.
riichi_tile text? The declaration tile.
riichi_ronned bool? The declaration tile was ronned.
riichi_wait text? Tiles waited for at the declaration.
riichi_wait_kind text? Kind of that wait, as tenpai_wait_kind.
riichi_wait_tiles int16? Kinds of tile waited for.
riichi_live int16? Copies of the waited tiles live at the declaration, as the seat could see.
riichi_tiles_left int16? Drawable tiles left at the declaration.
riichi_draws int16? Draws from the live wall by all seats until then.
furiten_riichi bool? A waited tile stood in the seat's own discards at the declaration.
end_wait text? Tiles waited for at the end, NULL if not tenpai.
end_wait_kind text? Kind of that wait.
end_live int16? Copies of them live at the end, as the seat could see.
furiten_end text? none, own, temporary or riichi, at the end; NULL if not tenpai.
calls int16 Open calls: chi + pon + daiminkan.
chi int16 Chi made.
pon int16 Pon made.
daiminkan int16 Open kans made from a discard.
ankan int16 Concealed kans made.
kakan int16 Kans added to a pon, a robbed one too.
kita int16 Norths set aside, a robbed one too.
first_call_turn int16? Turn of the first open call.
first_call_table_turn double? table_turn of the same.
won bool The seat won.
won_by text? tsumo or ron.
win_points int32? [points] Of the win, without honba and sticks; 0 without one, NULL if not recorded.
win_turn int16? Turn of the win.
win_table_turn double? table_turn of the win.
deal_ins int16 Wins on this seat's tile in the round, 0-3.
deal_in_points int32? [points] Paid for them as the discarder, honba included; NULL if not recorded.
deal_in_turn int16? Turn of the discard (or kan or kita) dealt in with.
deal_in_table_turn double? table_turn of the same.
deal_in_shanten int16? Shanten after it.
deal_in_state text? The seat's own state then: riichi (the declaration tile included), open or closed.
deal_in_tile text? The tile dealt in with.
facing_riichi int16 Discards made against an opponent in riichi.
facing_riichi_safe int16 Of them those that were genbutsu to every opponent in riichi.
tsumo_paid int32? [points] Paid for another seat's tsumo, honba included; NULL if not recorded.
tsumo_paid_limit text? Limit of that tsumo, as in wins.
pao_paid int32 [points] Paid because of liability for a hand, beyond an own deal-in; 0 if not recorded.
held_draw text? The tile drawn last where no act of the seat followed: it declared kyuushu kyuuhai, or the log breaks off.
outcome text won_tsumo won_ron deal_in paid_tsumo bystander draw_tenpai draw_noten nagashi abort unknown
tenpai_at_draw bool? Tenpai at an exhaustive draw, from replay; NULL where the round ended otherwise.
tenpai_shown bool? The same as recorded.
tenpai_exhausted bool? One tile short at the draw, but of all it waits for the concealed hand holds the four copies: not tenpai here, where some rules have it so.
keishiki bool? Tenpai at the draw only by a wait whose copies the seat holds itself.
nagashi bool Every discard a terminal or honour and none called, at an exhaustive draw.
disconnected bool The seat was away at some point of the round.
kuikae int16 Discards right after a chi or pon that swap the same tile back.
kuikae_suji int16 Discards right after a chi that swap its other end.
riichi_kans int16 Ankans in riichi.
riichi_kan_drawn int16 Of them those that did not use the drawn tile.
riichi_kan_wait int16 Of them those that changed the wait.
riichi_kan_readings int16 Of them those of a kind that is not a triplet in every reading of the hand.
riichi_broken int16 Discards in riichi other than the drawn tile, calls in riichi.
"""
            ),
        ),
        Table(
            "game_seats",
            "game and seat that was played",
            ("game_id", "seat"),
            "A game as one player lived it: sums over round_seats, for statistics of players to add up."
            " A sum is NULL where one of its values is.",
            columns(
                _GAME
                + """
seat int16 0-3.
players int16 3 or 4.
rounds int16 Rounds played.
haipai_shanten int32? Sum of haipai_shanten.
delta int32 [points] Sum of delta.
wins int16 Rounds won.
tsumo_wins int16 Of them by tsumo.
closed_wins int16 Of them closed and not in riichi (dama).
win_points int32? [points] Sum of win_points.
win_turns int32 Sum of win_turn.
deal_in_rounds int16 Rounds with a deal-in.
deal_ins int16 Sum of deal_ins: a double ron counts twice.
deal_in_points int32? [points] Sum of deal_in_points.
deal_in_riichi int16 Rounds with a deal-in that ended in riichi.
deal_in_open int16 Rounds with a deal-in that ended open.
deal_in_tenpai int16? Rounds with a deal-in that ended tenpai.
riichis int16 Rounds with a riichi, accepted or not.
riichi_turns int32 Sum of riichi_turn.
riichi_wins int16 Of the riichis those that won.
riichi_deal_ins int16 Of the riichis those that dealt in, with the declaration tile or later.
riichi_ronned int16 Of the riichis those whose declaration tile was ronned.
riichi_draws int16 Of the riichis those drawn, nagashi mangan among them.
riichi_delta int32 [points] Sum of delta of the riichis.
riichi_win_delta int32 [points] Sum of delta of those that won.
riichi_deal_in_delta int32 [points] Sum of delta of those that dealt in.
first_riichis int16 Of the riichis the first of their round.
chased_riichis int16 Of the riichis those another seat declared after.
furiten_riichis int16 Of the riichis those furiten at the declaration.
multi_wait_riichis int16? Of the riichis those on two kinds of tile and more.
good_wait_riichis int16? Of the riichis those on six live tiles and more.
open_rounds int16 Rounds with an open call.
open_wins int16 Of them won.
open_deal_ins int16 Of them with a deal-in.
open_draws int16 Of them drawn, nagashi mangan among them.
calls int32 Open calls.
draws int16 Rounds drawn by exhaustion, nagashi mangan among them.
draw_tenpai int16? Of them tenpai.
dealer_rounds int16 Rounds as the dealer.
dealer_wins int16 Of them won.
dealer_hits int16 Of them with another's tsumo to pay whose limit is known.
dealer_mangan_hits int16 Of those tsumos the mangans and more (oyakaburi).
dealer_mangan_points int32 [points] Paid for those mangans and more.
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
turn int16 1 + the seat's discards before this.
table_turn double (1 + all discards before this) / players.
seat int16 Who acts.
action text discard, riichi (a riichi discard), chi, pon, daiminkan, ankan, kakan, kita, tsumo, ron.
drawn text? The tile drawn just before; NULL after a call and for calls and ron.
tile text The tile discarded, called, added, set aside or won on; any of the four for an ankan.
tsumogiri bool? A discard of the tile just drawn.
from_seat int16? Whose tile was called or won on.
meld text? Tiles of the meld made, the called tile among them.
shanten int16? Of the 13 tiles (melds counted) held after it; NULL before a further discard or draw is due.
waits text? Tiles waited for after it, where shanten is 0.
tiles_left int16 Drawable tiles left.
dora_shown int16 Dora indicators turned up before it.
open_melds int16 Open melds of the seat after it.
"""
            ),
        ),
        Table(
            "discard_risks",
            "discard and opponent who threatens",
            ("game_id", "round_index", "seq", "against"),
            "Each discard against each opponent in riichi or with two or more open melds.",
            columns(
                _ROUND
                + """
players int16 3 or 4.
seq int16 The discard's seq in actions.
turn int16 As in actions.
table_turn double As in actions.
seat int16 Who discards.
against int16 The opponent.
threat text riichi or open.
threat_turn int16 Discards the opponent has made since its riichi (0: none yet); for open, since its second open meld.
tile text The tile discarded.
class text What the tile is against that opponent: genbutsu (it cannot win on it: among its discards, passed since its riichi or since its last discard), honour, or a number. Of a number every ryanmen is ruled out by what it cannot win on (suji_19, suji_28, suji_37, suji_456) or with the help of four visible neighbours (no_chance), on one side by suji while the other is left (half_suji_456), or no side by suji while one is left (no_suji_19, no_suji_28, no_suji_37, no_suji_456).
suji_left int16 Suji that have not passed against that opponent, 0-18 (0-12 with three players): pairs of tiles three apart, such as 1m4m, neither of which it has discarded or, since its riichi, let pass.
tile_suji int16 Of them those the tile belongs to, 0-2.
chance int16? Copies the discarder could not see of the scarcer of the two neighbours that a ryanmen on the tile needs, on the side where most are left: 0 no chance, 1 one chance. Sides ruled out by suji do not count; NULL where no side is left for it (genbutsu, honour, suji).
live int16 Copies of the tile the discarder could not see, the discarded one not counted.
near_dora text none, near (within two of a dora, same suit) or dora.
outside_early bool Further out than a tile of its suit among that opponent's first six discards, those before a riichi (sotogawa).
tsumogiri bool The tile just drawn.
state text The discarder's own state: riichi, open or closed.
shanten int16 The discarder's shanten after the discard.
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
seat_wind int16 The winner's, 0-3.
hand text Concealed tiles, winning tile included, sorted.
melds text Melds in order, as `chi:123s pon:777z kan:1111p kakan:2222s ankan:2222s kita`.
win_tile text The winning tile.
wait text? Kinds waited for. NULL on a win sheet, as is what else only the play tells.
wait_kind text? As in round_seats.tenpai_wait_kind, for the tile won on where a wait has several parts.
wait_live int16? Copies of the wait live just before the win, as the winner could see, the one won on among them.
turn int16? 1 + the winner's discards.
table_turn double? (1 + all discards) / players.
tiles_left int16? Drawable tiles left.
winner_state text riichi, open or closed (dama).
loser_state text? riichi, open or closed; NULL for tsumo.
loser_shanten int16? Of the loser after the discard won on.
riichi bool In riichi, double riichi included.
double_riichi bool Declared on the first turn with no call before.
ippatsu bool Within one go-around of riichi, no call between.
rinshan bool On the replacement tile after a kan or kita.
haitei bool Tsumo on the last live tile; not on a replacement.
houtei bool Ron on the discard after the last live tile.
chankan bool On a tile added to a pon, or ankan where kokushi robs it.
kita_ron bool On a north being set aside.
first_turn bool Before the winner's first discard, no call by anyone before (tenhou, chihou, renhou).
after_kita bool A rinshan that followed a kita.
furiten text? none, own, temporary or riichi: the winner's furiten at that moment.
honba int16 Honba this win is paid; 0 for the later winners of a tile.
sticks int16 Sticks this win takes, the winner's own included; 0 for the later winners.
dora_indicators list<text> Turned up when the win happened, in order, from the events.
ura_indicators list<text> As recorded; empty where none was shown.
aka bool Red fives are in play.
kuitan bool? Open tanyao counts in this game.
pao_daisangen int16? Seat that fed the third dragon set, if it was a call.
pao_daisuushi int16? Seat that fed the fourth wind set, if it was a call.
pao_suukantsu int16? Seat that fed the fourth kan, if it was a daiminkan.
riichi_sticks int16 Sticks accepted in this round before the win.
dealer_wins int16 Rounds the dealer has won in a row before this one, for paarenchan.
dealer_rounds int16 Rounds the dealer has dealt in a row before this one, likewise.
yaku_recorded int16 Yaku the record names, dora of each kind among them: the rows of win_yaku.
recorded_indicators list<text> Dora indicators as the win's own record lists them.
recorded_honba int16? Honba printed beside the win.
recorded_sticks int16? Sticks printed beside the win.
loser_paid int32? [points] Paid by the seat whose tile was won on, honba included; NULL for tsumo.
flowers int16? Flowers set aside, on a win sheet of a game that has them.
last_copy bool? The other copies of the winning tile lay open, as a win sheet says.
liable int16? Seat made to pay for all, as a win sheet says.
wild text? The tile that stood for any other, on a win sheet.
bird text? The tile turned up after the win whose number names a seat, on a win sheet (Changsha).
out list<int16>? Seats that had won before and paid no more, on a win sheet.
fed list<int16>? Seats that fed the open kans, in their order, on a win sheet (Qingyuan).
raised list<int16>? Seats that had raised their wins and losses beforehand, on a win sheet (Yingkou).
dealt bool? Paid for what the hand showed as dealt, on a win sheet (Changsha).
triple_ron bool? Three seats won on the tile, as a win sheet says.
open_riichi bool? Riichi with the hand shown; NULL where the log or win sheet does not say.
after_rinshan bool? Won on the discard after a replacement tile, as a win sheet says; of played games re-scoring reads it from the acts.
"""
                + _SCORE
            ),
        ),
        Table(
            "win_yaku",
            "win and yaku",
            ("game_id", "round_index", "win_index", "yaku"),
            "Yaku as recorded, dora of each kind included; ura of 0 han is no row.",
            columns(
                _WIN
                + """
yaku text Key of the yaku vocabulary.
han int16 [han] As recorded; 13 for a yakuman, 26 for a double one.
"""
            ),
        ),
        Table(
            "seeds",
            "game with a shuffle seed or recorded walls",
            ("game_id",),
            "What the walls of a game can be regenerated from, or the walls themselves.",
            columns(
                _GAME
                + """
kind text The seed's prefix, which says how the wall follows from it; recorded where the log has the walls.
seed binary The seed's words; for the older text forms, the text; of recorded walls a line a round, with its digest.
"""
            ),
        ),
        Table(
            "flags",
            "thing wrong with a log that could be read",
            ("game_id", "round_index", "seq", "seat", "reason"),
            "Where a record breaks the rules of play or contradicts itself.",
            columns(
                _GAME
                + """
round_index int16? The round; NULL for the whole game.
seq int16? Position among the round's acts, where it is at one of them.
seat int16? The seat it concerns, if one.
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
            "Nothing is lost in silence: what could not be read, where and why.",
            columns("""
source_id int64 The source.
member text Path within it.
position text Where: `byte 1234`, `line 3`, a JSON path.
format text? The log format it was taken for; NULL where none fits.
importer_version int16? Of that format; a newer one tries again. NULL under `--format`: any run does.
reason text Why, in a sentence.
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
dice list<int16> The dice that follow from the seed, 1-6; empty of a recorded wall.
"""
            ),
        ),
        Table(
            "luck",
            "seat of a round with a wall that was tenpai or won",
            ("game_id", "round_index", "seat"),
            "What the wall held, which nobody at the table could see. Derived by rescore.",
            columns(
                _ROUND
                + """
seat int16 0-3.
tenpai_in_wall int16? Winning tiles left in the live wall at first tenpai; tenpai_live is what the seat could see.
tenpai_next_draw int16? Which draw of the table, from 1, the first of them was; NULL without one.
tenpai_own_draw int16? Which draw of the seat, from 1, would have brought one first had nobody called; NULL if none.
riichi_in_wall int16? Winning tiles left in the live wall at the declaration.
riichi_next_draw int16? As tenpai_next_draw, from the declaration.
riichi_own_draw int16? As tenpai_own_draw, from the declaration.
ura_indicators list<text> Under the dora indicators turned up when the seat won, in riichi or not; empty without a win.
ura_han int16? [han] What they would give the winner's hand; NULL without a win.
"""
            ),
        ),
        Table(
            "scored_wins",
            "win and rule set",
            ("game_id", "round_index", "win_index", "ruleset_hash"),
            "What the rules engine says each win is worth. Derived by rescore.",
            columns(
                _WIN
                + """
ruleset text Name of the rule set scored under.
ruleset_hash int64 Hash of what it sets.
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
            "Yaku the rules engine finds. Derived by rescore.",
            columns(
                _WIN
                + """
ruleset_hash int64 Hash of what the rule set sets.
yaku text Key of the yaku vocabulary.
han int16 [han] Its value here; 13 for a yakuman, 26 for a double one.
"""
            ),
        ),
        Table(
            "computed_results",
            "game, seat and rule set",
            ("game_id", "seat", "ruleset_hash"),
            "What each seat comes to under a rule set: its points carried through all rounds from "
            "the rule set's start, with uma and oka. Derived by rescore, for complete games whose "
            "every round could be settled.",
            columns(
                _GAME
                + """
seat int16 0-3.
ruleset text Name of the rule set; that of `games` is the one the record names.
ruleset_hash int64 Hash of what the rule set sets.
engine_version int16 Version of the rules engine.
placement int16 1 to 4; level seats share the better one where the rule set has it so.
points int32 [points] Points at the end of the game, leftover sticks as the rule set gives them away.
result double? [thousands] With uma and oka; NULL for games that have none.
"""
            ),
        ),
        Table(
            "verdicts",
            "subject and rule set",
            ("subject", "game_id", "round_index", "win_index", "ruleset_hash"),
            "Whether the record agrees with the computation. Derived by rescore. The verdicts on "
            "the record are those under the rule set it names: `JOIN games USING (game_id, "
            "ruleset)`; others are what another rule set would say.",
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
reason text? Why it is illegal or unscorable.
"""
            ),
        ),
        Table(
            "verdict_fields",
            "field that differs",
            ("subject", "game_id", "round_index", "win_index", "ruleset_hash", "field"),
            "What differs, as recorded and as computed. Derived by rescore.",
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
    )
}
"""Every table of a lake, by name."""
DERIVED = frozenset(
    {
        "walls", "luck", "scored_wins", "scored_yaku", "computed_results", "verdicts",
        "verdict_fields",
    }
)  # fmt: skip
"""Tables that rescore fills; the others are filled by ingest."""

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
            "Schema version, policy for names and what else paifu has to know to open a lake.",
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
"""Tables a lake keeps for itself."""
