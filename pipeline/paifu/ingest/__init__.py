"""From sources to the lake: containers, importers and replay in workers, one committer in order.

``units`` cuts the sources into units of work, ``prepare`` turns a unit into tables in a worker
thread, ``commit`` brings it into the lake in one transaction, and ``run`` drives the three.
"""

from __future__ import annotations

from paifu.ingest.run import OnReject, Progress, Summary, ingest

__all__ = ["OnReject", "Progress", "Summary", "ingest"]
