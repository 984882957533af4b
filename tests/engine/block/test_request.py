"""From plan, mirror and conversation state to the request: each field from where it belongs."""

import pytest

from limpet.engine.block.choose import choose
from limpet.engine.block.request import make_request
from limpet.engine.mistakes import draft_event
from limpet.ground.clock import Clock
from limpet.operations.mirror import refresh_mirror

from ...conversation import write_rules
from ...project_session import update_project


@pytest.fixture
def project(workspace):
    write_rules(
        workspace,
        "GLOBAL_ALWAYS_ON=true\nAPI_RECALL=endpoint\n",
        **{"global": "GLOBAL_RULE_0=a\n"},
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


def test_the_pipeline_is_that_of_the_projects_workflow(project):
    """A conversation that follows another workflow is not told of it (W17)."""
    say(project, workflow="greenfield", agents={"greenfield-wu": {"status": "in_progress"}})
    assert requested(project).work.pipeline
    assert requested(project, state={"workflow": "brownfield"}).work.pipeline == ""


def test_typed_commands_and_notes_of_earlier_steps_arrive(project):
    """The request takes them from the event's context."""
    context = draft_event(project, "x", clock=Clock()).replace(notes=("something went wrong",))
    assert make_request(context, choose(context), starting=False).notes[0] == "something went wrong"
