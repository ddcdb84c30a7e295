"""Games, hands and lakes made for tests, and simple implementations to compare with paifu."""
