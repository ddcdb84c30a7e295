"""Processes that tests start: Python finds in them what it finds here."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any


def environment(**changes: str) -> dict[str, str]:
    """Return the environment of a process to start, with changes."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **changes}


def python(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python and return what it wrote, as text; options are those of ``subprocess.run``."""
    return subprocess.run(
        [sys.executable, *arguments],
        **{"env": environment(), "capture_output": True, "text": True, "check": False} | options,
    )
