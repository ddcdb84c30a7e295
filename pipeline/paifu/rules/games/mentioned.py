"""Games that the sources only mention: known by name, and refused with what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Mentioned(NamedTuple):
    """A game that cannot be scored."""

    missing: str
    """What the sources have of it."""
    called: tuple[str, ...] = ()
    """Names that people use for it."""


MENTIONED: Mapping[str, Mentioned] = MappingProxyType(
    {
        "sanma-north-flower": Mentioned(
            "three players with norths set aside (三人麻將): its tiles and some variants "
            "are described; most of its list of rules and every value is missing",
            ("三人麻將", "三人麻将"),
        ),
        "three-player-house": Mentioned(
            "house variants for three players: tiles and calls, no value",
        ),
        "tianjin-guaimo": Mentioned(
            "天津拐磨: only that honours are taken out",
            ("天津拐磨", "拐磨", "天津"),
        ),
        "sanma-japan": Mentioned(
            "日本三人: 2m-8m taken out, pungs only, norths shown for a tile and a fan; no "
            "other value (tenhou-3p and majsoul-3p are scored)",
            ("日本三人", "日本三人麻将"),
        ),
        "japanese-short": Mentioned(
            "日本 in a few sentences: riichi, furiten and dora, no yaku, no values "
            "(general and the other riichi rule sets are scored)",
        ),
        "basic-chinese": Mentioned(
            "basic Chinese play: the course of a hand, no fan and no payment",
        ),
        "jan-ryumon": Mentioned(
            "雀龍門: only how it differs from Tenhou in three points",
            ("雀龍門", "雀龙门", "janryumon"),
        ),
        "saki": Mentioned(
            "天才麻将少女: only that it is played as in the anime",
            ("天才麻将少女", "咲", "咲-saki-"),
        ),
        "guangdong-tuidaohu": Mentioned(
            "广东推倒和: named as a school of Guangdong, not described",
            ("广东推倒和", "廣東推倒和", "推倒和", "推倒胡"),
        ),
        "guangdong-xinzhang": Mentioned(
            "广东新章: named as a school of Guangdong, not described",
            ("广东新章", "廣東新章", "新章"),
        ),
        "guangdong-laozhang": Mentioned(
            "广东老章: named as a school of Guangdong, not described",
            ("广东老章", "廣東老章", "老章"),
        ),
        "jiangnan": Mentioned(
            "江南 / 心皇麻将: one tile fewer and an imaginary joker; no values",
            ("江南", "心皇", "心皇麻将"),
        ),
        "fujian": Mentioned(
            "福建: how the wild tile is found; no values",
            ("福建",),
        ),
        "taiwan": Mentioned(
            "台湾: sixteen tiles and the dealer's streak; no fan table",
            ("台湾", "台灣", "台麻"),
        ),
        "american": Mentioned(
            "美国: the Charleston, jokers and quints; no card of hands",
            ("美国", "美國"),
        ),
        "vietnamese": Mentioned(
            "越南: its sixteen jokers; no values",
            ("越南", "vietnam"),
        ),
        "philippine": Mentioned(
            "菲律宾: how the jokers are found; no values",
            ("菲律宾", "菲律賓", "philippines"),
        ),
        "nanjing": Mentioned(
            "南京: dragons are flowers; no values",
            ("南京",),
        ),
        "hefei": Mentioned(
            "合肥: eight tiles of a suit are needed to win; no values",
            ("合肥",),
        ),
        "qq-items": Mentioned(
            "QQ 道具 rooms: tiles are swapped by items, so that hands cannot be checked",
            ("QQ 道具", "道具"),
        ),
    }
)
"""Why each cannot be scored, by name."""
