"""Win sheets: single wins of any game, one per row."""

OFFERED = 80
VERSION = 2
