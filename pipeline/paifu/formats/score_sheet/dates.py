"""Dates as clubs write them, and which of their styles a sheet uses.

A date with the year first means one day only. With dots between its numbers (``6.12.2026``) the day
comes first: no country writes the month first with dots. Of ``6/12/2026`` it must be known which
comes first: the day in Britain and France, the month in the United States. A sheet is taken to use
one style; a date that can be only one of the two (``30/11/2026``) shows which.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from datetime import datetime

from paifu.errors import LogError

_TIME = r"(?:[\sT]+(?P<hour>\d{1,2})[:時时](?P<minute>\d{2})(?::\d{2})?(?:分)?)?"
_YEAR_FIRST = re.compile(
    r"(?P<year>\d{4})\s*[-/.年]\s*(?P<month>\d{1,2})\s*[-/.月]\s*(?P<day>\d{1,2})\s*日?" + _TIME
)
_YEAR_LAST = re.compile(
    r"(?P<one>\d{1,2})\s*(?P<mark>[./-])\s*(?P<two>\d{1,2})\s*[./-]\s*(?P<year>\d{4})" + _TIME
)
_MONTHS = 12
DAY_FIRST, MONTH_FIRST = "day first", "month first"
_HOW = "write it like 2026-11-30"


def style_of(texts: Iterable[tuple[int, str]]) -> str | None:
    """Return the style of a sheet's dates, ``day first`` or ``month first``, or None.

    ``texts`` are rows and their dates. Raises :class:`~paifu.errors.LogError` if the sheet has
    both styles.

    >>> style_of([(2, "3/4/2026"), (3, "30/11/2026")])
    'day first'
    """
    shown: dict[str, tuple[int, str]] = {}
    for row, text in texts:
        if found := _YEAR_LAST.fullmatch(_plain(text)):
            one, two = int(found["one"]), int(found["two"])
            if one > _MONTHS >= two:
                shown.setdefault(DAY_FIRST, (row, text))
            elif two > _MONTHS >= one:
                shown.setdefault(MONTH_FIRST, (row, text))
    if len(shown) == 2:
        (day_row, day), (month_row, month) = shown[DAY_FIRST], shown[MONTH_FIRST]
        raise LogError(
            f"dates in two styles: {day} (row {day_row}) has the day first, {month} (row "
            f"{month_row}) the month: {_HOW}",
            f"row {max(day_row, month_row)}, column date",
        )
    return next(iter(shown), None)


def read_date(text: str, style: str | None) -> tuple[datetime, bool]:
    """Return a date, and whether a time of the day stands with it.

    Raises :class:`~paifu.errors.LogError` for text that is no date, or that may be two.

    >>> read_date("2026年11月30日 19:30", None)
    (datetime.datetime(2026, 11, 30, 19, 30), True)
    >>> read_date("3/4/2026", "day first")[0].month, read_date("3.4.2026", None)[0].month
    (4, 4)
    >>> read_date("3/4/2026", None)
    Traceback (most recent call last):
    ...
    paifu.errors.LogError: '3/4/2026' may be 3 April or 4 March: write it like 2026-04-03
    """
    plain = _plain(text)
    found = _YEAR_FIRST.fullmatch(plain)
    if found:
        month, day = int(found["month"]), int(found["day"])
    elif found := _YEAR_LAST.fullmatch(plain):
        one, two = int(found["one"]), int(found["two"])
        either = one != two and max(one, two) <= _MONTHS
        dots = found["mark"] == "."
        if either and style == (MONTH_FIRST if dots else None):
            raise LogError(
                f"{text!r} may be {_said(one, two)} or {_said(two, one)}: write it like "
                f"{int(found['year']):04}-{two:02}-{one:02}"
            )
        first_is_day = dots or style == DAY_FIRST if either else one > _MONTHS or one == two
        day, month = (one, two) if first_is_day else (two, one)
    else:
        raise LogError(f"{text[:40]!r} is not a date: {_HOW}")
    try:
        at = datetime(
            int(found["year"]), month, day, int(found["hour"] or 0), int(found["minute"] or 0)
        )
    except ValueError:
        raise LogError(f"there is no day {text[:40]!r}: {_HOW}") from None
    if not 1900 <= at.year <= 2200:
        raise LogError(f"nobody played in the year {at.year}: {_HOW}")
    return at, found["hour"] is not None


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip()


def _said(day: int, month: int) -> str:
    return f"{day} {datetime(2000, month, 1):%B}"
