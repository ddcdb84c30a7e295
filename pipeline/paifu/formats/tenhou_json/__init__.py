"""tenhou.net/6 JSON: Tenhou's logs for its viewer."""

IS_JSON = 1
OFFERED = 20
TELLS = 3
VERSION = 6
