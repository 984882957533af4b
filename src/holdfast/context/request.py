"""The request for a block: the values of which the layers make pieces."""

from __future__ import annotations

from holdfast.context.values import Charter, Manner, RuleSet, Work
from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.context.values import Agent, Memory, Typed, Window


class Request(Value):
    """All that a block is made of.

    ``settings``: the configuration's section ``context``.
    ``executor``: for whom the block is.
    ``prompt_number``, ``starting``: the prompt that is answered, and whether a session starts instead.
    ``epoch``: what this context epoch was sent already: {"stable": signature, "bracket": name, "sent": {key: [digest,
    prompt number]}}.
    ``typed``: the commands that were typed, with their answers.
    ``notes``: lines about what went wrong; ``debug``: those of the developers' mode.
    """

    settings: dict[str, Any]
    window: Window
    executor: str = "agent"
    prompt_number: int = 0
    starting: bool = False
    epoch: dict[str, Any] = {}
    charter: Charter = Charter()
    manner: Manner = Manner()
    rules: RuleSet = RuleSet()
    work: Work = Work()
    agent: Agent | None = None
    memory: Memory | None = None
    typed: tuple[Typed, ...] = ()
    notes: tuple[str, ...] = ()
    debug: tuple[str, ...] = ()
