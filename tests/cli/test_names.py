"""Names of commands that are understood and in no list."""

import json

import pytest

from ..conversation import write_rules
from ..hostile_git import git


@pytest.mark.parametrize("group", ["agent", "story", "handoff", "spec", "exit"])
def test_what_belongs_to_the_work_is_found_without_its_name(workspace, call, group):
    asked, plain = call("work", group, "--help"), call(group, "--help")
    assert plain.returncode == 0
    assert plain.stdout.partition("\n")[2] == asked.stdout.partition("\n")[2]


def test_context_prints_the_text_that_a_prompt_would_bring(workspace, call):
    write_rules(workspace, "GLOBAL_ALWAYS_ON=true\n", **{"global": "GLOBAL_RULE_0=Look at the tide first.\n"})
    ways = (("why", "--text", "--for"), ("context",))
    same = [call(*words, "hello", "--bracket", "MODERATE").stdout for words in ways]
    assert "Look at the tide first." in same[0] and same[0] == same[1]


def test_the_guard_of_git_is_set_by_the_name_of_gits_hook(workspace, call):
    git(workspace.root, "init", "-q", ".")
    for state in ("on", "off"):
        assert call("guard", "pre-push", state, "--yes").returncode == 0
        shown = json.loads(call("guard", "install", "--json").stdout)
        assert shown["pre-push"]["on"] == (state == "on")


def test_they_are_in_no_list(call):
    listed = call("help", "--all").stdout
    assert not {"context", "story", "handoff"}.intersection(
        line.split()[0] for line in listed.splitlines() if line.split()
    )
