"""The one permission that `init` offers: Claude Code runs the command that writes memories without asking, as agents
are told it, and nothing else of ours."""

import json
import os
import sys
from pathlib import Path

import pytest

from limpet.ground.own_name import path_name
from limpet.hosts.claude_code.settings import settings_path
from limpet.hosts.records import LOCAL

from ...conftest import SOURCE
from ...hook_host import POSIX
from ...terminal import in_terminal
from .test_deny_rules import put
from .test_install import ORIGINALS

ON, OFF = ("init", "--yes", "--allow-writing"), ("init", "--yes", "--ask-writing")


@pytest.fixture
def local(workspace):
    """The project's local settings, with nothing of ours in them."""
    return Path(settings_path(LOCAL, workspace.root))


def allowed(path):
    return json.loads(path.read_text("utf-8-sig").strip() or "{}").get("permissions", {}).get("allow")


@pytest.mark.parametrize("raw", ORIGINALS.values(), ids=ORIGINALS)
def test_it_comes_for_exactly_one_command_and_every_byte_comes_back(local, run, raw):
    """Beside hooks and deny rules, taken back alone or with all of ours."""
    put(local, raw)
    before = allowed(local) or []
    assert run(*ON).returncode == 0
    assert allowed(local) == [*before, f"Bash({path_name()} memory write:*)"]
    with_it = local.read_bytes()
    assert run(*ON).returncode == 0 and run("init", "--yes").returncode == 0 and local.read_bytes() == with_it
    assert run(*OFF).returncode == 0 and (allowed(local) or []) == before
    run(*ON)
    run("guard", "install", "deny-rules", "--yes")
    run("guard", "install", "deny-rules", "--off", "--yes")
    assert allowed(local) == [*before, f"Bash({path_name()} memory write:*)"]
    assert run("uninstall", "--yes").returncode == 0 and local.read_bytes() == raw


def test_it_is_not_given_unasked(local, run):
    """Nor by `--yes`: it is a right of the agent's."""
    assert run("init", "--yes").returncode == 0
    assert allowed(local) is None


def test_a_rule_of_the_users_that_is_the_same_stays(local, run):
    run("init", "--yes")
    own = f"Bash({path_name()} memory write:*)"
    put(local, {**json.loads(local.read_text()), "permissions": {"allow": [own]}})
    run(*ON)
    assert allowed(local) == [own]
    run(*OFF)
    assert allowed(local) == [own]


def test_an_agent_does_not_give_it_to_itself(local, run, monkeypatch):
    run("init", "--yes")
    monkeypatch.setenv("CLAUDECODE", "1")
    done = run(*ON)
    assert done.returncode == 1 and "Only a person can do this" in done.stderr and allowed(local) is None


@POSIX
@pytest.mark.parametrize(("answer", "is_given"), [("y\ny\n", True), ("y\nn\n", False)])
def test_a_person_at_a_terminal_is_asked(tmp_path, user, answer, is_given):
    """Once, when the project is new, with the way to it later."""
    command, environment = [sys.executable, "-m", "limpet", "init", "--here"], {**os.environ, "PYTHONPATH": SOURCE}
    shown, code = in_terminal(command, cwd=tmp_path, env=environment, typed=answer)
    assert code == 0 and "without asking you each time?" in " ".join(shown.split())
    assert bool(allowed(Path(settings_path(LOCAL, str(tmp_path))))) == is_given
    assert "limpet init --allow-writing" in shown
