"""``paifu show``: a game or a round as a person reads it."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paifu.cli.options import JsonOption, LakeOption
from paifu.cli.output import print_json, print_lines

GameArgument = Annotated[str, Parameter(allow_leading_hyphen=True)]  # ids may be negative


def show(
    game: GameArgument,
    round: str | None = None,
    /,
    *,
    lake: LakeOption,
    ruleset: Annotated[str | None, Parameter(alias="--rules")] = None,
    json: JsonOption = False,
) -> None:
    """Show a round as a player reads it, or a game's rounds.

    For a round it prints seats, haipai, discards in rows, calls, the result and the verdicts.

    Example: paifu show 2019010100gm-00a9-0000-0123abcd S3.1 --lake games.lake

    Parameters
    ----------
    game
        Its game_id, or the platform's own id of the log.
    round
        Its index from 0, or its name: E1, South3, S3.1 (honba 1); without honba, the first such
        round.
    ruleset
        Show the verdicts of paifu rescore under the rule set of this name, instead of those under
        the rule set that the record names.
    """
    from paifu.lake.lake import Lake
    from paifu.query.adhoc_sql import shut_in
    from paifu.query.filters import check_computed
    from paifu.query.game_text import (
        find_game,
        find_round,
        game_text,
        json_ready,
        other_honba,
        read_game,
        read_round,
        round_text,
    )

    with Lake.open(lake) as opened:
        shut_in(opened)
        if ruleset is not None:
            check_computed(opened, ruleset)
        found = read_game(opened, find_game(opened, game), ruleset)
        if round is None:
            shown, text = found, game_text(found)
        else:
            index = find_round(found, round)
            row = read_round(opened, found["game_id"], index, ruleset)
            text = round_text(found, row)
            if others := other_honba(found, round, index):
                text += f"\n{others}"
            shown = {"game_id": found["game_id"], "log_id": found["log_id"]} | row
    if json:
        print_json(json_ready(shown))
    else:
        print_lines(text)
