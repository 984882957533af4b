"""The one value that an event's steps are given, and that each hands on to the next."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.work.in_force import find_in_force
from holdfast.work.session import TRIAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.context.request import Request
    from holdfast.context.usage import Usage
    from holdfast.context.values import Result, Typed
    from holdfast.engine.block.choose import Chosen
    from holdfast.ground.clock import Clock
    from holdfast.ground.config.mirror import Mirror
    from holdfast.ground.event import Event
    from holdfast.ground.workspace import Workspace
    from holdfast.rules.plan.plan import Plan
    from holdfast.work.in_force import InForce
    from holdfast.work.session import Session

# The host of an event that nobody sent: the steps write nothing for it.
PREVIEW = "preview"


class EventContext(Value):
    """An event, the state that it meets, and what its steps have made of it so far.

    ``mirror``: settings, the project's session and the view of the work.
    ``session``: the conversation's state; what a step puts there is saved after the last one.
    ``fresh``: whether the conversation was never seen before.
    ``notes``: lines for the block's notes.
    ``usage``, ``model``: how full the window is, and whose window it is.
    ``subagent``: the id of the agent that the event's subagent is, "" where it is none of ours; None where the event is
    the main conversation's.
    ``typed``: the commands that stand in the prompt, with their answers.
    ``plan``: the project's compiled rules.
    ``chosen``, ``request``, ``result``: the rules for the block, all that it is made of, and the block.
    ``remind``: whether the block reminds the agent to record what the person said.
    ``recalled``: the ids of the memories that the block shows this conversation for the first time.
    ``private``: whether the conversation is private, or was: nothing of it is kept.
    ``told``: lines for the person.
    ``shown_as``: a line that a command answered -> what the person is shown in its place.
    """

    event: Event
    workspace: Workspace
    clock: Clock
    mirror: Mirror
    session: Session
    fresh: bool = False
    notes: tuple[str, ...] = ()
    usage: Usage | None = None
    model: str = ""
    plan: Plan | None = None
    subagent: str | None = None
    typed: tuple[Typed, ...] = ()
    chosen: Chosen | None = None
    request: Request | None = None
    result: Result | None = None
    remind: bool = False
    recalled: tuple[str, ...] = ()
    private: bool = False
    told: tuple[str, ...] = ()
    shown_as: dict[str, str] = {}

    @property
    def in_force(self) -> InForce:
        """Which agent, workflow, task, squad and modes are in force for this conversation, or for its subagent."""
        found = find_in_force(self.mirror.session, self.session)
        return found if self.subagent is None else found.replace(agent=self.subagent)

    @property
    def is_sent(self) -> bool:
        """Whether a host sent the event: it is no preview and no trial of the doctor's."""
        return self.event.host != PREVIEW and not self.event.session.startswith(TRIAL)

    @property
    def is_real(self) -> bool:
        """Whether a host sent it and named the conversation."""
        return self.is_sent and bool(self.event.session)

    @property
    def is_kept(self) -> bool:
        """Whether what is said in the conversation may be kept."""
        return self.is_real and not self.private

    def with_session(self, **changes: object) -> EventContext:
        """Return the context with these fields of the conversation's state changed."""
        return self.replace(session={**self.session, **changes})
