"""Mahjong Soul: records and live games as protocol buffers, raw, base64, hex or within JSON."""

OFFERED = 12
TELLS = 4
VERSION = 1
