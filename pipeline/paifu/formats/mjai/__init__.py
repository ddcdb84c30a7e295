"""mjai: one JSON event per line, the protocol of programs that play mahjong."""

OFFERED = 30
TELLS = 1
VERSION = 5
