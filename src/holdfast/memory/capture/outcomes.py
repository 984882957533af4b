"""Lessons from the outcomes of tools: errors, and the steps that made an error go away."""

from __future__ import annotations

import re

from holdfast.ground.text.escaping import clip
from holdfast.ground.values import Value
from holdfast.memory.capture.candidate import Candidate, make_candidate
from holdfast.memory.capture.reports import mend_words
from holdfast.memory.capture.runs import only_looks, same_command
from holdfast.memory.gotchas.signatures import find_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.memory.capture.candidate import Message

_MOST_FILES = 5
# Turns after the one in which it failed, in which the fix may be told.
_LATER_TURNS = 2
# Characters of the error in a title that also tells what helped.
_LONGEST_ERROR = 60
# It holds of this machine, until the program is installed; three times in a day make it a gotcha all the same.
_MISSING = re.compile(r"command not found|not recognized as (?:an internal|the name of a cmdlet)")
# Where a compiler or linter found it, which stands before what it found.
_PLACE = re.compile(r"^\S{1,200}?:\d{1,7}(?::\d{1,7})?:?\s+(?:- )?")


class Failure(Value):
    """A command that failed, until it passes.

    ``error``: what it said the last time.
    ``signature``: the form in which that is known again.
    ``told``: the messages of its failures.
    ``edited``: files edited since the first.
    ``since``: the place of the first failure among the messages.
    """

    command: str
    error: str
    signature: str
    told: tuple[Message, ...]
    since: int
    edited: tuple[str, ...] = ()


def read_outcomes(messages: Sequence[Message], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Return candidates out of the messages of tools, keys without the conversation.

    What failed and then passed is one candidate, with the fix in the model's own words, and none where it passed at
    once and nobody said a word about it. What did not pass is an error.
    """
    found: list[Candidate] = []
    mended: set[str] = set()
    failing: dict[str, Failure] = {}
    failures: dict[str, list[tuple[Failure, Message]]] = {}
    for place, message in enumerate(messages):
        if failure := _failure(message, place):
            known = failing.get(failure.command, failure)
            told = (*known.told, message) if known is not failure else (message,)
            failing[failure.command] = failure.replace(told=told, since=known.since, edited=known.edited)
            failures.setdefault(failure.signature, []).append((failure, message))
        elif message.edited:
            for name, failure in failing.items():
                if message.edited not in failure.edited:
                    failing[name] = failure.replace(edited=(*failure.edited, message.edited))
        elif not message.failed and (failed := failing.pop(_command(message), None)) and failed.edited:
            mended.add(failed.signature)
            first, *later = _turns(messages[failed.since :])
            words = mend_words(first, [text for turn in later for text in turn])
            if words or len(failed.told) > 1:
                found.append(_mend(failed, words, message, settings))
    left = [each for signature, each in failures.items() if signature not in mended and not _MISSING.search(signature)]
    return sorted([*found, *(_error(each, settings) for each in left)], key=lambda each: each.type)


def _turns(messages: Sequence[Message]) -> list[list[str]]:
    """Return what the model said in the turn in which these messages begin, and in the two after it."""
    turns: list[list[str]] = [[]]
    for message in messages:
        if message.role == "user":
            turns.append([])
        elif message.role == "assistant":
            turns[-1].append(message.text)
    return turns[: 1 + _LATER_TURNS]


def _error(told: Sequence[tuple[Failure, Message]], settings: Mapping[str, Mapping[str, float]]) -> Candidate:
    failure, first = told[0]
    text = f"`{failure.command}` failed: {failure.error}"
    cited = f"{text}\n{first.error}"
    candidate = make_candidate("error_pattern", failure.error, text, [("output", first.error)], first, settings, cited)
    return candidate.replace(seen=tuple(message.at for _, message in told), signature=failure.signature)


def _mend(failed: Failure, words: str, passed: Message, settings: Mapping[str, Mapping[str, float]]) -> Candidate:
    files = ", ".join(f"`{path}`" for path in failed.edited[-_MOST_FILES:])
    gone = f"gone from `{failed.command}` after changes to {files}"
    lead = " ".join(words.rpartition("\n")[2].split())
    title = f"{clip(failed.error, _LONGEST_ERROR)} - {lead}" if lead else f"{failed.error} - {gone}"
    parts = (f"`{failed.command}` failed: {failed.error}", words, f"It was {gone}.")
    text = "\n\n".join(part for part in parts if part)
    output = [("output", failed.told[-1].error)]
    candidate = make_candidate("resolution", title, text, output, passed, settings, cited=text)
    return candidate.replace(signature=failed.signature, mend=words or gone)


def _failure(message: Message, place: int) -> Failure | None:
    """Return a failed command that says what went wrong."""
    command = _command(message)
    if not message.failed or not command or only_looks(command):
        return None
    line, signature = find_error(message.error)
    error = _PLACE.sub("", line, count=1)
    if not signature:
        return None
    return Failure(command=command, error=error, signature=signature, told=(message,), since=place)


def _command(message: Message) -> str:
    return same_command(message.tool_input.get("command", "")) if message.role == "tool" else ""
