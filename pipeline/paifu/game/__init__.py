"""The game as everybody here writes it down: tiles, hands in text, walls, events, fingerprints."""
