"""Replay: plays the events of every round forward, and makes the tables."""
