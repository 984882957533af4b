"""Two branches that each write the same committed file of ours, merged by plain git."""

import os
import subprocess

import pytest

from limpet.ground.storage.scaffold import ATTRIBUTES
from limpet.learning.store import read_stores
from limpet.learning.stores import read_entries
from limpet.rules.format.domain import read_domain
from limpet.rules.format.manifest import read_manifest

NAME = ("-c", "user.name=x", "-c", "user.email=x@y.z")


def git(root, *words):
    return subprocess.run(["git", *NAME, *words], cwd=root, capture_output=True, text=True)


@pytest.fixture
def branches(workspace, call):
    """Play what each branch does, from what both have; return git's merge of the two."""
    root = workspace.root
    git(root, "init", "-q", "-b", "main")
    assert call("rules", "add", "api", "--rule", "Amounts are integers", "--recall", "amount, price").returncode == 0
    assert os.path.exists(workspace.path(ATTRIBUTES))

    def play(ours, theirs, base=lambda: None):
        base()
        git(root, "add", "-A", "-f", ".limpet")
        assert git(root, "commit", "-qm", "base").returncode == 0
        for name, act in (("theirs", theirs), ("ours", ours)):
            assert git(root, "checkout", "-q", "-b", name, "main").returncode == 0
            act()
            git(root, "add", "-A", "-f", ".limpet")
            assert git(root, "commit", "-qm", name).returncode == 0
        return git(root, "merge", "-q", "theirs")

    return play


def read(workspace, *parts):
    with open(workspace.path(*parts), encoding="utf-8") as file:
        return file.read()


def test_a_rule_of_each_in_one_domain(branches, workspace, call):
    """Both rules are read; that they have one number is told, and the next rule that is added mends it."""
    add = ("rules", "edit", "api", "--add-rule")
    assert branches(lambda: call(*add, "Ours"), lambda: call(*add, "Theirs")).returncode == 0
    assert set(read_domain("API", read(workspace, "rules", "api")).rules) == {"Amounts are integers", "Ours", "Theirs"}
    assert "API_RULE_1 is already in line" in call("rules", "check").stdout
    call(*add, "Later")
    text = read(workspace, "rules", "api")
    assert len(read_domain("API", text).rules) == 4 and "API_RULE_3=Later" in text
    assert "already in line" not in call("rules", "check").stdout


def test_a_domain_and_keywords_of_each(branches, workspace, call):
    """Two lines of one key in the manifest count together."""

    def act(name):
        call("rules", "add", name, "--rule", "Rule", "--recall", name)
        call("rules", "edit", "api", "--add-recall", name)

    assert branches(lambda: act("ours"), lambda: act("theirs")).returncode == 0
    domains = {each.name: each for each in read_manifest(read(workspace, "rules", "manifest")).domains}
    assert set(domains) == {"API", "OURS", "THEIRS"}
    assert set(domains["API"].recall) == {"amount", "price", "ours", "theirs"}


def observe(call, text):
    done = call("learn", "observe", "quality-loop-finding", text, "--story", "S-1", "--importance", "9")
    assert done.returncode == 0, done.stderr


def test_an_observation_of_each_in_one_story(branches, workspace, call):
    call("work", "story", "add", "S-1", "Part", "--criterion", "It works")
    both = branches(lambda: observe(call, "Ours sleeps"), lambda: observe(call, "Theirs waits"))
    assert both.returncode == 0
    text = read(workspace, "stories", "S-1", "observations.yml")
    assert "Ours sleeps" in text and "Theirs waits" in text and "<<<<" not in text
    assert text.count("OB-001") == 2


BASE = """\
principles:
  - {id: PR-001, text: Amounts are integers, confidence: 0.6, source_count: 1, start: 0.6, evidence: [{source: S-0, observation: OB-001, effect: create, phase: code}]}
"""  # noqa: E501
NEW = "  - {{id: PR-002, text: {0}, confidence: 0.6, source_count: 1, start: 0.6, created: 2026-11-29}}\n"
ROW = ", {{source: {0}, observation: OB-001, effect: reinforce, phase: code}}]}}"


def test_an_entry_of_each_and_the_same_one_reinforced_by_each(branches, workspace):
    """Nothing is lost and nothing there twice, whatever line was the last."""
    path = workspace.path("knowledge", "principles.yml")

    def write(text):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def side(name):
        return lambda: write(BASE.replace("]}", ROW.format(name)) + NEW.format(f"{name} is new"))

    assert branches(side("Ours"), side("Theirs"), lambda: write(BASE)).returncode == 0
    stores, mistakes = read_stores(workspace)
    first, *new = stores["principle"]
    assert mistakes == ()
    assert {each.source for each in first.evidence} == {"S-0", "Ours", "Theirs"} and len(first.evidence) == 3
    assert {each.text for each in new} == {"Ours is new", "Theirs is new"}
    assert {each.id for each in new} == {"PR-002", "PR-003"}


def test_lines_of_one_entry_that_a_person_wrote_on_several():
    """Git keeps both lines of a key."""
    text = (
        "principles:\n  - id: PR-001\n    text: Amounts are integers\n    confidence: 0.6\n    confidence: 0.7\n"
        "    tags: [a]\n    tags: [b]\n"
    )
    (entry,), mistakes = read_entries("principle", text, "f")
    assert (mistakes, entry.text, entry.id) == ((), "Amounts are integers", "PR-001")


ALIKE = "Be careful.\nSay what you do.\nAsk first.\nQuote results.\nStop at errors.\n"


def test_no_rule_moves_below_the_heading_of_another_branchs_command(branches, workspace):
    """Lines that both have would take the others along."""

    def write(text):
        with open(workspace.path("rules", "commands"), "a", encoding="utf-8") as file:
            file.write(text)

    def side(name, rule):
        return lambda: write(f"[*{name}]\nFirst {name}.\n{ALIKE}{rule}.\n")

    done = branches(side("ship", "Force the push"), side("look", "Read only"), lambda: write("A_RULE_0=Any\n"))
    assert done.returncode == 1 and "rules/commands" in done.stdout
