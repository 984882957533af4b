"""The environment in which the checks run: as it was when the user agreed to them, so that no variable or program of
later decides how they end. It is kept in the user's state folder, under their key."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text, write_if_possible
from limpet.ground.storage.user_folders import project_state
from limpet.ground.trust.signed import read_key, read_signed, sign, signed_record
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace

NAME = "environment"
PATH = "PATH"
# What each process has for itself, and no check's end may depend on.
OWN = ("TMPDIR", "TEMP", "TMP", "TERM", "COLUMNS", "LINES")
_PYTEST_FILES = ("pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "requirements-dev.txt")
_PYTHON_LOCKS = {"uv.lock": "uv run", "poetry.lock": "poetry run", "pdm.lock": "pdm run"}
_LOCKS = {
    "pnpm-lock.yaml": "pnpm",
    "yarn.lock": "yarn",
    "bun.lock": "bun",
    "bun.lockb": "bun",
    "package-lock.json": "npm",
}
# `bun test` is a test runner of its own.
_RUNS = {"bun": "bun run"}
_NO_TEST = "no test specified"
_TEST_TARGET = re.compile(r"^test[ \t]*:(?!=)", re.MULTILINE)


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


def propose_checks(root: str) -> dict[str, str]:
    """Return name -> command line of the checks that the project's files point to."""
    package = read_object(_text(root, "package.json"))
    manager = _package_manager(root, package)
    cargo = "cargo nextest run" if _exists(root, ".config/nextest.toml") else "cargo test"
    found = {
        "pytest": f"{_python_runner(root)} pytest -q" if _has_pytest(root) else "",
        manager: f"{_RUNS.get(manager, manager)} test" if _has_test_script(package) else "",
        "cargo": cargo if _text(root, "Cargo.toml") is not None else "",
        "go": "go test ./..." if _text(root, "go.mod") is not None else "",
        "make": "make test" if _TEST_TARGET.search(_text(root, "Makefile") or "") else "",
    }
    return {name: line for name, line in found.items() if line}


def _mark(value: str, key: bytes) -> str:
    return sign(value.encode("utf-8", "surrogateescape"), key)


def _file(workspace: Workspace) -> str:
    return os.path.join(project_state(workspace.home), NAME)


def _purpose(workspace: Workspace) -> str:
    return f"environment {workspace.home}"


def _has_pytest(root: str) -> bool:
    return any("pytest" in (_text(root, name) or "") for name in _PYTEST_FILES)


def _python_runner(root: str) -> str:
    """Return what runs a module of Python with the project's own packages."""
    return next((runner for lock, runner in _PYTHON_LOCKS.items() if _exists(root, lock)), "python -m")


def _package_manager(root: str, package: dict[str, Any]) -> str:
    named = str(package.get("packageManager") or "").partition("@")[0]
    if named in _LOCKS.values():
        return named
    return next((manager for lock, manager in _LOCKS.items() if _exists(root, lock)), "npm")


def _has_test_script(package: dict[str, Any]) -> bool:
    scripts = package.get("scripts")
    test = scripts.get("test") if isinstance(scripts, dict) else None
    return isinstance(test, str) and bool(test.strip()) and _NO_TEST not in test


def _exists(root: str, name: str) -> bool:
    return os.path.exists(os.path.join(root, name))


def _text(root: str, name: str) -> str | None:
    return read_text(os.path.join(root, name), STATE_BYTES)
