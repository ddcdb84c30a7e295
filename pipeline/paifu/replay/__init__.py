"""Replay: the events of each round played forward, checked, and written out as table rows."""
