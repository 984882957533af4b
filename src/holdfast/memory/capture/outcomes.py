"""Lessons from the outcomes of tools: errors, the steps that made an error go away, and practices that hold."""

from __future__ import annotations

import re

from holdfast.ground.values import Value
from holdfast.memory.capture.candidate import Candidate, body_of, confidence_of, paths_in, tags_of, title_of
from holdfast.memory.capture.runs import checks, only_looks, same_command
from holdfast.memory.gotchas.signatures import find_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.memory.capture.candidate import Message

# A check that passed so often, each time after something was changed, is a practice.
PRACTISED = 3
_MOST_FILES = 5
# Where a compiler or linter found it, which stands before what it found.
_PLACE = re.compile(r"^\S{1,200}?:\d{1,7}(?::\d{1,7})?:?\s+(?:- )?")


class Failure(Value):
    """A command that failed.

    ``error``: what it said.
    ``signature``: the form in which that is known again.
    ``edited``: files edited since.
    """

    command: str
    error: str
    signature: str
    told: Message
    edited: tuple[str, ...] = ()


def read_outcomes(messages: Sequence[Message], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Return candidates out of the messages of tools, keys without the conversation."""
    return [*_errors(messages, settings), *_resolutions(messages, settings), *_practices(messages, settings)]


def _errors(messages: Sequence[Message], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Return each error once, with all times at which it came."""
    found: dict[str, Candidate] = {}
    for message in messages:
        failure = _failure(message)
        if not failure:
            continue
        known = failure.signature
        if known in found:
            found[known] = found[known].replace(seen=(*found[known].seen, message.at))
        else:
            text = f"`{failure.command}` failed: {failure.error}"
            found[known] = _candidate("error_pattern", failure.error, text, message, settings)
    return list(found.values())


def _resolutions(messages: Sequence[Message], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Return each command that failed, and passed after files were edited."""
    found: list[Candidate] = []
    failing: dict[str, Failure] = {}
    for message in messages:
        if failure := _failure(message):
            before = failing.get(failure.command)
            failing[failure.command] = failure.replace(edited=before.edited if before else ())
        elif message.edited:
            for name, failure in failing.items():
                if message.edited not in failure.edited:
                    failing[name] = failure.replace(edited=(*failure.edited, message.edited))
        elif _passed(message) and (failed := failing.pop(_command(message), None)) and failed.edited:
            files = ", ".join(f"`{path}`" for path in failed.edited[-_MOST_FILES:])
            text = f"{failed.error} - gone from `{failed.command}` after changes to {files}"
            found.append(_candidate("resolution", text, text, message, settings))
    return found


def _practices(messages: Sequence[Message], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Return each check that passed again and again after edits."""
    passes: dict[str, list[Message]] = {}
    edited = False
    for message in messages:
        edited = edited or bool(message.edited)
        if edited and _passed(message) and checks(_command(message)):
            passes.setdefault(_command(message), []).append(message)
            edited = False
    often = {command: all_ for command, all_ in passes.items() if len(all_) >= PRACTISED}
    return [_practice(command, told, settings) for command, told in often.items()]


def _practice(command: str, told: Sequence[Message], settings: Mapping[str, Mapping[str, float]]) -> Candidate:
    text = f"`{command}` is run after changes, and passed {len(told)} times in this conversation."
    title = f"`{command}` is run after changes and passes"
    return _candidate("validated_pattern", title, text, told[0], settings)


def _candidate(
    type: str, title: str, text: str, message: Message, settings: Mapping[str, Mapping[str, float]]
) -> Candidate:
    output = message.error if message.failed else ""
    return Candidate(
        type=type,
        title=title_of(title),
        body=body_of(text, [("output", output)]),
        confidence=confidence_of(type, settings),
        tags=tags_of(title),
        paths=paths_in(f"{text}\n{output}"),
        at=message.at,
        seen=(message.at,),
        key=f"{message.id or message.offset}",
    )


def _failure(message: Message) -> Failure | None:
    """Return a failed command that says what went wrong."""
    command = _command(message)
    if not message.failed or not command or only_looks(command):
        return None
    line, signature = find_error(message.error)
    error = _PLACE.sub("", line, count=1)
    return Failure(command=command, error=error, signature=signature, told=message) if signature else None


def _passed(message: Message) -> bool:
    return message.role == "tool" and not message.failed and bool(_command(message))


def _command(message: Message) -> str:
    return same_command(message.tool_input.get("command", "")) if message.role == "tool" else ""
