"""majiang JSON, the format of kobalab's programs."""

IS_JSON = 1
OFFERED = 50
TELLS = 2
VERSION = 6
