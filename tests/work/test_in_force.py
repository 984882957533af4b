"""The one answer to what is in force."""

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.work.in_force import InForce, find_in_force, find_modes, find_user_level, name_agent, resolve_agent

PROJECT = {"current_agent": "dev", "workflow": "greenfield", "task": "Add it", "squad": "backend", "mode": "build"}


def test_without_a_conversation_it_is_what_the_project_says():
    """An empty project has nothing in force."""
    assert find_in_force(PROJECT) == InForce("dev", "greenfield", "Add it", "backend", "build", "", True)
    assert find_in_force({}) == InForce("", "", None, "", "", "", True)


def test_the_conversations_own_word_comes_first():
    """Decision 11; a workflow of its own is not the project's. It may want nobody, or an agent that is not shipped."""
    own = {"active_agent": "qa", "workflow": "quick-flow", "task": {"title": "A hotfix"}, "permission": "ask"}
    found = find_in_force(PROJECT, own)
    assert (found.agent, found.workflow, found.task) == ("qa-implementation", "quick-flow", {"title": "A hotfix"})
    assert (found.squad, found.permission, found.follows_project) == ("backend", "ask", False)
    assert find_in_force(PROJECT, {"active_agent": "none"}).agent == ""
    assert (resolve_agent("nope", ""), name_agent("@Nope", ""), name_agent("none", "")) == (None, "nope", "")


@pytest.mark.parametrize(
    ("project", "own"),
    [
        ({"current_agent": "analyst", "workflow": "brownfield"}, {}),
        ({"current_agent": "analyst", "workflow": "greenfield"}, {"workflow": "brownfield"}),
        ({"workflow": "brownfield"}, {"active_agent": "@Analyst"}),
    ],
)
def test_an_alias_follows_the_workflow_in_force(project, own):
    """Decision 34, whoever set the agent and whoever the workflow."""
    assert find_in_force(project, own).agent == "brownfield-wu"


@pytest.mark.parametrize(
    ("project", "expected"),
    [
        ({}, ""),
        ({"user_level": "auto"}, ""),
        ({"user_level": "vibecoder"}, "vibecoder"),
        ({"user_level": "power_user", "user_level_confidence": 0.59}, ""),
        ({"user_level": "power_user", "user_level_confidence": 0.6}, "power_user"),
        ({"user_level": "guru", "user_level_confidence": 1.0}, ""),
    ],
)
def test_a_level_holds_by_a_persons_word_or_by_a_sure_judgement(project, expected):
    """A person's word has no confidence."""
    assert find_user_level(project) == expected


def test_a_workflow_of_rules_only_puts_the_work_in_no_mode():
    """The default mode is for steps under way; what somebody set holds (decision 47)."""
    assert find_modes(find_in_force({"workflow": "hotfix"}), DEFAULTS)[0] == ""
    assert find_modes(find_in_force({"workflow": "solo", "agents": {"brief": {}}}), DEFAULTS)[0] == "planning"
    assert find_modes(find_in_force({"workflow": "hotfix", "mode": "build"}), DEFAULTS)[0] == "build"
