"""``*agent``: makes an agent the one of this conversation. The block confirms it in a line; the person is greeted."""

from __future__ import annotations

from limpet.engine.commands.opening import safe_words
from limpet.ground.text.escaping import clip
from limpet.ground.text.languages import ENGLISH, language_code
from limpet.roles.compiled import read_agent
from limpet.roles.roster import plain_id
from limpet.work.in_force import NOBODY, resolve_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext
    from limpet.rules.format.star_commands import Command

    Answer = tuple[EventContext, tuple[str, ...]]

LEAVING = (NOBODY, "off")
LONGEST = 200
LEFT = "No agent is active in this conversation."


def choose_agent(context: EventContext, command: Command) -> Answer:
    """Return the context with the agent that the command names, and the line that confirms it."""
    name = command.words[0] if command.words else NOBODY
    if name in LEAVING:
        return context.with_session(active_agent=NOBODY), (LEFT,)
    found = find_named(context, name)
    if not found:
        return context, (f"Unknown agent {safe_words(context, name)!r}. Run `limpet agent list`.",)
    known = read_agent(context.workspace, found, context.mirror.agents, context.patience("compiler_deadline"))
    mission = clip(known.get("mission", "").rstrip("."), LONGEST)
    line = f"Agent {found} is active in this conversation{mission and f': {mission}'}."
    greeting = "" if found == context.in_force.agent else _greeting(context, known)
    context = context.with_session(active_agent=found)
    return context.replace(shown_as={**context.shown_as, line: greeting} if greeting else context.shown_as), (line,)


def find_named(context: EventContext, name: str) -> str:
    """Return the id of the agent that a name stands for: a file's, a shipped one's, an alias, one that the manifest
    declares; "" for an unknown one."""
    assert context.plan is not None
    before, plain = context.in_force, plain_id(name)
    declared = plain if plain in context.plan.matcher["agents"] else ""
    return resolve_agent(name, before.workflow, before.own_agents) or declared


def _greeting(context: EventContext, known: dict[str, Any]) -> str:
    """Return the agent's greeting at the level that the settings want, in the session's language; "" for none."""
    level = context.mirror.settings["agents"]["greeting"]
    greetings = known.get("greetings", {})
    language = language_code(str(context.mirror.session.get("language") or ENGLISH))
    return str(greetings.get(language, {}).get(level) or greetings.get(ENGLISH, {}).get(level) or "")
