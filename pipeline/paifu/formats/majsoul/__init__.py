"""Mahjong Soul: game records as decoded JSON."""

OFFERED = 40
TELLS = 4
VERSION = 3
