"""Rules of reading (decision 22): an agent sees what is shared, the team's and its own, a person sees all.

Every way to an entry takes a ``Reader`` and goes through here.
"""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.memory.model.layout import SHARED, TEAM


class Reader(Value):
    """Who asks.

    ``agent``: its id; "" for an agent that nobody named, which sees what is shared.
    ``own``: whether the agent's own entries are for it: not where nobody said in which conversation it asks.
    """

    agent: str = ""
    person: bool = False
    own: bool = True


PERSON = Reader(person=True)


def owners(reader: Reader) -> tuple[str, ...] | None:
    """Return the owners whose entries the reader may see, None for everybody's."""
    if reader.person:
        return None
    return (SHARED, TEAM, reader.agent) if reader.agent and reader.own else (SHARED, TEAM)


def may_read(reader: Reader, owner: str) -> bool:
    """Return whether the reader may see an entry of this owner."""
    allowed = owners(reader)
    return allowed is None or owner in allowed
