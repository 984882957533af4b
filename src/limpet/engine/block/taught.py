"""What of the knowledge a block tells whoever works: with the task, and in the list of titles what the conversation was
not told. Separate from both, because most blocks have nothing of it."""

from __future__ import annotations

from limpet.context.values import TAUGHT
from limpet.learning.roles import is_for, roles_of
from limpet.memory.model.entry import ROLE, Card
from limpet.memory.model.layout import KNOWLEDGE
from limpet.work.session import EPOCH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from limpet.context.values import Task
    from limpet.engine.event_context import EventContext

# Entries of the knowledge that a task is told of.
MOST = 5


def taught_with_task(
    context: EventContext, agent: str, knowledge: Iterable[tuple[str, str, Sequence[str]]]
) -> tuple[tuple[str, str], ...]:
    """Return (id, line) of as much as a task has room for. ``agent``: the one that the task names; ``knowledge``: what
    its story was told, (id, line, roles) of each entry."""
    roles = _roles_at_work(context, agent)
    return tuple((name, line) for name, line, own in knowledge if is_for(roles, own))[:MOST]


def to_list(context: EventContext, near: Iterable[Card], task: Task | None) -> list[Card]:
    """Leave out entries of the knowledge that are for other roles, that are not sure enough, and that a task told."""
    least = context.mirror.settings["learning"]["briefing_confidence"]
    roles = _roles_at_work(context, task.agent if task else "")
    sent = context.session[EPOCH].get("sent", ())
    told = {key.removeprefix(TAUGHT) for key in sent if key.startswith(TAUGHT)}
    told.update(name for name, _ in (task.knowledge if task else ()))
    kept = []
    for card in near:
        own = [tag.removeprefix(ROLE) for tag in card.tags if tag.startswith(ROLE)]
        is_due = card.confidence >= least and card.id not in told and is_for(roles, own)
        if card.state != KNOWLEDGE or is_due:
            kept.append(card)
    return kept


def _roles_at_work(context: EventContext, agent: str) -> tuple[str, ...]:
    """Those of the active agent, else of the one that the task names."""
    return roles_of(context.in_force.agent or agent.lstrip("@"), context.mirror.settings["learning"]["roles"])
