"""`limpet completion`, and what a shell that uses it is told."""

import os
import re
import shutil
import subprocess
import sys

import pytest

from limpet.cli.completion import POWERSHELL
from limpet.ground.trust.giving import revoke_trust

from ..conftest import SOURCE
from ..conversation import write, write_rules
from ..terminal import in_terminal, plain_lines


@pytest.fixture
def complete(workspace):
    """What a shell would offer for the last of these words, asked by the variables that our scripts set."""

    def ask(*words):
        given = {
            "PYTHONPATH": SOURCE,
            "_LIMPET_COMPLETE": "bash_complete",
            "COMP_WORDS": " ".join(words),
            "COMP_CWORD": str(len(words) - 1),
        }
        command = [sys.executable, "-c", "from limpet.cli import run; run()"]
        done = subprocess.run(command, cwd=workspace.root, env={**os.environ, **given}, capture_output=True, text=True)
        assert done.stderr == ""
        return [line.removeprefix("plain,") for line in done.stdout.splitlines() if line]

    return ask


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_every_shell_gets_a_script_that_asks_limpet(run, shell):
    """By the variable of click's protocol."""
    done = run("completion", shell)
    assert (done.returncode, done.stderr) == (0, "")
    assert "_LIMPET_COMPLETE" in done.stdout
    assert "limpet" in done.stdout


@pytest.fixture
def person(workspace, tmp_path):
    """A person's environment: an empty home, and a `limpet` on the path."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "home").mkdir()
    door = tmp_path / "bin" / "limpet"
    door.write_text(f'#!/bin/sh\nPYTHONPATH="{SOURCE}" exec "{sys.executable}" -m limpet "$@"\n')
    door.chmod(0o755)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    unset = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "ZDOTDIR")
    ordinary = {name: text for name, text in os.environ.items() if name not in unset}
    return {**ordinary, "PATH": path, "HOME": str(tmp_path / "home"), "TERM": "xterm-256color"}


def lines_to_paste(run, shell):
    block = re.search(rf"^  {shell}.*:\n((?:    .+\n)+)", run("completion", "--help").stdout, re.MULTILINE)
    return block[1]


def installed(shell):
    """The shell's path; the test is skipped where it is missing."""
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is not installed: its completion was not tried")
    return found


def test_the_bash_lines_complete_in_bash(run, workspace, person):
    """Pasted as the help shows them; the file is sourced as bash-completion does."""
    bash = installed("bash")
    load = ". ~/.local/share/bash-completion/completions/limpet"
    ask = 'COMP_WORDS=(limpet work agent act) COMP_CWORD=3; _limpet_completion limpet; echo "${COMPREPLY[@]}"'
    command = [bash, "--norc", "-c", f"{lines_to_paste(run, 'Bash')}\n{load}\n{ask}"]
    done = subprocess.run(command, cwd=workspace.root, env=person, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("activate", "")


def test_the_fish_lines_complete_in_fish(run, workspace, person):
    """With whole descriptions, also beyond a comma."""
    fish = installed("fish")
    subprocess.run([fish, "-c", lines_to_paste(run, "Fish")], env=person, check=True)
    command = [fish, "-c", 'complete -C "limpet memory "']
    done = subprocess.run(command, cwd=workspace.root, env=person, capture_output=True, text=True)
    shown = dict(line.split("\t") for line in done.stdout.splitlines())
    assert shown["list"] == "List memories, newest first."


def test_the_zsh_lines_complete_in_zsh(run, workspace, person):
    """A new interactive shell, in which somebody types a beginning and Tab."""
    zsh = installed("zsh")
    subprocess.run([zsh, "-c", lines_to_paste(run, "Zsh")], env=person, check=True)
    typed = "PS1='READY> '\nlimpet agent act\t\nexit\n"
    screen, code = in_terminal([zsh, "-i"], cwd=workspace.root, env=person, typed=typed)
    assert "limpet work agent activate" in "".join(plain_lines(screen))


def test_domains_are_completed_in_any_spelling(complete, workspace):
    """As `rules list` names them."""
    write_rules(workspace, "HTTP_API_RECALL=endpoint\nHTTP_CACHE_RECALL=cache\nQA_RECALL=test\n")
    assert complete("limpet", "rules", "show", "http-") == ["HTTP_API", "HTTP_CACHE"]
    assert complete("limpet", "rules", "edit", "Q") == ["QA"]


def test_agents_squads_and_settings_are_completed(complete, workspace):
    """By id or alias, by folder, by dotted key."""
    os.makedirs(os.path.join(workspace.root, "squads", "etl-squad"))
    write(workspace.path("agents", "marketing-lead.md"), "---\nmission: Plan\n---\n")
    assert complete("limpet", "work", "agent", "activate", "qa") == ["qa-planning", "qa-implementation", "qa"]
    assert complete("limpet", "work", "agent", "activate", "mark") == ["marketing-lead"]
    assert complete("limpet", "work", "set", "--squad", "e") == ["etl-squad"]
    assert complete("limpet", "config", "get", "context.budgets.F") == ["context.budgets.FRESH"]


def test_outside_a_project_nothing_is_offered_and_nothing_said(complete, workspace):
    """A shell wants no complaints."""
    shutil.rmtree(workspace.home)
    revoke_trust(workspace)
    assert complete("limpet", "rules", "show", "") == []


def test_powershell_has_a_script_where_click_has_none():
    """It reads lines "type,value", as Bash's does, and sends the words by the same two variables."""
    assert "Register-ArgumentCompleter -Native -CommandName limpet" in POWERSHELL
    for part in ("$env:COMP_WORDS", "$env:COMP_CWORD", "$env:_LIMPET_COMPLETE = 'bash_complete'", "-split ',', 2"):
        assert part in POWERSHELL
    assert POWERSHELL.count("{") == POWERSHELL.count("}")
