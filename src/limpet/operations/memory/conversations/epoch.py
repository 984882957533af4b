"""A summary of a conversation's newest context epoch: requests, decisions, last words, edits and runs."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from limpet.ground.message import Message
from limpet.ground.safety.redaction import redact
from limpet.ground.text.escaping import clip
from limpet.ground.trust.approvals import YES
from limpet.ground.values import Value
from limpet.memory.capture.find import find_heard, question_in
from limpet.memory.capture.heard import begins, matchable, sentences
from limpet.memory.capture.outcomes import Activity, CommandRun, activity
from limpet.operations.memory.conversations.conversation import said_without_secrets
from limpet.rules.format.domain import RESERVED, find_unknown_commands, task_in
from limpet.transcripts.messages import ListedTask
from limpet.transcripts.registry import transcript_of

MOST_REQUESTS = 3
# Messages that are searched for decisions, which takes time; older decisions are in the memories already.
MOST_WORDS = 300
# In characters.
LONGEST_REQUEST, LONGEST_COMMAND = 2000, 160
# The id of the prompt that was just typed, which no transcript has yet.
TYPED = "typed"
LEAD_INS = {"decision": "", "user_correction": "Corrected by the user: "}
# In characters: an answer that is longer than the first speaks for itself.
LONGEST_ANSWER, LONGEST_QUESTION, LONGEST_ACTION = 300, 120, 240
# Messages of the model, from the newest, in which the next action is looked for.
SEARCHED = 3
ASKED = " (asked: "
# A command of the client, which no path is, and a message of commands alone.
_SLASH = re.compile(r"\s*[/$][A-Za-z][\w:-]*(?:\s|\Z)")
_STARS = re.compile(r"(?:\s*\*[^\W\d_][\w-]*)+\s*")


class EpochSummary(Value):
    """A summary of a context epoch, the newest of each kind last.

    ``requests``: at most ``MOST_REQUESTS``; an answer comes with its question.
    ``decisions``: decisions and corrections, a line each, with the question that was answered.
    ``said``: the model's last words. ``action``: the next action that it named, "" where it named none.
    ``tasks``: the task list that the model keeps, as it last stood.
    ``done``: the edits, the runs, and the questions without an answer.
    """

    requests: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    said: str = ""
    action: str = ""
    tasks: tuple[ListedTask, ...] = ()
    done: Activity = Activity()


def summarize_epoch(host: str, transcript: str, root: str, typed: str, secrets: Collection[str]) -> EpochSummary:
    """Without secrets. ``typed``: the prompt just typed, if the transcript may not hold it yet."""
    messages: list[Message] = []
    tasks: tuple[ListedTask, ...] = ()
    reader = transcript_of(host)
    if reader and transcript:
        found = reader.read_messages(transcript, reader.epoch_start(transcript), root=root)[0]
        places = [message.offset for message in found if message.role != "tool"]
        since = places[-MOST_WORDS] if len(places) > MOST_WORDS else 0
        newest = [message for message in found if message.role == "tool" or message.offset >= since]
        messages = [said_without_secrets(message, secrets) for message in newest]
        tasks = tuple(task.replace(text=redact(task.text, known=secrets)) for task in reader.read_task_list(transcript))
    said = [message.text for message in messages if message.role == "user"]
    new = redact(typed, known=secrets).strip()
    if new and not (said and said[-1].startswith(new[:LONGEST_REQUEST])):
        messages.append(Message(role="user", text=new, id=TYPED))
    asked = questions_answered(messages)
    requests = [
        with_question(clip(text, LONGEST_REQUEST), asked[line_place_of(message)])
        for message in messages
        if message.role == "user" and (text := words_for_model(message.text))
    ]
    return EpochSummary(
        requests=tuple(requests[-MOST_REQUESTS:]),
        decisions=_decisions(messages, asked),
        said=next((message.text.strip() for message in reversed(messages) if message.role == "assistant"), ""),
        action=next_action(messages),
        tasks=tasks,
        done=activity(messages),
    )


def words_for_model(text: str) -> str:
    """Leave out commands, mistyped or not: "" for a message that has nothing else, and for a word of agreement."""
    if text.split()[:1] == [YES]:
        return ""
    if mistyped := find_unknown_commands(text, RESERVED):
        text = text.replace(f"*{mistyped[0]}", f"*{mistyped[1]}")
    left = task_in(text, RESERVED).strip()
    return "" if _SLASH.match(left) or _STARS.fullmatch(left) else left


def outcome(run: CommandRun) -> str:
    times = f" ({run.times} runs, {run.failures} failed)" if run.times > 1 else ""
    return f"`{clip(run.command, LONGEST_COMMAND)}`: {'failed' if run.failing else 'passed'}{times}"


def next_action(messages: Sequence[Message]) -> str:
    """The last sentence of the model's newest messages that names what it does next, "" where none does."""
    told = [message.text for message in messages if message.role == "assistant"][-SEARCHED:]
    for text in reversed(told):
        for sentence in reversed(sentences(text)):
            if begins("next", matchable(sentence)):
                return clip(" ".join(sentence.split()), LONGEST_ACTION)
    return ""


def questions_answered(messages: Sequence[Message]) -> dict[str, str]:
    """The question that the model's message before ended with, by the place of each message of the person."""
    found: dict[str, str] = {}
    before = ""
    for message in messages:
        if message.role == "assistant":
            before = message.text
        elif message.role == "user":
            found[line_place_of(message)] = question_in(before) if before else ""
            before = ""
    return found


def line_place_of(message: Message) -> str:
    """What tells the message from all others of its conversation, as the keys of candidates have it."""
    return f"{message.id or message.offset}"


def with_question(text: str, question: str) -> str:
    if not question or ASKED in text or len(text) > LONGEST_ANSWER:
        return text
    return f"{text}{ASKED}{clip(' '.join(question.split()), LONGEST_QUESTION)})"


def _decisions(messages: Sequence[Message], asked: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        LEAD_INS[each.type] + with_question(each.line, asked.get(f"{each.message or each.offset}", ""))
        for each in find_heard(messages)
        if each.role == "user" and each.type in LEAD_INS
    )
