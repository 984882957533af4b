"""``*work start`` in a prompt: a workflow that brings rules counts for the conversation; one with steps is the
project's, and only a command begins it."""

from __future__ import annotations

from holdfast.engine.block.choose import brought_by
from holdfast.engine.commands.opening import safe_words
from holdfast.work.pipeline.workflow_files import find_workflow_file, name_of, names_and_aliases, plain_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.engine.event_context import EventContext

    Answer = tuple[EventContext, tuple[str, ...]]


def start_workflow(context: EventContext, typed: str) -> Answer:
    """Return the context with the workflow whose rules the conversation takes, or why it cannot, and what to do."""
    name = safe_words(context, typed)
    file = find_workflow_file(context.workspace, name)
    if file:
        known = name_of(file[0])
        if plain_name(context.in_force.workflow) == known:
            return context, (f"Workflow {known} is already active.",)
        whole = f"Nothing was changed: {known} has steps, so it would change the project's pipeline."
        return context, (whole, f"To start it for the project, run `holdfast work start {known}`.")
    assert context.plan is not None
    if brought_by(name, context.plan):
        return context.with_session(workflow=name), (f"Workflow of this conversation: {name}; it has rules only.",)
    return context, (f"Unknown workflow {name}{_nearest(context, name)}. Run `holdfast work start`.",)


def _nearest(context: EventContext, name: str) -> str:
    from holdfast.ground.formats.schema import nearest

    return nearest(name, names_and_aliases(context.workspace))
