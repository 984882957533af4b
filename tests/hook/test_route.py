"""``<route>``: whose work a prompt is, only where the orchestrator is in force or the lock is taken (decision 47)."""

import pytest

from holdfast.ground.text.tokens import estimate_tokens

from ..conversation import write, write_rules
from ..hook_host import Host

LOCKED = "lock: {active: true, since: 2026-11-22T10:00:00Z, by: /holdfast}\n"
ROUTING = "current_agent: orchestrator\n"
SHIP = "deploy this to staging"
LARGE = "We move the whole backend from Express to NestJS: every route, authentication, the jobs. Plan it in phases."


@pytest.fixture
def host(workspace):
    write_rules(workspace, "GLOBAL_ALWAYS_ON=true\n", **{"global": "GLOBAL_RULE_0=Read first.\n"})
    return Host(workspace)


def routed(host, session, prompt):
    """The line, "" for none."""
    write(host.workspace.path("session.yaml"), session)
    text = host.prompt(prompt).out.decode()
    return text.partition("<route>")[2].partition("</route>")[0]


@pytest.mark.parametrize("session", [ROUTING, LOCKED])
def test_the_owner_of_a_prompt_is_named(host, session):
    """By the command that calls it."""
    assert routed(host, session, SHIP) == "holdfast agent activate devops"


def test_a_workflow_is_named_by_the_command_that_starts_it(host):
    """As the door names it."""
    assert routed(host, ROUTING, LARGE).startswith("holdfast work start ")


@pytest.mark.parametrize("prompt", ["ok", "thanks!", "yes, go on", "obrigado", "👍"])
def test_a_trivial_prompt_brings_no_route(host, prompt):
    """Not even to the orchestrator."""
    assert routed(host, ROUTING, prompt) == ""


@pytest.mark.parametrize("session", ["", "current_agent: dev\n", "workflow: greenfield\n", "task: Write it\n"])
def test_nobody_else_is_told(host, session):
    """Neither without agents nor with another one in force."""
    assert (routed(host, session, SHIP), routed(host, session, LARGE)) == ("", "")


def test_the_agent_in_force_is_not_named(host):
    """It has the work already."""
    assert routed(host, f"current_agent: devops\n{LOCKED}", SHIP) == ""


@pytest.mark.parametrize(
    "line", ["holdfast agent activate qa-implementation", "holdfast work start brownfield-service"]
)
def test_the_line_is_short(line):
    """At most 30 tokens with its element."""
    assert estimate_tokens(f"<route>{line}</route>\n") <= 30
