"""Variants of mjlog in real archives: the same game as other years and other tools wrote it.

Each function takes the bytes of a log and returns them changed. The play stays the same, so that
ingesting a variant must give the same game.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from paifu.rules import rulesets
from paifu.simulate.settle import whole_results

_OWARI = re.compile(r' owari="([^"]*)"')
_GO = re.compile(r'<GO type="(\d+)" lobby="0"/>')


def _text(change: Callable[[str], str]) -> Callable[[bytes], bytes]:
    return lambda log: change(log.decode()).encode()


def _without_reach_ten(text: str) -> str:
    return re.sub(r'(<REACH who="\d") ten="[^"]*"', r"\1", text)


def _without_lobby(text: str) -> str:
    return _GO.sub(r'<GO type="\1"/>', text)


def _shuffle_in_init(text: str) -> str:
    """Until 2009 each INIT had a short seed; how walls follow from it is not known."""
    text = re.sub(r"<SHUFFLE [^>]*/>", "", text)
    rounds = iter(range(len(text)))
    return re.sub(
        "<INIT ", lambda _: f'<INIT shuffle="mt19937ar,{next(rounds) * 40503:08X}" ', text
    )


def _connection_between_wins(text: str) -> str:
    """A player disconnects and comes back between the two wins on one tile."""
    names = re.search(r'<UN (n0="[^"]*")', text)
    came = f"<UN {names[1]}/>" if names else ""
    return re.sub(r"(<AGARI [^>]*/>)(?=<AGARI )", rf'\1<BYE who="0" />{came}', text)


def _rule_of_2023(text: str) -> str:
    """Tournament lobbies of 2023 name their rules in GO."""
    return _GO.sub(r'<GO type="\1" lobby="0" title="第1回" rule="" ranking="" csrule="0,4"/>', text)


def _pretty_printed(text: str) -> str:
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + text.replace("><", ">\n  <")


def _whole_results(text: str) -> str:
    def rewrite(match: re.Match[str]) -> str:
        scores = [int(value) for value in match[1].split(",")[::2]]
        players = 3 if 'hai3=""' in text else 4
        rules = rulesets.get(f"tenhou-{players}p")
        values = whole_results([100 * score for score in scores[:players]], rules)
        values += [0] * (4 - players)
        pairs = zip(scores, values, strict=True)
        return f' owari="{",".join(f"{score},{value}" for score, value in pairs)}"'

    return _OWARI.sub(rewrite, text)


QUIRKS: dict[str, Callable[[bytes], bytes]] = {
    "without_reach_ten": _text(_without_reach_ten),
    "without_lobby": _text(_without_lobby),
    "shuffle_in_init": _text(_shuffle_in_init),
    "connection_between_wins": _text(_connection_between_wins),
    "rule_of_2023": _text(_rule_of_2023),
    "pretty_printed": _text(_pretty_printed),
    "byte_order_mark": lambda log: b"\xef\xbb\xbf" + log,
    "whole_results": _text(_whole_results),
}
"""Every variant by name."""
