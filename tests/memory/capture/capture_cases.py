"""The labelled exchanges and how well capture does on them.

``capture_cases.txt`` is what the cues were tuned on; ``capture_aside.txt`` was kept aside. Precision and recall of
three more when they were first looked at, by what then became a memory at once; what each showed was fixed afterwards,
so that today's figures say less:

- ``capture_heldout.txt`` (148 exchanges, 88 memories), written before any cue was read: 0.900 and 0.614. Four of its
  labels were corrected with the cues (what shall "never" be done is a pattern, words "for now" are nothing).
- ``capture_second.txt`` (84 exchanges, 43 memories), written after the cues were widened, by who had widened them:
  0.939 and 0.721, the best guess at words that nobody foresaw.
- ``capture_third.txt`` (43 exchanges, 33 of them traps for the widened cues): 0.692 and 0.900; 4 of the 33 traps taught
  something.

A block of a file is one exchange: ``U:`` and ``A:`` are words of user and model, ``! command => output`` a command
that failed, ``$ command`` one that passed, ``~ path`` an edit; a line without a mark goes on with the one before. Each
``= type: words`` is a memory that may be made of what is heard: its words stand in a quote or in what that answers.
Where there is none, nothing of the person's is more than a note.
"""

from __future__ import annotations

import re
from pathlib import Path

from limpet.ground.message import Message
from limpet.memory.capture.find import find_heard

CASES = Path(__file__).with_name("capture_cases.txt")
ASIDE = Path(__file__).with_name("capture_aside.txt")
HELDOUT = Path(__file__).with_name("capture_heldout.txt")
SECOND = Path(__file__).with_name("capture_second.txt")
THIRD = Path(__file__).with_name("capture_third.txt")
# What each conversation began with: its first message is a task, of which standing wishes alone are heard.
BEGUN = Message(role="user", text="Hello.", offset=-1)
MARKS = ("U: ", "A: ", "! ", "$ ", "~ ", "= ")


def read_cases(path: Path = CASES) -> list[tuple[list[Message], list[tuple[str, str]]]]:
    """(messages, expected (type, words)) of each exchange."""
    blocks = re.split(r"^---\n|^# \w\w\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [_read_case(block) for block in blocks if block.strip()]


def missed(messages: list[Message], expected: list[tuple[str, str]]) -> list[str]:
    """The expected words that nothing heard of that type holds."""
    heard = [
        (each.type, f"{each.quote}\n{each.before}\n{each.line}".lower()) for each in find_heard([BEGUN, *messages])
    ]
    return [words for type, words in expected if not any(type == one and words.lower() in text for one, text in heard)]


def wrong(messages: list[Message], expected: list[tuple[str, str]]) -> list[str]:
    """What of the person's was heard as more than a note where nothing is expected."""
    heard = (each.quote for each in find_heard([BEGUN, *messages]) if each.role == "user" and each.type)
    return [] if expected else list(heard)


def _read_case(block: str) -> tuple[list[Message], list[tuple[str, str]]]:
    lines: list[str] = []
    for line in block.rstrip("\n").split("\n"):
        if line.startswith(MARKS) or not lines:
            lines.append(line)
        else:
            lines[-1] += f"\n{line}"
    expected = [tuple(line[2:].split(": ", 1)) for line in lines if line.startswith("= ")]
    said = [_read_line(line, place) for place, line in enumerate(lines) if not line.startswith("= ")]
    return said, expected  # type: ignore[return-value]


def _read_line(line: str, place: int) -> Message:
    mark, _, rest = line.partition(" ")
    if mark in ("U:", "A:"):
        return Message(role="user" if mark == "U:" else "assistant", text=rest, offset=place, at=float(place))
    if mark == "~":
        return Message(role="tool", tool="Edit", tool_input={"file_path": rest}, edited=rest, offset=place)
    command, _, error = rest.partition(" => ")
    call = Message(role="tool", tool="Bash", tool_input={"command": command}, offset=place, at=float(place))
    return call.replace(failed=True, error=error.replace("\\n", "\n")) if mark == "!" else call.replace(text="ok")
