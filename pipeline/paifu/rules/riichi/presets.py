"""The rule-set presets: what each known rule set says, with the documents that say so.

A preset names the preset it starts from and the options that differ. Beside every value stand the
tags of its sources (resolved in ``SOURCES``); ``?`` marks a value that no document confirms.
Editions: Tenhou ranked tables, Mahjong Soul ranked tables as of 2026, M.League as of 2026-05, WRC
2025, EMA 2025, JPML official rules of 2026-04, Saikouisen as of 2025-08.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

from paifu.rules.riichi.all_yaku import STANDARD_YAKU, YAKU_VALUES
from paifu.rules.riichi.ruleset import OPTIONS, RuleSet, Value

SOURCES: Mapping[str, str] = {
    "T": "Tenhou's 33 rules, scoring notes and yaku table (T1-T33: one rule)",
    "TS": "Tenhou's supplement for three players",
    "L": "public Tenhou logs, checked value by value",
    "TM": "Tenhou manual (tenhou.net/man), as digested by two projects",
    "AW": "Arcturus wiki, translation of the Tenhou rules",
    "C": "public Tenhou chip-lobby logs of types 0x229 and 0x621",
    "K": "Cryolite/kanachan, simulation code, 2024-02",
    "R": "smly/RiichiEnv, docs/RULES.md and core, 2026-04",
    "P": "MahjongPaper, digest of the official Mahjong Soul pages, 2026-08",
    "W": "Japanese Wikipedia on Mahjong Soul rules, 2022-06",
    "V": "riichi.wiki, Mahjong Soul page",
    "N": "mahjong-portal.com, Mahjong Soul sanma rules restated",
    "G": "Mahjong Soul game records, replayed",
    "RC": "Riichi City game records, replayed",
    "LE": "lisbun/lisjong-engine, rule presets",
    "RL": "notes comparing the scope of pao",
    "AX": "documentation of a shanten library on exhausted waits",
    "O": "M.League official competition rules, copied 2026-05",
    "MN": "majannavi.com on M.League rules",
    "Z": "digest of the WRC Rules 2025",
    "ZQ": "score-keeper preset checked against the WRC Rules 2025",
    "ZI": "note on the fourth and fifth kan under WRC rules",
    "RD": "question and answer on WRC 2025, riichi with any number of tiles left",
    "WK": "riichi.wiki, WRC page",
    "WE": "WRC 2014 errata",
    "E": "EMA 2025 scoring, settlement and progression digest",
    "E2": "EMA 2025 yaku catalogue digest",
    "E3": "senegrom/mahjong, EMA rules card, v1.1 of 2025-08",
    "E4": "Riichi Arena, EMA 2025 rule set",
    "E16": "EMA 2016 rules and its news of changes",
    "FW": "Four Winds rules research, 2026-06",
    "JL": "logs of the 39th Juudan-i final (JPML), 2022",
    "JN": "jan39.com, JPML summary, 2009",
    "J23": "comparison of the JPML rule changes of 2023",
    "F": "maybeElse/FiveSou, rule sets JPML2022 and JPML2023",
    "OT": "otamajakusi, rule header, 2023",
    "JG": "code comment on ryuuiisou under JPML rules",
    "TA": "title database, JPML",
    "AB": "JPML A rules described, 2017",
    "H": "MahjongPantheon/pantheon, rule sets, 2026-07",
    "S": "yemaster/mamahjong, riichi rules, citing the Saikouisen regulation of 2025-08",
    "S9": "jan39.com, Saikouisen summary, 2009",
    "S14": "Saikouisen regulation, opening part, 2014",
    "MW": "mj-news.net on double ron in the professional leagues, 2021",
    "X": "SkyEye-FAST/mchjong, RuleSet.java, checked 2026-09",
    "D": "dnovikoff/mahjong-api, rules, 2023-03",
    "A": "jansou 0.14.0, built-in presets",
    "Q": "score-keeping presets of an app",
    "Y": "gyng/riichimi, rule profiles, 2026-08",
    "B": "collected descriptions of riichi as generally played, with their variants",
}
"""What each tag stands for."""


@dataclass(frozen=True)
class Preset:
    """A rule set as it is written here: the preset it starts from, and the differences."""

    name: str
    title: str
    options: Mapping[str, tuple[Any, str]]
    """Value and source tags, by option."""
    extends: str = ""
    yaku: Mapping[str, tuple[Value | None, str]] = field(default_factory=dict)
    """Value (``None``: does not count) and source tags, by yaku, unless it is standard."""


_FOUR_DOUBLE = {
    key: (Value(26, opened), "R X W")
    for key, opened in (
        ("suuankou_tanki", 0), ("kokushi_13", 0), ("junsei_chuuren", 0), ("daisuushii", 26)
    )
}  # fmt: skip


def _rooms(site: str, title: str, tags: str) -> tuple[Preset, Preset]:
    """Return a site's presets of rooms with settings of their own, for four and three players."""
    rooms = f"{title} rooms with settings of their own"
    unknown = {"flow": ("unknown", tags)}
    return (
        Preset(f"{site}-custom", f"{rooms}, four players: only wins are scored", unknown,
               extends=f"{site}-4p"),
        Preset(f"{site}-custom-3p", f"{rooms}, three players: only wins are scored", unknown,
               extends=f"{site}-3p"),
    )  # fmt: skip


_NO_ABORTS = ("kyuushu", "suufon", "suucha", "suukan", "sanchahou")

PRESETS: tuple[Preset, ...] = (
    Preset(
        "tenhou-4p",
        "Tenhou ranked tables (段位戦), four players; open tanyao and red fives by room",
        {
            "players": (4, "T"), "length": ("by_game", "T"),
            "start_points": (25000, "T1 L"), "return_points": (30000, "T1 L"),
            "target_points": (30000, "T8 T10"), "uma": ((20, 10, -10, -20), "T2 L"),
            "oka": (20, "T1 L"), "ties": ("seat", "T13 L"), "leftover_sticks": ("first", "T12 L"),
            "result_rounding": ("by_date", "T11 L"), "tobi": ("below_zero", "T9 L"),
            "agari_yame": (True, "T10"), "tenpai_yame": (True, "T10"),
            "yame_sole_first": (True, "T10"), "yame_in_extra_round": (False, "T8"),
            "extra_round": (True, "T8"), "extra_round_dealer": (True, "T8"),
            "multi_ron": ("double", "T19 T15 L"), "multi_ron_payment": ("nearest", "T19 L"),
            "sanchahou": (True, "T15"), "kyuushu": (True, "T17 T15"), "suufon": (True, "T15"),
            "suucha": (True, "T15"), "suukan": (True, "T16"),
            "nagashi_mangan": (True, "T18 L AW"), "nagashi_own_calls": (True, "T18 L AW"),
            "noten_pool": (3000, "T7 L"), "exhausted_wait": ("concealed", "T22"),
            "tenpai_declared": (False, "?"), "renchan": ("tenpai", "T7 T15"),
            "abort_renchan": (True, "T15"), "honba": (100, "L"),
            "honba_noten_dealer": (True, "T7"),
            "kuitan": ("by_game", "T5"), "kuikae": ("suji", "T4"), "atozuke": (True, "T3"),
            "min_han": (1, "T14"), "two_han_honba": (0, "T14"), "min_han_ippatsu": (False, "T"),
            "red_fives": ("by_game", "T6"), "ura_dora": (True, "T29"), "kan_dora": (True, "T29"),
            "kan_ura": (True, "T29"),
            "kan_dora_ankan": ("at_once", "T30 TM"),
            "kan_dora_daiminkan": ("at_discard", "T30 TM"),
            "kan_dora_kakan": ("at_discard", "T30 T31"),
            "ippatsu_with_chankan": (True, "T31"), "haitei_with_rinshan": (False, "T"),
            "houtei_after_rinshan": (True, "T"), "ryuuiisou_hatsu": (False, "T"),
            "double_wind_pair_fu": (4, "T"), "rinshan_tsumo_fu": (True, "T"),
            "open_pinfu_fu": ("30", "T"), "pinfu_tsumo": (True, "T"), "chiitoitsu_fu": (25, "T"),
            "kiriage_mangan": (False, "T L"), "counted_yakuman": ("single", "T"),
            "max_yakuman": (0, "T L"), "pao": (("daisangen", "daisuushii"), "T20 T21"),
            "pao_scope": ("hand", "T20 L"), "pao_honba": ("feeder", "T20 L"),
            "kokushi_ankan_ron": (False, "T"), "riichi_ankan": ("waits", "T28"),
            "riichi_needs_points": (True, "T23"), "riichi_min_tiles": (4, "T23"),
            "furiten_riichi": (True, "T25"), "ronned_riichi_pays": (False, "T24"),
        },
    ),
    Preset(
        "tenhou-3p",
        "Tenhou ranked tables (段位戦), three players; red fives by room",
        {
            "players": (3, "TS"), "start_points": (35000, "TS L"),
            "return_points": (40000, "TS L"), "target_points": (40000, "TS"),
            "uma": ((20, 0, -20), "TS L"), "oka": (15, "TS L"), "suufon": (False, "TS"),
            "suucha": (False, "TS"), "sanchahou": (False, "TS"), "noten_pool": (2000, "TS L"),
            "riichi_min_tiles": (3, "TS"), "kuikae": ("same", "T4"),
            "tsumo_loss": ("lost", "TS L"), "kita_han": (1, "TS"), "kita_under_west": (True, "L"),
            "kita_ron": (True, "TS"), "kita_pass_furiten": (True, "TS"),
            "rinshan_after_kita": (True, "TS"), "kita_after_pon": (False, "TS"),
        },
        extends="tenhou-4p",
    ),
    Preset(
        "tenhou-chip",
        "Tenhou parlour lobbies (雀荘戦), 祝2: chips of 2000 points",
        {
            "kuitan": ("on", "C"), "red_fives": ("on", "C"), "length": ("by_game", "C"),
            "uma": ((30, 10, -10, -30), "C"), "result_rounding": ("thousands", "C"),
            "kan_dora_daiminkan": ("at_once", "TM"), "kan_dora_kakan": ("at_once", "TM C"),
            "kiriage_mangan": (True, "TM C"), "chips": (True, "C"), "chip_ippatsu": (1, "C"),
            "chip_red": (1, "C"), "chip_ura": (1, "C"), "chip_points": (2000, "C ?"),
        },
        extends="tenhou-4p",
    ),
    Preset(
        "tenhou-chip-5",
        "Tenhou parlour lobbies (雀荘戦), 祝5: chips of 5000 points, honba of 1500",
        {"honba": (500, "C"), "chip_points": (5000, "C ?")},
        extends="tenhou-chip",
    ),
    Preset(
        "tenhou-custom",
        "Tenhou lobbies with settings of their own, four players: only wins are scored",
        {"flow": ("unknown", "L")},
        extends="tenhou-4p",
    ),
    Preset(
        "tenhou-custom-3p",
        "Tenhou lobbies with settings of their own, three players: only wins are scored",
        {"flow": ("unknown", "L")},
        extends="tenhou-3p",
    ),
    Preset(
        "majsoul-4p",
        "Mahjong Soul (雀魂) ranked tables, four players",
        {
            "start_points": (25000, "X P G"), "return_points": (25000, "X P G"),
            "target_points": (30000, "K P"), "uma": ((15, 5, -5, -15), "X P G"), "oka": (0, "X G"),
            "ties": ("seat", "P V K"), "leftover_sticks": ("first", "W K P"),
            "result_rounding": ("none", "G"), "tobi": ("below_zero", "K P V"),
            "agari_yame": (True, "K P"), "tenpai_yame": (True, "K P"),
            "yame_sole_first": (False, "K P ?"), "yame_in_extra_round": (True, "K P"),
            "extra_round": (True, "K P"), "multi_ron": ("triple", "V W K R"),
            "multi_ron_payment": ("nearest", "W K P"), "sanchahou": (False, "V R X"),
            "kyuushu": (True, "V W"), "suufon": (True, "V W"), "suucha": (True, "V W"),
            "suukan": (True, "P V"), "nagashi_mangan": (True, "K R"),
            "nagashi_own_calls": (True, "K R ?"), "noten_pool": (3000, "K"),
            "exhausted_wait": ("concealed", "AX P"), "renchan": ("tenpai", "K P V"),
            "honba": (100, "K R"), "min_han_ippatsu": (True, "?"), "kuitan": ("on", "V W P"),
            "kuikae": ("suji", "R V P"),
            "red_fives": ("on", "P W"), "ryuuiisou_hatsu": (False, "?"),
            "double_wind_pair_fu": (4, "X Q"), "rinshan_tsumo_fu": (True, "?"),
            "kiriage_mangan": (False, "K G W X"), "counted_yakuman": ("single", "K X"),
            "max_yakuman": (6, "K R"), "pao_scope": ("fed", "R V X RL"),
            "pao": (("daisangen", "daisuushii"), "V W R"), "pao_honba": ("feeder", "W R"),
            "kokushi_ankan_ron": (True, "R W X"), "riichi_ankan": ("waits", "LE X"),
            "riichi_needs_points": (True, "K P"), "riichi_min_tiles": (4, "K P"),
            "ronned_riichi_pays": (False, "P K ?"),
        },
        extends="tenhou-4p",
        yaku=_FOUR_DOUBLE,
    ),
    Preset(
        "majsoul-3p",
        "Mahjong Soul (雀魂) ranked tables, three players",
        {
            "players": (3, "N"), "start_points": (35000, "X N G"),
            "return_points": (35000, "X N G"), "target_points": (40000, "N X"),
            "uma": ((15, 0, -15), "X N G"), "multi_ron": ("double", "N"), "suufon": (False, "N"),
            "suucha": (False, "N"), "noten_pool": (2000, "R"), "kuikae": ("same", "R"),
            "kokushi_ankan_ron": (True, "G R X"), "riichi_min_tiles": (3, "X ?"),
            "tsumo_loss": ("lost", "N X"), "kita_han": (1, "N R"), "kita_under_west": (True, "R G"),
            "kita_ron": (True, "N"), "kita_pass_furiten": (False, "?"),
            "rinshan_after_kita": (True, "N"), "kita_after_pon": (False, "R"),
        },
        extends="majsoul-4p",
    ),
    *_rooms("majsoul", "Mahjong Soul", "L"),
    Preset(
        "riichicity-4p",
        "Riichi City (麻雀一番街), four players",
        {
            "kuitan": ("on", "RC ?"), "red_fives": ("on", "RC"),
            "uma": ((30, 10, -10, -30), "RC"), "result_rounding": ("none", "RC"),
            "kan_dora_daiminkan": ("at_once", "RC ?"), "kan_dora_kakan": ("at_once", "RC"),
            "kiriage_mangan": (False, "RC"), "open_riichi_yakuman": (True, "RC ?"),
        },
        extends="tenhou-4p",
        yaku={
            "open_riichi": (Value(2, 0), "RC"), "open_double_riichi": (Value(3, 0), "RC ?"),
        },
    ),
    Preset(
        "riichicity-3p",
        "Riichi City (麻雀一番街), three players",
        {
            "players": (3, "RC"), "start_points": (35000, "RC"), "return_points": (40000, "RC"),
            "target_points": (40000, "RC"), "uma": ((20, 0, -20), "RC"), "oka": (15, "RC"),
            "suufon": (False, "?"), "suucha": (False, "?"), "noten_pool": (2000, "RC"),
            "riichi_min_tiles": (3, "?"), "tsumo_loss": ("lost", "RC"), "kita_han": (1, "RC"),
            "kita_under_west": (True, "?"), "kita_ron": (True, "?"),
            "kita_pass_furiten": (False, "?"), "rinshan_after_kita": (True, "?"),
            "kita_after_pon": (False, "?"),
        },
        extends="riichicity-4p",
    ),
    Preset(
        "riichicity-wareme-4p",
        "Riichi City rooms with wareme (割れ目), four players",
        {"wareme": (True, "RC ?")},
        extends="riichicity-4p",
    ),
    Preset(
        "riichicity-wareme-3p",
        "Riichi City rooms with wareme (割れ目), three players",
        {"wareme": (True, "RC"), "tsumo_loss": ("equal", "RC")},
        extends="riichicity-3p",
    ),
    *_rooms("riichicity", "Riichi City", "RC"),
    Preset(
        "mleague",
        "M.League official competition rules",
        {
            "length": ("south", "O"), "start_points": (25000, "O"), "return_points": (30000, "O"),
            "uma": ((30, 10, -10, -30), "O"), "oka": (20, "O"), "ties": ("shared_nearest", "O"),
            "leftover_sticks": ("first_shared", "O"), "result_rounding": ("none", "O"),
            "tobi": ("off", "O"), "agari_yame": (False, "MN O"), "tenpai_yame": (False, "O Q"),
            "extra_round": (False, "O"), "multi_ron": ("head_bump", "O"),
            **dict.fromkeys(_NO_ABORTS, (False, "O")),
            "nagashi_mangan": (False, "O LE A"), "noten_pool": (3000, "O"),
            "exhausted_wait": ("own", "O"), "tenpai_declared": (True, "O"),
            "renchan": ("tenpai", "O"), "min_han_ippatsu": (True, "?"), "kuitan": ("on", "MN O"),
            "kuikae": ("suji", "O"),
            "red_fives": ("on", "O"), "kan_dora_daiminkan": ("at_once", "O"),
            "kan_dora_kakan": ("at_once", "O"), "ryuuiisou_hatsu": (False, "O"),
            "double_wind_pair_fu": (2, "O"), "rinshan_tsumo_fu": (True, "O"),
            "open_pinfu_fu": ("30", "O"), "kiriage_mangan": (True, "O"),
            "counted_yakuman": ("off", "O"), "max_yakuman": (0, "O"),
            "pao": (("daisangen", "daisuushii", "suukantsu"), "O"), "pao_scope": ("fed", "O"),
            "pao_honba": ("feeder", "O"), "kokushi_ankan_ron": (False, "O"),
            "riichi_ankan": ("readings", "O"), "riichi_needs_points": (False, "LE MN X"),
            "riichi_min_tiles": (1, "O"), "ronned_riichi_pays": (False, "O"),
        },
        extends="tenhou-4p",
    ),
    Preset(
        "wrc",
        "World Riichi Championship, rules of 2025",
        {
            "length": ("south", "Z"), "start_points": (30000, "Z X"),
            "return_points": (30000, "Z X"), "uma": ((15, 5, -5, -15), "Z X"), "oka": (0, "Z X"),
            "ties": ("shared", "Z X"), "leftover_sticks": ("stay", "Z X"),
            "result_rounding": ("none", "WK"), "tobi": ("off", "Z X"),
            "agari_yame": (False, "Z X"), "tenpai_yame": (False, "Z"),
            "extra_round": (False, "Z X"),
            "multi_ron": ("head_bump", "Z X"), **dict.fromkeys(_NO_ABORTS, (False, "Z")),
            "nagashi_mangan": (False, "ZQ"), "noten_pool": (3000, "Z"),
            "exhausted_wait": ("own", "AX"), "tenpai_declared": (False, "?"),
            "renchan": ("tenpai", "Z"), "min_han_ippatsu": (True, "?"), "kuitan": ("on", "ZQ"),
            "kuikae": ("suji", "Z"),
            "red_fives": ("off", "ZQ"), "kan_dora_ankan": ("at_once", "Z X ?"),
            "kan_dora_daiminkan": ("at_once", "Z X ?"), "kan_dora_kakan": ("at_once", "Z X ?"),
            "renhou_combines": (False, "Z ZQ X"), "double_wind_pair_fu": (2, "ZQ Z"),
            "rinshan_tsumo_fu": (True, "D OT"), "open_pinfu_fu": ("30", "ZQ"),
            "kiriage_mangan": (True, "ZQ Z X"), "counted_yakuman": ("single", "ZQ X Z"),
            "max_yakuman": (0, "ZQ Z X"),
            "pao": (("daisangen", "daisuushii", "suukantsu"), "ZQ Z X"),
            "pao_scope": ("fed", "Z X"),
            "pao_honba": ("discarder", "Z X"), "kokushi_ankan_ron": (False, "X"),
            "riichi_ankan": ("waits", "Z ?"), "riichi_needs_points": (False, "Z X"),
            "riichi_min_tiles": (0, "X RD"), "ronned_riichi_pays": (False, "Z"),
        },
        extends="tenhou-4p",
        yaku={"renhou": (Value(5, 0), "Z ZQ X")},
    ),
    Preset(
        "ema",
        "European Mahjong Association, rules of 2025",
        {
            "length": ("south", "E"), "start_points": (30000, "E"), "return_points": (30000, "E"),
            "uma": ((15, 5, -5, -15), "E"), "oka": (0, "E"), "ties": ("shared", "E"),
            "leftover_sticks": ("first_shared_down", "E E3"), "result_rounding": ("none", "E"),
            "tobi": ("off", "E E3"), "agari_yame": (False, "E3"), "tenpai_yame": (False, "E3"),
            "extra_round": (False, "E3"), "multi_ron": ("triple", "E E16"),
            "multi_ron_payment": ("honba_to_all", "E E3"),
            **dict.fromkeys(_NO_ABORTS, (False, "E4 E16")),
            "nagashi_mangan": (False, "E4 E16"), "noten_pool": (3000, "E"),
            "exhausted_wait": ("own", "E3 E4"), "tenpai_declared": (True, "E3 E16"),
            "renchan": ("tenpai", "E"), "min_han_ippatsu": (True, "?"), "kuitan": ("on", "E2 E16"),
            "kuikae": ("suji", "E3 E16"),
            "red_fives": ("off", "E E2"), "kan_dora_daiminkan": ("at_once", "E3 E4"),
            "kan_dora_kakan": ("at_once", "E2 E3"), "renhou_combines": (False, "E2"),
            "ryuuiisou_hatsu": (False, "D"), "double_wind_pair_fu": (2, "E"),
            "rinshan_tsumo_fu": (True, "E2"), "open_pinfu_fu": ("30", "E"),
            "kiriage_mangan": (True, "E E4"), "counted_yakuman": ("off", "E"),
            "max_yakuman": (1, "E E2"), "pao": (("daisangen", "daisuushii"), "E"),
            "pao_honba": ("discarder", "E E3"), "kokushi_ankan_ron": (True, "E2 E3"),
            "riichi_ankan": ("readings", "E3 E4"), "riichi_needs_points": (False, "FW E4"),
            "riichi_min_tiles": (1, "E3 E4"), "furiten_riichi": (True, "E3"),
            "ronned_riichi_pays": (False, "E3 ?"),
        },
        extends="tenhou-4p",
        yaku={"renhou": (Value(5, 0), "E2")},
    ),
    Preset(
        "jpml-a",
        "Japan Professional Mahjong League (日本プロ麻雀連盟), official rules",
        {
            "length": ("south", "JL JN"), "start_points": (30000, "X Q JL JN"),
            "return_points": (30000, "X Q JL JN"), "uma": ((0, 0, 0, 0), "X H Q"),
            "uma_floating": (
                ((0, 0, 0, 0), (12, -1, -3, -8), (8, 4, -4, -8), (8, 3, 1, -12), (0, 0, 0, 0)),
                "X H Q (0 and 4: X ?)",
            ),
            "oka": (0, "X Q"), "ties": ("shared", "X H Q"), "leftover_sticks": ("stay", "X Q"),
            "result_rounding": ("none", "?"), "tobi": ("off", "X Q H"),
            "agari_yame": (False, "X Q"), "tenpai_yame": (False, "X Q"),
            "extra_round": (False, "X Q"), "multi_ron": ("head_bump", "X A H"),
            **dict.fromkeys(_NO_ABORTS, (False, "J23 X")),
            "nagashi_mangan": (False, "H A X"), "noten_pool": (3000, "JL"),
            "exhausted_wait": ("own", "?"), "renchan": ("tenpai", "JL Q"), "honba": (100, "JL"),
            "kuitan": ("on", "S TA"), "kuikae": ("suji", "A S AB ?"), "red_fives": ("off", "X Y"),
            "ura_dora": (False, "X Y AB"), "kan_dora": (False, "X AB"), "kan_ura": (False, "X"),
            "ryuuiisou_hatsu": (False, "JG F"), "double_wind_pair_fu": (2, "J23 F X Y"),
            "rinshan_tsumo_fu": (True, "J23 F"), "kiriage_mangan": (False, "JL X Y Q"),
            "counted_yakuman": ("single", "X Y A"), "max_yakuman": (4, "Y X"),
            "pao": (("daisangen", "daisuushii", "suukantsu"), "H A X"), "pao_scope": ("fed", "X ?"),
            "pao_honba": ("discarder", "X A ?"), "kokushi_ankan_ron": (False, "J23 X"),
            "riichi_ankan": ("readings", "X"), "riichi_needs_points": (False, "X"),
            "riichi_min_tiles": (1, "X"),
        },
        extends="tenhou-4p",
        yaku={"ippatsu": (None, "X AB")},
    ),
    Preset(
        "saikouisen",
        "Saikouisen (最高位戦日本プロ麻雀協会), rules with ippatsu and ura",
        {
            "length": ("south", "S14"), "start_points": (30000, "S Q A"),
            "return_points": (30000, "S Q A"), "uma": ((30, 10, -10, -30), "S S9 Q"),
            "oka": (0, "S9 S"), "ties": ("shared", "A Q"), "leftover_sticks": ("stay", "Q A"),
            "result_rounding": ("none", "?"), "tobi": ("off", "S Q A"),
            "agari_yame": (False, "S9 Q A"), "tenpai_yame": (False, "S9 Q"),
            "extra_round": (False, "A Q"), "multi_ron": ("head_bump", "A MW"),
            **dict.fromkeys(_NO_ABORTS, (False, "S9 S")),
            "nagashi_mangan": (False, "A ?"), "noten_pool": (3000, "S9"),
            "exhausted_wait": ("own", "?"), "renchan": ("tenpai", "S S9"), "honba": (100, "A"),
            "min_han_ippatsu": (True, "?"), "kuitan": ("on", "S9 S"), "kuikae": ("suji", "S A"),
            "red_fives": ("off", "S"),
            "kan_dora_daiminkan": ("at_once", "A ?"), "kan_dora_kakan": ("at_once", "A ?"),
            "double_wind_pair_fu": (2, "Q A"), "kiriage_mangan": (True, "S Q A"),
            "counted_yakuman": ("off", "S S9 A"), "max_yakuman": (0, "S J23 A"),
            "pao": ((), "S9 A"), "kokushi_ankan_ron": (False, "S9 S"),
            "riichi_needs_points": (False, "?"), "riichi_min_tiles": (0, "A ?"),
        },
        extends="tenhou-4p",
    ),
    Preset(
        "general",
        "Riichi as most descriptions have it, four players; every toggle at its usual value",
        {
            "length": ("south", "B"), "min_han_ippatsu": (True, "B"), "kuitan": ("on", "B"),
            "red_fives": ("off", "B"),
            "result_rounding": ("none", "?"), "sanchahou": (True, "B"),
            "double_wind_pair_fu": (4, "B"), "open_pinfu_fu": ("30", "B"),
            "kiriage_mangan": (False, "B"), "pinfu_tsumo": (True, "B"), "chiitoitsu_fu": (25, "B"),
            "counted_yakuman": ("multiple", "B"), "ippatsu_with_chankan": (True, "B"),
            "haitei_with_rinshan": (False, "B"), "houtei_after_rinshan": (True, "B"),
            "kokushi_ankan_ron": (True, "B"), "rinshan_after_kita": (True, "B"),
            "honba": (100, "B"),
        },
        extends="tenhou-4p",
        yaku={
            key: (value, "B")
            for key, value in (
                ("suuankou_tanki", Value(26, 0)), ("kokushi_13", Value(26, 0)),
                ("junsei_chuuren", Value(26, 0)), ("daisuushii", Value(26, 26)),
            )
        },
    ),
)  # fmt: skip

_BY_NAME = {preset.name: preset for preset in PRESETS}
NAMES: tuple[str, ...] = tuple(_BY_NAME)
"""The presets, in the order they are listed."""

CALLED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tenhou-4p": ("天鳳", "天凤", "天鳳四麻", "tenhou"),
        "tenhou-3p": ("天鳳三麻", "天凤三麻", "三人天鳳", "tenhou sanma"),
        "tenhou-chip": ("雀荘戦", "雀荘戦 祝2"),
        "tenhou-chip-5": ("雀荘戦 祝5",),
        "majsoul-4p": ("雀魂", "じゃんたま", "jantama", "mahjong soul", "majsoul"),
        "majsoul-3p": ("雀魂三麻", "雀魂三人", "mahjong soul sanma"),
        "riichicity-4p": ("一番街", "麻雀一番街", "riichi city"),
        "riichicity-3p": ("一番街三麻", "riichi city sanma"),
        "mleague": ("Mリーグ", "M.League", "M-League"),
        "wrc": ("世界リーチ麻雀選手権", "world riichi", "world riichi championship"),
        "ema": ("European Mahjong Association", "european riichi"),
        "jpml-a": ("日本プロ麻雀連盟", "プロ連盟", "JPML"),
        "saikouisen": ("最高位戦", "最高位戦日本プロ麻雀協会"),
        "general": ("リーチ麻雀", "立直麻将", "日本麻将", "日麻", "riichi"),
    }
)
"""Names that people use for the presets."""


@cache
def resolve(name: str) -> RuleSet:
    """Return the rule set of a preset. Raises ``KeyError`` for an unknown one."""
    preset = _BY_NAME[name]
    if preset.extends:
        base = resolve(preset.extends)
        options = {spec.name: getattr(base, spec.name) for spec in OPTIONS}
        yaku, sources = dict(base.yaku), dict(base.sources)
    else:
        options, sources = {}, {}
        yaku = {key: YAKU_VALUES[key] for key in STANDARD_YAKU}
    for key, (value, tags) in preset.options.items():
        options[key], sources[key] = value, tags
    for key, (han, tags) in preset.yaku.items():
        sources[key] = tags
        if han is None:
            del yaku[key]
        else:
            yaku[key] = han
    return RuleSet(name=name, title=preset.title, yaku=yaku, sources=sources, **options)
