"""Questions to a lake: filters, SQL, named statistics, and a game as text."""
