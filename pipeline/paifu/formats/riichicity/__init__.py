"""Riichi City: records of games as its server sends them, in JSON."""

OFFERED = 45
TELLS = 4
VERSION = 1
