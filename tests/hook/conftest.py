"""A project with rules, a host that has it open, and ``rules check`` beside it."""

import json
import subprocess

import pytest

from holdfast.ground.workspace import workspace_at

from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, Host
from ..memories import Memories, configure


@pytest.fixture
def host(workspace):
    """A host whose project has a global rule, a keyword domain and a star-command."""
    write_rules(workspace, MANIFEST, **RULES)
    return Host(workspace)


@pytest.fixture
def check(run):
    """Runs ``holdfast rules check``, which must end well whatever it finds: its findings as ``where: what``."""

    def run_check(**process):
        done = run("rules", "check", "--json", **process)
        assert (done.returncode in (0, 1), done.stderr) == (True, "")
        return [f"{one['where']}: {one['what']}" for one in json.loads(done.stdout)["findings"]]

    return run_check


@pytest.fixture
def memories(workspace):
    """The project's memories."""
    configure(workspace)
    return Memories(workspace)


@pytest.fixture
def git_worktree(workspace, tmp_path):
    """A second working tree of the project, with rules of its own."""
    tree = str(tmp_path / "tree")
    git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", workspace.root]
    subprocess.run([*git, "init", "-q", "-b", "main"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "first"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", tree], check=True)
    write_rules(workspace_at(tree), MANIFEST, **RULES)
    return tree
