"""Hands as arrays, and all their readings: what riichi and the other games share."""
