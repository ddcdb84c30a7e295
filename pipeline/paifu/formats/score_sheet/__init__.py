"""Score sheets: a club's book of whole games, with dates and people, for every game."""

OFFERED = 75
VERSION = 2
