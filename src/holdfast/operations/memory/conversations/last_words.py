"""Tells of a conversation's end: the model's last words, the next action that it named, and the question that each
message of the person answers. Pure; separate from ``conversation``, which reads the transcript."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.ground.text.escaping import clip
from holdfast.memory.capture.answers import question_in
from holdfast.memory.capture.cues import begins
from holdfast.memory.capture.prose import matchable, sentences
from holdfast.transcripts.messages import Message

# In characters: an answer that is longer than the first speaks for itself.
LONGEST_ANSWER, LONGEST_QUESTION, LONGEST_ACTION = 300, 120, 240
# Messages of the model, from the newest, in which the next action is looked for.
SEARCHED = 3
ASKED = " (asked: "


def last_words(messages: Sequence[Message]) -> str:
    """Return the model's last message, "" where it said nothing."""
    return next((message.text.strip() for message in reversed(messages) if message.role == "assistant"), "")


def next_action(messages: Sequence[Message]) -> str:
    """Return the last sentence of the model's newest messages that names what it does next, "" where none does."""
    told = [message.text for message in messages if message.role == "assistant"][-SEARCHED:]
    found = (each for text in reversed(told) for each in reversed(sentences(text)) if begins("next", matchable(each)))
    return clip(" ".join(next(found, "").split()), LONGEST_ACTION)


def questions_answered(messages: Sequence[Message]) -> dict[str, str]:
    """Return the question that the model's message before ended with, by the place of each message of the person."""
    found: dict[str, str] = {}
    before = ""
    for message in messages:
        if message.role == "assistant":
            before = message.text
        elif message.role == "user":
            found[place_of(message)] = question_in(before) if before else ""
            before = ""
    return found


def place_of(message: Message) -> str:
    """Return what tells the message from all others of its conversation, as the keys of candidates have it."""
    return f"{message.id or message.offset}"


def with_question(text: str, question: str) -> str:
    """Return a short text with the question that it answers, unless it says it itself."""
    if not question or ASKED in text or len(text) > LONGEST_ANSWER:
        return text
    return f"{text}{ASKED}{clip(' '.join(question.split()), LONGEST_QUESTION)})"
