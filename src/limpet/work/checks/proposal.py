"""Proposes checks from what a project has: a person agrees to them, nothing here sets one."""

from __future__ import annotations

import os
import re
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import read_object
from limpet.ground.storage.files import read_text

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


def _has_pytest(root: str) -> bool:
    return any("pytest" in (_text(root, name) or "") for name in _PYTEST_FILES)


def _python_runner(root: str) -> str:
    """Return what runs a module of Python with the project's own packages."""
    return next((runner for lock, runner in _PYTHON_LOCKS.items() if _exists(root, lock)), "python -m")


def _package_manager(root: str, package: dict[str, Any]) -> str:
    """Return the package manager that ``package.json`` names, else the one whose lock file is there, else npm."""
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
