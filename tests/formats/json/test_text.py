"""An error in JSON text names the byte of the error."""

from __future__ import annotations

import pytest

from paifu.errors import LogError
from paifu.formats.json.text import parse


@pytest.mark.parametrize(
    ("text", "byte"),
    [
        (b'{"a": "x\xff"}', 8),
        (b'{"a": "\xe3\x81"}', 7),
        ('{"あ": 1,}'.encode(), 9),
        ('{"a": "あ", "b": nope}'.encode(), 18),
    ],
)
def test_invalid_json_is_reported_with_its_byte(text: bytes, byte: int) -> None:
    with pytest.raises(LogError) as caught:
        parse(text)
    assert caught.value.position == f"byte {byte}"
