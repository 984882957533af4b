"""The words of every day behind ``/limpet``: they do what star-commands and the command line do, by the same code."""

from __future__ import annotations

from limpet.engine.commands import memory
from limpet.engine.commands.agent import SWITCHED, TELL, safe_words
from limpet.engine.commands.star import TOO_LONG, WOULD_PAUSE
from limpet.engine.event_context import PREVIEW, EventContext
from limpet.engine.worker import run_job
from limpet.ground.config.defaults import TYPED_CHARACTERS
from limpet.rules.format.domain import StarCommand, is_close
from limpet.work import slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    Answer = tuple[EventContext, tuple[str, ...]]

ONE_LINE = "Only the first line was remembered."
# Where an answer that did not come in time is found.
LATE = "Timed out. In a terminal: limpet {}"
ELSEWHERE = {slash.FRONT: "status", slash.WHY: "why", slash.REVIEW: "review", slash.KEEP: "review"}
HELP = """\
/limpet                your rules and memories in numbers
/limpet remember TEXT  keep it
/limpet recall WORDS   look it up; without words the newest
/limpet why            what the last prompt got
/limpet review         what was heard and not looked at
/limpet keep ID        keep it, /limpet forget ID drops it
/limpet private        nothing here is sent or kept
/limpet work           agents, stories, plans: /limpet work help
In a prompt: *remember, *recall, *private; *limpet help
In a terminal: limpet help"""


def answer_word(context: EventContext, verb: str, rest: str) -> Answer:
    """``verb``: a word of every day, FRONT or UNKNOWN."""
    if verb in memory.READING or (verb in memory.WRITING and rest):
        return _use_memory(context, verb)
    if verb == slash.PRIVATE:  # the switch acts before any step
        return context, (TELL, WOULD_PAUSE if context.event.host == PREVIEW else SWITCHED)
    if verb == slash.HELP:
        lines: tuple[str, ...] = tuple(HELP.splitlines())
    elif verb == slash.UNKNOWN:
        lines = _not_known(safe_words(context, rest))
    elif verb in (*memory.WRITING, slash.KEEP) and not rest:
        lines = (f"Type /limpet {verb} and {memory.WRITING.get(verb, 'the id of a memory')}.",)
    elif not context.is_sent:
        lines = (f"Would show the same as: limpet {ELSEWHERE[verb]}",)
    else:
        lines = _asked(context, verb, rest)
    head = memory.QUOTED if verb in (slash.WHY, slash.REVIEW) else TELL
    return context, (head, *(_as_typed(context, line) for line in lines))


def _use_memory(context: EventContext, verb: str) -> Answer:
    """The line is the command; what stands below it is not."""
    line, _, below = context.event.prompt.strip().partition("\n")
    if len(line) > TYPED_CHARACTERS:
        return context, (TELL, TOO_LONG)
    words = tuple(line.split()[2:])
    context, lines = memory.act_on_memory(context, StarCommand(name=verb, words=words))
    return context, (*lines, ONE_LINE) if verb == slash.REMEMBER and below.strip() else lines


def _asked(context: EventContext, verb: str, rest: str) -> tuple[str, ...]:
    orders = {"command": verb, "text": rest, "session": context.event.session, "now": context.clock.now()}
    answer = run_job(context.workspace, "command", orders, context.patience("command"))
    if answer is None:
        return (LATE.format(ELSEWHERE[verb]),)
    return tuple(safe_words(context, str(line)) for line in answer.get("lines", ()))


def _not_known(typed: str) -> tuple[str, ...]:
    """Say what was not done, with the text, which nobody kept."""
    word, _, rest = typed.partition(" ")
    near = [each for each in (*slash.EVERY_DAY, slash.WORK, *slash.MOVING) if is_close(word.lower(), each, least=2)]
    meant = f"Did you mean {near[0]}?" if near else "To keep a text: /limpet remember TEXT. All words: /limpet help"
    return (f'No "{word}". {meant}', *((f"Nothing was done with: {rest}",) if rest else ()))


def _as_typed(context: EventContext, line: str) -> str:
    return line.replace("/limpet", "$limpet") if context.event.prompt.lstrip()[:1] == "$" else line
