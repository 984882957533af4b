"""What binds an agent is not its to take off: another role, none, another mode, the end of the work take the person's
word inside a coding agent, but for a step of the pipeline that hands over. Apart from the commands that ask it."""

from __future__ import annotations

from limpet.guard.call import read_table
from limpet.operations.approval import Obtain, refuse_word
from limpet.operations.conversations import full_name
from limpet.operations.project import Project
from limpet.work.in_force import find_in_force
from limpet.work.session import read_state


def release(project: Project, obtain: Obtain | None, says: str, conversation: str = "", to: str = "") -> None:
    """Obtain a person's word on ``says`` where an agent is in force that may not choose another one: in what may be the
    caller's conversation, and in the one that is changed ("" for the project). ``to``: the agent that takes over.
    Raise LimpetError without it; ``obtain``: None where nobody can be asked."""
    around = project.caller.surroundings
    if not around.host:
        return
    concerned = {*around.conversations, full_name(project.workspace, conversation) if conversation else ""}
    states = (read_state(project.workspace, each) for each in concerned)
    agents = {find_in_force(project.session, state).agent for state in states}
    bound = agents.difference(("", to, *read_table()["choosers"]))
    if bound:
        (obtain or refuse_word)(f"{says}, where {' and '.join(sorted(bound))} is in force")
