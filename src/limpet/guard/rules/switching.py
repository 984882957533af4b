"""Who is active: an agent does not take another's place by a command, because it would have that one's authority."""

from __future__ import annotations

from limpet.guard.shell.command import program
from limpet.guard.verdict import Verdict
from limpet.roles.roster import resolve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from limpet.guard.case import Case

RULE, CONVERSATION = "authority.agent", "authority.conversation"
OWN = "limpet"
ACTIVATE, DEACTIVATE = ("agent", "activate"), ("agent", "deactivate")


def judge(case: Case) -> Iterator[Verdict]:
    """Deny an active agent activating another one, or leaving its place, but the one whose work it is; and any agent a
    conversation of its own, which its limits would not bind."""
    agent = case.scene.agent
    for act in case.kinds("conversation") if agent else ():
        reason = f"{agent} may not start a conversation that its limits do not bind. Use a sub-agent, or ask the user."
        yield Verdict("deny", CONVERSATION, reason, act=act.text, target=act.target)
    if not agent or agent in case.table["choosers"]:
        return
    for command in case.understood.commands if case.understood else ():
        words = words_of_ours(command.words)
        named = [resolve(word) or word for word in words[2:] if not word.startswith("-")]
        if words[:2] == DEACTIVATE or (words[:2] == ACTIVATE and agent not in named):
            way = "End the step: limpet work finish -, or ask the user to type *agent NAME."
            reason = f"{agent} may not choose another agent. {way}"
            yield Verdict("deny", RULE, reason, act=" ".join(command.words), target=" ".join(named))


def words_of_ours(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words after ``limpet``, or after ``python -m limpet``; none for any other program."""
    if words and program(words[0]) == OWN:
        return words[1:]
    place = words.index(OWN) if OWN in words else 0
    return words[place + 1 :] if place > 1 and words[place - 1] == "-m" else ()
