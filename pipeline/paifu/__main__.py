"""``python -m paifu``: the command line."""

from paifu.cli import main

if __name__ == "__main__":
    main()
