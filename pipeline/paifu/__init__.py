"""paifu (牌譜): mahjong game logs to columnar tables, every win re-scored, questions in SQL."""

__version__ = "0.1.0"
