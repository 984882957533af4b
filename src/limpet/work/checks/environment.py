"""The environment in which the checks run: as it was when the user agreed to them, so that no variable or program of
later decides how they end. It is kept in the user's state folder, under their key."""

from __future__ import annotations

import os
from collections.abc import Mapping

from limpet.ground.clock import iso
from limpet.ground.storage.files import write_if_possible
from limpet.ground.storage.user_folders import project_state
from limpet.ground.trust.key import read_key, sign
from limpet.ground.trust.signed import read_signed, signed_record
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace

NAME = "environment"
PATH = "PATH"
# What each process has for itself, and no check's end may depend on.
OWN = ("TMPDIR", "TEMP", "TMP", "TERM", "COLUMNS", "LINES")


class Environment(Value):
    """Variables for a check.

    ``variables``: their values by name.
    ``left_out``: the names of those of now that were others, or not there, when the user agreed.
    ``other_path``: whether PATH is another one now; the one agreed to counts.
    ``since``: when that was, "" where nobody kept it and those of now count.
    """

    variables: Mapping[str, str]
    left_out: tuple[str, ...] = ()
    other_path: bool = False
    since: str = ""


def keep_environment(workspace: Workspace, environ: Mapping[str, str], now: float) -> None:
    """Keep these variables as those in which the project's checks run: PATH itself, of others only a keyed hash of the
    value. Without a key, and where nothing can be written, nothing is kept."""
    key = read_key()
    if key is None:
        return
    marks = {name: _mark(value, key) for name, value in environ.items()}
    record = {"at": iso(now), "path": environ.get(PATH, ""), "variables": marks}
    write_if_possible(_file(workspace), signed_record(record, _purpose(workspace), key))


def agreed_environment(workspace: Workspace, environ: Mapping[str, str]) -> Environment:
    """Return what of these variables the project's checks get."""
    kept, key = read_signed(_file(workspace), _purpose(workspace)), read_key()
    if kept is None or key is None:
        return Environment(variables=dict(environ))
    marks, path = kept.get("variables") or {}, str(kept.get("path") or "")
    same = {name: value for name, value in environ.items() if name in OWN or marks.get(name) == _mark(value, key)}
    return Environment(
        variables={**same, **({PATH: path} if path else {})},
        left_out=tuple(sorted(set(environ) - set(same) - {PATH})),
        other_path=path != environ.get(PATH, ""),
        since=str(kept.get("at") or ""),
    )


def _mark(value: str, key: bytes) -> str:
    return sign(value.encode("utf-8", "surrogateescape"), key)


def _file(workspace: Workspace) -> str:
    return os.path.join(project_state(workspace.home), NAME)


def _purpose(workspace: Workspace) -> str:
    return f"environment {workspace.home}"
