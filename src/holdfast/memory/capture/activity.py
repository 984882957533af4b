"""What was edited, run and left open in a stretch of conversation."""

from __future__ import annotations

from collections import Counter

from holdfast.ground.text.escaping import clip
from holdfast.ground.values import Value
from holdfast.memory.capture.prose import sentences
from holdfast.memory.capture.runs import only_looks, same_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from holdfast.memory.capture.candidate import Said

MOST_QUESTIONS = 5
_LONGEST_QUESTION = 200


class Run(Value):
    """A command, how often it was run and how often that failed, and whether the last time did."""

    command: str
    times: int
    failures: int
    failing: bool


class Activity(Value):
    """Edited files with their number of edits, commands that do more than look, and questions that nobody answered; all
    in the order in which they first came."""

    files: tuple[tuple[str, int], ...] = ()
    runs: tuple[Run, ...] = ()
    questions: tuple[str, ...] = ()


def activity(messages: Sequence[Said]) -> Activity:
    """What was done in these messages."""
    edits = Counter(said.edited for said in messages if said.edited)
    return Activity(files=tuple(edits.items()), runs=_runs(messages), questions=_open_questions(messages))


def _runs(messages: Sequence[Said]) -> tuple[Run, ...]:
    found: dict[str, Run] = {}
    for said in messages:
        command = same_command(said.tool_input.get("command", "")) if said.role == "tool" else ""
        if command and not only_looks(command):
            run = found.get(command, Run(command=command, times=0, failures=0, failing=False))
            found[command] = run.replace(
                times=run.times + 1, failures=run.failures + said.failed, failing=bool(said.failed)
            )
    return tuple(found.values())


def _open_questions(messages: Sequence[Said]) -> tuple[str, ...]:
    """What the model asked last, unless the user has said something since."""
    words = [said for said in messages if said.role in ("user", "assistant")]
    if not words or words[-1].role == "user":
        return ()
    asked = (sentence for sentence in sentences(words[-1].text) if sentence.endswith("?"))
    return tuple(clip(sentence, _LONGEST_QUESTION) for sentence in asked)[-MOST_QUESTIONS:]
