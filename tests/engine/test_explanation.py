"""Why a domain fires or not."""

import os

import pytest

from limpet.engine.explanation import explain_domains, preview
from limpet.ground.clock import Clock
from limpet.work.session import change_session, new_session, write_session

from ..blocks import read_block
from ..conversation import write
from ..places import private_path

ALONE = "squad ETL is not active"
FILES = {
    "manifest": """GLOBAL_EXCLUDE=draft
GLOBAL_STATE=active
COMMANDS_STATE=active
QA_RECALL=test, coverage
QA_EXCLUDE=test account
OFF_RECALL=test
OFF_STATE=inactive
EMPTY_RECALL=test
AGENT_PM_AGENT_TRIGGER=pm
WORKFLOW_STORY_DEV_WORKFLOW_TRIGGER=story_development
""",
    "global": "GLOBAL_RULE_0=a",
    "commands": "BRIEF_RULE_0=a",
    "qa": "QA_RULE_0=a",
    "off": "OFF_RULE_0=a",
    "empty": "# nothing",
    "agent-pm": "PM_RULE_0=a",
    "workflow-story-dev": "STORY_DEV_RULE_0=a",
    "session.yaml": "workflow: Story_Development\n",
}


@pytest.fixture
def project(workspace):
    """A project with a domain of every kind."""
    os.makedirs(workspace.path("rules"))
    for name, text in FILES.items():
        with open(workspace.path("rules", name), "w") as file:
            file.write(text)
    return workspace


def verdicts(workspace, prompt, **options):
    """By domain whether it fires and why."""
    found = explain_domains(preview(workspace, prompt, clock=Clock(), **options))
    return {verdict.name: (verdict.fires, verdict.why) for verdict in found}


@pytest.mark.parametrize(
    ("prompt", "name", "fires", "why"),
    [
        ("hello", "GLOBAL", True, "always on"),
        ("write tests for coverage", "QA", True, "matched: test, coverage"),
        ("hello", "QA", False, "none of its keywords is in the prompt"),
        ("use the test account", "QA", False, "excluded by: test account (matched: test)"),
        ("a draft test", "QA", False, "excluded by GLOBAL_EXCLUDE: draft (matched: test)"),
        ("write tests", "OFF", False, "inactive in the manifest"),
        ("write tests", "EMPTY", False, "matched: test, but it has no rules"),
        ("*brief hello", "COMMANDS", True, "typed: *brief"),
        ("hello", "COMMANDS", False, "no star-command was typed"),
        ("hello", "AGENT_PM", False, "agent pm is not active"),
        ("hello", "WORKFLOW_STORY_DEV", True, "workflow Story_Development is active"),
    ],
)
def test_a_domain_fires_or_says_why_not(project, prompt, name, fires, why):
    """The reason is the hook's own."""
    assert verdicts(project, prompt)[name] == (fires, why)


def test_an_alias_as_trigger_is_the_agent_it_stands_for(project):
    """A file from SYNAPSE that names @pm serves detail."""
    seen = preview(project, "hello", agent="detail", clock=Clock())
    assert "a" in read_block(seen.result.block)["agent"]["rules"]
    assert verdicts(project, "hello", agent="detail")["AGENT_PM"] == (True, "agent detail is active")


@pytest.mark.parametrize("agent", ["greenfield-wu", "brownfield-wu"])
def test_an_alias_for_two_agents_serves_both(project, agent):
    """Which of them @analyst is depends on the workflow; its rules are for either."""
    with open(project.path("rules", "manifest"), "a") as file:
        file.write("AGENT_ANALYST_STATE=active\n")
    with open(project.path("rules", "agent-analyst"), "w") as file:
        file.write("ANALYST_RULE_0=a")
    assert verdicts(project, "hello", agent=agent)["AGENT_ANALYST"][0]


def test_a_conversation_may_have_switched_a_domain_off(project):
    """The override is told from the manifest's word."""
    write_session(project, new_session("s1", "claude-code", project.root, 0.0))
    change_session(project, "s1", {"overrides": {"QA": False, "OFF": True}})
    found = verdicts(project, "write tests", session="s1")
    assert found["QA"] == (False, "switched off in this conversation")
    assert found["OFF"] == (True, "matched: test")


def test_a_domain_whose_layer_is_off_fires_but_is_not_in_the_block(project):
    """Both are said."""
    why = "matched: test; not in the block: L6 is off in CRITICAL"
    assert verdicts(project, "write tests", bracket="CRITICAL")["QA"] == (True, why)


SQUAD_FILES = {
    "manifest": "QA_RECALL=coverage\nQA_EXCLUDE=mock\nLOAD_RECALL=batch\nGLOBAL_STATE=active\n",
    "qa": "QA_RULE_0=squad",
    "load": "LOAD_RULE_0=squad",
    "global": "GLOBAL_RULE_0=squad",
}


@pytest.mark.parametrize(
    ("mode", "active", "prompt", "name", "fires", "why"),
    [
        ("extend", False, "a batch", "ETL_LOAD", True, "matched: batch"),
        ("extend", False, "hello", "ETL_LOAD", False, "none of its keywords is in the prompt"),
        ("extend", False, "a draft batch", "ETL_LOAD", False, "excluded by GLOBAL_EXCLUDE: draft (matched: batch)"),
        ("extend", True, "hello", "ETL_LOAD", True, "squad ETL is active"),
        ("extend", True, "a mock", "ETL_QA", False, "excluded by: mock"),
        ("extend", True, "a draft", "ETL_LOAD", False, "excluded by GLOBAL_EXCLUDE: draft"),
        ("extend", True, "coverage", "QA", True, "matched: coverage"),
        ("override", False, "coverage", "QA", True, "matched: coverage"),
        ("override", True, "coverage", "QA", False, "replaced by ETL_QA: squad ETL overrides it"),
        ("override", True, "coverage", "ETL_QA", True, "squad ETL is active, replacing QA"),
        ("override", True, "hello", "GLOBAL", False, "replaced by ETL_GLOBAL: squad ETL overrides it"),
        ("none", False, "a batch", "ETL_LOAD", False, f"{ALONE} (matched: batch)"),
        ("none", False, "hello", "ETL_LOAD", False, ALONE),
        ("none", True, "a draft", "ETL_LOAD", True, "squad ETL is active"),
        ("none", True, "coverage", "QA", True, "matched: coverage"),
    ],
)
def test_a_squads_domain_fires_or_says_why_not(project, mode, active, prompt, name, fires, why):
    """By its mode, by who is active, by exclusions (decision 18)."""
    folder = os.path.join(project.root, "squads", "etl")
    write(os.path.join(folder, "squad.yaml"), f"extends: {mode}\n")
    for file, text in SQUAD_FILES.items():
        write(os.path.join(folder, ".limpet", "rules", file), text)
    if active:
        write(private_path(project, "session.yaml"), "squad: etl\n")
    assert verdicts(project, prompt)[name] == (fires, why)
    found = explain_domains(preview(project, prompt, clock=Clock()))
    assert {(one.squad, one.mode) for one in found} == {("", ""), ("ETL", mode)}
