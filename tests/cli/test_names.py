"""Ids on the command line: a unique prefix is enough, several candidates are named, of a mistyped one the nearest."""

from pathlib import Path

import pytest

from ..conversation import write_rules


@pytest.fixture
def project(workspace, run):
    write_rules(workspace, "HTTP_API_RECALL=endpoint\nHTTP_CACHE_RECALL=cache\nQA_RECALL=test\n")
    for name in ("S-1", "S-10", "T-7"):
        assert run("work", "story", "add", name, f"Story {name}", "--criterion", "It works").returncode == 0
    return workspace


@pytest.mark.parametrize(
    ("command", "shown"),
    [
        (("work", "story", "show", "t"), "Story T-7"),
        (("work", "story", "show", "s-1"), "Story S-1\n"),
        (("work", "story", "show", "--check", "T-"), "ok     T-7"),
        (("rules", "show", "http-a"), "HTTP_API"),
        (("rules", "show", "Q"), "QA ("),
        (("work", "agent", "activate", "archit"), "active agent: architect"),
    ],
)
def test_a_unique_prefix_is_enough(project, run, command, shown):
    """In any case; a whole id wins over longer ones."""
    done = run(*command)
    assert (done.returncode, done.stderr) == (0, "")
    assert shown in done.stdout


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("work", "story", "show", "S"), "S is ambiguous: S-1, S-10"),
        (("rules", "show", "http"), "HTTP is ambiguous: HTTP_API, HTTP_CACHE"),
        (("work", "agent", "activate", "qa-"), "qa- is ambiguous: qa-planning, qa-implementation"),
    ],
)
def test_an_ambiguous_prefix_names_the_candidates(project, run, command, told):
    """And changes nothing."""
    done = run(*command)
    assert (done.returncode, done.stdout) == (1, "")
    assert told in done.stderr


@pytest.mark.parametrize(
    ("command", "near"),
    [
        (("work", "story", "show", "S-11"), "S-1"),
        (("rules", "show", "HTTP_CASHE"), "HTTP_CACHE"),
        (("work", "agent", "activate", "architekt"), "architect"),
        (("config", "get", "memory.tokns"), "memory.tokens"),
    ],
)
def test_a_mistyped_name_is_told_one_suggestion(project, run, command, near):
    """The most similar."""
    done = run(*command)
    assert done.returncode in (1, 2)
    assert done.stderr.lower().count("did you mean") == 1
    assert f"id you mean {near}?" in done.stderr


def test_a_tracked_document_is_found_by_a_prefix_of_its_key(project, run):
    """Where it is read and where its problems are."""
    Path(project.root, "docs").mkdir()
    Path(project.root, "docs", "architecture.md").write_text("# Architecture\n")
    assert run("work", "spec", "scan", "--write").returncode == 0
    assert run("work", "spec", "backlog", "archi", "No picture").stdout == "architecture: medium\n"
    assert "No picture" in run("work", "spec", "backlog", "ARCH").stdout
    assert "Did you mean architecture?" in run("work", "spec", "status", "architcture").stderr
