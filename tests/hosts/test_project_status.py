"""The state of a project."""

from limpet.engine import handle
from limpet.ground.clock import Clock
from limpet.ground.event import Event
from limpet.hosts.claude_code.host import EVENTS, NAME
from limpet.hosts.installation import carry_out_plan, plan_installation
from limpet.hosts.project_status import project_status
from limpet.hosts.scope import SHARED
from limpet.work.session import change_session

from ..conversation import write, write_rules


def test_a_new_project_has_its_defaults_only(workspace):
    """No hooks, no conversation, no event."""
    found = project_status(workspace, Clock())
    assert (found["project"], found["hooks"]) == (workspace.root, [])
    assert found["domains"] == {"active": 16, "known": 18, "wait": ["STORY", "QA"]}
    assert (found["agent"], found["mode"], found["permission"]) == (None, None, None)
    assert (found["conversation"], found["last_hook"]) == (None, None)


def test_hooks_are_named_by_host_and_file(workspace):
    """From the project's root."""
    carry_out_plan(plan_installation(workspace.root, SHARED, NAME))
    assert project_status(workspace, Clock())["hooks"] == [(NAME, ".claude/settings.json", EVENTS)]


def test_the_last_conversation_and_event_are_told(workspace):
    """With what the conversation set for itself."""
    handle(Event(kind="prompt", host=NAME, session="one", cwd=workspace.root, prompt="hello"), workspace, Clock())
    change_session(workspace, "one", {"squad": "etl"})
    found = project_status(workspace, Clock())
    assert (found["conversation"]["id"], found["conversation"]["own"]) == ("one", {"squad": "etl"})
    assert found["last_hook"]["event"] == "prompt" and found["last_hook"]["crash"] is None


def test_mistakes_are_counted_by_where_they_are(workspace):
    """In the rules, and in the configuration."""
    write_rules(workspace, "nonsense\nQA_RECALL=test\n", qa="QA_RULE_0=Write tests.\n")
    write(workspace.path("config.yaml"), "rules:\n  match: nonsense\n")
    mistakes = project_status(workspace, Clock())["mistakes"]
    assert mistakes["errors"] + mistakes["warnings"] > 0 and mistakes["configuration"] == 1
