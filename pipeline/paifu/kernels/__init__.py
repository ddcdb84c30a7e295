"""Compiled code: the decorators every kernel is made with, and the cache behind them."""
