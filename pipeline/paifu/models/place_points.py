"""What each place is worth, by scheme: the rows of table ``place_points``.

The schemes of platforms are data (``data/models/place_points.toml``); scheme ``uma`` follows from
the rule sets.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

import pyarrow as pa

from paifu.errors import UsageError
from paifu.game.times import JAPAN
from paifu.host.shipped_files import resource_dir
from paifu.lake.layout import arrow_schema
from paifu.rules import rulesets


def place_points(path: Path | None = None) -> pa.Table:
    """Return the rows of table ``place_points``.

    Raises :class:`~paifu.errors.UsageError` for a file that does not have a number for each place.
    """
    path = path or resource_dir("data") / "models" / "place_points.toml"
    try:
        schemes = tomllib.loads(path.read_text(encoding="utf-8"))["scheme"]
        rows = [row for scheme in schemes for row in _rows(scheme)] + list(_uma())
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise UsageError(f"the place points of {path} cannot be read: {error}") from None
    return pa.Table.from_pylist(rows, arrow_schema("place_points"))


def _rows(scheme: dict[str, Any]) -> Iterator[dict[str, Any]]:
    players = scheme["players"]
    about = {
        "scheme": scheme["name"], "players": players, "length": scheme.get("length"),
        "ruleset": scheme.get("ruleset"), "since": _midnight(scheme.get("since")),
        "until": _midnight(scheme.get("until")),
    }  # fmt: skip
    if "points" in scheme:
        yield about | {"points": _checked(scheme, scheme["points"])}
        return
    for room, places in scheme["rooms"].items():
        for dan, last in zip(scheme["dans"], scheme["last"], strict=True):
            points = _checked(scheme, [*places, last])
            yield about | {"room": room, "dan": dan, "points": points}


def _midnight(day: date | None) -> datetime | None:
    """Return when a day begins in Japan, in the lake's time (UTC)."""
    return None if day is None else datetime.combine(day, time()) - JAPAN


def _checked(scheme: dict[str, Any], points: list[float]) -> list[float]:
    """Return the points as numbers if there is one for each place."""
    if len(points) != scheme["players"]:
        raise ValueError(
            f"scheme {scheme['name']} of {scheme['players']} players has {len(points)} place points"
        )
    return [float(value) for value in points]


def _uma() -> Iterator[dict[str, Any]]:
    """Yield the uma and oka of each rule set whose result depends on the place alone."""
    for name in rulesets.names():
        rules = rulesets.get(name)
        if rules.players in (3, 4) and not rules.uma_floating and len(rules.uma) == rules.players:
            first, *others = map(float, rules.uma)
            points = [first + rules.oka, *others]
            yield {"scheme": "uma", "players": rules.players, "ruleset": name, "points": points}
