"""Mahjong Soul: game records as decoded JSON."""

IS_JSON = 1
OFFERED = 40
TELLS = 4
VERSION = 4
