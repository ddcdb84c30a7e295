"""One game in every wrapping that occurs is always read, and is always the same game."""

from __future__ import annotations

import base64
import codecs
import csv
import gzip
import html
import io
import json
import quopri
import sqlite3
import zipfile
import zlib
from collections.abc import Callable
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest

from paifu.cli.main import main
from paifu.formats import within
from paifu.formats.json.embedded import links_in
from paifu.formats.registry import detect
from paifu.formats.within import logs_within
from paifu.host.shipped_files import resource_dir
from paifu.ingestion import committer, driver, prepare
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.sources.containers import open_sources

MJLOG = (resource_dir("data") / "double_ron.mjlog").read_text(encoding="utf-8")
OTHER = (resource_dir("data") / "south_1.mjlog").read_text(encoding="utf-8")
TENHOU = (resource_dir("data") / "east_tenhou.json").read_text(encoding="utf-8").strip()
MJAI = (resource_dir("data") / "east_mjai.mjson").read_text(encoding="utf-8").strip()
MAJIANG = (resource_dir("data") / "east_majiang.majiang.json").read_text(encoding="utf-8").strip()

SHIFT_JIS = '<?xml version="1.0" encoding="Shift_JIS"?>\n<!-- 牌譜 -->\n'
XML = '<?xml version="1.0" encoding="UTF-16"?>'
PAGE = "<!DOCTYPE html>\n<html><head><title>{{}}</title></head><body>%s</body></html>"
SCRIPT = (
    PAGE % "<script>let config = {{'a': [1]}}; let log = %s; if (log) {{ show(log); }}</script>"
)
FORM = json.dumps(json.loads(TENHOU), separators=(",", ":"))
SPACED = json.dumps(json.loads(TENHOU))
KEPT = "{}[]:,'\\!*()/;?@&=+$#"
"""Characters that an address bar does not encode in the part after ``#``."""
LINK = "https://tenhou.net/6/#json="


def script(text: str) -> str:
    return SCRIPT.replace("{{", "{").replace("}}", "}") % text


def har(text: str) -> bytes:
    """Return what a browser stores of a download."""
    body = {"text": base64.b64encode(text.encode()).decode(), "encoding": "base64"}
    return json.dumps({"log": {"entries": [{"response": {"content": body}}]}}).encode()


def mail(text: str, encoding: str, kind: str = "plain") -> bytes:
    """Return a mail with some words around a log."""
    message = EmailMessage(policy=SMTP)
    message["Subject"] = "牌譜"
    message.set_content(text, subtype=kind, cte=encoding, charset="utf-8")
    return message.as_bytes()


def attached(text: str) -> bytes:
    message = EmailMessage(policy=SMTP)
    message.set_content("see there")
    message.add_attachment(text.encode(), maintype="text", subtype="xml", filename="牌譜.xml")
    return message.as_bytes()


def table(text: str, dialect: str = "excel") -> bytes:
    """Return a table of which a cell holds a log, and another one nothing."""
    rows = io.StringIO()
    csv.writer(rows, dialect).writerows([["id", "log"], ["1", text], ["2", ""]])
    return rows.getvalue().encode()


def everywhere(text: str) -> dict[str, bytes]:
    """Return what can hold a log of any format."""
    escaped, single = html.escape(text), text.replace("'", "''")
    encoded = base64.b64encode(text.encode())
    return {
        "mail": mail(f"こんにちは\n\n{text}\n\nbye\n", "quoted-printable"),
        "mail in HTML": mail(f"<html><pre>{escaped}</pre></html>", "quoted-printable", "html"),
        "mail in base64": mail(f"hello\n{text}\n", "base64"),
        "attached to a mail": attached(text),
        "quoted-printable": quopri.encodestring(text.encode()),
        "cell of CSV": table(text),
        "cell of TSV": table(text.replace("\t", " "), "excel-tab"),
        "block of Markdown": f"# A game\n\ntext\n\n```\n{text}\n```\n".encode(),
        "table of Markdown": "| 1 | {} |\n|---|---|\n".format(text.replace("\n", " ")).encode(),
        "block of YAML": "a: 1\nlog: |\n  {}\n".format(text.replace("\n", "\n  ")).encode(),
        "text of YAML": f"id: 1\nlog: {json.dumps(text, ensure_ascii=False)}\n".encode(),
        "TOML": f"id = 1\nlog = '''\n{text}\n'''\n".encode(),
        "lines of JSON": b"\n".join(
            json.dumps({"id": at, "log": text}).encode() for at in range(1)
        ),
        "lines of JSON with base64": b'{"id": 1}\n{"id": 2, "log": "%s"}\n' % encoded,
        "attribute": (PAGE.replace("{{}}", "") % f'<i data-log="{escaped}"></i>').encode(),
        "address of data": b'<a href="data:text/xml;base64,%s">1</a>' % encoded,
        "address in JSON": json.dumps({"url": f"https://a.example/?log={quote(text)}"}).encode(),
        "address encoded twice": f"https://a.example/?log={quote(quote(text))}".encode(),
        "SQL": f"INSERT INTO logs VALUES (1, '{single}');\n".replace("\n", "\\n").encode(),
        "CDATA": f"<?xml version='1.0'?>\n<a><b><![CDATA[{text}]]></b></a>".encode(),
        "program": f"log = {text!r}\n".encode(),
    }


WRAPPED = {
    "mjlog": {
        "base64 in JSON": har(MJLOG),
        "XML declared as Shift_JIS": (SHIFT_JIS + MJLOG).encode("cp932"),
        "as it is": MJLOG.encode(),
        "NULs behind": MJLOG.encode() + bytes(700),
        "NULs before": bytes(3) + MJLOG.encode(),
        "one NUL before": b"\0" + MJLOG.encode(),
        "NULs before UTF-16": bytes(3) + MJLOG.encode("utf-16-be"),
        "NULs around UTF-16 with a mark": bytes(4) + MJLOG.encode("utf-16") + bytes(3),
        "gzip in gzip": gzip.compress(gzip.compress(MJLOG.encode())),
        "UTF-16": MJLOG.encode("utf-16"),
        "UTF-16 declared": (XML + MJLOG).encode("utf-16"),
        "in a page": (PAGE % f"<pre>\n{MJLOG}\n</pre>").encode(),
        "escaped in a page": (PAGE % f"<pre>{html.escape(MJLOG)}</pre>").encode(),
        "in a script": script(json.dumps(MJLOG)).encode(),
        "in JSON": json.dumps({"id": 1, "content": MJLOG}).encode(),
        "in JSON as text": json.dumps({"a": json.dumps({"content": MJLOG})}).encode(),
        "in a script, with x escapes": script(
            "'" + MJLOG.replace('"', "\\x22").replace("<", "\\x3C") + "'"
        ).encode(),
        "percent-encoded": quote(MJLOG).encode(),
        "percent-encoded twice": quote(quote(MJLOG)).encode(),
        "as a form": quote_plus(MJLOG).encode(),
        "in a form": f"log={quote_plus(MJLOG)}&id=1".encode(),
        "twice in one file": (MJLOG + "\n" + MJLOG).encode(),
        "an attribute twice": MJLOG.replace(' step="1"', ' step="1" step="1"').encode(),
    },
    "tenhou_json": {
        "base64 in JSON": har(TENHOU),
        "as it is": TENHOU.encode(),
        "UTF-8 with a mark": b"\xef\xbb\xbf" + TENHOU.encode(),
        "UTF-16": TENHOU.encode("utf-16"),
        "UTF-16 without a mark": TENHOU.encode("utf-16-be"),
        "NULs around UTF-16 without a mark": b"\0" + TENHOU.encode("utf-16-be") + bytes(5),
        "NULs around UTF-32": b"\0\0" + codecs.BOM_UTF32_BE + TENHOU.encode("utf-32-be") + bytes(7),
        "indented": json.dumps(json.loads(TENHOU), indent=1).encode(),
        "NULs behind": TENHOU.encode() + bytes(9),
        "link": f"{LINK}{quote(FORM)}".encode(),
        "link of an address bar": f"{LINK}{quote(FORM, safe=KEPT)}".encode(),
        "link with spaces": f"{LINK}{quote(SPACED, safe=KEPT + ' ')}".encode(),
        "link that is not encoded": f"my game: {LINK}{SPACED} a good one\n".encode(),
        "link encoded twice": f"{LINK}{quote(quote(SPACED))}&ts=1".encode(),
        "link as a form": f"{LINK}{quote_plus(SPACED)}&ts=1".encode(),
        "links among mark-up": f"<ul>\n<li>\n<a href='{LINK}{quote(FORM)}'>1</a>\n</ul>\n".encode(),
        "links among words": f"my games\n\n1) {LINK}{quote(FORM)} good\n2) none\n".encode(),
        "in a script": script(FORM).encode(),
        "in a script as text": script(json.dumps(FORM)).encode(),
        "behind a name in a program": f"var game = {json.dumps(json.loads(TENHOU))};\n".encode(),
        "in a call": f"show({json.dumps(json.loads(TENHOU), indent=1)});".encode(),
        "before a semicolon": f"{TENHOU.strip()};\n".encode(),
        "in Markdown": f"# A game\n\n```json\n{TENHOU}\n```\n".encode(),
        "one behind the other": f"{json.dumps(json.loads(TENHOU), indent=1)}\n".encode() * 2,
    },
    "mjai": {
        "base64 in JSON": har(MJAI),
        "lines of a program's log": "\n".join(
            f"2024-01-01 12:00:00,1 INFO game: {line}" for line in ["", *MJAI.splitlines(), ""]
        ).encode(),
        "lines with a level": "\n".join(
            f"[12:00:00] [INFO] {line}" for line in MJAI.splitlines()
        ).encode(),
        "as it is": MJAI.encode(),
        "UTF-16": MJAI.encode("utf-16"),
        "NULs before UTF-16": bytes(2) + MJAI.encode("utf-16-le"),
        "NULs around UTF-16": bytes(2) + MJAI.encode("utf-16-be") + bytes(2),
        "lines in a script": script("`\n" + MJAI + "\n`.split('\\n')").encode(),
        "list in a script": script("[" + ",".join(MJAI.splitlines()) + "]").encode(),
        "list": ("[\n" + ",\n".join(MJAI.splitlines()) + "\n]").encode(),
        "object": json.dumps(
            {"source": {"id": 3}, "anything": list(map(json.loads, MJAI.splitlines()))}, indent=2
        ).encode(),
        "list of texts": json.dumps(MJAI.splitlines()).encode(),
        "list of texts in an object": json.dumps({"a": {"lines": MJAI.splitlines()}}).encode(),
        "list of texts in a script": script(json.dumps(MJAI.splitlines())).encode(),
        "text in an object": json.dumps({"log": MJAI}).encode(),
        "within objects": json.dumps(
            {"a": {"b": {"c": list(map(json.loads, MJAI.splitlines()))}}}
        ).encode(),
        "event objects": "\n".join(
            f'{{"seq": 1, "event": {line}}}' for line in MJAI.splitlines()
        ).encode(),
        "event texts in objects": "\n".join(
            json.dumps({"seq": at, "event": line}) for at, line in enumerate(MJAI.splitlines())
        ).encode(),
        "some lines are lists": "\n".join(
            line if at % 3 else f"[{line}]" for at, line in enumerate(MJAI.splitlines())
        ).encode(),
        "lines end in CR": MJAI.replace("\n", "\r").encode(),
        "lines end in a comma": MJAI.replace("\n", ",\n").encode(),
        "several a line": MJAI.replace("\n", " ", 100).encode(),
        "all in one line": MJAI.replace("\n", "").encode(),
        "numbered object": json.dumps(dict(enumerate(map(json.loads, MJAI.splitlines())))).encode(),
        "numbered object in another order": json.dumps(
            dict(sorted((str(at), json.loads(line)) for at, line in enumerate(MJAI.splitlines())))
        ).encode(),
        "lists a line": "\n".join(
            json.dumps(list(map(json.loads, MJAI.splitlines()[at : at + 7])))
            for at in range(0, len(MJAI.splitlines()), 7)
        ).encode(),
    },
    "majiang": {
        "as it is": MAJIANG.encode(),
        "UTF-16": MAJIANG.encode("utf-16"),
        "in a script": script(MAJIANG).encode(),
        "in a call": f"show({MAJIANG});".encode(),
        "indented": json.dumps(json.loads(MAJIANG), indent=4, ensure_ascii=False).encode(),
    },
}


@pytest.mark.parametrize("format", WRAPPED)
def test_every_wrapping_holds_the_same_game(tmp_path: Path, format: str) -> None:
    logs = tmp_path / "logs"
    logs.mkdir()
    wrapped = WRAPPED[format] | everywhere(WRAPPED[format]["as it is"].decode().strip())
    for name, data in wrapped.items():
        (logs / name).write_bytes(data)
    ingest(logs, lake=tmp_path / "lake", jobs=1)
    with Lake.open(tmp_path / "lake") as lake:
        rejects = lake.sql(
            "SELECT path, position, reason FROM rejects JOIN sources USING (source_id)"
        )
        assert rejects.fetchall() == []
        sources = lake.sql("SELECT path, logs FROM sources").fetchall()
        games = lake.sql("SELECT game_id, format, flags FROM games").fetchall()
    logs_of = {Path(path).name: count for path, count in sources}
    twice = {"twice in one file", "one behind the other"}
    assert logs_of == {name: 1 + (name in twice) for name in wrapped}
    assert len(games) == 1
    assert games[0][1:] == (format, [])


def test_two_logs_in_one_file_are_two_games_each_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "both.xml").write_text(MJLOG + OTHER, encoding="utf-8")
    ingest(tmp_path / "both.xml", lake=tmp_path / "lake", jobs=1)
    with Lake.open(tmp_path / "lake") as lake:
        positions = lake.sql("SELECT position FROM games ORDER BY position").fetchall()
    assert positions == [("byte 0",), (f"byte {len(MJLOG.encode())}",)]


@pytest.fixture
def rejected(tmp_path: Path) -> Callable[[str, bytes], list[tuple[str, str]]]:
    def of(name: str, data: bytes) -> list[tuple[str, str]]:
        (tmp_path / name).write_bytes(data)
        summary = ingest(tmp_path / name, lake=tmp_path / "lake", jobs=1)
        with Lake.open(tmp_path / "lake") as lake:
            rows = lake.sql("SELECT position, reason FROM rejects").fetchall()
            logs = lake.sql("SELECT logs, rejected FROM sources").fetchone()
        assert logs == (summary.rejected + summary.games, summary.rejected)
        return rows

    return of


def test_a_file_of_a_thousand_broken_games_says_the_first_and_how_many(rejected) -> None:
    line = FORM.replace('"log":[[[0,', '"log":[[[99,')
    rows = rejected("games.jsonl", "\n".join([line] * 1000).encode())
    assert len(rows) == 11
    assert rows[0][0].startswith("line 1")
    assert rows[-1][0].startswith("line 11")
    assert rows[-1][1].startswith("990 more of this file cannot be read, the first: ")


def test_an_archive_of_broken_logs_says_the_first_and_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(committer, "_MOST_REJECTS", 5)
    monkeypatch.setattr(driver, "UNIT_LOGS", 3)
    with zipfile.ZipFile(tmp_path / "logs.zip", "w") as archive:
        for number in range(20):
            archive.writestr(f"{number:02}.xml", f"not a log {number}")
    told: list[str] = []
    for known in (0, 20):
        summary = ingest(
            tmp_path / "logs.zip", lake=tmp_path / "lake", jobs=1,
            on_reject=lambda path, reject: told.append(reject.reason),
        )  # fmt: skip
        assert (summary.rejected, summary.known_rejected) == (20 - known, known)
        with Lake.open(tmp_path / "lake") as lake:
            rows = lake.sql("SELECT member, reason FROM rejects ORDER BY member").fetchall()
            assert lake.sql("SELECT logs, rejected FROM sources").fetchall() == [(20, 20)]
        assert [member for member, _ in rows] == ["", *(f"{number:02}.xml" for number in range(5))]
        assert rows[0][1].startswith("15 more of this archive cannot be read, the first (05.xml")
        assert len(told) == 6
        with Lake.open(tmp_path / "lake", write=True) as lake:  # the archive is read again
            lake.transact(lambda tx: tx.execute("UPDATE sources SET complete = false"))


def test_an_indented_document_that_is_broken_is_one_reject(rejected) -> None:
    document = json.dumps(json.loads(FORM) | {"extra": [{}, {}, {}]}, indent=1)
    rows = rejected("game.json", document[:-9].encode())
    assert len(rows) == 1
    assert "not JSON" in rows[0][1]


def test_what_was_rejected_is_tried_again_when_more_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rejects of a format, and rejects that no format recognised."""
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "quoted.xml").write_bytes(quopri.encodestring(MJLOG.encode()))
    (logs / "table.csv").write_bytes(table(OTHER))
    with monkeypatch.context() as before:
        before.setattr("paifu.formats.mjlog.VERSION", 1)
        before.setattr(prepare, "logs_within", lambda *_: within.Found([]))
        summary = ingest(logs, lake=tmp_path / "lake", jobs=1)
        assert (summary.games, summary.rejected) == (0, 2)
        again = ingest(logs, lake=tmp_path / "lake", jobs=1)
        assert (again.games, again.known_rejected) == (0, 2)
    with Lake.open(tmp_path / "lake") as lake:
        formats = lake.sql("SELECT format FROM rejects ORDER BY format NULLS LAST").fetchall()
    assert formats == [("mjlog",), (None,)]
    assert ingest(logs, lake=tmp_path / "lake", jobs=1).games == 2
    with Lake.open(tmp_path / "lake") as lake:
        assert lake.sql("SELECT count(*) FROM rejects").fetchone() == (0,)


NOTHING = (
    None, b"", "", " \n", bytes(9), b"\0 \r\n", gzip.compress(b""), gzip.compress(b"\n"),
    gzip.compress(bytes(5000)), gzip.compress(gzip.compress(b"")), zlib.compress(b""),
)  # fmt: skip
"""What a database may have where a log should be, if the log was never downloaded."""


def test_rows_of_a_database_without_a_log_are_counted_and_no_fault(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "2019.db") as database:
        database.execute("CREATE TABLE logs (id TEXT, date TEXT, log BLOB)")
        rows = [("a", "", MJLOG.encode()), *(("b", "", nothing) for nothing in NOTHING)]
        database.executemany("INSERT INTO logs VALUES (?, ?, ?)", rows)
    database.close()
    summary = ingest(tmp_path / "2019.db", lake=tmp_path / "lake", jobs=1)
    assert (summary.games, summary.rejected) == (1, 0)
    assert summary.without_log == len(NOTHING)
    with sqlite3.connect(tmp_path / "2019.db") as database:
        database.execute("DELETE FROM logs WHERE id = 'a'")
    database.close()
    status = ["ingest", str(tmp_path / "2019.db"), "--lake", str(tmp_path / "other")]
    with pytest.raises(SystemExit) as ended:
        main(status)
    assert ended.value.code in (0, None)


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("第1戦.xml", "cp932"), ("牌譜.mjlog", "cp932"), ("ﾊｲﾌ.mjlog", "cp932"),
        ("Größe.mjlog", "cp437"), ("牌谱.json", "gbk"), ("麻将记录/第3局.json", "gbk"),
        ("雀魂牌谱2024年.json", "gbk"), ("牌譜.mjlog", "euc-jp"), ("第1戦の記録.xml", "euc-jp"),
        ("鳳凰卓.mjlog", "euc-jp"), ("ログ.xml", "euc-jp"),
    ],
)  # fmt: skip
def test_names_in_a_zip_that_does_not_say_their_encoding(
    tmp_path: Path, name: str, encoding: str
) -> None:
    plain = b"x" * len(name.encode(encoding))
    with zipfile.ZipFile(tmp_path / "logs.zip", "w") as archive:
        archive.writestr(plain.decode(), b"<mjloggm>")
    data = (tmp_path / "logs.zip").read_bytes().replace(plain, name.encode(encoding))
    (tmp_path / "logs.zip").write_bytes(data)
    (source,) = open_sources([tmp_path / "logs.zip"])
    assert [found.member for found in source.members()] == [name]


def test_an_attribute_twice_with_different_values_is_kept_and_flagged(tmp_path: Path) -> None:
    (tmp_path / "log.xml").write_text(MJLOG.replace(' step="1"', ' step="1" step="2"', 1))
    ingest(tmp_path / "log.xml", lake=tmp_path / "lake", jobs=1)
    with Lake.open(tmp_path / "lake") as lake:
        assert lake.sql("SELECT flags FROM games").fetchall() == [(["attribute_twice"],)]


@pytest.mark.parametrize("encode", [
    lambda text: text, lambda text: quote(text, safe=KEPT + " "), quote, quote_plus,
    lambda text: quote(quote(text)), lambda text: text.replace('"', "%22"),
])  # fmt: skip
def test_a_link_ends_where_its_json_ends(encode: Callable[[str], str]) -> None:
    log = {"title": ["a b", 'c "d" e'], "name": ["{[", "+", "50%", "\\"]}
    link = encode(json.dumps(log)).encode()
    text = b"%s%s and %s%s&ts=1\n}" % (LINK.encode(), link, LINK.encode(), link)
    assert [json.loads(found) for *_, found in links_in(text)] == [log, log]


@pytest.mark.parametrize("page", [
    PAGE % f"<pre>{MJLOG}</pre><script>game = {FORM};</script><a href='{LINK}{quote(FORM)}'>",
    PAGE % f"<a href='{LINK}{FORM}'>1</a> {MJLOG} <a href='{LINK}{quote(FORM)}'>2</a>",
    PAGE % f"<a href='{LINK}{quote(FORM)}'>1</a> <script>play({json.dumps(MJLOG)})</script>",
    PAGE % f"<pre>{html.escape(MJLOG)}</pre> <script>play({FORM})</script>",
    PAGE % f"<script>one = '{MJLOG}'; two = {json.dumps(FORM)}</script>",
    PAGE % "<script>one = '%s'; two = %s</script>" % (
        MJLOG.replace("<", "\\x3c"), json.dumps(FORM)
    ),
])  # fmt: skip
def test_a_page_with_logs_of_several_kinds_gives_all_of_them(page: str) -> None:
    found = logs_within(page.encode(), detect(page.encode())).logs
    assert {log.format for log in found} == {"mjlog", "tenhou_json"}
    for log in found:
        assert log.data == (MJLOG if log.format == "mjlog" else FORM).encode()


@pytest.mark.parametrize(
    "game", [TENHOU, MAJIANG, json.dumps([*map(json.loads, MJAI.splitlines())])]
)
def test_an_object_with_an_mjlog_and_another_game_gives_both(game: str) -> None:
    both = {"xml": MJLOG, "game": json.loads(game)}
    for values in (
        both, {"g": json.loads(game), "x": MJLOG}, [both], {"games": [both, {"xml": ""}]},
        [{"id": 1, "xml": MJLOG}, {"id": 2, "game": json.loads(game)}],
    ):  # fmt: skip
        data = json.dumps(values).encode()
        found = logs_within(data, detect(data)).logs
        assert {log.format for log in found} == {"mjlog", detect(game.encode())}


@pytest.mark.parametrize("game", [TENHOU, MAJIANG])
def test_a_game_with_its_mjlog_as_one_more_value_is_read_as_a_whole(game: str) -> None:
    data = json.dumps(json.loads(game) | {"xml": MJLOG}).encode()
    assert logs_within(data, detect(data)).logs == []


def test_a_list_of_texts_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(within, "_SEARCHED", 1000)
    lines = json.dumps(MJAI.splitlines()).encode()
    assert [len(found.data.splitlines()) for found in logs_within(lines, None).logs] == [
        len(MJAI.splitlines())
    ]


def test_content_that_is_not_searched_is_reported(
    rejected: Callable[[str, bytes], list[tuple[str, str]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = script(FORM).encode()
    monkeypatch.setattr(within, "_SEARCHED", len(page))
    rows = rejected("games.html", page + page)
    assert rows == [
        (
            f"byte {len(page)}",
            "logs within other content: from here on it was not searched. Divide the file",
        )
    ]


def test_a_page_is_looked_through_in_bounded_time() -> None:
    for text in (b'{"a":' * 200_000, b'[{"' * 200_000, b'"\\' * 500_000, b"<mjloggm>" * 100_000,
                 b'\\"{\\"' * 200_000, b'["' + b"PG1q" * 500_000 + b'"]', b'x {"type":"' * 100_000,
                 b'x {"type":"a"\n' * 100_000, b"[x] " * 300_000):  # fmt: skip
        logs_within(b"<html>" + text, None)
        logs_within(text, "mjai")
