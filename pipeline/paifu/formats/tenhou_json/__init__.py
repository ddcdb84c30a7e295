"""tenhou.net/6 JSON: Tenhou's logs for its viewer."""

OFFERED = 20
TELLS = 3
VERSION = 5
