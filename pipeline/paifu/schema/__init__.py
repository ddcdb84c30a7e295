"""The tables of a lake and the yaku vocabulary."""
