"""The parser's program: found without the project's help, and never waited for long."""

from __future__ import annotations

import os
import stat

import pytest

from limpet.ground import programs
from limpet.ground.clock import Patience
from limpet.ground.errors import LimpetError
from limpet.guard.shell import understand
from limpet.guard.shell.understand import parse_shell


def write_program(folder, text):
    """A program named shfmt in this folder."""
    path = os.path.join(folder, "shfmt")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, stat.S_IRWXU)
    return path


def test_a_text_becomes_a_tree():
    """In the language of bash; a here-document is larger than what a pipe holds."""
    tree = parse_shell("ls <(x)")
    assert tree["Type"] == "File" and tree["Stmts"][0]["Cmd"]["Type"] == "CallExpr"
    body = "x" * 70 + "\n"
    tree = parse_shell("cat <<'END'\n" + body * 5000 + "END\n")
    assert len(tree["Stmts"]) == 1


def test_what_is_no_shell_text_or_too_long_is_refused():
    """With a reason for people; what is too long before any process starts."""
    with pytest.raises(LimpetError, match="cannot parse"):
        parse_shell("if then (")
    with pytest.raises(LimpetError, match="too long"):
        parse_shell("x" * (understand.LARGEST + 1))


@pytest.mark.skipif(os.name == "nt", reason="a script is no program there")
def test_one_that_hangs_is_ended(monkeypatch, tmp_path):
    """The hook has a deadline (decision 14)."""
    write_program(tmp_path, "#!/bin/sh\nexec sleep 60\n")
    monkeypatch.setattr(understand, "_find", lambda project: str(tmp_path / "shfmt"))
    monkeypatch.setattr(understand, "PATIENCE", Patience(0.05))
    with pytest.raises(LimpetError, match="too long"):
        parse_shell("ls; ls")


def test_without_it_there_is_an_error_with_a_hint(monkeypatch):
    """Which names the package."""
    monkeypatch.setattr(programs, "is_program", lambda path: False)
    monkeypatch.setattr(programs, "program_on_path", lambda *given: "")
    with pytest.raises(LimpetError, match="shfmt-py"):
        parse_shell("ls; ls")


@pytest.mark.skipif(os.name == "nt", reason="a script is no program there")
def test_a_program_of_the_project_is_not_run(monkeypatch, tmp_path):
    """A stranger's checkout may put one on PATH."""
    inside = tmp_path / "project" / "bin"
    inside.mkdir(parents=True)
    path = write_program(inside, "#!/bin/sh\n")
    monkeypatch.setenv("PATH", str(inside))
    monkeypatch.setattr(understand.sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(LimpetError, match="missing"):
        parse_shell("ls; ls", str(tmp_path / "project"))
    assert understand._find(str(tmp_path / "elsewhere")) == path
