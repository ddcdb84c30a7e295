"""mjlog: Tenhou's XML logs."""

OFFERED = 10
TELLS = 5
VERSION = 3
