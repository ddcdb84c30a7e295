"""Pages of a lake: the notebooks run and written as HTML."""
