"""The audit: compares records with what the rules engine and settlement compute from the play.

One module per subject (wins, draws, rounds, games, walls) turns the tables of a batch of games into
rows of recorded and computed values; ``comparison`` compares them in the same way for all.
"""
