"""Lobby lists of Tenhou: who played when, and with what result."""

OFFERED = 60
READS_PAGES = True
VERSION = 2
