"""Pages of ``docs/`` that are written by the code they describe."""
