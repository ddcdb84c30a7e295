"""Compiled code: the decorators of all kernels, and the cache behind them."""
