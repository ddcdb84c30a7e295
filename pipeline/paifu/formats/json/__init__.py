"""Reads JSON that others wrote: strictly, with a place for each error, and many texts at once."""
