"""``paifu forget``: remove a game or a player for good."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

from paifu.commands.options import JsonOption, LakeOption
from paifu.commands.output import print_json, say
from paifu.errors import UsageError
from paifu.words import counted


def forget(
    *,
    lake: LakeOption,
    game: Annotated[list[int] | None, Parameter(name="--game")] = None,
    player: Annotated[list[str] | None, Parameter(name="--player")] = None,
    json: JsonOption = False,
) -> None:
    """Remove a game or a player for good.

    A game goes with all its rows. A player's name and account go from every game; the games stay,
    with an anonymous seat, since they are the other players' too. The lake remembers a keyed hash,
    so that ingesting the same logs again brings neither back.

    Example: paifu forget --player "someone" --lake games.lake

    Parameters
    ----------
    game
        A game_id to remove; may be given several times.
    player
        A player's name or account as the logs have it; may be given several times.
    """
    if not game and not player:
        raise UsageError("name what to forget: --game ID or --player NAME")
    from paifu.lake import Lake
    from paifu.lake.forget import forget_game, forget_player

    with Lake.open(lake, write=True) as opened:
        games = sum(forget_game(opened, game_id) for game_id in game or ())
        seats = sum(forget_player(opened, name) for name in player or ())
    if json:
        print_json({"games": games, "seats": seats})
    removed = [counted(games, "game")] if game else []
    if player:
        removed.append(f"a name at {counted(seats, 'seat')}")
    say(f"removed {' and '.join(removed)}")
