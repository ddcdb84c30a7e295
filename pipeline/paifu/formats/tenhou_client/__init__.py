"""Tenhou client traffic: what one player's client was sent of a game."""

OFFERED = 11
TELLS = 0
