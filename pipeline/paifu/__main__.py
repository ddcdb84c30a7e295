"""``python -m paifu``: the command line."""

from paifu.cli.main import main

if __name__ == "__main__":
    main()
