"""Bytes out of folders, archives and databases, one log after another, within stated limits."""
