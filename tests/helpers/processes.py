"""Processes that tests start: Python finds the same modules in them as here."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any


def environment(**changes: str) -> dict[str, str]:
    """Return the environment for a child process, with changes."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **changes}


def python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python and return what it wrote, as text; options are those of ``subprocess.run``."""
    return subprocess.run(
        [sys.executable, *arguments],
        **{"env": environment(), "capture_output": True, "text": True, "check": False} | options,
    )
