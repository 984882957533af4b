"""``limpet registry scan``."""

import json
import os

import pytest

from limpet.cli.registry import INSTALL
from limpet.registry.symbols import index

from ..conversation import write


@pytest.fixture
def sources(workspace):
    for name in ("a.py", "b.py", "c.go"):
        write(os.path.join(workspace.root, name), f"def {name[0]}():\n    pass\n")
    return workspace


def test_a_scan_says_what_it_read(sources, run, monkeypatch):
    """A second one reads nothing; where there is no grammar, the command that brings it stands there."""
    monkeypatch.setattr(index, "has_grammar", lambda language: language == "python")
    first, second = run("registry", "scan"), run("registry", "scan")
    assert first.stdout.splitlines() == [
        "Scanned 2 files (2 new or changed): 2 symbols.",
        f"Left out for want of a grammar: 1 go. Run: {INSTALL}",
    ]
    assert second.stdout.startswith("Scanned 2 files (0 new or changed)")


def test_a_scan_tells_programs_the_same(sources, run):
    found = json.loads(run("registry", "scan", "--json").stdout)
    assert (found["files"], found["read"], found["symbols"], found["gone"]) == (3, 3, 2, [])


def test_what_is_left_out_is_named(sources, run):
    for number in range(7):
        write(os.path.join(sources.root, f"huge{number}.py"), "a = 1\n" * 200_000)
    lines = run("registry", "scan").stdout.splitlines()
    assert lines[1] == "Left out, as it is a link, too large or not readable: huge0.py"
    assert lines[-1] == "... and 2 more"


def test_a_project_that_is_not_trusted_is_not_scanned(sources, run):
    from limpet.ground.trust.giving import revoke_trust

    revoke_trust(sources)
    done = run("registry", "scan")
    assert (done.returncode, os.path.exists(sources.kept("symbols"))) == (1, False)
