"""A package that vanished, is in pieces or crashes, and modules that are not ours (decision 14)."""

import os
import shutil

import pytest

import limpet

from ..conversation import remove, write
from ..hook_host import rule_lines, spawn, typed


@pytest.fixture
def copy(tmp_path):
    """A folder with a copy of the package in it."""
    shutil.copytree(limpet.__path__[0], tmp_path / "copy" / "limpet", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path / "copy"


def from_package(host, source):
    """The answer of the package that lies in this folder."""
    return spawn(typed(host.workspace), "claude-code", "UserPromptSubmit", cwd=host.workspace.root, source=source)


def test_a_removed_package_is_met_with_silence(host, tmp_path):
    """Decision 14: uninstalling must not block the prompt."""
    answer = from_package(host, str(tmp_path / "gone"))
    assert (answer.code, answer.out, answer.err) == (0, b"", b"")


@pytest.mark.parametrize(
    "missing", ["engine", "hosts/claude_code", "ground/clock.py", "rules/matching.py", "context/rules_layers.py"]
)
def test_a_package_in_pieces_harms_nobody(host, copy, missing):
    """An update under way: whatever part is missing, the hook ends well, and says so where it still can."""
    remove(str(copy / "limpet" / missing))
    answer = from_package(host, str(copy))
    assert (answer.code, answer.err) == (0, b"")
    assert not answer.out or "no rules for this event" in answer.block["notes"][0]


def test_modules_of_the_project_are_never_imported(host):
    """A ``json.py`` or ``limpet.py`` in the project is the project's own business (decision 14)."""
    for name in ("json", "os", "limpet", "time", "marshal", "unicodedata"):
        write(os.path.join(host.workspace.root, f"{name}.py"), "raise SystemExit('taken over')\n")
    assert rule_lines(host.prompt("an ação endpoint"), "API") == ["Version it."]
