"""From plan, mirror and conversation state to the request: each field from where it belongs."""

import pytest

from limpet.engine.block.choose import choose
from limpet.engine.block.request import make_request
from limpet.engine.mistakes import draft_event
from limpet.ground.clock import Clock
from limpet.operations.mirror import refresh_mirror

from ...conversation import write_rules
from ...project_session import update_project

CONTEXT = "FRESH_RULE_0=fresh\nDEPLETED_RULE_0=depleted\n"


@pytest.fixture
def project(workspace):
    write_rules(
        workspace,
        "GLOBAL_ALWAYS_ON=true\nCONTEXT_STATE=active\nAPI_RECALL=endpoint\n",
        **{"global": "GLOBAL_RULE_0=a\n"},
        context=CONTEXT,
        api="API_RULE_0=b\n",
    )
    return workspace


def requested(workspace, prompt="Go on.", starting=False, state=None, **options):
    """The request for a prompt or a start; ``state`` is what the conversation chose for itself."""
    context = draft_event(workspace, prompt, starting=starting, clock=Clock(), **options).with_session(**(state or {}))
    return make_request(context, choose(context), starting)


def say(workspace, **session):
    """Put this into the project's session."""
    update_project(workspace, session)
    refresh_mirror(workspace)


@pytest.mark.parametrize(
    ("bracket", "rules"), [("FRESH", ("fresh",)), ("DEPLETED", ("depleted",)), ("CRITICAL", ("depleted",))]
)
def test_the_brackets_own_rules_come_and_critical_takes_depleteds(project, bracket, rules):
    """Decision 15."""
    assert requested(project, bracket=bracket).rules.bracket.rules == rules


def test_a_called_domain_comes_with_the_words_that_called_it(project):
    """As the block's attribute ``matched`` shows them."""
    (rules,) = requested(project, "the endpoint").rules.domains
    assert (rules.name, rules.rules, rules.matched) == ("API", ("b",), ("endpoint",))


def test_what_the_conversation_chose_comes_before_the_projects(project):
    """Decision 11, for agent, mode, permission and task alike."""
    say(project, current_agent="dev", mode="build", task={"title": "the project's"})
    own = {"active_agent": "architect", "mode": "deploy", "permission": "auto", "task": "my own"}
    found = requested(project, state=own)
    assert (found.agent.name, found.manner.mode, found.manner.permission) == ("architect", "deploy", "auto")
    assert found.work.task.title == "my own"
    assert (requested(project).agent.name, requested(project).manner.mode) == ("dev", "build")


def test_the_pipeline_is_that_of_the_projects_workflow(project):
    """A conversation that follows another workflow is not told of it (W17)."""
    say(project, workflow="greenfield", agents={"greenfield-wu": {"status": "in_progress"}})
    assert requested(project).work.pipeline
    assert requested(project, state={"workflow": "brownfield"}).work.pipeline == ""


def test_an_alias_stands_for_the_agent_of_the_conversations_own_workflow(project):
    """W17: ``analyst`` is another agent in a brownfield workflow, whoever named which of the two."""
    say(project, current_agent="analyst")
    assert requested(project).agent.name == "greenfield-wu"
    assert requested(project, state={"workflow": "brownfield"}).agent.name == "brownfield-wu"


def test_the_executor_is_the_tasks(project):
    """Decision 7."""
    say(project, task={"id": "1", "title": "t", "executor": "worker"})
    assert requested(project).executor == "worker"


def test_typed_commands_and_notes_of_earlier_steps_arrive(project):
    """The request takes them from the event's context."""
    context = draft_event(project, "x", clock=Clock()).replace(notes=("something went wrong",))
    assert make_request(context, choose(context), starting=False).notes[0] == "something went wrong"


def test_a_domain_without_a_file_is_noted(project):
    """Rules that silently never fire are what people are burnt by."""
    write_rules(project, "GLOBAL_ALWAYS_ON=true\nLOST_RECALL=endpoint\n")
    assert any("no rules file for LOST" in note for note in requested(project, "the endpoint").notes)
