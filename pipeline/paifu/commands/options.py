"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter

LakeOption = Annotated[
    str,
    Parameter(
        name="--lake",
        env_var="PAIFU_LAKE",
        help="Folder of the lake, or a DuckLake URL such as ducklake:postgres:dbname=games.",
    ),
]

JsonOption = Annotated[
    bool, Parameter(name="--json", help="Print one machine-readable result on standard output.")
]
