"""The process and machine paifu runs in: memory, threads, signals, terminal, shipped files."""
