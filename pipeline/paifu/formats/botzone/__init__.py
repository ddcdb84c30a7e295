"""Botzone: matches of Chinese Official, in JSON and as text."""

OFFERED = 70
VERSION = 1
