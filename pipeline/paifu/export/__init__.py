"""Games and tables taken out of a lake: mjai and tenhou.net/6 logs, Parquet and CSV.

``from_tables`` turns a game's rows back into the events that importers hand out, and
``mjai_writer`` and ``tenhou_json_writer`` write events as logs. What a log
format cannot hold is lost (docs/formats.md); the play is not: reading an exported game gives the
same ``game_id``.
"""
