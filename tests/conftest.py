"""Fixtures for every test: the corpus of real logs, and a small lake of simulated games."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from filelock import FileLock

from paifu.audit.lake_audit import rescore
from paifu.ingestion.driver import ingest
from paifu.lake.lake import Lake
from paifu.models.round_values import value
from paifu.rules import rulesets
from paifu.simulate.flow import flow_of
from paifu.simulate.game_loop import play_games
from paifu.simulate.write_mjlog import log_id, write
from tests.helpers import servers as server_pair
from tests.helpers.answers import Answers
from tests.helpers.servers import Servers

# A deadline would measure the machine and the compiling of kernels, not the code.
hypothesis.settings.register_profile("paifu", deadline=None)
hypothesis.settings.load_profile("paifu")

ROOT = Path(__file__).parent.parent
PROCESSORS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
GAMES = {4: 24, 3: 8}
"""Simulated games by number of players."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow too")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Give each worker of ``-n`` whole files, so that the fixtures of a file are made once."""
    if config.getoption("numprocesses", None) and config.option.dist == "no":
        config.option.dist = "loadfile"
        config.option.loadscopereorder = False  # the order is that of _share_later


def pytest_configure(config: pytest.Config) -> None:
    """Give each worker of ``-n`` a processor of its own, and its libraries one thread.

    Texts are in English wherever the tests run.
    """
    os.environ["LC_ALL"] = "C.UTF-8"
    number = os.environ.get("PYTEST_XDIST_WORKER", "").removeprefix("gw")
    if number and len(PROCESSORS) > 1:
        os.sched_setaffinity(0, {PROCESSORS[int(number) % len(PROCESSORS)]})


@pytest.fixture
def all_processors() -> Iterator[None]:
    """All processors, here and in processes started: for what has to run side by side."""
    if not PROCESSORS:
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, PROCESSORS)
    yield
    os.sched_setaffinity(0, before)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    _share_later(items)
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow: run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


def pytest_collection_finish() -> None:
    """Tests and modules stay until the end: do not look through them for garbage."""
    gc.collect()
    gc.freeze()


def _share_later(items: list[pytest.Item]) -> None:
    """Put one file that needs the simulated games first, and the others of that kind last.

    To make these games takes half a minute with an empty cache of kernels; meanwhile the other
    processes run what does not need them. Within these groups, files with many tests come first.
    """
    sizes = Counter(item.path for item in items)
    sharing = {item.path for item in items if _needs_simulated(item)}
    first = max(sharing, key=lambda path: (sizes[path], path), default=None)

    def order(item: pytest.Item) -> tuple[int, int, Path]:
        group = 0 if item.path == first else 2 if item.path in sharing else 1
        return group, -sizes[item.path], item.path

    items.sort(key=order)


def _needs_simulated(item: pytest.Item) -> bool:
    if "simulated" in getattr(item, "fixturenames", ()):
        return True
    given = getattr(item, "callspec", None)  # a fixture with parameters asks for it by its name
    values = [] if given is None else given.params.values()
    return any(isinstance(value, str) and value == "simulated" for value in values)


def corpus_folder() -> Path:
    """Return where the real logs are if there are any."""
    return Path(os.environ.get("PAIFU_CORPUS", ROOT.parent / "shared" / "corpus"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of real logs, which never ships with the project, or a skip that says so."""
    folder = corpus_folder()
    if not folder.is_dir():
        pytest.skip(f"no corpus of real logs at {folder}; set PAIFU_CORPUS to its folder")
    return folder


@pytest.fixture(scope="session")
def made_once(
    tmp_path_factory: pytest.TempPathFactory,
) -> Callable[[str, Callable[[Path], object]], Path]:
    """Fill a folder once in a run of the tests, however many workers share the run.

    ``made_once(name, fill)`` calls ``fill(folder)`` if no worker has done so, and returns the
    folder. Other workers wait meanwhile. Do not change the content of the folder: copy what a test
    writes to.
    """
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent

    def made(name: str, fill: Callable[[Path], object]) -> Path:
        folder, done = root / name, root / f"{name}.done"
        with FileLock(root / f"{name}.lock"):
            if not done.exists():
                shutil.rmtree(folder, ignore_errors=True)
                folder.mkdir()
                fill(folder)
                done.touch()
        return folder

    return made


@pytest.fixture
def signals_heard() -> Iterator[None]:
    """Set signals as in a terminal, here and in child processes: a job may ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def play_and_write(folder: Path) -> None:
    for players, count in GAMES.items():
        rules = rulesets.get(f"tenhou-{players}p")
        flow = flow_of(rules, players, "south", True, True)
        for game in play_games(np.arange(count), 20, rules, flow):
            path = folder / f"{players}p" / f"{log_id(game)}.mjlog"
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(write(game))


@pytest.fixture(scope="session")
def simulated(made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """A folder of simulated Tenhou logs; do not change it."""
    return made_once("simulated", play_and_write)


@pytest.fixture(scope="session")
def place(simulated: Path, made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    """The lake of the simulated games, re-scored and valued; do not change it."""

    def fill(folder: Path) -> None:
        ingest([simulated], lake=folder / "lake")
        rescore(folder / "lake")
        value(folder / "lake")

    return made_once("simulated_lake", fill) / "lake"


@pytest.fixture(scope="session")
def empty_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake without games."""
    folder = tmp_path_factory.mktemp("empty") / "lake"
    Lake.open(folder, create=True).close()
    return folder


@pytest.fixture(scope="session")
def lake(place: Path) -> Iterator[Lake]:
    """The lake of the simulated games, open."""
    with Lake.open(place) as opened:
        yield opened


@pytest.fixture(scope="session")
def answers(lake: Lake) -> Answers:
    """Answers of statistics on the lake of the simulated games: ``answers("wins")``."""
    return Answers(lake)


@pytest.fixture(scope="session")
def running_servers() -> Iterator[Servers]:
    """A PostgreSQL and an object store of their own for this process, or a skip that says so."""
    if lacking := server_pair.missing():
        pytest.skip(f"there is no {lacking} to start for this test")
    with server_pair.servers() as running:
        yield running


@pytest.fixture
def servers(running_servers: Servers, monkeypatch: pytest.MonkeyPatch) -> Servers:
    """These servers, with the keys in the environment."""
    for name, setting in running_servers.settings().items():
        monkeypatch.setenv(name, setting)
    return running_servers
