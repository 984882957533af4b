"""Commands of Holdfast's own that are a person's word: an agent does not run them, at a terminal it made either."""

from __future__ import annotations

from holdfast.guard.shell.command import program
from holdfast.guard.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from holdfast.guard.case import Case

RULE, OWN = "person.word", "holdfast"


def judge(case: Case) -> Iterator[Verdict]:
    """Deny setting the permission mode, allowing an act, trusting a project and pausing."""
    for command in case.understood.commands if case.understood else ():
        words = words_of_ours(command.words)
        said = next((each for each in case.table["people"] if words[: len(each.split())] == tuple(each.split())), "")
        if said:
            reason = f"holdfast {said} is for people only. Ask the user to run it in their own terminal."
            yield Verdict("deny", RULE, reason, act=" ".join(command.words), target=OWN)


def words_of_ours(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words after ``holdfast``, or after ``python -m holdfast``; none for any other program."""
    if words and program(words[0]) == OWN:
        return words[1:]
    place = words.index(OWN) if OWN in words else 0
    return words[place + 1 :] if place > 1 and words[place - 1] == "-m" else ()
