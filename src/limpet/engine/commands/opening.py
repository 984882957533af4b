"""Looks at a command as it was typed: a command that writes must open the prompt, so that no pasted text can give it,
and its words are kept and repeated without secrets."""

from __future__ import annotations

from limpet.rules.format.star_commands import RESERVED, YES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.engine.event_context import EventContext
    from limpet.rules.plan.plan import Plan

TELL = "Show the user these lines verbatim:"
SWITCHED = "Limpet is not paused in this conversation."
# Short for ``*limpet help``, where the project has no command of that name.
HELP = "help"
NOT_FIRST = (
    "Nothing was changed: a command that writes must be at the start of the prompt, so that pasted text cannot run it."
)


def known_commands(plan: Plan) -> set[str]:
    """Return the names of all star-commands: the project's own, and those that act."""
    return {*plan.matcher["commands"], *RESERVED, HELP} - {YES}


def opens_prompt(prompt: str, name: str, words: tuple[str, ...]) -> bool:
    """Return whether the command stands in the prompt's first lines, of which each begins with ``*name``."""
    for line in prompt.lstrip().splitlines():
        typed, *rest = line.split() or [""]
        if typed.lower() != f"*{name}":
            return False
        if tuple(rest) == words:
            return True
    return False


def safe_words(context: EventContext, typed: str) -> str:
    """Return the words without secrets and values of ``.env`` files, before they are kept or said again. What finds
    them is imported only now: no other prompt needs it."""
    from limpet.ground.safety.dotenv import without_secrets

    return without_secrets(context.workspace, typed)
