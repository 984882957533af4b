"""A memory remembers the branch on which it was said; on any it is shown, with that mark."""

import subprocess

import pytest

from ...hook_host import Host
from ...memories import Memories, configure


@pytest.fixture
def repository(workspace):
    subprocess.run(["git", "init", "-q", "-b", "main", workspace.root], check=True)
    return workspace


def on(workspace, branch):
    subprocess.run(["git", "-C", workspace.root, "symbolic-ref", "HEAD", f"refs/heads/{branch}"], check=True)


def test_on_another_branch_it_is_marked_and_not_hidden(repository, run):
    configure(repository)
    on(repository, "feature/invoices")
    assert run("memory", "add", "parse_invoice keeps the cents as they came").returncode == 0
    on(repository, "main")
    assert run("memory", "add", "read_ledger reads the ledger").returncode == 0
    assert "[on feature/invoices]" in run("memory", "list").stdout
    Memories(repository).tell_index()
    said = Host(repository).prompt("Where does parse_invoice keep cents, and what does read_ledger read?").text
    assert "parse_invoice keeps the cents as they came (said on the branch feature/invoices)" in said
    assert "read_ledger reads the ledger" in said and said.count("said on the branch") == 1
