"""The names of yaku in logs: Japanese, English, Chinese and the programs' own names.

Names are compared without case, spaces and punctuation, and full-width characters equal plain
characters. So ``Under the Sea``, ``under_the_sea`` and ``役牌:白`` / ``役牌 白`` need one entry
each.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

import numpy as np

from paifu.game.events import Array
from paifu.schema.yaku import YAKU, YAKU_INDEX

ROUND_WIND = -2
"""Some logs write the wind yaku without its wind, which follows from the round and the seat."""
SEAT_WIND = -3
DRAGONS = -4
"""gimite's mjai counts dragon triplets together (``sangenpai``); the hand shows which they are."""

# Names in addition to the Japanese and English names of the vocabulary (Tenhou, Mahjong Soul).
_ALIASES = """
menzen_tsumo: Fully Concealed Hand, Menzen Tsumo, menzenchin_tsumoho, 门前清自摸和, 門前自摸
menzen_tsumo: 門前清自模和, 自摸
riichi: reach, Ready, リーチ
ippatsu: 一發, 一发, One-shot
chankan: Robbing a Quad, 槍杠, 抢杠, 搶槓
rinshan: After a Quad, rinshankaihoh, rinshankaiho, Rinshan Kaihou, 岭上开花, 嶺上開花
haitei: Under the Sea, haiteiraoyue, Haitei Raoyue, 海底捞月
houtei: Under the River, hoteiraoyui, Houtei Raoyui, 河底捞鱼, 河底撈魚
pinfu: ピンフ, All Sequences
tanyao: タンヤオ, tanyaochu, 断么九, 断ヤオ, 斷么九, 斷幺九, 断公九
iipeikou: イーペーコー, ipeko, 一杯口, 一盃口
haku: White, 役牌白, 翻牌白, 白
hatsu: Green, 役牌発, 役牌发, 翻牌發, 翻牌発, 發, 発
chun: Red, 翻牌中, 中
double_riichi: double_reach, Double Ready, ダブル立直, ダブルリーチ, 两立直, 雙立直, 兩立直
chiitoitsu: チートイツ, chitoitsu, 七对子, 七對子
chanta: チャンタ, 混全帯么九, honchantaiyao, Half Outside Hand, 混全带幺九, 混全帶么九, 混全带么九
ittsuu: ikkitsukan, Ittsu, 一气通贯, 一氣通貫
sanshoku_doujun: sanshokudojun, Sanshoku, 三色同顺, 三色同順
sanshoku_doukou: sanshokudoko, Triple Triplet
sankantsu: Three Quads, 三杠子
toitoi: トイトイ, トイトイホー, toitoiho, Toitoihou, 对对和, 對對和, 対対和
sanankou: sananko
shousangen: shosangen
honroutou: honroto, All Terminals and Honors, 混老头, 混老頭
ryanpeikou: ryanpeko, 二杯口, 两杯口, 兩盃口, 両盃口
junchan: 純チャン, 純全帯么九, junchantaiyao, Fully Outside Hand, 纯全带幺九, 純全帶么九, 纯全带么九
honitsu: honiso, Honiisou
chinitsu: chiniso, Chiniisou
renhou: renho, Blessing of Man
tenhou: tenho, Blessing of Heaven
chihou: chiho, Blessing of Earth
daisangen: Three Great Dragons
suuankou: suanko
suuankou_tanki: suankotanki, Single-wait Four Concealed Triplets, 四暗刻单骑, 四暗刻單騎
tsuuiisou: tsuiso, All Honors
ryuuiisou: ryuiso, 绿一色, 綠一色
chinroutou: chinroto, 清老头
chuuren: churenpoton, Chuuren Poutou, 九莲宝灯, 九蓮寶燈
junsei_chuuren: True Nine Gates, junseichurenpoton, 純正九蓮寶燈, 纯正九莲宝灯
kokushi: kokushimuso, Kokushi Musou, 国士无双, 國士無雙
kokushi_13: kokushimusojusanmenmachi, 国士無双十三面, 国士無双十三面待ち, 国士无双十三面
kokushi_13: 國士無雙十三面, Thirteen-wait Thirteen Orphans
daisuushii: daisushi, Four Big Winds, Daisuushi
shousuushii: shosushi, Four Little Winds, Shousuushi
suukantsu: sukantsu, Four Quads, 四杠子
dora: 宝牌, 寶牌, 懸賞牌
ura_dora: uradora, 里宝牌, 裏寶牌, 裡寶牌
aka_dora: akadora, Red Five, 红宝牌, 紅寶牌, 赤
kita: Kita, North Dora, Nuki Dora, nukidora, 北ドラ, 抜ドラ, 拔北宝牌, 北宝牌, 拔北
nagashi_mangan: Mangan at Draw, 流局满贯, 流し満貫
paarenchan: 八连庄
"""
_GENERIC = {
    ROUND_WIND: "bakaze, Prevalent Wind, Round Wind, 役牌:場風牌, 役牌:场风牌, 場風, 场风",
    SEAT_WIND: "jikaze, Seat Wind, 役牌:自風牌, 役牌:自风牌, 役牌:门风牌, 自風, 自风, 门风",
    DRAGONS: "sangenpai",
}


def _plain(name: str) -> str:
    """Return a name without case, width, spaces and punctuation."""
    return "".join(c for c in unicodedata.normalize("NFKC", name).casefold() if c.isalnum())


def _table() -> dict[str, int]:
    table: dict[str, int] = {}
    for index, yaku in enumerate(YAKU):
        for name in (yaku.key, yaku.japanese, yaku.english) if yaku.family == "riichi" else ():
            table[_plain(name)] = index
    for line in _ALIASES.strip().splitlines():
        key, names = line.split(":", 1)
        for name in names.split(","):
            table[_plain(name)] = YAKU_INDEX[key]
    for marker, names in _GENERIC.items():
        for name in names.split(","):
            table[_plain(name)] = marker
    return table


_BY_NAME = _table()


@lru_cache(maxsize=4096)
def named(name: str) -> int | None:
    """Return a yaku's index by its name, a marker if its wind or dragon is missing, or None.

    >>> YAKU[named("Under the Sea")].key
    'haitei'
    >>> named("役牌:場風牌") == ROUND_WIND
    True
    """
    return _BY_NAME.get(_plain(name))


def with_wind(marker: int, round_wind: int, seat_wind: int) -> int:
    """Return the index of a wind yaku; other indices are returned unchanged.

    >>> YAKU[with_wind(SEAT_WIND, 0, 2)].key
    'seat_west'
    """
    if marker == ROUND_WIND:
        return YAKU_INDEX["round_east"] + round_wind
    if marker == SEAT_WIND:
        return YAKU_INDEX["seat_east"] + seat_wind
    return marker


def with_winds(markers: Array, round_winds: Array, seat_winds: Array) -> Array:
    """Do the same as :func:`with_wind` for whole columns."""
    told = np.where(markers == ROUND_WIND, YAKU_INDEX["round_east"] + round_winds, markers)
    return np.where(markers == SEAT_WIND, YAKU_INDEX["seat_east"] + seat_winds, told)


BY_MAJSOUL: dict[int, int] = {
    yaku.majsoul: index for index, yaku in enumerate(YAKU) if yaku.majsoul is not None
} | {10: SEAT_WIND, 11: ROUND_WIND}
"""Index (or marker) of each Mahjong Soul yaku id."""
