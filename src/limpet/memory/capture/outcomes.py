"""What mended a failing command, told by the messages of tools and the model's words between them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain

from limpet.ground.message import Message
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.memory.capture.heard import begins, matchable, says, sentences
from limpet.memory.capture.statements import DIRECTS, STATES, act_of, is_question
from limpet.memory.signatures import find_error

_MOST_FILES = 5
_MOST_SENTENCES, _MOST_REASONS = 3, 2
# Turns after the one in which it failed, in which the fix may be told.
_LATER_TURNS = 2
# Characters of the error in a line that also tells what helped.
_LONGEST_ERROR = 60
# Where a compiler or linter found it, which stands before what it found.
_PLACE = re.compile(r"^\S{1,200}?:\d{1,7}(?::\d{1,7})?:?\s+(?:- )?")
LONGEST_COMMAND = 120
_MOST_PARTS = 5
_CHANGE_OF_FOLDER = re.compile(r"^\s*cd \S{1,300} *(?:&&|;)\s*")
_SHOWING_LESS = re.compile(r"\s*(?:2>&1|2>/dev/null|\|\s*(?:tail|head|tee|cat|less|grep)\b[^|]{0,200})\s*$")
_VARIABLE = re.compile(r"^(?:\w{1,60}=\S{0,200}\s+)+")
_LOOKING = re.compile(
    r"^(?:(?:\S{0,200}/)?(?:python[\d.]{0,5} -m )?limpet"
    r"|ls|cat|bat|grep|rg|ag|find|fd|head|tail|test|\[|cd|which|type|file|stat|wc|diff|sed|awk|echo|printf|ps|kill|pkill"
    r"|tree|pwd|env|sleep|jq|less|xxd|true|false|exit|git (?:status|diff|log|show|grep|blame|branch|ls-files))\b"
)
MOST_QUESTIONS = 5
_LONGEST_QUESTION = 200


class Failure(Value):
    """A command that failed, until it passes.

    ``error``, ``first``: what it said the last time, and the first.
    ``signature``: the form in which that is known again.
    ``edited``: files edited since the first.
    ``since``: the place of the first failure among the messages.
    """

    command: str
    error: str
    signature: str
    since: int
    first: str
    times: int = 1
    edited: tuple[str, ...] = ()


class Mend(Value):
    """What made an error go away.

    ``failure``: of the command, with the files that were changed until it passed.
    ``error``, ``failed``: the error in short, and with its command.
    ``words``: what helped, in the words of whoever mended it, else the files that were changed.
    ``reason``: of these what explains it, said between the failure and the message after the pass; "" for none.
    """

    failure: Failure
    error: str
    failed: str
    words: str
    reason: str
    passed: Message


def read_mends(messages: Sequence[Message]) -> list[Mend]:
    """Each once; not what passed at once and without a word about it."""
    found: list[Mend] = []
    failing: dict[str, Failure] = {}
    for place, message in enumerate(messages):
        if failure := _failure(message, place):
            known = failing.get(failure.command)
            if known:
                failure = failure.replace(
                    since=known.since, first=known.first, times=known.times + 1, edited=known.edited
                )
            failing[failure.command] = failure
        elif message.edited:
            for name, failure in failing.items():
                if message.edited not in failure.edited:
                    failing[name] = failure.replace(edited=(*failure.edited, message.edited))
        elif not message.failed and (failed := failing.pop(_command(message), None)) and failed.edited:
            first, *later = _turns(messages[failed.since :])
            words = _words(first, list(chain.from_iterable(later)))
            if words or failed.times > 1:
                said = [each.text for each in messages[failed.since : place + 2] if each.role == "assistant"]
                found.append(_mend(failed, words, _telling(_told(said), "explains")[-_MOST_REASONS:], message))
    return found


def same_command(command: str) -> str:
    """Leave out what changes only where the command runs and how much of its output is seen."""
    bare = " ".join(command[:2000].split())
    for _ in range(_MOST_PARTS):
        bare = _SHOWING_LESS.sub("", _CHANGE_OF_FOLDER.sub("", bare))
    return clip(bare, LONGEST_COMMAND)


def only_looks(command: str) -> bool:
    """It reads and searches, or is Limpet's own: that it finds nothing, or refuses, is no error."""
    return _LOOKING.match(_VARIABLE.sub("", command)) is not None


class CommandRun(Value):
    command: str
    times: int
    failures: int
    failing: bool


class Activity(Value):
    """Activity in the order in which each thing first came. ``files``: (path, number of edits). ``runs``: commands that
    do more than look. ``questions``: those that nobody answered."""

    files: tuple[tuple[str, int], ...] = ()
    runs: tuple[CommandRun, ...] = ()
    questions: tuple[str, ...] = ()


def activity(messages: Sequence[Message]) -> Activity:
    edits = Counter(message.edited for message in messages if message.edited)
    words = [message for message in messages if message.role in ("user", "assistant")]
    last = words[-1].text if words and words[-1].role == "assistant" else ""
    asked = [clip(sentence, _LONGEST_QUESTION) for sentence in sentences(last) if sentence.endswith("?")]
    return Activity(files=tuple(edits.items()), runs=_runs(messages), questions=tuple(asked[-MOST_QUESTIONS:]))


def _mend(failed: Failure, words: str, reasons: Sequence[str], passed: Message) -> Mend:
    files = ", ".join(f"`{path}`" for path in failed.edited[-_MOST_FILES:])
    return Mend(
        failure=failed,
        error=clip(failed.error, _LONGEST_ERROR),
        failed=f"`{failed.command}` failed: {failed.error}",
        words=words or f"gone from `{failed.command}` after changes to {files}",
        reason="\n".join(reasons),
        passed=passed,
    )


def _turns(messages: Sequence[Message]) -> list[list[str]]:
    turns: list[list[str]] = [[]]
    for message in messages:
        if message.role == "user":
            turns.append([])
        elif message.role == "assistant":
            turns[-1].append(message.text)
    return turns[: 1 + _LATER_TURNS]


def _words(texts: Sequence[str], later: Sequence[str]) -> str:
    """Return the sentences, a line each, in which the model tells of the fix. What was fixed and when is known here, so
    that a sentence needs no cue: it must only say something; with one it may stand in the ``later`` turns too."""
    said = _told(texts)
    told = _telling([*said, *_told(later)], "explains", "mends")
    saying = [each for each in said if act_of(each) in (DIRECTS, STATES) and not begins("steps", matchable(each))]
    return "\n".join((told or saying)[-_MOST_SENTENCES:])


def _told(texts: Iterable[str]) -> list[str]:
    said = chain.from_iterable(map(sentences, texts))
    return [sentence for sentence in said if not is_question(sentence)]


def _telling(said: Iterable[str], *cues: str) -> list[str]:
    found = []
    for each in said:
        words = matchable(each)
        if any(says(name, words) for name in cues):
            found.append(each)
    return found


def _failure(message: Message, place: int) -> Failure | None:
    command = _command(message)
    if not message.failed or not command or only_looks(command):
        return None
    line, signature = find_error(message.error)
    error = _PLACE.sub("", line, count=1)
    if not signature:
        return None
    return Failure(command=command, error=error, signature=signature, since=place, first=error)


def _command(message: Message) -> str:
    return same_command(message.tool_input.get("command", "")) if message.role == "tool" else ""


def _runs(messages: Sequence[Message]) -> tuple[CommandRun, ...]:
    found: dict[str, CommandRun] = {}
    for message in messages:
        command = _command(message)
        if command and not only_looks(command):
            run = found.get(command, CommandRun(command=command, times=0, failures=0, failing=False))
            found[command] = run.replace(
                times=run.times + 1, failures=run.failures + message.failed, failing=bool(message.failed)
            )
    return tuple(found.values())
