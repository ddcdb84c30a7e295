"""How object stores with the API of S3 are reached: addresses, keys, and what their errors mean.

Keys come from the environment (``AWS_ACCESS_KEY_ID``, ``AWS_SECRET_ACCESS_KEY``,
``AWS_SESSION_TOKEN``), or else from a persistent secret of DuckDB. They are never stored, sent to
other processes or printed.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from paifu.errors import LakeError, PaifuError

if TYPE_CHECKING:
    import duckdb
    from pyarrow.fs import FileSystem

SCHEME = "s3://"
_ADDRESS = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?", re.DOTALL)
_REGION = "us-east-1"
_TIMEOUT_S = 20
"""How long a connection, or an answer, of a store is waited for."""
_ATTEMPTS = 4
"""How often a request is made that a store answers with an error of its own."""
_SECRET = "paifu_store"
"""The name of the secret by which DuckDB reads a store, in the memory of one connection."""


@dataclass(frozen=True, slots=True)
class Keys:
    """What a store asks who one is; None as ``key`` asks without saying so."""

    key: str | None = None
    secret: str | None = None
    token: str | None = None

    def __repr__(self) -> str:
        """Show no key."""
        return "<Keys>"


@dataclass(frozen=True, slots=True)
class Bucket:
    """Where a bucket is. Empty fields are the ones of Amazon, or those of the environment."""

    bucket: str
    endpoint: str = ""
    """The URL of the server, such as ``http://127.0.0.1:9000``."""
    path_style: bool | None = None
    """Whether the bucket is in the path of a request, not in the name of the server."""
    region: str = ""

    @staticmethod
    def of(
        address: str, endpoint: str = "", path_style: bool | None = None, region: str = ""
    ) -> Bucket:
        """Return the bucket of an address ``s3://bucket/…``.

        Settings that are not given come from ``AWS_ENDPOINT_URL_S3``, ``AWS_ENDPOINT_URL``,
        ``AWS_REGION`` and ``AWS_DEFAULT_REGION``. Raises :class:`~paifu.errors.PaifuError`.
        """
        found = _ADDRESS.fullmatch(address)
        if not found:
            raise PaifuError(f"{address} is not an address such as s3://bucket/folder/")
        endpoint = endpoint or _named("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL")
        if endpoint and not re.fullmatch(r"https?://[^/\s@]+/?", endpoint):
            raise PaifuError(
                f"the endpoint {endpoint} is not the URL of a server, such as http://127.0.0.1:9000"
            )
        if path_style is None:
            path_style = bool(endpoint)
        region = region or _named("AWS_REGION", "AWS_DEFAULT_REGION") or _REGION
        return Bucket(found[1], endpoint.rstrip("/"), path_style, region)

    def name(self, address: str) -> str:
        """Return the name of a file in :meth:`file_system`.

        >>> Bucket("games").name("s3://games/lake/main/a.parquet")
        'games/lake/main/a.parquet'
        """
        return address.removeprefix(SCHEME)

    def file_system(self) -> FileSystem:
        """Return the file system of the store, made once in a process."""
        return _file_system(self, keys_for(self))

    @property
    def tls(self) -> bool:
        """Whether the connection is encrypted."""
        return not self.endpoint.startswith("http://")

    @property
    def host(self) -> str:
        """The server's name and port, or empty."""
        return self.endpoint.partition("://")[2]


@lru_cache(maxsize=16)
def _file_system(bucket: Bucket, keys: Keys) -> FileSystem:
    from pyarrow.fs import AwsStandardS3RetryStrategy, S3FileSystem

    known: dict[str, Any] = (
        {"access_key": keys.key, "secret_key": keys.secret, "session_token": keys.token}
        if keys.key else {"anonymous": True}
    )  # fmt: skip
    return S3FileSystem(
        **known,
        region=bucket.region,
        scheme="https" if bucket.tls else "http",
        endpoint_override=bucket.host or None,
        force_virtual_addressing=bool(bucket.endpoint) and not bucket.path_style,
        connect_timeout=_TIMEOUT_S,
        request_timeout=_TIMEOUT_S,
        retry_strategy=AwsStandardS3RetryStrategy(max_attempts=_ATTEMPTS),
    )


def keys_for(bucket: Bucket) -> Keys:
    """Return the user's keys for a bucket: of the environment, else of DuckDB's secrets."""
    key, secret = os.environ.get("AWS_ACCESS_KEY_ID"), os.environ.get("AWS_SECRET_ACCESS_KEY")
    if key and secret:
        return Keys(key, secret, os.environ.get("AWS_SESSION_TOKEN") or None)
    return _of_duckdb(bucket.bucket)


@lru_cache(maxsize=16)
def _of_duckdb(bucket: str) -> Keys:
    """Return the keys of DuckDB's persistent secret for a bucket; none if there is no secret."""
    import duckdb

    from paifu.host.duckdb_extensions import STORE, extension_file

    settings: dict[str, str | bool | int | float | list[str]] = {
        "allow_unsigned_extensions": "true", "allow_unredacted_secrets": "true",
        "autoinstall_known_extensions": "false", "autoload_known_extensions": "false",
    }  # fmt: skip
    with duckdb.connect(config=settings) as connection:
        connection.load_extension(str(extension_file(STORE)))
        row = connection.execute(
            f"""SELECT secret_string FROM duckdb_secrets(redact => false)
            WHERE name = (FROM which_secret('{SCHEME}{bucket}/', 's3') SELECT name)"""
        ).fetchone()
    told = dict(part.partition("=")[::2] for part in str(row[0]).split(";")) if row else {}
    if not told.get("key_id"):
        return Keys()
    return Keys(told["key_id"], told.get("secret"), told.get("session_token") or None)


def make_secret(connection: duckdb.DuckDBPyConnection, bucket: Bucket) -> None:
    """Let a connection read a bucket, as long as it is open."""
    keys = keys_for(bucket)
    settings: dict[str, str] = {
        "KEY_ID": keys.key or "", "SECRET": keys.secret or "", "SESSION_TOKEN": keys.token or "",
        "ENDPOINT": bucket.host, "REGION": bucket.region, "SCOPE": f"{SCHEME}{bucket.bucket}/",
        "URL_STYLE": "path" if bucket.path_style else "vhost",
    }  # fmt: skip
    listed = "".join(
        f", {name} '{value.replace(chr(39), 2 * chr(39))}'"
        for name, value in settings.items()
        if value
    )
    connection.execute(
        f"CREATE OR REPLACE TEMPORARY SECRET {_SECRET} (TYPE s3, USE_SSL {bucket.tls}{listed})"
    )


_REASONS = (
    (
        "NO_SUCH_BUCKET|NoSuchBucket|bucket does not exist|HTTP 404.*Bucket",
        "there is no such bucket",
    ),
    (
        "INVALID_ACCESS_KEY|InvalidAccessKeyId|SIGNATURE_DOES_NOT_MATCH|SignatureDoesNotMatch"
        "|INVALID_CLIENT_TOKEN|Authentication Failure",
        "the keys are not those of the store: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    ),
    (
        "ACCESS_DENIED|AccessDenied|Forbidden|HTTP 403|HTTP response code: 403|code 403",
        "the store refuses access: look at AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and the rights",
    ),
    (
        "NETWORK_CONNECTION|curlCode|Could not connect|Couldn't connect|Connection refused"
        "|Could not establish connection|resolve host",
        "the store cannot be reached",
    ),
)


def explained(address: str, error: Exception) -> LakeError:
    """Return what an error of a store means to people, in one line and without keys."""
    text = str(error).strip()
    reason = reason_of(text) or without_keys((text.splitlines() or ["unknown"])[0])
    return LakeError(f"{address}: {reason}")


def reason_of(text: str) -> str | None:
    """Return what an error text of a store means; None for other texts.

    >>> reason_of("AWS Error NO_SUCH_BUCKET during CreateMultipartUpload")
    'there is no such bucket'
    """
    found = (reason for pattern, reason in _REASONS if re.search(pattern, text))
    return next(found, None)


def without_keys(text: str) -> str:
    """Return a text without the keys of the environment."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"):
        if value := os.environ.get(name):
            text = text.replace(value, "…")
    return text


def _named(*names: str) -> str:
    return next((value for name in names if (value := os.environ.get(name))), "")
