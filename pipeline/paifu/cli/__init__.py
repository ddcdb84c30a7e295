"""The command line: ``main`` finds a command and runs it; ``commands`` has a module for each."""
