"""``paifu`` and ``python -m paifu``: the command line."""

import sys


def main() -> None:
    """Run the command line and exit with its exit status."""
    try:
        from paifu.cli.main import main as run_and_exit
    except KeyboardInterrupt:  # Ctrl-C at once, while modules are imported
        print("paifu: interrupted", file=sys.stderr)
        sys.exit(130)
    run_and_exit()


if __name__ == "__main__":
    main()
