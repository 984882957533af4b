"""The coding agent around a process, as a value."""

from __future__ import annotations

from limpet.ground.values import Value


class Surroundings(Value):
    """The coding agent around this process.

    ``host``: the name of the coding agent that started it, "" for none.
    ``conversation``: the id of that agent's conversation, "" where it tells none.
    """

    host: str = ""
    conversation: str = ""


NOWHERE = Surroundings()
