"""mjai: one JSON event a line, as programs that play mahjong speak it."""

OFFERED = 30
TELLS = 1
