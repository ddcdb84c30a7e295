"""``paifu sheet``: an empty score sheet for a club's book."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from paifu.cli.options import JsonOption, OutPath
from paifu.cli.output import print_json, say
from paifu.errors import UsageError


def sheet(
    action: Literal["template"],
    ruleset: str,
    /,
    *,
    out: OutPath | None = None,
    depth: Literal["results", "rounds", "hands"] = "rounds",
    lang: Literal["en", "ja", "zh"] = "en",
    json: JsonOption = False,
) -> None:
    """Write an empty score sheet, with a guide to its columns and an example.

    Fill it in, and paifu ingest brings it into a lake (docs/clubs.md).

    Example: paifu sheet template mcr --out evening.xlsx

    Parameters
    ----------
    action
        template: the empty sheet.
    ruleset
        A rule set of `paifu rulesets`, or a TOML file.
    out
        A file to write, .csv or .xlsx; without it, CSV on standard output.
    depth
        What is written down of a game: its result, its rounds, or its rounds with their hands.
    lang
        Language of the headings, the guide and the example. Sheets are read in each of them.
    """
    from paifu.formats.score_sheet.template import as_csv, as_workbook, template
    from paifu.rules import rulesets

    rows = template(rulesets.load_any(ruleset), ruleset, depth=depth, language=lang)
    if json:
        print_json({"ruleset": ruleset, "depth": depth, "columns": rows[-1], "rows": rows})
    elif out is None:
        sys.stdout.write(as_csv(rows))
    else:
        _write(out, as_workbook(rows) if _is_workbook(out) else as_csv(rows).encode("utf-8-sig"))


def _is_workbook(out: Path) -> bool:
    if out.suffix.lower() not in (".csv", ".xlsx"):
        raise UsageError(f"--out is a file that ends in .csv or .xlsx, not {out}")
    return out.suffix.lower() == ".xlsx"


def _write(out: Path, data: bytes) -> None:
    """Write a new file: a sheet that somebody has filled in is not written over."""
    try:
        with out.open("xb") as file:
            file.write(data)
    except FileExistsError:
        raise UsageError(f"{out} exists: choose another name, or remove it first") from None
    except OSError as error:
        raise UsageError(f"cannot write {out}: {error.strerror or error}") from None
    say(f"wrote {out}")
