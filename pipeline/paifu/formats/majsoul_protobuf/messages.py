"""Schemas of Mahjong Soul's messages: the fields a reader of games needs.

Names and numbers are those of the game's own protocol. Fields for a client's display only (waits,
offered calls, clocks, clothes) are left out. ``Action…`` are the messages of a live game as one
seat gets them, ``Record…`` the messages of a stored game.
"""

from __future__ import annotations

from paifu.formats.majsoul_protobuf.wire import Field, Schema

_PLAIN = ("uint", "int", "bool", "string", "bytes")
_TEXT = """
Wrapper: 1 name string, 2 data bytes
Error: 1 code uint
ActionPrototype: 1 step uint, 2 name string, 3 data bytes
GameAction: 3 result bytes

FanInfo: 1 name string, 2 val uint, 3 id uint
HuleInfo: 1 hand string*, 2 ming string*, 3 hu_tile string, 4 seat uint, 5 zimo bool, 6 qinjia bool
HuleInfo: 7 liqi bool, 8 doras string*, 9 li_doras string*, 10 yiman bool, 11 count uint
HuleInfo: 12 fans FanInfo*, 13 fu uint, 14 title string, 15 point_rong uint
HuleInfo: 16 point_zimo_qin uint, 17 point_zimo_xian uint, 18 title_id uint, 19 point_sum uint
NoTilePlayerInfo: 3 tingpai bool, 4 hand string*
NoTileScoreInfo: 1 seat uint, 2 old_scores int*, 3 delta_scores int*, 7 score uint

RecordNewRound: 1 chang uint, 2 ju uint, 3 ben uint, 4 dora string, 5 scores int*, 6 liqibang uint
RecordNewRound: 7 tiles0 string*, 8 tiles1 string*, 9 tiles2 string*, 10 tiles3 string*
RecordNewRound: 13 md5 string, 14 paishan string, 16 doras string*, 22 sha256 string
RecordNewRound: 24 salt_sha256 string, 25 salt string
RecordDealTile: 1 seat uint, 2 tile string, 3 left_tile_count uint, 6 doras string*
RecordDiscardTile: 1 seat uint, 2 tile string, 3 is_liqi bool, 5 moqie bool, 8 doras string*
RecordDiscardTile: 9 is_wliqi bool
RecordChiPengGang: 1 seat uint, 2 type uint, 3 tiles string*, 4 froms uint*
RecordAnGangAddGang: 1 seat uint, 2 type uint, 3 tiles string, 6 doras string*
RecordBaBei: 1 seat uint, 6 doras string*, 8 moqie bool
RecordHule: 1 hules HuleInfo*, 2 old_scores int*, 3 delta_scores int*, 5 scores int*
RecordHule: 7 doras string*
RecordNoTile: 1 liujumanguan bool, 2 players NoTilePlayerInfo*, 3 scores NoTileScoreInfo*
RecordLiuJu: 1 type uint, 3 seat uint, 4 tiles string*

ActionNewRound: 1 chang uint, 2 ju uint, 3 ben uint, 4 tiles string*, 5 dora string, 6 scores int*
ActionNewRound: 8 liqibang uint, 14 doras string*
ActionDealTile: 1 seat uint, 2 tile string, 3 left_tile_count uint, 6 doras string*
ActionDiscardTile: 1 seat uint, 2 tile string, 3 is_liqi bool, 5 moqie bool, 8 doras string*
ActionDiscardTile: 9 is_wliqi bool
ActionChiPengGang: 1 seat uint, 2 type uint, 3 tiles string*, 4 froms uint*
ActionAnGangAddGang: 1 seat uint, 2 type uint, 3 tiles string, 6 doras string*
ActionBaBei: 1 seat uint, 6 doras string*, 9 moqie bool
ActionHule: 1 hules HuleInfo*, 2 old_scores int*, 3 delta_scores int*, 5 scores int*
ActionHule: 7 doras string*
ActionNoTile: 1 liujumanguan bool, 2 players NoTilePlayerInfo*, 3 scores NoTileScoreInfo*
ActionLiuJu: 1 type uint, 3 seat uint, 4 tiles string*

AccountLevel: 1 id uint, 2 score uint
AccountInfo: 1 account_id uint, 2 seat uint, 3 nickname string, 7 level AccountLevel
AccountInfo: 8 level3 AccountLevel
GameDetailRule: 3 dora_count uint, 4 shiduan uint, 5 init_point uint, 6 fandian uint
GameDetailRule: 15 have_qieshangmanguan bool, 26 have_toutiao bool, 27 have_helelianzhuang bool
GameDetailRule: 40 disable_multi_yukaman bool, 41 fanfu uint, 42 guyi_mode uint
GameDetailRule: 45 jiuchao_mode uint, 46 muyu_mode uint, 47 open_hand uint, 48 xuezhandaodi uint
GameDetailRule: 49 huansanzhang uint, 50 chuanma uint, 51 reveal_discard uint
GameDetailRule: 52 field_spell_mode uint, 53 zhanxing uint, 54 tianming_mode uint
GameDetailRule: 60 disable_leijiyiman bool, 62 disable_double_yakuman uint
GameDetailRule: 63 disable_composite_yakuman uint, 66 disable_double_wind_four_fu uint
GameDetailRule: 67 disable_angang_guoshi uint, 68 enable_renhe uint
GameTestingEnvironmentSet: 1 paixing uint, 2 left_count uint
GameMode: 1 mode uint, 6 detail_rule GameDetailRule
GameMode: 7 testing_environment GameTestingEnvironmentSet
GameMetaData: 1 room_id uint, 2 mode_id uint, 3 contest_uid uint
GameConfig: 1 category uint, 2 mode GameMode, 3 meta GameMetaData
PlayerItem: 1 seat uint, 2 total_point int, 3 part_point_1 int
GameEndResult: 1 players PlayerItem*
RecordGame: 1 uuid string, 2 start_time uint, 3 end_time uint, 5 config GameConfig
RecordGame: 11 accounts AccountInfo*, 12 result GameEndResult
ResGameRecord: 1 error Error, 3 head RecordGame, 4 data bytes, 5 data_url string

ReqAuthGame: 1 account_id uint, 3 game_uuid string
PlayerGameView: 1 account_id uint, 4 nickname string, 5 level AccountLevel, 7 level3 AccountLevel
ResAuthGame: 2 players PlayerGameView*, 3 seat_list uint*, 5 game_config GameConfig
GameRestore: 2 actions ActionPrototype*
ResEnterGame: 4 game_restore GameRestore
NotifyGameEndResult: 1 result GameEndResult
"""


def _schemas() -> dict[str, Schema]:
    schemas: dict[str, dict[int, Field]] = {}
    for line in filter(None, _TEXT.splitlines()):
        message, fields = line.split(": ")
        schema = schemas.setdefault(message, {})
        for entry in fields.split(", "):
            number, name, kind = entry.split()
            repeated, kind = kind.endswith("*"), kind.rstrip("*")
            inner = None if kind in _PLAIN else schemas[kind]
            schema[int(number)] = Field(name, kind, repeated, inner)
    return dict(schemas)


SCHEMAS: dict[str, Schema] = _schemas()
"""The fields of each message, by number."""
