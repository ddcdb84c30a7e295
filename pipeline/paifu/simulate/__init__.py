"""Simulated games: complete and legal games written as logs, for samples and scale tests.

The steps are: walls from a seed (:mod:`wall_building`); rounds played by kernels
(:mod:`play_round`, where :mod:`players` or a :mod:`script` decide for the seats); wins scored by
the rules engine (:mod:`scoring`); payments and next rounds, computed independently (:mod:`settle`);
games written by one module per format (``write_…``). This package shares only the tile vocabulary
with the importers.
"""
