"""`holdfast completion`, and what a shell that uses it is told."""

import os
import shutil
import subprocess
import sys

import pytest

from holdfast.cli.completion import POWERSHELL

from ..conftest import SOURCE
from ..conversation import write_rules


@pytest.fixture
def complete(workspace):
    """What a shell would offer for the last of these words, asked by the variables that our scripts set."""

    def ask(*words):
        given = {
            "PYTHONPATH": SOURCE,
            "_HOLDFAST_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(len(words) - 1),
        }
        command = [sys.executable, "-c", "from holdfast.cli import run; run()"]
        done = subprocess.run(command, cwd=workspace.root, env={**os.environ, **given}, capture_output=True, text=True)
        assert done.stderr == ""
        return [line.removeprefix("plain,") for line in done.stdout.splitlines() if line]

    return ask


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_gets_a_script_that_asks_holdfast(run, shell):
    """By the variable of click's protocol."""
    done = run("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_HOLDFAST_COMPLETE" in done.stdout
    assert "holdfast" in done.stdout


def test_the_bash_script_completes_in_bash(run, workspace, tmp_path):
    """Sourced by a real one, with a `holdfast` on its path."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    (tmp_path / "bin").mkdir()
    door = tmp_path / "bin" / "holdfast"
    door.write_text(f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -m holdfast "$@"\n')
    door.chmod(0o755)
    script = run("completion", "bash").stdout
    ask = 'COMP_WORDS=(holdfast agent act) COMP_CWORD=2; _holdfast_completion holdfast; echo "${COMPREPLY[@]}"'
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [bash, "--norc", "-c", f"{script}\n{ask}"],
        cwd=workspace.root,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == "activate"


def test_domains_are_completed_in_any_spelling(complete, workspace):
    """As `rules list` names them."""
    write_rules(workspace, "HTTP_API_RECALL=endpoint\nHTTP_CACHE_RECALL=cache\nQA_RECALL=test\n")
    assert complete("holdfast", "rules", "show", "http-") == ["HTTP_API", "HTTP_CACHE"]
    assert complete("holdfast", "rules", "edit", "Q") == ["QA"]


def test_agents_squads_and_settings_are_completed(complete, workspace):
    """By id or alias, by folder, by dotted key."""
    os.makedirs(os.path.join(workspace.root, "squads", "etl-squad"))
    assert complete("holdfast", "agent", "activate", "qa") == ["qa-planning", "qa-implementation", "qa"]
    assert complete("holdfast", "work", "squad", "e") == ["etl-squad"]
    assert complete("holdfast", "config", "get", "context.budgets.F") == ["context.budgets.FRESH"]


def test_outside_a_project_nothing_is_offered_and_nothing_said(complete, workspace):
    """A shell wants no complaints."""
    os.rmdir(workspace.home)
    assert complete("holdfast", "rules", "show", "") == []


def test_powershell_has_a_script_where_click_has_none():
    """It reads lines "type,value", as Bash's does, and sends the words by the same two variables."""
    assert "Register-ArgumentCompleter -Native -CommandName holdfast" in POWERSHELL
    for part in ("$env:COMP_WORDS", "$env:COMP_CWORD", "$env:_HOLDFAST_COMPLETE = 'bash_complete'", "-split ',', 2"):
        assert part in POWERSHELL
    assert POWERSHELL.count("{") == POWERSHELL.count("}")
