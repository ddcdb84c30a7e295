"""The records of a Mahjong Soul game, in every form that exporters write.

Decoded records have snake_case or camelCase keys. They are in a list ``records`` (before version
210715) or within ``actions``. The type of a record is its ``name`` or ``@type``, or is scrambled.
Fields with their default value (0, false, "") may be absent, as in all JSON made from protocol
buffers.
"""

from __future__ import annotations

from typing import Any

from paifu.errors import LogError
from paifu.formats.json.text import fields

(
    NEW_ROUND, DEAL_TILE, DISCARD_TILE, CHI_PENG_GANG, AN_GANG_ADD_GANG, BA_BEI, HULE, NO_TILE,
    LIU_JU, OTHER,
) = range(10)  # fmt: skip

_KINDS = {
    "RecordNewRound": NEW_ROUND, "RecordDealTile": DEAL_TILE, "RecordDiscardTile": DISCARD_TILE,
    "RecordChiPengGang": CHI_PENG_GANG, "RecordAnGangAddGang": AN_GANG_ADD_GANG,
    "RecordBaBei": BA_BEI, "RecordHule": HULE, "RecordNoTile": NO_TILE, "RecordLiuJu": LIU_JU,
}  # fmt: skip
RIICHI_KEYS = ("is_liqi", "is_wliqi", "isLiqi", "isWliqi")
"""A discard with any of these keys declares riichi."""
_LISTS = ("records", "actions", "details")
_WRAPPERS = ("data", "record", "game_record", "detailRecords", "detail_records")
_DEEPEST = 4


def either(record: dict[str, Any], snake: str, camel: str) -> Any:
    """Return a field by its snake_case or camelCase name, or None."""
    value = record.get(snake)
    return record.get(camel) if value is None else value


def find_records(value: dict[str, Any], path: str) -> tuple[list[Any], str]:
    """Return the list of records of a game, and its path.

    Raises :class:`LogError` if there is no list: records that are still encoded are text.
    """
    place, at = value, path
    for _ in range(_DEEPEST):
        for key in _LISTS:
            if type(place.get(key)) is list:
                return place[key], f"{at}.{key}"
        for key in _WRAPPERS:
            inner = place.get(key)
            if type(inner) is list:
                return inner, f"{at}.{key}"
            if type(inner) is dict:
                place, at = inner, f"{at}.{key}"
                break
        else:
            break
    if any(type(place.get(key)) is str for key in _WRAPPERS):
        raise LogError("the records are still encoded: export them decoded, as JSON", at)
    raise LogError("no records in it", path)


def unwrapped(value: Any) -> tuple[str | None, dict[str, Any]] | None:
    """Return name (if any) and fields of a record; None for an entry without a record."""
    record = value if type(value) is dict else fields(value, "")
    if "passed" in record or ("result" in record and "name" not in record):
        if "result" not in record:
            return None  # an act of a player or the clock
        record = fields(record["result"], "")
    name = record.get("name")
    if name is None:
        name, inner = record.get("@type"), record
        if name is None:
            return (None, record) if record else None
    else:
        inner = fields(record.get("data", {}), "")
    if type(name) is not str:
        raise LogError("the name of a record is text")
    return name, inner


def kind_by_itself(name: str | None, record: dict[str, Any]) -> int | None:
    """Return the kind of a record if its name or its fields leave no doubt, else None."""
    known = name.rpartition(".")[2] if name is not None else ""
    if known.startswith("Record"):
        return _KINDS.get(known, OTHER)
    if "tile" in record:
        if "moqie" in record:
            return DISCARD_TILE
        if "left_tile_count" in record or "leftTileCount" in record:
            return DEAL_TILE
    return None


class Kinds:
    """Finds the kind of a game's records; a scrambled name gets the kind of its first record."""

    def __init__(self) -> None:
        self._by_name: dict[str, int] = {}

    def of(self, name: str | None, record: dict[str, Any]) -> int:
        """Return the kind of the game's next record."""
        kind = kind_by_itself(name, record)
        if name is None:
            return _kind_of(record) if kind is None else kind
        if name not in self._by_name:
            self._by_name[name] = _kind_of(record) if kind is None else kind
        return self._by_name[name] if kind is None else kind


def inner_path(record: Any) -> str:
    """Return the path of a record's fields within an entry of the list."""
    path = ""
    if type(record) is dict and type(record.get("result")) is dict and "name" not in record:
        record, path = record["result"], ".result"
    return f"{path}.data" if type(record) is dict and "name" in record else path


def _kind_of(record: dict[str, Any]) -> int:
    """Return the kind of a record by its fields."""
    if "hules" in record:
        return HULE
    if "tiles0" in record or "begin_tiles[0]" in record or "paishan" in record:
        return NEW_ROUND
    if "froms" in record:
        return CHI_PENG_GANG
    if "liujumanguan" in record or ("players" in record and "scores" in record):
        return NO_TILE
    if "tile" in record:
        # a discard says whether it was just drawn; a draw says how many tiles are left
        discarded = "moqie" in record or "is_liqi" in record or "isLiqi" in record
        return DISCARD_TILE if discarded or "tingpais" in record else DEAL_TILE
    if type(record.get("tiles")) is str:
        return AN_GANG_ADD_GANG
    if "moqie" in record:
        return BA_BEI
    return LIU_JU if "type" in record else OTHER
