"""Riichi City: records of games as its server sends them, in JSON."""

IS_JSON = 1
OFFERED = 45
TELLS = 4
VERSION = 2
