"""``*agent``: makes an agent the one of this conversation. The block confirms it in a line; the person is greeted."""

from __future__ import annotations

from limpet.context.values import AS_DATA
from limpet.ground.text.escaping import clip
from limpet.ground.text.words import ENGLISH, language_code
from limpet.roles.compiled import read_agent
from limpet.roles.roster import plain_id
from limpet.rules.format.domain import RESERVED, YES, StarCommand
from limpet.work.in_force import NOBODY, resolve_agent

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.rules.plan.plan import RulePlan

    Answer = tuple[EventContext, tuple[str, ...]]

LONGEST = 200
LEFT = "No agent is active in this conversation."
TELL = "Show the user these lines verbatim:"
# What the model is told in the place of lines that the person sees anyway, and with those that it may need.
SHOWN = "Limpet answered that on the user's screen. Do not repeat it, and say no more than they ask for."
SEEN = f"Limpet showed the user these lines already ({AS_DATA}):"
SWITCHED = "Limpet is not paused in this conversation."
# Short for ``*limpet help``, where the project has no command of that name.
HELP = "help"
# What is said of commands that nobody is heard for, and why.
UNHEARD = "Limpet did not act on {}: {}."
NOT_FIRST = "a command that acts must stand at the start of the prompt, so that pasted text cannot run it"
NOT_TYPED = "no person typed this prompt, it came from {}"


def choose_agent(context: EventContext, command: StarCommand) -> Answer:
    name = command.words[0] if command.words else NOBODY
    if name in (NOBODY, "off"):
        return context.with_session(active_agent=NOBODY), (LEFT,)
    found = find_named(context, name)
    if not found:
        return context, (f"Unknown agent {safe_words(context, name)!r}. Run `limpet work agent show`.",)
    known = read_agent(context.workspace, found, context.mirror.agents, context.patience("compiler"))
    mission = clip(known.get("mission", "").rstrip("."), LONGEST)
    line = f"Agent {found} is active in this conversation{mission and f': {mission}'}."
    greeting = ""
    if found != context.in_force.agent:
        greetings = known.get("greetings", {})
        language = language_code(str(context.mirror.session.get("language") or ENGLISH))
        greeting = str(greetings.get(language) or greetings.get(ENGLISH) or "")
    context = context.with_session(active_agent=found)
    return context.replace(shown_as={**context.shown_as, line: greeting} if greeting else context.shown_as), (line,)


def put_on_screen(context: EventContext) -> EventContext:
    """What the model would be told to show goes to the person instead. It gets the lines too where the prompt asks for
    more than to look something up."""
    from limpet.rules.format.domain import task_in

    assert context.plan is not None
    wants_more = bool(task_in(context.event.prompt, known_commands(context.plan)).strip())
    is_slash = context.event.is_slash
    typed = []
    for one in context.typed:
        heads = [place for place, line in enumerate(one.lines) if is_for_person(line)]
        if heads:
            before = one.lines[: heads[0]]
            # What stands before them is for the agent alone in an answer to ``/limpet``.
            answer = one.lines[heads[0] :] if is_slash and one.name == RESERVED[0] else one.lines
            shown = tuple(line for line in answer if not is_for_person(line))
            is_needed = wants_more and AS_DATA in one.lines[heads[0]]
            kept = (SEEN, *one.lines[heads[0] + 1 :]) if is_needed else (SHOWN,)
            one = one.replace(lines=(*before, *kept), shown=shown)
        typed.append(one)
    return context.replace(typed=tuple(typed))


def is_for_person(line: str) -> bool:
    """Whether the line asks the model to show those behind it."""
    return line.startswith(TELL[:-1])


def find_named(context: EventContext, name: str) -> str:
    """``name``: a file's, a shipped one's, an alias, one that the manifest declares; "" for an unknown one."""
    assert context.plan is not None
    before, plain = context.in_force, plain_id(name)
    declared = plain if plain in context.plan.matcher["agents"] else ""
    return resolve_agent(name, before.workflow, before.own_agents) or declared


def known_commands(plan: RulePlan) -> set[str]:
    return {*plan.matcher["commands"], *RESERVED, HELP} - {YES}


def safe_words(context: EventContext, typed: str) -> str:
    """What finds secrets is imported only now: no other prompt needs it."""
    from limpet.ground.safety.dotenv import without_secrets

    return without_secrets(context.workspace, typed)
