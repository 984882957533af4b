"""Proposes checks from what a project has: a person agrees to them, nothing here sets one."""

from __future__ import annotations

import os
import re

from holdfast.ground.config.defaults import STATE_BYTES
from holdfast.ground.formats.json_text import loads
from holdfast.ground.storage.files import read_text

_PYTEST_FILES = ("pyproject.toml", "setup.cfg", "tox.ini", "pytest.ini", "requirements-dev.txt")
_NO_TEST = "no test specified"
_TEST_TARGET = re.compile(r"^test[ \t]*:(?!=)", re.MULTILINE)


def propose_checks(root: str) -> dict[str, str]:
    """Return name -> command line of the checks that the project's files point to."""
    found = {
        "pytest": "python -m pytest -q" if _has_pytest(root) else "",
        "npm": "npm test" if _has_npm_test(root) else "",
        "cargo": "cargo test" if _text(root, "Cargo.toml") is not None else "",
        "go": "go test ./..." if _text(root, "go.mod") is not None else "",
        "make": "make test" if _TEST_TARGET.search(_text(root, "Makefile") or "") else "",
    }
    return {name: line for name, line in found.items() if line}


def _has_pytest(root: str) -> bool:
    return any("pytest" in (_text(root, name) or "") for name in _PYTEST_FILES)


def _has_npm_test(root: str) -> bool:
    try:
        data = loads(_text(root, "package.json") or "{}")
    except ValueError:
        return False
    scripts = data.get("scripts") if isinstance(data, dict) else None
    test = scripts.get("test") if isinstance(scripts, dict) else None
    return isinstance(test, str) and bool(test.strip()) and _NO_TEST not in test


def _text(root: str, name: str) -> str | None:
    return read_text(os.path.join(root, name), STATE_BYTES)
