"""The request for a block, and the layers that turn it into pieces. A new layer begins here."""

from __future__ import annotations

from holdfast.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from holdfast.context.values import Agent, Handoff, Memory, Rules, Task, Typed

# Layer -> its module in ``context/layers``, in running order: what may never be missing runs first, so that a slow
# layer cannot starve it. Which bracket and executor get a layer is configuration (``context.layers``).
LAYERS = {
    "L0": "constitution",
    "L1": "mode",
    "L7": "commands",
    "next": "next",
    "L2": "agent",
    "L3": "pipeline",
    "L4": "task",
    "L5": "squad",
    "L6": "domains",
    "memory": "memory",
}


class Request(Value):
    """All that a block is made of.

    ``settings``: the configuration's section ``context``.
    ``bracket``, ``remaining``, ``source``: how much of the window is left, in percent, and who says so.
    ``starting``: whether a session starts; else a prompt is answered.
    ``epoch``: what this context epoch was sent already: {"stable": signature, "bracket": name, "sent": {key: [digest,
    prompt number]}}.
    ``short``, ``titles``, ``project_articles``, ``charter_digest``: the constitution (L0).
    ``mode``, ``permission``, ``user_level``, ``lock``, ``standing``, ``bracket_rules``: what always holds (L1).
    ``record``, ``remind``: whether the agent is asked to record what the person says (L1), and reminded of it now.
    ``following``: words and command of what comes next in the work, None where none is under way (next).
    ``agent`` (L2); ``workflow``, ``workflow_rules``, ``pipeline``, ``spec``, ``continuation`` (L3);
    ``task``, ``handoff`` (L4); ``squad_rules`` (L5); ``domains`` (L6); ``typed`` (L7); ``memory``.
    ``held``: of the domains and agents whose rules the conversation was sent, those that are still in force: name ->
    the hash of the rules as they are now; None where nobody asks.
    ``directory``: (name, words) of the domains that no word called in this epoch; ``called_by_words``: how many domains
    can be called so.
    ``notes``: lines about what went wrong; ``debug``: those of the developers' mode.
    """

    settings: dict[str, Any]
    bracket: str
    remaining: float
    source: str
    prompt_number: int = 0
    starting: bool = False
    epoch: dict[str, Any] = {}
    mode: str = ""
    permission: str = ""
    user_level: str = ""
    lock: str = ""
    executor: str = "agent"
    short: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    project_articles: tuple[tuple[str, tuple[str, ...]], ...] = ()
    charter_digest: str = ""
    standing: tuple[Rules, ...] = ()
    bracket_rules: Rules | None = None
    record: bool = False
    remind: bool = False
    following: tuple[str, str] | None = None
    agent: Agent | None = None
    workflow: str = ""
    workflow_rules: tuple[Rules, ...] = ()
    pipeline: str = ""
    spec: tuple[str, ...] = ()
    continuation: tuple[str, ...] = ()
    task: Task | None = None
    handoff: Handoff | None = None
    squad_rules: tuple[Rules, ...] = ()
    domains: tuple[Rules, ...] = ()
    held: dict[str, str] | None = None
    directory: tuple[tuple[str, tuple[str, ...]], ...] = ()
    called_by_words: int = 0
    typed: tuple[Typed, ...] = ()
    memory: Memory | None = None
    notes: tuple[str, ...] = ()
    debug: tuple[str, ...] = ()
