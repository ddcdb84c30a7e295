"""Simulated games: complete, legal, written as logs; samples and scale tests come from here.

One way through: walls from a seed (:mod:`wall`), rounds played by kernels (:mod:`play`, whose seats
ask :mod:`players` or follow a :mod:`script`), wins scored by the rules engine (:mod:`scoring`),
payments and what follows worked out independently (:mod:`settle`), games written by one module per
format (``write_…``). Nothing here is shared with the importers but the tile vocabulary.
"""
