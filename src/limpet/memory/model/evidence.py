"""Evidence: one moment at which something spoke for an entry or against it, and where that moment is to be found; and
the counts of an entry's uses."""

from __future__ import annotations

from limpet.ground.values import Value

SHOWN = "shown"
SAID, CONFIRMED, OPENED, APPLIED, CONTRADICTED = HOWS = ("said", "confirmed", "opened", "applied", "contradicted")


class Evidence(Value):
    """A moment that bears an entry out, or ``contradicted`` it.

    ``at``: an ISO text ending in ``Z``.
    ``how``: one of ``HOWS``.
    ``by``: ``person``, ``agent:<id>``, ``agent`` for one without a name, ``model:<name>``, or "" where nobody said it.
    ``conversation``, ``message``: where it was said: their ids, "" where unknown.
    ``step``: the agent whose step of the work was under way when it was recorded, "" for none.
    """

    at: str
    how: str = SAID
    by: str = ""
    conversation: str = ""
    message: str = ""
    step: str = ""


def is_same(one: Evidence, other: Evidence) -> bool:
    """Return whether two are one: copies of a conversation keep time and id of a message; older files have the time
    alone."""
    if (one.at, one.how) != (other.at, other.how):
        return False
    return one.message == other.message or not (one.message and other.message)


def evidence_data(evidence: Evidence) -> dict[str, str]:
    """Return its fields as data, without the empty ones."""
    return {name: value for name in Evidence.fields if (value := getattr(evidence, name))}


class Uses(Value):
    """Conversations in which an entry was shown, opened and confirmed, as far back as the log reaches (decision 20).

    ``shown``: by the hook, which is no use.
    ``opened``: by a person or an agent.
    ``confirmed``: seen to be true again, cited, or followed by work on what it names.
    """

    shown: int = 0
    opened: int = 0
    confirmed: int = 0
