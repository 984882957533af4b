"""What an event's module gets and gives back."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.work.in_force import find_in_force

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.context.values import Result
    from holdfast.ground.clock import Clock
    from holdfast.ground.config.mirror import Mirror
    from holdfast.ground.event import Event
    from holdfast.ground.workspace import Workspace
    from holdfast.work.in_force import InForce
    from holdfast.work.session import Session


# The host of an event that nobody sent: what answers it writes nothing.
PREVIEW = "preview"


class Turn(Value):
    """An event with all that is known when it comes; ``fresh`` when the conversation was never seen before."""

    event: Event
    workspace: Workspace
    clock: Clock
    mirror: Mirror
    session: Session
    fresh: bool = False
    notes: tuple[str, ...] = ()

    @property
    def in_force(self) -> InForce:
        """Which agent, workflow, task, squad and modes are in force for this conversation."""
        return find_in_force(self.mirror.session, self.session)


class Outcome(Value):
    """The state to keep, the block's result, if the event has one, and the ids of the memories that it shows this
    conversation for the first time."""

    session: Session
    result: Result | None = None
    recalled: tuple[str, ...] = ()
