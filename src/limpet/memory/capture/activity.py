"""Activity in a part of a conversation: what was edited, run and left open."""

from __future__ import annotations

from collections import Counter

from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.memory.capture.prose import sentences
from limpet.memory.capture.runs import only_looks, same_command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from limpet.memory.capture.heard import Message

MOST_QUESTIONS = 5
_LONGEST_QUESTION = 200


class Run(Value):
    """A command and its outcomes.

    ``failing``: the last time it failed.
    """

    command: str
    times: int
    failures: int
    failing: bool


class Activity(Value):
    """Activity in the order in which each thing first came.

    ``files``: (path, number of edits).
    ``runs``: commands that do more than look.
    ``questions``: those that nobody answered.
    """

    files: tuple[tuple[str, int], ...] = ()
    runs: tuple[Run, ...] = ()
    questions: tuple[str, ...] = ()


def activity(messages: Sequence[Message]) -> Activity:
    """Return the activity in these messages."""
    edits = Counter(message.edited for message in messages if message.edited)
    return Activity(files=tuple(edits.items()), runs=_runs(messages), questions=_open_questions(messages))


def _runs(messages: Sequence[Message]) -> tuple[Run, ...]:
    found: dict[str, Run] = {}
    for message in messages:
        command = same_command(message.tool_input.get("command", "")) if message.role == "tool" else ""
        if command and not only_looks(command):
            run = found.get(command, Run(command=command, times=0, failures=0, failing=False))
            found[command] = run.replace(
                times=run.times + 1, failures=run.failures + message.failed, failing=bool(message.failed)
            )
    return tuple(found.values())


def _open_questions(messages: Sequence[Message]) -> tuple[str, ...]:
    """Return the model's last questions, none where the user has spoken since."""
    words = [message for message in messages if message.role in ("user", "assistant")]
    if not words or words[-1].role == "user":
        return ()
    asked = (sentence for sentence in sentences(words[-1].text) if sentence.endswith("?"))
    return tuple(clip(sentence, _LONGEST_QUESTION) for sentence in asked)[-MOST_QUESTIONS:]
