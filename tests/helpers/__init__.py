"""Games, hands and lakes made for tests, and plain twins to hold the package against."""
