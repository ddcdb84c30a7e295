"""Replay: the events of each round played forward, and the rows that come of it."""
