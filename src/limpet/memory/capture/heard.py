"""What capture hears in the messages of a conversation, and those messages."""

from __future__ import annotations

from limpet.ground.text.escaping import clip
from limpet.ground.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Protocol

    class Message(Protocol):
        """A message of a conversation, whatever room it comes from (``transcripts.messages.Message`` is one)."""

        @property
        def role(self) -> str: ...
        @property
        def text(self) -> str: ...
        @property
        def at(self) -> float: ...
        @property
        def offset(self) -> int: ...
        @property
        def id(self) -> str: ...
        @property
        def tool_input(self) -> Mapping[str, str]: ...
        @property
        def edited(self) -> str: ...
        @property
        def failed(self) -> bool: ...
        @property
        def error(self) -> str: ...


# The role of a plan or task list that the model wrote by a tool.
PLAN = "plan"
# In characters: the words that were said, those that they answer, and a line of both.
LONGEST_QUOTE, LONGEST_BEFORE, LONGEST_LINE = 500, 600, 240


class Heard(Value):
    """Words of a message that may be worth a memory. Times are in seconds since 1970, 0 where unknown.

    ``role``: who spoke, ``user`` or ``assistant``.
    ``type``: of the memory that it may make, "" for what no rule took for one.
    ``line``: what it says, with what it answers.
    ``quote``: the words with those around them, ``before``: the end of what was said before, and the option that they
    take.
    ``offset``: of the message in its transcript.
    ``message``: the message's id, "" where it has none.
    """

    role: str
    type: str
    line: str
    quote: str
    before: str = ""
    at: float = 0.0
    offset: int = 0
    message: str = ""


def hear(message: Message, type: str, words: str, before: str, sentence: str = "", line: str = "") -> Heard:
    """Return what a message says in ``words``, of which too many are cut around the sentence."""
    start = max(0, min(words.find(sentence[:20]), len(words) - LONGEST_QUOTE))
    quote = f"...{words[words.find(' ', start) + 1 :]}" if start else words
    return Heard(
        role="user" if message.role == "user" else "assistant",
        type=type,
        line=clip(" ".join((line or words).split()).rstrip(" .!;:,"), LONGEST_LINE),
        quote=clip(quote.strip(), LONGEST_QUOTE),
        before=before[-LONGEST_BEFORE:].strip(),
        at=message.at,
        offset=message.offset,
        message=message.id,
    )
