"""The audit: records held against what the rules engine and settlement make of the play.

One module per subject (wins, draws, rounds, games, walls) turns the tables of a batch of games into
rows of recorded and computed values; ``comparison`` compares them, the same way for all.
"""
