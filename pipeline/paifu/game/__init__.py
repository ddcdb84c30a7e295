"""How paifu represents a game: tiles, hands in text, walls, events, fingerprints."""
