"""A project with rules, a host that has it open, and ``rules check`` beside it."""

import json

import pytest

from ..conversation import RULES, write_rules
from ..hook_host import MANIFEST, Host


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
