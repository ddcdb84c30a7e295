"""Tenhou client traffic: what the server sent to one player's client during a game."""

OFFERED = 11
TELLS = 0
VERSION = 1
