"""A PostgreSQL and an object store with the API of S3, started for tests on this machine."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from typing import Any

PASSWORD = "pw-of-the-catalog"
KEY, SECRET = "AKIAPAIFUTEST", "secret-of-the-store"
BUCKET = "games"
_START_S = 60
_HOP = {"host", "expect", "connection", "transfer-encoding", "content-length"}
"""Headers of one connection, which are not passed on."""


def missing() -> str | None:
    """Return what is not installed of what the servers need."""
    if _postgres() is None:
        return "PostgreSQL (Debian's postgresql)"
    for package in ("moto.server", "psycopg"):
        with contextlib.suppress(ModuleNotFoundError):
            if find_spec(package):
                continue
        return f"the package {package} (pip install 'paifu[cluster,test]')"
    if os.getuid() == 0 and _user() is None:
        return "a user for PostgreSQL, which does not run as root"
    return None


def _postgres() -> Path | None:
    """Return the folder of PostgreSQL's programs."""
    if found := shutil.which("initdb"):
        return Path(found).parent
    return max(Path("/usr/lib/postgresql").glob("*/bin"), default=None)


def _user() -> str | None:
    import pwd

    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name).pw_name
    return None


def free_port() -> int:
    """Return a port of this machine that nobody uses."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@dataclass(frozen=True, slots=True)
class Servers:
    """The two servers."""

    postgres: int
    """The port of PostgreSQL."""
    endpoint: str
    """The URL of the store."""
    folder: Path
    """The folder of PostgreSQL's files."""

    def settings(self) -> dict[str, str]:
        """Return the environment of a user who has the keys."""
        return {
            "PGPASSWORD": PASSWORD, "AWS_ACCESS_KEY_ID": KEY, "AWS_SECRET_ACCESS_KEY": SECRET,
            "AWS_EC2_METADATA_DISABLED": "true",
        }  # fmt: skip

    def target(self, database: str) -> str:
        """Return the connection string of a database."""
        return f"host=127.0.0.1 port={self.postgres} user=paifu dbname={database}"

    def make_database(self, name: str) -> None:
        """Make an empty database."""
        import psycopg

        with psycopg.connect(
            self.target("postgres"), password=PASSWORD, autocommit=True
        ) as session:
            session.execute(f'CREATE DATABASE "{name}"')  # type: ignore[call-overload]

    def rows(self, database: str, query: str) -> list[tuple[Any, ...]]:
        """Return what PostgreSQL itself says to a query."""
        import psycopg

        with psycopg.connect(self.target(database), password=PASSWORD, autocommit=True) as session:
            found = session.execute(query)  # type: ignore[call-overload]
            return list(found) if found.description else []

    def lake(self, folder: Path, name: str, **settings: str | bool) -> Path:
        """Write the TOML file of a new lake with a database of its own; return its path."""
        self.make_database(name)
        given: dict[str, str | bool] = {
            "catalog": f"postgres:{self.target(name)}", "data": f"s3://{BUCKET}/{name}/",
            "endpoint": self.endpoint, **settings,
        }  # fmt: skip
        path = folder / f"{name}.toml"
        path.write_text(
            "".join(
                f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}\n"
                for key, value in given.items()
            )
        )
        return path


@contextlib.contextmanager
def servers() -> Iterator[Servers]:
    """Start the servers on free ports, in a temporary folder, and stop them at the end."""
    with contextlib.ExitStack() as started:
        folder = Path(tempfile.mkdtemp(prefix="paifu-servers-"))
        started.callback(shutil.rmtree, folder, ignore_errors=True)
        folder.chmod(0o755)
        store = free_port()
        with (folder / "store.log").open("w") as log:
            command = [sys.executable, "-m", "moto.server", "-p", str(store)]
            started.enter_context(_running(command, stdout=log, stderr=log))
        postgres = started.enter_context(_postgres_running(folder))
        endpoint = f"http://127.0.0.1:{store}"
        _wait(lambda: _make_bucket(endpoint, BUCKET))
        yield Servers(postgres, endpoint, folder / "postgres")


def _make_bucket(endpoint: str, name: str) -> None:
    request = urllib.request.Request(f"{endpoint}/{name}", method="PUT")
    urllib.request.urlopen(request, timeout=_START_S).close()


@contextlib.contextmanager
def _postgres_running(folder: Path) -> Iterator[int]:
    programs, port = _postgres(), free_port()
    assert programs is not None
    user: dict[str, Any] = {}
    data, password = folder / "postgres", folder / "password"
    data.mkdir()
    password.write_text(PASSWORD)
    if os.getuid() == 0:
        import pwd

        entry = pwd.getpwnam(_user() or "")
        user = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        for path in (data, password):
            os.chown(path, entry.pw_uid, entry.pw_gid)
    password.chmod(0o600)
    make = [
        programs / "initdb", "-D", data, "-U", "paifu", "-A", "scram-sha-256", "-E", "UTF8",
        "--locale=C", "--no-sync", f"--pwfile={password}",
    ]  # fmt: skip
    subprocess.run(make, check=True, capture_output=True, cwd=folder, **user)
    with (folder / "postgres.log").open("w") as log:
        command = [
            programs / "postgres", "-D", data, "-p", str(port), "-k", data,
            "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=200",
        ]  # fmt: skip
        with _running(command, stdout=log, stderr=log, cwd=folder, **user):
            _wait(lambda: socket.create_connection(("127.0.0.1", port), 1).close())
            ready = Servers(port, "", data)
            _wait(lambda: ready.rows("postgres", "SELECT 1"))
            yield port


@contextlib.contextmanager
def _running(command: list[Any], **options: Any) -> Iterator[None]:
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, **options)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait(attempt: Any) -> None:
    deadline = time.monotonic() + _START_S
    while True:
        try:
            attempt()
            return
        except Exception:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.1)


@dataclass(slots=True)
class FaultyStore:
    """A server before a store, that fails when it is told to."""

    endpoint: str
    """Its own URL."""
    writes: int = -1
    """How many writes succeed before all fail; negative: all succeed."""
    key: str | None = None
    """The only key it takes, if it takes one only."""
    failed: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def refuses(self, method: str, authorization: str) -> tuple[int, str] | None:
        """Return the status and code of the error that a request gets, if it gets one."""
        if self.key is not None and self.key not in authorization:
            return 403, "InvalidAccessKeyId"
        with self.lock:
            if method in ("PUT", "POST") and self.writes >= 0:
                if self.writes == 0:
                    self.failed += 1
                    return 500, "InternalError"
                self.writes -= 1
        return None


@contextlib.contextmanager
def faulty(endpoint: str) -> Iterator[FaultyStore]:
    """Start a :class:`FaultyStore` before a store."""
    host = endpoint.removeprefix("http://")
    state = FaultyStore("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def chunk(self) -> bytes:
            data = self.rfile.read(int(self.rfile.readline().split(b";")[0], 16))
            self.rfile.readline()
            return data

        def answer(self) -> None:
            chunked = "chunked" in self.headers.get("Transfer-Encoding", "")
            if chunked:
                body = b"".join(iter(self.chunk, b""))
            else:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            wrong = state.refuses(self.command, self.headers.get("Authorization", ""))
            if wrong:
                status, code = wrong
                said = f"<Error><Code>{code}</Code><Message>injected</Message></Error>".encode()
                headers = [("Content-Type", "application/xml")]
            else:
                inner = http.client.HTTPConnection(host, timeout=_START_S)
                kept = {
                    name: value for name, value in self.headers.items() if name.lower() not in _HOP
                }
                kept |= {"Host": host} | ({"Transfer-Encoding": "chunked"} if chunked else {})
                sent = [body] if chunked else body
                inner.request(self.command, self.path, sent, kept, encode_chunked=chunked)
                response = inner.getresponse()
                status, said, headers = response.status, response.read(), response.getheaders()
                inner.close()
            self.send_response(status)
            sized = False
            for name, value in headers:
                if name.lower() == "content-length":
                    sized = True
                elif name.lower() in ("transfer-encoding", "connection", "server", "date"):
                    continue
                self.send_header(name, value)
            if not sized:
                self.send_header("Content-Length", str(len(said)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(said)

        do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = answer  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    state.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield state
    finally:
        server.shutdown()
        server.server_close()
