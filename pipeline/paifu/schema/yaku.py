"""The yaku vocabulary: a key, names and platform ids for each yaku, fan and kind of dora."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Yaku:
    """One yaku of the closed vocabulary."""

    key: str
    japanese: str
    english: str
    family: str
    tenhou: int | None = None
    majsoul: int | None = None


def _riichi_yaku() -> tuple[Yaku, ...]:
    # key, Tenhou id, Mahjong Soul id, Japanese, English
    text = """
menzen_tsumo 0 1 門前清自摸和 Fully concealed tsumo
riichi 1 2 立直 Riichi
ippatsu 2 30 一発 Ippatsu
chankan 3 3 槍槓 Robbing a kan
rinshan 4 4 嶺上開花 After a kan
haitei 5 5 海底摸月 Last tile tsumo
houtei 6 6 河底撈魚 Last tile ron
pinfu 7 14 平和 Pinfu
tanyao 8 12 断幺九 All simples
iipeikou 9 13 一盃口 Pure double sequence
seat_east 10 10 自風 東 Seat wind east
seat_south 11 10 自風 南 Seat wind south
seat_west 12 10 自風 西 Seat wind west
seat_north 13 10 自風 北 Seat wind north
round_east 14 11 場風 東 Round wind east
round_south 15 11 場風 南 Round wind south
round_west 16 11 場風 西 Round wind west
round_north 17 11 場風 北 Round wind north
haku 18 7 役牌 白 White dragon
hatsu 19 8 役牌 發 Green dragon
chun 20 9 役牌 中 Red dragon
double_riichi 21 18 両立直 Double riichi
chiitoitsu 22 25 七対子 Seven pairs
chanta 23 15 混全帯幺九 Half outside hand
ittsuu 24 16 一気通貫 Pure straight
sanshoku_doujun 25 17 三色同順 Mixed triple sequence
sanshoku_doukou 26 19 三色同刻 Triple triplets
sankantsu 27 20 三槓子 Three kans
toitoi 28 21 対々和 All triplets
sanankou 29 22 三暗刻 Three concealed triplets
shousangen 30 23 小三元 Little three dragons
honroutou 31 24 混老頭 All terminals and honours
ryanpeikou 32 28 二盃口 Twice pure double sequence
junchan 33 26 純全帯幺九 Fully outside hand
honitsu 34 27 混一色 Half flush
chinitsu 35 29 清一色 Full flush
renhou 36 59 人和 Blessing of man
tenhou 37 35 天和 Blessing of heaven
chihou 38 36 地和 Blessing of earth
daisangen 39 37 大三元 Big three dragons
suuankou 40 38 四暗刻 Four concealed triplets
suuankou_tanki 41 48 四暗刻単騎 Four concealed triplets, single wait
tsuuiisou 42 39 字一色 All honours
ryuuiisou 43 40 緑一色 All green
chinroutou 44 41 清老頭 All terminals
chuuren 45 45 九蓮宝燈 Nine gates
junsei_chuuren 46 47 純正九蓮宝燈 True nine gates
kokushi 47 42 国士無双 Thirteen orphans
kokushi_13 48 49 国士無双１３面 Thirteen-wait thirteen orphans
daisuushii 49 50 大四喜 Big four winds
shousuushii 50 43 小四喜 Little four winds
suukantsu 51 44 四槓子 Four kans
dora 52 31 ドラ Dora
ura_dora 53 33 裏ドラ Ura dora
aka_dora 54 32 赤ドラ Red fives
kita - 34 抜きドラ Set-aside norths
nagashi_mangan - - 流し満貫 Nagashi mangan
open_riichi - - 開立直 Open riichi
open_double_riichi - - 開両立直 Open double riichi
sanshoku_tsuukan - - 三色通貫 Mixed straight
isshoku_sanjun - - 一色三順 Pure triple sequence
sanrenkou - - 三連刻 Three consecutive triplets
shiisanpuutaa - - 十三不塔 Thirteen unconnected
daichisei - - 大七星 Big seven stars
daisharin - - 大車輪 Big wheels
touhoku_shinkansen - - 東北新幹線 North-east express
hyakumangoku - - 百万石 Million stones
junsei_hyakumangoku - - 純正百万石 Exact million stones
isshoku_yonjun - - 一色四順 Pure quadruple sequence
suurenkou - - 四連刻 Four consecutive triplets
beni_kujaku - - 紅孔雀 Red peacock
paarenchan - - 八連荘 Eight dealer wins
junsei_ryuuiisou - - 純正緑一色 All green without the green dragon
"""
    rows: list[Yaku] = []
    for line in text.strip().splitlines():
        key, tenhou, majsoul, rest = line.split(maxsplit=3)
        words = rest.split(" ")
        japanese = words[0] if words[1].isascii() else " ".join(words[:2])
        rows.append(
            Yaku(
                key,
                japanese,
                rest[len(japanese) + 1 :],
                "riichi",
                None if tenhou == "-" else int(tenhou),
                None if majsoul == "-" else int(majsoul),
            )
        )
    return tuple(rows)


def _fan(family: str, text: str) -> tuple[Yaku, ...]:
    """Read ``key Chinese English`` lines."""
    return tuple(
        Yaku(key, chinese, english, family)
        for key, chinese, english in (line.split(maxsplit=2) for line in text.strip().splitlines())
    )


_MCR_FAN = """
big_four_winds 大四喜 Big four winds
big_three_dragons 大三元 Big three dragons
all_green 绿一色 All green
nine_gates 九莲宝灯 Nine gates
four_kongs 四杠 Four kongs
seven_shifted_pairs 连七对 Seven shifted pairs
thirteen_orphans 十三幺 Thirteen orphans
all_terminals 清幺九 All terminals
little_four_winds 小四喜 Little four winds
little_three_dragons 小三元 Little three dragons
all_honors 字一色 All honors
four_concealed_pungs 四暗刻 Four concealed pungs
pure_terminal_chows 一色双龙会 Pure terminal chows
quadruple_chow 一色四同顺 Quadruple chow
four_pure_shifted_pungs 一色四节高 Four pure shifted pungs
four_pure_shifted_chows 一色四步高 Four pure shifted chows
three_kongs 三杠 Three kongs
all_terminals_and_honors 混幺九 All terminals and honors
seven_pairs 七对 Seven pairs
greater_honors_and_knitted_tiles 七星不靠 Greater honors and knitted tiles
all_even_pungs 全双刻 All even pungs
full_flush 清一色 Full flush
pure_triple_chow 一色三同顺 Pure triple chow
pure_shifted_pungs 一色三节高 Pure shifted pungs
upper_tiles 全大 Upper tiles
middle_tiles 全中 Middle tiles
lower_tiles 全小 Lower tiles
pure_straight 清龙 Pure straight
three_suited_terminal_chows 三色双龙会 Three suited terminal chows
pure_shifted_chows 一色三步高 Pure shifted chows
all_fives 全带五 All fives
triple_pung 三同刻 Triple pung
three_concealed_pungs 三暗刻 Three concealed pungs
lesser_honors_and_knitted_tiles 全不靠 Lesser honors and knitted tiles
knitted_straight 组合龙 Knitted straight
upper_four 大于五 Upper four
lower_four 小于五 Lower four
big_three_winds 三风刻 Big three winds
mixed_straight 花龙 Mixed straight
reversible_tiles 推不倒 Reversible tiles
mixed_triple_chow 三色三同顺 Mixed triple chow
mixed_shifted_pungs 三色三节高 Mixed shifted pungs
chicken_hand 无番和 Chicken hand
last_tile_draw 妙手回春 Last tile draw
last_tile_claim 海底捞月 Last tile claim
out_with_replacement_tile 杠上开花 Out with replacement tile
robbing_the_kong 抢杠和 Robbing the kong
two_concealed_kongs_8 双暗杠 Two concealed kongs (8)
all_pungs 碰碰和 All pungs
half_flush 混一色 Half flush
mixed_shifted_chows 三色三步高 Mixed shifted chows
all_types 五门齐 All types
melded_hand 全求人 Melded hand
two_concealed_kongs 双暗杠 Two concealed kongs
two_dragon_pungs 双箭刻 Two dragon pungs
concealed_and_melded_kong 明暗杠 Concealed and melded kong
outside_hand 全带幺 Outside hand
fully_concealed 不求人 Fully concealed
two_melded_kongs 双明杠 Two melded kongs
last_tile 和绝张 Last tile
dragon_pung 箭刻 Dragon pung
prevalent_wind 圈风刻 Prevalent wind
seat_wind 门风刻 Seat wind
concealed_hand 门前清 Concealed hand
all_chows 平和 All chows
tile_hog 四归一 Tile hog
double_pung 双同刻 Double pung
two_concealed_pungs 双暗刻 Two concealed pungs
concealed_kong 暗杠 Concealed kong
all_simples 断幺 All simples
pure_double_chow 一般高 Pure double chow
mixed_double_chow 喜相逢 Mixed double chow
short_straight 连六 Short straight
two_terminal_chows 老少副 Two terminal chows
pung_of_terminals_or_honors 幺九刻 Pung of terminals or honors
melded_kong 明杠 Melded kong
one_voided_suit 缺一门 One voided suit
no_honors 无字 No honors
edge_wait 边张 Edge wait
closed_wait 坎张 Closed wait
single_wait 单钓将 Single wait
self_drawn 自摸 Self drawn
flower_tiles 花牌 Flower tiles
"""

_REGIONAL_FAN = """
ready 听 Ready
pair_258 258将 Pair of 2, 5 or 8
mixed_pungs 混碰 Pungs of one suit and honours
pure_pungs 清碰 Pungs of one suit
all_258 将将和 All 2, 5 and 8
small_win 小和 Small win
blessing_of_heaven 天和 Blessing of heaven
blessing_of_earth 地和 Blessing of earth
four_of_a_kind 杠或四归一 Kong or four of a kind
all_honor_pungs 全字全对 Pungs of honours
all_terminal_pungs 壹玖全对 Pungs of terminals
turned_tile_pung 墙头绝 Pung of the turned-up tile
middle_five 卡五 Five between four and six
dealt_four_alike 四喜 Dealt four alike
dealt_no_258 板板和 Dealt no 2, 5 or 8
dealt_voided_suit 缺一色 Dealt without a suit
fourth_copy_wild 绝头会 Fourth copy become wild
one_tile_left 手把一 All pungs with one tile left
thirteen_scattered 十三烂 Thirteen scattered
seven_stars 七星 Seven stars
big_seven 大七 Big seven
without_jing 德国 Without jing as wild
jing_wait 精吊 Single wait with a jing
jing_rush 冲关 Jing rush
jing_alone 精霸 The only seat with jing
jing_kong 杠精 Kong of jing
dealt_kong 起手杠 Kong as dealt
dealt_kong_fed 起手放杠 Kong fed as dealt
"""

YAKU: tuple[Yaku, ...] = (
    *_riichi_yaku(),
    *_fan("mcr", _MCR_FAN),
    *_fan("regional", _REGIONAL_FAN),
)
"""The closed yaku vocabulary, including the fan of Chinese games (``japanese`` then holds the
Chinese name). The index of a yaku is its number in arrays."""

YAKU_INDEX: dict[str, int] = {yaku.key: index for index, yaku in enumerate(YAKU)}
"""Index of each yaku key."""
