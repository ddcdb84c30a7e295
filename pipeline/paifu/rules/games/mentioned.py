"""Games that the sources only mention: known by name, and refused with what is missing."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MENTIONED: Mapping[str, str] = MappingProxyType(
    {
        "sanma-north-flower": "three players with norths set aside (三人麻將): its tiles and some "
        "variants are described; most of its list of rules and every value is missing",
        "three-player-house": "house variants for three players: tiles and calls, no value",
        "tianjin-guaimo": "天津拐磨: only that honours are taken out",
        "sanma-japan": "日本三人: 2m-8m taken out, pungs only, norths shown for a tile and a fan; "
        "no other value (tenhou-3p and majsoul-3p are scored)",
        "japanese-short": "日本 in a few sentences: riichi, furiten and dora, no yaku, no values "
        "(general and the other riichi rule sets are scored)",
        "basic-chinese": "basic Chinese play: the course of a hand, no fan and no payment",
        "jan-ryumon": "雀龍門: only how it differs from Tenhou in three points",
        "saki": "天才麻将少女: only that it is played as in the anime",
        "guangdong-tuidaohu": "广东推倒和: named as a school of Guangdong, not described",
        "guangdong-xinzhang": "广东新章: named as a school of Guangdong, not described",
        "guangdong-laozhang": "广东老章: named as a school of Guangdong, not described",
        "jiangnan": "江南 / 心皇麻将: one tile fewer and an imaginary joker; no values",
        "fujian": "福建: how the wild tile is found; no values",
        "taiwan": "台湾: sixteen tiles and the dealer's streak; no fan table",
        "american": "美国: the Charleston, jokers and quints; no card of hands",
        "vietnamese": "越南: its sixteen jokers; no values",
        "philippine": "菲律宾: how the jokers are found; no values",
        "nanjing": "南京: dragons are flowers; no values",
        "hefei": "合肥: eight tiles of a suit are needed to win; no values",
        "qq-items": "QQ 道具 rooms: tiles are swapped by items, so that hands cannot be checked",
    }
)
"""Why each cannot be scored, by name."""
