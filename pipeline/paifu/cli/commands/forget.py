"""``paifu forget``: remove a game or a player for good."""

from __future__ import annotations

import re
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from paifu.cli.commands.compact import until_text
from paifu.cli.options import JsonOption, KeepOption, LakeOption, NowOption, check_keep
from paifu.cli.output import print_json, say
from paifu.errors import UsageError
from paifu.messages import counted, shortened

if TYPE_CHECKING:
    from paifu.lake.lake import Lake

_GAME_ID = re.compile(r"-?\d{1,19}", re.ASCII)


def forget(
    *,
    lake: LakeOption,
    game: Annotated[list[str] | None, Parameter(name="--game", allow_leading_hyphen=True)] = None,
    player: Annotated[list[str] | None, Parameter(name="--player")] = None,
    keep: KeepOption = None,
    now: NowOption = False,
    json: JsonOption = False,
) -> int:
    """Remove a game or a player for good.

    A game is removed with all its rows. A player's name and account are removed from every game;
    the games stay, with an anonymous seat, because they belong to the other players too. The lake
    keeps a keyed hash, so that ingesting the same logs again does not bring them back. A game_id or
    a name that is not in the lake is also remembered, with a message and exit status 2.

    Afterwards no query shows what was forgotten. The files that held it are kept for some time for
    programs that read them; after that, the next command that writes to the lake removes them (such
    as paifu compact). With --now this command removes them itself.

    Example: paifu forget --player "someone" --lake games.lake

    Parameters
    ----------
    game
        A game to remove, by its game_id or the platform's own id; may be given several times.
    player
        A player's name or account as the logs have it; may be given several times.
    """
    if not game and not player:
        raise UsageError("name what to forget: --game ID or --player NAME")
    check_keep(keep, now)
    from paifu.lake.forget import for_good, forget_game, forget_player
    from paifu.lake.lake import Lake

    with Lake.open(lake, write=True) as opened:
        ids = [game_id for name in game or () for game_id in _ids(opened, name)]
        games = {game_id: forget_game(opened, game_id) for game_id in dict.fromkeys(ids)}
        seats = {name: forget_player(opened, name) for name in player or ()}
        until = for_good(opened, kept=keep, now=now)
    if json:
        counts = {"games": sum(games.values()), "seats": sum(seats.values())}
        print_json({**counts, "kept_until": until_text(until)})
    removed = [counted(sum(games.values()), "game")] if any(games.values()) else []
    if names := sum(map(bool, seats.values())):
        at = counted(sum(seats.values()), "seat")
        removed.append(f"{'a name' if names == 1 else f'{names} names'} at {at}")
    if removed:
        say(f"removed {' and '.join(removed)}; {_when(until)}")
    absent = [f"there is no game {number}" for number, found in games.items() if not found]
    absent += [f"there is nobody named {name!r}" for name, found in seats.items() if not found]
    for each in absent:
        say(f"{shortened(each)} in the lake; no later ingest will bring it there")
    return 2 if absent else 0


def _when(until: datetime | None) -> str:
    """Return a sentence that says when the files with the removed data will be gone."""
    if until is None:
        return "no file of the lake holds it any more"
    return (
        f"the files that held it are kept until {until_text(until)} for programs that read them; "
        "the next command that writes to the lake after that removes them (at once: --now)"
    )


def _ids(lake: Lake, name: str) -> list[int]:
    """Return the ids of the games a user names; any number counts as an id, even if unknown.

    Raises :class:`~paifu.errors.UsageError` for any other name that no game has.
    """
    from paifu.lake.forget import games_called
    from paifu.query.game_rows import no_game

    found = games_called(lake, name)
    if found:
        return found
    if _GAME_ID.fullmatch(name) and -(1 << 63) <= int(name) < 1 << 63:
        return [int(name)]
    raise no_game(name)
