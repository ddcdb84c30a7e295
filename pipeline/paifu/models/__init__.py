"""Models of what a position, a discard and a riichi are worth, fitted on the games of a lake."""
