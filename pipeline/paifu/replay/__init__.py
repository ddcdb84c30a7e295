"""Replay: the events of every round played forward, and the tables that come of it."""
