"""Hands as arrays and every way to read them: what riichi and the other games share."""
