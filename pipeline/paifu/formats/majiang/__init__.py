"""majiang JSON, the format of kobalab's programs."""

OFFERED = 50
TELLS = 2
VERSION = 5
