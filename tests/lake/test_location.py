"""What ``--lake`` may name: a folder, a URL, a TOML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from paifu.errors import LakeError
from paifu.ingestion.committer import Committer
from paifu.lake.catalogs import PostgresCatalog, SqliteCatalog
from paifu.lake.lake import Lake
from paifu.lake.location import Location
from paifu.stores.buckets import Bucket
from tests.helpers.synthetic import Game, Sources

TOML = """
catalog = "postgres:dbname=games host=db"
data = "s3://bucket/games"
endpoint = "https://store.example:9000"
region = "eu-1"
"""


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_REGION", "AWS_DEFAULT_REGION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("PAIFU_DATA_PATH", raising=False)


def of_file(folder: Path, text: str) -> Location:
    path = folder / "games.toml"
    path.write_text(text, encoding="utf-8")
    return Location.of(path)


def test_a_file_names_catalog_data_and_store(tmp_path: Path) -> None:
    found = of_file(tmp_path, TOML)
    assert found.catalog == PostgresCatalog("dbname=games host=db")
    assert found.store is not None
    assert found.store.address == "s3://bucket/games/"
    assert found.store.bucket == Bucket("bucket", "https://store.example:9000", True, "eu-1")
    assert (found.name, found.place) == ("games", str(tmp_path / "games.toml"))


def test_names_in_a_file_are_relative_to_it(tmp_path: Path) -> None:
    found = of_file(tmp_path, 'catalog = "games.sqlite"\ndata = "files"')
    assert found.catalog == SqliteCatalog(
        tmp_path / "games.sqlite", tmp_path / "games.sqlite.locks"
    )
    assert found.store is not None
    assert found.store.address == f"{tmp_path}/files/"
    sources = Sources()
    with Lake.open(tmp_path / "games.toml", create=True) as lake:
        Committer(lake).commit(sources.prepared([Game(1), Game(2, deal=2)]))
    with Lake.open(f"ducklake:sqlite:{tmp_path}/games.sqlite") as lake:
        assert lake.sql("SELECT count(*) FROM games").fetchall() == [(2,)]
        assert {file.path.split("/")[0] for file in lake.store.list(pattern="*.parquet")} == {
            "main"
        }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("catalog =", "is not TOML"),
        ('data = "s3://bucket/"', "catalog must be given"),
        ('catalog = "postgres:dbname=a"', "data must be given"),
        ('catalogue = "postgres:dbname=a"', "there is no setting 'catalogue'.*catalog"),
        ("catalog = 1", "catalog is a text"),
        (f'{TOML}path_style = "yes"', "path_style is true or false"),
        (TOML.replace("host=db", "password=secret"), "a password does not belong into this file"),
        (TOML.replace("postgres:", "mysql:"), "PostgreSQL .* or an SQLite file"),
        (TOML.replace("s3://bucket/games", "gs://bucket/games"), "in a folder or at s3://"),
        (TOML.replace("s3://bucket/games", "s3://B_/"), "is not an address such as s3://bucket"),
        (TOML.replace("https://store.example:9000", "store:9000"), "is not the URL of a server"),
        (TOML.replace("s3://bucket/games", "files"), "endpoint, region are for data at s3://"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(LakeError, match=said) as told:
        of_file(tmp_path, text)
    assert "secret" not in str(told.value)
    assert str(told.value).startswith(str(tmp_path / "games.toml"))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LakeError, match=r"games\.toml cannot be read: No such file"):
        Location.of(tmp_path / "games.toml")


def test_a_new_lake_by_its_url_needs_a_place_for_its_data() -> None:
    assert Location.of("ducklake:postgres:dbname=games").store is None
    with pytest.raises(LakeError, match=r"PostgreSQL .* or an SQLite file"):
        Location.of("ducklake:mysql:db=games")


def test_the_settings_of_a_store_come_from_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert Bucket.of("s3://bucket/a") == Bucket("bucket", "", False, "us-east-1")
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9000/")
    monkeypatch.setenv("AWS_REGION", "eu-2")
    assert Bucket.of("s3://bucket/a") == Bucket("bucket", "http://127.0.0.1:9000", True, "eu-2")


def test_a_url_of_the_catalog_in_a_folder_is_the_lake_in_the_folder(tmp_path: Path) -> None:
    sources = Sources()
    with Lake.open(tmp_path / "lake", create=True) as lake:
        Committer(lake).commit(sources.prepared([Game(1)]))
        url = f"ducklake:sqlite:{tmp_path}/lake/catalog.sqlite"
        with Lake.open(url) as same:
            assert (
                same.sql("SELECT count(*) FROM actions").fetchall()
                == lake.sql("SELECT count(*) FROM actions").fetchall()
            )
            assert same.store == lake.store
            assert type(same.locks) is type(lake.locks)
