"""What an empty score sheet says about itself in English, Japanese and Chinese."""

from __future__ import annotations

from collections.abc import Iterable

from paifu.errors import PaifuError

LANGUAGES = ("en", "ja", "zh")

_COLUMNS = """
date
2026-11-30, 2026/11/30, 30.11.2026, 2026年11月30日, or a date of Excel; a time may follow (19:30)
2026-11-30、2026/11/30、2026年11月30日、またはExcelの日付。時刻を続けてもよい (19:30)
2026-11-30、2026/11/30、2026年11月30日，或Excel的日期；后面可写时间 (19:30)

place
the club or room where it was played
会場または店の名
俱乐部或场地的名称

table
the table, if several games are played at a time
同時に何卓も立つときの卓
同时开几桌时的桌号

game
the number of the game at this table on this day: 1, 2, …; without it the games of a day are numbered as they come
その日その卓の何回戦か: 1、2、…。空欄なら書かれた順に数える
当天这一桌的第几场: 1、2、…；不写则按书写顺序编号

rules
the rule set, as paifu rulesets lists them, or a TOML file in the folder where paifu runs
ルールの名 (paifu rulesets の一覧) か、paifuを動かすフォルダのTOMLファイル
规则的名称 (见 paifu rulesets)，或运行paifu的文件夹中的TOML文件

length
riichi: south (半荘) or east (東風); without it that of the rule set, or else south
半荘か東風。空欄ならルールのもの、それもなければ半荘
立直麻将: 半庄或东风；不写则按规则，规则没有则为半庄

player_#
the person who began as @; with three players nobody is North
開始時に@家だった人。三人打ちでは北家は空欄
开局时的@家；三人打时北家空着

round
its number in the game (1, 2, 3 …) or its name (E1, East 1, 東1局, 东风东; with 本場 E1-2, 東1局2本場); rows with the same round belong together; empty for the result of a game
通し番号 (1、2、3…) か局の名 (東1局、E1。本場も書ける: 東1局2本場)。同じ局の行は一つにまとまる。半荘の結果の行では空欄
序号 (1、2、3…) 或局名 (东风东、东1局；可带本场: 东1局2本场)；同一局可写几行；整场结果的一行空着

honba
the counters on the table, if the name of the round does not say it
本場の数。局の名に書いてあれば空欄
本场数；局名里已写则空着

dealer
who deals, if the name of the round does not say it
親の名。局の名から分かれば空欄
庄家是谁；局名里已写则空着

outcome
tsumo (自摸), ron (ロン, 点炮), draw (流局, 荒庄), nagashi, an abortive draw (九種九牌 …) or penalty (チョンボ, 错和); without it what winner and discarder say
ツモ、ロン、流局、流し満貫、途中流局 (九種九牌…)、チョンボ。空欄なら和了者と放銃者から分かる
自摸、点炮、荒庄、流局满贯、途中流局 (九种九牌…) 或错和；不写则由和牌者和点炮者得知

winner
who won: the name, or the seat 0-3 counted from the first dealer; each of several winners has a row
和了した人の名か、起家から数えた席 0-3。何人も和了したら一人一行
和牌的人: 名字，或从起庄数起的座位0-3；几人和牌则每人一行

loser
who discarded the winning tile; empty for a self-drawn win
放銃した人。ツモなら空欄
点炮的人；自摸则空着

riichi
who paid a riichi stick: names or seats with commas between them, yes for the winner; in a game that uses the column, empty is nobody
リーチ棒を出した人: 名か席をコンマで区切る。yes は和了者。この欄を使う半荘では空欄は「なし」
付了立直棒的人: 名字或座位，用逗号隔开；yes指和牌者；这一场用了此栏，空着即无人

tenpai
who was tenpai at a draw: names or seats with commas between them; none is nobody
流局で聴牌していた人: 名か席をコンマで区切る。なし は一人もいない
荒庄时听牌的人: 名字或座位，用逗号隔开；无即没有人

three_suits
whose hand had all three suits at a draw of Sichuan or Chengdu: names or seats with commas between them; empty is nobody
四川・成都の流局で三色そろっていた人 (花猪): 名か席をコンマで区切る。空欄は「なし」
四川、成都荒庄时三门齐全的人: 名字或座位，用逗号隔开；空着即无人

delta_#
what that person got or paid in the row, with honba and sticks
その行での増減。本場と供託を含む
此人在这一行的得失，含本场和立直棒

points_#
the points of that person after the row; without a round, at the end of the game
その行の後の点数。局が空欄なら終了時の点数
此人在这一行之后的分数；没有局的一行为终局分数

result_#
the result with uma and oka in thousands (+45.3), in a row without a round
ウマとオカを含む成績、千点単位 (+45.3)。局が空欄の行に書く
含马点和冈的成绩，以千点计 (+45.3)，写在没有局的一行

remarks
anything; paifu keeps it with the round or the game, and paifu show prints it
何でも書ける。paifuは局や半荘と共に保存し、paifu show で表示する
任意文字；paifu把它和该局或该场一起保存，paifu show会显示

hand
the concealed tiles with the winning tile: 22345567p345567s
門前の牌と和了牌: 22345567p345567s
手中的牌，含和牌张: 22345567p345567s

winds
1z-4z winds
1z-4z は風牌
1z-4z 风牌

dragons
5z white, 6z green, 7z red
5z 白、6z 發、7z 中
5z 白，6z 发，7z 中

reds
0m 0p 0s red fives
0m 0p 0s は赤五
0m 0p 0s 红五

reds_3p
0p 0s red fives
0p 0s は赤五
0p 0s 红五

chi
chi:123s
chi:123s (チー)
chi:123s (吃)

melds
pon:777p kan:1111p kakan:2222s ankan:2222s
pon:777p kan:1111p (大明槓) kakan:2222s (加槓) ankan:2222s (暗槓)
pon:777p (碰) kan:1111p (直杠) kakan:2222s (加杠) ankan:2222s (暗杠)

win_tile
the winning tile: 3s
和了牌: 3s
和牌张: 3s

fan
what was counted: 混一色 箭刻*2
数えた役: 立直 平和
所计的番种: 混一色 箭刻*2

han
the sum of what was counted
役とドラの合計
番的总数

dora_indicators
the indicators turned up: 1z 3p
表示牌: 1z 3p
翻开的指示牌: 1z 3p

ura_indicators
the indicators below them, after a riichi
リーチして和了したときの裏の表示牌
立直和牌后翻开的里指示牌
"""
"""For each column its key, and what its cells say; # is a seat, @ the wind with which it begins.
Also, by keys of their own, the tiles and melds that only some rule sets have."""

_ABOUT = """
A score sheet for paifu. Rows that begin with # are not read; write your games below the header.
paifuの成績表。# で始まる行は読まない。見出しの行の下に対局を書く。
paifu的计分表。以 # 开头的行不读；请把对局写在标题行下面。

An empty cell of date, place, game, rules, length and of all people means: as in the row above. Columns may be left out, and be in any order.
日付、会場、卓、回戦、ルール、長さ、および全員の名が空欄なら、上の行と同じ。列は省いても、並べ替えてもよい。
日期、地点、桌号、场次、规则、长度以及所有人名空着，即与上一行相同。各列可以省去，也可以换顺序。

paifu ingest FILE --lake club.lake brings it into a lake; the same file, corrected, replaces its games.
paifu ingest FILE --lake club.lake で取り込む。直したファイルをもう一度取り込むと、その対局が置き換わる。
用 paifu ingest FILE --lake club.lake 存入；改正后的文件再次存入，会替换其中的对局。

an example:
例:
例:

the first win
最初の和了
第一次和牌
"""
_JOINED = ("; ", ", "), ("。", "、"), ("；", "，")
_WINDS = ("East", "South", "West", "North"), tuple("東南西北"), tuple("东南西北")


def _at(language: str) -> int:
    if language not in LANGUAGES:
        raise PaifuError(f"sheets are written in {', '.join(LANGUAGES)}, not {language!r}")
    return LANGUAGES.index(language)


def guide_of(key: str, language: str = "en") -> str:
    """Return what the cells of a column say.

    Raises :class:`~paifu.errors.PaifuError` for a language without a guide.

    >>> guide_of("win_tile", "zh"), guide_of("player_1")
    ('和牌张: 3s', 'the person who began as South; with three players nobody is North')
    """
    at = _at(language)
    if key in _GUIDES:
        return _GUIDES[key][at]
    name, _, seat = key.rpartition("_")
    return _GUIDES[f"{name}_#"][at].replace("@", _WINDS[at][int(seat)])


def guide_of_tiles(parts: Iterable[str], language: str = "en") -> str:
    """Return what the cells of column hand say.

    ``parts`` are the tiles that the rule set has beside plain numbers: ``winds``, ``dragons``, and
    ``reds`` or ``reds_3p`` (of three players).

    >>> guide_of_tiles(["dragons"], "zh")
    '手中的牌，含和牌张: 22345567p345567s；5z 白，6z 发，7z 中'
    """
    semicolon, comma = _JOINED[_at(language)]
    told = comma.join(guide_of(key, language) for key in parts)
    return semicolon.join(filter(None, (guide_of("hand", language), told)))


def about(language: str) -> list[str]:
    """Return the sentences above the columns, the word for an example, and its remark."""
    return [lines.splitlines()[_at(language)] for lines in _ABOUT.strip().split("\n\n")]


_GUIDES = {
    key: texts for key, *texts in (lines.splitlines() for lines in _COLUMNS.strip().split("\n\n"))
}
