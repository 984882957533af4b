"""What happened while an agent was at work, judged as if each change had been a call of its own: what a program does
cannot be read off the words that start it (decision 58)."""

from __future__ import annotations

import os

from limpet.ground.values import Value
from limpet.guard.call import ToolCall
from limpet.guard.judge import judge_tool_call
from limpet.guard.rules.scopes import MODE
from limpet.guard.shell.command import ShellCommand, Understood

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from limpet.guard.call import Scene, Verdict
    from limpet.guard.call import ToolCall as Call

COPIED = "private.memory"
# Letters of a line of a private memory that nobody writes twice by chance.
_TELLING = 30


class FileEffect(Value):
    """A file that is not as it was.

    ``path``: from the root, with ``/``.
    ``before``, ``after``: its texts, None where there was or is none, "" where it is not known.
    """

    path: str
    before: str | None
    after: str | None


class Effect(Value):
    """Something that happened, and that the agent may not do.

    ``rule``, ``says``: the rule, and what it says of such an act.
    ``target``: the path, the commit or the branch.
    """

    rule: str
    says: str
    target: str


def judge_changes(changes: Iterable[FileEffect], scenes: tuple[Scene, ...]) -> tuple[Effect, ...]:
    return tuple(filter(None, (_of_change(change, scenes) for change in changes)))


def judge_act(words: tuple[str, ...], target: str, scenes: tuple[Scene, ...]) -> tuple[Effect, ...]:
    """Return the effect that this command would have had, had one of the agents been allowed none like it."""
    understood = Understood((ShellCommand(words=words),))
    call = ToolCall(kind="shell", command=" ".join(words), folder=scenes[0].root)
    verdict = _agreed(call, scenes, understood, None)
    return (Effect(verdict.rule, verdict.reason, target),) if verdict else ()


def find_copied(changes: Iterable[FileEffect], memories: Mapping[str, str]) -> tuple[Effect, ...]:
    """Return which changed files hold a line of another agent's memories; ``memories``: a text -> whose it is."""
    lines = {
        line: owner
        for text, owner in memories.items()
        for line in map(str.strip, text.splitlines())
        if len(line) >= _TELLING and " " in line
    }
    found = ((change, _owner_of_line(change, lines)) for change in changes)
    return tuple(
        Effect(COPIED, f"It holds a private memory of {owner}.", change.path) for change, owner in found if owner
    )


def _owner_of_line(change: FileEffect, lines: Mapping[str, str]) -> str:
    old = {*(change.before or "").splitlines()}
    added = "\n".join(line for line in (change.after or "").splitlines() if line not in old)
    return next((owner for line, owner in lines.items() if line in added), "")


def _of_change(change: FileEffect, scenes: tuple[Scene, ...]) -> Effect | None:
    path = os.path.join(scenes[0].root, *change.path.split("/"))
    call = ToolCall(kind="effect", paths=(path,), edits=(("", change.after or "", False),), whole=True)
    verdict = _agreed(call, scenes, None, change.before)
    return Effect(verdict.rule, verdict.reason, change.path) if verdict else None


def _agreed(call: Call, scenes: tuple[Scene, ...], understood: Understood | None, before: str | None) -> Verdict | None:
    found = [_refusal(judge_tool_call(call, scene, understood, before).verdicts) for scene in scenes]
    return found[0] if all(found) else None


def _refusal(verdicts: tuple[Verdict, ...]) -> Verdict | None:
    return next((each for each in verdicts if each.answer == "deny" or each.rule == MODE), None)
