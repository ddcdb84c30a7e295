"""Riichi: rule sets, yaku, fu, points and settlement."""
