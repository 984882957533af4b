"""Finds what a conversation may be worth remembering for: the entry point of capture.

It is generous: whoever understood the conversation writes a sentence or drops it. Here only what is surely nothing is
left out.
"""

from __future__ import annotations

from limpet.ground.values import Value
from limpet.memory.capture.answers import read_answer
from limpet.memory.capture.heard import PLAN, Heard, hear
from limpet.memory.capture.outcomes import Mend, read_mends
from limpet.memory.capture.own_words import own_words
from limpet.memory.capture.prose import sentences
from limpet.memory.capture.remarks import read_note, read_remark
from limpet.memory.capture.statements import type_of_models

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from limpet.memory.capture.heard import Message


def find_heard(messages: Sequence[Message], since: int = 0) -> list[Heard]:
    """Return what the messages from byte ``since`` on say, in order: those before it only tell what is answered.

    ``messages`` come in order, whatever their room (see ``heard.Message``). A message is heard once, however much it
    says.
    """
    found = [heard for turn in _turns(messages) for heard in _of_turn(turn, since)]
    mends = [_of_mend(mend) for mend in read_mends(messages) if mend.passed.offset >= since]
    return sorted([*found, *mends], key=lambda heard: heard.offset)


class Turn(Value):
    """What the person said, and what the model said until they spoke again.

    ``said``: None for what stands before the first message of the person.
    ``before``: the model's words that the person answers.
    """

    said: Message | None
    before: str
    told: tuple[Message, ...]


def _turns(messages: Sequence[Message]) -> Iterator[Turn]:
    said: Message | None = None
    before = ""
    told: list[Message] = []
    for message in messages:
        if message.role == "user":
            yield Turn(said, before, tuple(told))
            spoken = [each.text for each in told if each.role == "assistant"]
            said, before, told = message, spoken[-1] if spoken else "", []
        elif message.role in ("assistant", PLAN):
            told.append(message)
    yield Turn(said, before, tuple(told))


def _of_turn(turn: Turn, since: int) -> Iterator[Heard]:
    if turn.said and turn.said.offset >= since:
        own = own_words(turn.said.text).text
        answer = read_answer(own, turn.before)
        before = f"{turn.before}\n{answer.text}" if answer and answer.text not in own else turn.before
        line = answer.line(own) if answer else ""
        if remark := read_remark(own, answer is not None):
            yield hear(turn.said, remark[0], own, before, remark[1], line)
        elif read_note(own):
            yield hear(turn.said, "", own, before)
    for message in turn.told:
        told = sentences(message.text) if message.offset >= since else ()
        said = [(type, sentence) for sentence in told if (type := type_of_models(sentence))]
        if said:
            words = " ".join(sentence for _, sentence in said)
            yield hear(message, said[0][0], words, turn.said.text if turn.said else "")


def _of_mend(mend: Mend) -> Heard:
    return hear(mend.passed, "resolution", mend.words, mend.failed, line=f"{mend.error} - {mend.words}")
