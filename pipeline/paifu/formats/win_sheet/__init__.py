"""Win sheets: single wins of any game, a row each."""

OFFERED = 80
