"""Memories of another branch, and of another project: shown, with where they are from."""

import os
import subprocess

import pytest

from ...conftest import trusted
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


def other_project(tmp_path, run):
    other = tmp_path / "billing"
    (other / ".limpet").mkdir(parents=True)
    trusted(other)
    for words in (
        ["parse_invoice keeps the cents as they came"],
        ["read_ledger is mine", "--private", "--agent", "dev"],
    ):
        assert run("memory", "add", *words, cwd=str(other)).returncode == 0
    assert run("memory", "upkeep", cwd=str(other)).returncode == 0
    return str(other)


ASKED = "Where does parse_invoice keep cents, and what does read_ledger read?"


def test_a_project_reads_what_another_shares(workspace, tmp_path, run):
    """Under its name; what is private there stays there."""
    other = other_project(tmp_path, run)
    configure(workspace, f"memory: {{reads: [{os.path.relpath(other, workspace.root)}]}}")
    said = Host(workspace).prompt(ASKED).text
    assert "parse_invoice keeps the cents as they came (shared by project billing)" in said
    assert "read_ledger is mine" not in said


def test_a_project_that_is_not_trusted_is_not_read(workspace, tmp_path, run):
    other = other_project(tmp_path, run)
    assert run("trust", "--revoke", "--yes", cwd=other).returncode == 0
    configure(workspace, f"memory: {{reads: [{os.path.relpath(other, workspace.root)}]}}")
    assert "cents as they came" not in Host(workspace).prompt(ASKED).text
