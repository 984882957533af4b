"""What tools' outcomes teach: errors, what came between an error and its going away, and practices that hold."""

from __future__ import annotations

import re

from holdfast.ground.values import Value
from holdfast.memory.capture.candidate import Candidate, body_of, confidence_of, paths_in, tags_of, title_of
from holdfast.memory.capture.runs import checks, only_looks, same_command
from holdfast.memory.gotchas.signatures import find_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from holdfast.memory.capture.candidate import Said

# A check that passed so often, each time after something was changed, is a practice.
PRACTISED = 3
_MOST_FILES = 5
# Where a compiler or linter found it, which stands before what it found.
_PLACE = re.compile(r"^\S{1,200}?:\d{1,7}(?::\d{1,7})?:?\s+(?:- )?")


class Failure(Value):
    """A command that failed: what it said, the form in which that is known again, when, and the files edited since."""

    command: str
    error: str
    signature: str
    told: Said
    edited: tuple[str, ...] = ()


def read_outcomes(messages: Sequence[Said], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Candidates out of the messages of tools, keys without the conversation."""
    return [*_errors(messages, settings), *_resolutions(messages, settings), *_practices(messages, settings)]


def _errors(messages: Sequence[Said], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Each error once, with the number of times that it came."""
    found: dict[str, Candidate] = {}
    for said in messages:
        failure = _failure(said)
        if not failure:
            continue
        known = failure.signature
        if known in found:
            found[known] = found[known].replace(seen=(*found[known].seen, said.at))
        else:
            text = f"`{failure.command}` failed: {failure.error}"
            found[known] = _candidate("error_pattern", failure.error, text, said, settings)
    return list(found.values())


def _resolutions(messages: Sequence[Said], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Each command that failed, and passed after files were edited."""
    found: list[Candidate] = []
    failing: dict[str, Failure] = {}
    for said in messages:
        if failure := _failure(said):
            before = failing.get(failure.command)
            failing[failure.command] = failure.replace(edited=before.edited if before else ())
        elif said.edited:
            failing = {name: _after_edit(failure, said.edited) for name, failure in failing.items()}
        elif _passed(said) and (failed := failing.pop(_command(said), None)) and failed.edited:
            files = ", ".join(f"`{path}`" for path in failed.edited[-_MOST_FILES:])
            text = f"{failed.error} - gone from `{failed.command}` after changes to {files}"
            found.append(_candidate("resolution", text, text, said, settings))
    return found


def _practices(messages: Sequence[Said], settings: Mapping[str, Mapping[str, float]]) -> list[Candidate]:
    """Each check that passed again and again after edits."""
    passes: dict[str, list[Said]] = {}
    edited = False
    for said in messages:
        edited = edited or bool(said.edited)
        if edited and _passed(said) and checks(_command(said)):
            passes.setdefault(_command(said), []).append(said)
            edited = False
    often = {command: all_ for command, all_ in passes.items() if len(all_) >= PRACTISED}
    return [_practice(command, told, settings) for command, told in often.items()]


def _practice(command: str, told: Sequence[Said], settings: Mapping[str, Mapping[str, float]]) -> Candidate:
    text = f"`{command}` is run after changes, and passed {len(told)} times in this conversation."
    title = f"`{command}` is run after changes and passes"
    return _candidate("validated_pattern", title, text, told[0], settings)


def _candidate(type: str, title: str, text: str, said: Said, settings: Mapping[str, Mapping[str, float]]) -> Candidate:
    output = said.error if said.failed else ""
    return Candidate(
        type=type,
        title=title_of(title),
        body=body_of(text, [("output", output)]),
        confidence=confidence_of(type, settings),
        tags=tags_of(title),
        paths=paths_in(f"{text}\n{output}"),
        at=said.at,
        seen=(said.at,),
        key=f"{said.id or said.offset}",
    )


def _failure(said: Said) -> Failure | None:
    """A failed command that says what went wrong."""
    command = _command(said)
    if not said.failed or not command or only_looks(command):
        return None
    line, signature = find_error(said.error)
    error = _PLACE.sub("", line, count=1)
    return Failure(command=command, error=error, signature=signature, told=said) if signature else None


def _after_edit(failure: Failure, path: str) -> Failure:
    return failure if path in failure.edited else failure.replace(edited=(*failure.edited, path))


def _passed(said: Said) -> bool:
    return said.role == "tool" and not said.failed and bool(_command(said))


def _command(said: Said) -> str:
    return same_command(said.tool_input.get("command", "")) if said.role == "tool" else ""
