"""A project with rules, a host that has it open, and ``rules check`` beside it."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from limpet.ground.storage.user_folders import cache_folder
from limpet.ground.workspace import workspace_at

from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, Host
from ..memories import Memories, configure
from ..patience import patient  # noqa: F401

WITHOUT_PRIVILEGE = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


@pytest.fixture
def host(workspace):
    """A host whose project has a global rule, a keyword domain and a star-command."""
    write_rules(workspace, MANIFEST, **RULES)
    return Host(workspace)


@pytest.fixture
def check(run):
    """Runs ``limpet rules check``, which must end well whatever it finds: its findings as ``where: what``."""

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


@pytest.fixture
def bound(host):
    """How a process is started whose rights count, also where root runs the tests."""
    if sys.platform == "win32":
        pytest.skip("POSIX rights")
    prefix = [] if os.geteuid() else WITHOUT_PRIVILEGE
    if prefix and not shutil.which(prefix[0]):
        pytest.skip("root may read and write anything, and cannot give that up here")
    yield {"prefix": prefix}
    for folder in (host.workspace.home, host.workspace.data, cache_folder()):
        for path in (folder, *Path(folder).rglob("*")) if os.path.isdir(folder) else ():
            os.chmod(path, 0o700)
