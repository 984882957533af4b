"""What an event's module gets and gives back."""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from holdfast.context.values import Result
    from holdfast.ground.clock import Clock
    from holdfast.ground.event import Event
    from holdfast.ground.mirror import Mirror
    from holdfast.ground.workspace import Workspace
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


class Outcome(Value):
    """The state to keep, the block's result, if the event has one, and the ids of the memories that it shows this
    conversation for the first time."""

    session: Session
    result: Result | None = None
    recalled: tuple[str, ...] = ()
