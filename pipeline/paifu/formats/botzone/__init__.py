"""Botzone: matches of Chinese Official, in JSON and as text."""

OFFERED = 70
