"""Recognises Excel workbooks, which are zip archives that must not be taken apart."""

from __future__ import annotations

_FIRST = (b"[Content_Types].xml", b"_rels/", b"docProps/", b"xl/", b"customXml/")
"""What the first file of a workbook is or is in."""
_WITHIN = b"xl/workbook.xml"
"""A file that every workbook has; zip writes names as they are."""
_NAME_AT = 30


def is_workbook(data: bytes) -> bool:
    """Return whether a whole file is an Excel workbook (.xlsx).

    >>> is_workbook(b"PK\\x03\\x04")
    False
    """
    return begins_as_workbook(data) and _WITHIN in data


def begins_as_workbook(head: bytes) -> bool:
    """Return whether a file that begins with ``head`` may be a workbook."""
    return head.startswith(b"PK\x03\x04") and head[_NAME_AT:].startswith(_FIRST)
