"""Writes games and tables of a lake: mjai and tenhou.net/6 logs, Parquet and CSV.

``from_tables`` turns a game's rows back into the events that importers return, and ``mjai_writer``
and ``tenhou_json_writer`` write events as logs. What a log format cannot hold is lost
(docs/formats.md), but the play is kept: an exported game that is read again has the same
``game_id``.
"""
