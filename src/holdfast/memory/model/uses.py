"""The three counts of an entry (decision 20): shown by the hook, opened, and confirmed. The last two are use."""

from __future__ import annotations

from holdfast.ground.values import Value

SHOWN, OPENED, CONFIRMED = "shown", "opened", "confirmed"


class Uses(Value):
    """Conversations in which an entry was shown, opened and confirmed, as far back as the log reaches.

    ``shown``: by the hook, which is no use.
    ``opened``: by a person or an agent.
    ``confirmed``: seen to be true again, cited, or followed by work on what it names.
    """

    shown: int = 0
    opened: int = 0
    confirmed: int = 0
