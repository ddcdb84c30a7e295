"""``paifu show``: a game or a round as a person reads it, as text or as a page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paifu.cli.options import JsonOption, LakeOption, LangOption, OutPath, check_limit
from paifu.cli.output import print_json, print_lines, say
from paifu.errors import UsageError

if TYPE_CHECKING:
    from paifu.labels import Labels
    from paifu.lake.lake import Lake

GameArgument = Annotated[str | None, Parameter(allow_leading_hyphen=True)]  # ids may be negative

_GAMES = 50
"""How many of a player's games are listed by default."""


def show(
    game: GameArgument = None,
    round: str | None = None,
    /,
    *,
    lake: LakeOption,
    html: OutPath | None = None,
    player: str | None = None,
    address: bool = False,
    ruleset: Annotated[str | None, Parameter(alias="--rules")] = None,
    lang: LangOption = None,
    limit: int | None = None,
    json: JsonOption = False,
) -> None:
    """Show a round as a player reads it, a game's rounds, or a player's games.

    For a round it prints seats, haipai, discards in rows, calls, the result and the verdicts. With
    --html it writes a page on which you can step through the game.

    Example: paifu show 2019010100gm-00a9-0000-0123abcd S3.1 --lake games.lake --html game.html

    Parameters
    ----------
    game
        Its game_id, or the platform's own id of the log.
    round
        Its index from 0, or its name: E1, South3, S3.1 (honba 1); without honba, the first such
        round.
    html
        Write the game to this file as a page that needs no network, opened at the round.
    player
        List the games of this player instead.
    address
        Print the address of the round, or of each round, in the viewer tenhou.net/6.
    ruleset
        Show the verdicts of paifu rescore under the rule set of this name, instead of those under
        the rule set that the record names.
    limit
        How many games of a player to list; 50 by default.
    """
    from paifu.labels import labels_for
    from paifu.lake.lake import Lake
    from paifu.query.adhoc_sql import shut_in

    labels = labels_for(lang)
    with labels.refusing():
        if player is not None and (game is not None or html is not None or address):
            raise UsageError("--player lists games: leave out the game, --html and --address")
        if game is None and player is None:
            raise UsageError(
                "name a game by its game_id or log_id; paifu show --player NAME lists the games of "
                'a player, and paifu sql "SELECT game_id, log_id FROM games LIMIT 10" lists any'
            )
        if html is not None and address:
            raise UsageError("choose one of --html and --address")
        with Lake.open(lake) as opened:
            shut_in(opened)
            if ruleset is not None:
                from paifu.query.filters import check_computed

                check_computed(opened, ruleset)
            if player is not None:
                check_limit(limit)
                _list_games(opened, player, _GAMES if limit is None else limit, labels, json)
            elif game is not None:
                _show_game(opened, game, round, html, address, ruleset, labels, json)


def _list_games(lake: Lake, player: str, limit: int, labels: Labels, json: bool) -> None:
    from paifu.query.filters import nobody_named
    from paifu.query.game_rows import games_of_player, json_ready
    from paifu.query.game_text import games_text

    if absent := nobody_named(lake, player):
        raise UsageError(absent)
    games, total = games_of_player(lake, player, limit)
    if json:
        print_json({"player": player, "n_games": total, "games": json_ready(games)})
    else:
        print_lines(games_text(player, games, total, labels))


def _show_game(
    lake: Lake, name: str, round: str | None, html: Path | None, address: bool,
    ruleset: str | None, labels: Labels, json: bool,
) -> None:  # fmt: skip
    from paifu.query.game_rows import (
        find_game,
        find_round,
        json_ready,
        other_honba,
        read_game,
        read_round,
    )
    from paifu.query.game_text import game_text, round_name, round_text, short_name

    found = read_game(lake, find_game(lake, name), ruleset)
    index = None if round is None else find_round(found, round)
    if html is not None:
        _write_page(lake, found["game_id"], index or 0, html, ruleset, labels, json)
        return
    if address:
        _print_addresses(lake, found, index, json)
        return
    if round is None or index is None:
        shown, text = found, game_text(found, labels)
    else:
        row = read_round(lake, found["game_id"], index, ruleset)
        text = round_text(found, row, labels)
        if others := other_honba(found, round, index):
            listed = ", ".join(short_name(other, labels) for other in others)
            base = round_name(others[0] | {"honba": 0}, labels)
            text += f"\n{labels('show.other_honba', round=base, others=listed)}"
        shown = {"game_id": found["game_id"], "log_id": found["log_id"]} | row
    if json:
        print_json(json_ready(shown))
    else:
        print_lines(text)


def _write_page(
    lake: Lake, game_id: int, first: int, html: Path, ruleset: str | None, labels: Labels,
    json: bool,
) -> None:  # fmt: skip
    from paifu.pages.viewer import viewer_page

    text = viewer_page(lake, game_id, labels, first=first, ruleset=ruleset)
    html.write_text(text, encoding="utf-8")
    say(f"wrote {html}")
    if json:
        print_json({"written": [str(html)]})


def _print_addresses(lake: Lake, game: dict[str, object], index: int | None, json: bool) -> None:
    from paifu.export.tenhou_address import addresses

    found = addresses(lake, game)
    if not found:
        raise UsageError(
            "tenhou.net/6 cannot show this game: it is not riichi, its acts are not in the lake, "
            "or its log hides tiles"
        )
    chosen = {index: found[index]} if index is not None else found
    if json:
        print_json({"addresses": {str(number): text for number, text in chosen.items()}})
    else:
        print("\n".join(chosen.values()))
