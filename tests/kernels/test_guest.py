"""paifu does not disturb its host process: what others set, cache and compile stays the same."""

from __future__ import annotations

import json
import textwrap
from pathlib import Path
from typing import Any

from tests.helpers.processes import environment, python

HOST = """
    import gc, json, locale, os, pkgutil, signal, sys, threading, warnings

    import numba, numpy, pandas, polars, pyarrow  # the host's own, which have settings of their own
    from numba.core import event
    from numba import njit

    @njit(cache=True)
    def users_own(value):
        return 3 * value

    def state():
        handlers = {}
        for number in signal.valid_signals():
            handlers[int(number)] = repr(signal.getsignal(number))
        numba.config.reload_config()  # as numba does before it compiles
        config = {n: repr(v) for n, v in vars(numba.config).items() if n.isupper()}
        return {
            "environment": dict(os.environ),
            "folder": os.getcwd(),
            "numba": config,
            "listeners": {kind: len(found) for kind, found in event._registered.items() if found},
            "collection": [gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()],
            "signals": handlers,
            "warnings": list(map(str, warnings.filters)),
            "hooks": [repr(sys.excepthook), repr(threading.excepthook), repr(sys.displayhook)],
            "limits": [sys.getrecursionlimit(), sys.getswitchinterval()],
            "floats": numpy.geterr(),
            "locale": locale.setlocale(locale.LC_ALL),
            "polars": polars.Config.state(),
            "threads": threading.active_count(),
        }

    class WhetherCollected(event.Listener):
        found = []
        def on_start(self, event):
            self.found.append(gc.isenabled())
        on_end = on_start

    before = state()
    import paifu
    for module in pkgutil.walk_packages(paifu.__path__, "paifu."):
        if not module.name.endswith("__main__"):
            __import__(module.name)
    imported = state()
    paifus_own = paifu.game.fingerprint.text_hash(b"")
    run = state()
    with event.install_listener("numba:compile", WhetherCollected()):
        theirs = users_own(4)
    print(json.dumps({
        "results": [paifus_own, theirs], "before": before, "imported": imported, "run": run,
        "after": state(), "collected": WhetherCollected.found,
        "cached": users_own.stats.cache_path,
    }))
"""


def run(script: Path, *, cwd: Path) -> dict[str, Any]:
    """Return what the host prints when it runs without variables of numba in its environment."""
    all_of_it = environment(XDG_CACHE_HOME=str(cwd / "cache"))
    kept = {name: value for name, value in all_of_it.items() if not name.startswith("NUMBA_")}
    done = python(str(script), env=kept, cwd=cwd, check=True)
    printed: dict[str, Any] = json.loads(done.stdout)
    return printed


def test_importing_and_running_paifu_changes_nothing_for_its_host(tmp_path: Path) -> None:
    script = tmp_path / "host.py"
    script.write_text(textwrap.dedent(HOST))
    said = run(script, cwd=tmp_path)
    assert said["results"] == [-780787492076525413, 12]
    for moment in ("imported", "run", "after"):
        assert said[moment] == said["before"], moment
    assert said["collected"] == [True, True]  # when compiling the user's function began and ended
    # the user's machine code is beside the user's file, without any of paifu's
    beside = tmp_path / "__pycache__"
    assert Path(said["cached"]) == beside
    assert {path.name.partition("-")[0] for path in beside.iterdir()} == {"host.users_own"}
    assert not list((tmp_path / "cache").rglob("*users_own*"))
    assert list((tmp_path / "cache" / "paifu" / "kernels").rglob("*_text_hash*.nbc"))


SECOND = """
    import paifu.game.fingerprint as fingerprint
    import json, numba
    fingerprint.text_hash(b"")
    from numba import njit

    @njit(cache=True)
    def users_own(value):
        return 3 * value

    users_own(4)
    print(json.dumps({"cached": users_own.stats.cache_path, "level": int(numba.config.OPT)}))
"""


def test_what_the_host_compiles_is_the_same_where_paifu_comes_first(tmp_path: Path) -> None:
    script = tmp_path / "host.py"
    script.write_text(textwrap.dedent(SECOND))
    said = run(script, cwd=tmp_path)
    assert Path(said["cached"]) == tmp_path / "__pycache__"
    assert said["level"] == 3
