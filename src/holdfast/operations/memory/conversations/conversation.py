"""A conversation to be captured, and a summary of its newest context epoch: requests, decisions, last
words, edits and runs."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from holdfast.ground.errors import HoldfastError
from holdfast.ground.safety.dotenv import read_secrets
from holdfast.ground.safety.redaction import redact
from holdfast.ground.text.escaping import clip
from holdfast.ground.values import Value
from holdfast.memory.capture.activity import Activity, Run, activity
from holdfast.memory.capture.find import find_heard
from holdfast.memory.model.access import Reader
from holdfast.memory.model.entry import CAPTURED
from holdfast.operations.caller import Caller
from holdfast.operations.memory.conversations.last_words import (
    last_words,
    next_action,
    place_of,
    questions_answered,
    with_question,
)
from holdfast.operations.surroundings import Surroundings
from holdfast.transcripts.messages import ListedTask, Message
from holdfast.transcripts.registry import transcript_of

MOST_REQUESTS = 3
# Messages that are searched for decisions, which takes time; older decisions are in the memories already.
MOST_WORDS = 300
# In characters.
LONGEST_REQUEST, LONGEST_COMMAND = 2000, 160
# The id of the prompt that was just typed, which no transcript has yet.
TYPED = "typed"
LEAD_INS = {"decision": "", "user_correction": "Corrected by the user: "}


class Conversation(Value):
    """A conversation that is captured.

    ``session``: its id.
    ``host``: the coding agent's name.
    ``transcript``: the path of its transcript.
    ``agent``: the id of the agent that is active in it, "" for none.
    ``now``: the time of the capture, in seconds since 1970.
    """

    session: str
    now: float
    host: str = ""
    transcript: str = ""
    agent: str = ""

    @property
    def caller(self) -> Caller:
        """The conversation's agent, by way of the capture."""
        return Caller(
            reader=Reader(agent=self.agent),
            now=self.now,
            surroundings=Surroundings(host=self.host, conversation=self.session),
            by=f"{CAPTURED}{self.session}",
        )


def conversation_of(orders: Mapping[str, Any]) -> Conversation:
    """Return the conversation of a job's orders with ``session`` and ``now``, and where they are known ``host``,
    ``transcript`` and ``agent``."""
    told = {name: str(orders.get(name) or "") for name in ("host", "transcript", "agent")}
    return Conversation(session=str(orders["session"]), now=float(orders["now"]), **told)


class EpochSummary(Value):
    """A summary of a context epoch, the newest of each kind last.

    ``requests``: what the user asked for, at most ``MOST_REQUESTS``; an answer comes with its question.
    ``decisions``: decisions and corrections, a line each, with the question that was answered.
    ``said``: the model's last words.
    ``action``: the next action that it named, "" where it named none.
    ``tasks``: the task list that the model keeps, as it last stood.
    ``done``: the edits, the runs, and the questions without an answer.
    """

    requests: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    said: str = ""
    action: str = ""
    tasks: tuple[ListedTask, ...] = ()
    done: Activity = Activity()


def read_messages(conversation: Conversation, root: str, since: int) -> tuple[list[Message], int]:
    """Return the messages from a byte of the transcript on, without secrets and tools' output, and the byte at which
    they end. Raise HoldfastError for a host whose transcripts nobody reads.

    Memories were written without secrets too: only like this can new words be compared with them.
    """
    transcript = transcript_of(conversation.host)
    if transcript is None:
        raise HoldfastError("Cannot read transcripts of this host", conversation.host)
    messages, end = transcript.read_messages(conversation.transcript, since, root=root)
    secrets = read_secrets(root)
    return [_redacted(message, secrets) for message in messages], end


def summarize_epoch(host: str, transcript: str, root: str, typed: str, secrets: Collection[str]) -> EpochSummary:
    """Return a summary of the transcript since its newest compaction, without secrets.

    ``typed`` is the prompt that was just typed, if the transcript may not hold it yet.
    """
    messages: list[Message] = []
    tasks: tuple[ListedTask, ...] = ()
    reader = transcript_of(host)
    if reader and transcript:
        found = _newest_words(reader.read_messages(transcript, reader.epoch_start(transcript), root=root)[0])
        messages = [_redacted(message, secrets) for message in found]
        tasks = tuple(task.replace(text=redact(task.text, known=secrets)) for task in reader.read_task_list(transcript))
    said = [message.text for message in messages if message.role == "user"]
    new = redact(typed, known=secrets).strip()
    if new and not (said and said[-1].startswith(new[:LONGEST_REQUEST])):
        messages.append(Message(role="user", text=new, id=TYPED))
    asked = questions_answered(messages)
    requests = [
        with_question(clip(message.text, LONGEST_REQUEST), asked[place_of(message)])
        for message in messages
        if message.role == "user"
    ]
    return EpochSummary(
        requests=tuple(requests[-MOST_REQUESTS:]),
        decisions=_decisions(messages, asked),
        said=last_words(messages),
        action=next_action(messages),
        tasks=tasks,
        done=activity(messages),
    )


def _decisions(messages: Sequence[Message], asked: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the person decided and corrected, in order, each with the question that it answers."""
    return tuple(
        LEAD_INS[each.type] + with_question(each.line, asked.get(f"{each.message or each.offset}", ""))
        for each in find_heard(messages)
        if each.role == "user" and each.type in LEAD_INS
    )


def outcome(run: Run) -> str:
    """Return a line with the command and its outcome."""
    times = f" ({run.times} runs, {run.failures} failed)" if run.times > 1 else ""
    return f"`{clip(run.command, LONGEST_COMMAND)}`: {'failed' if run.failing else 'passed'}{times}"


def _newest_words(messages: Sequence[Message]) -> list[Message]:
    """Return all calls of tools, and the newest ``MOST_WORDS`` of the other messages."""
    said = [message.offset for message in messages if message.role != "tool"]
    since = said[-MOST_WORDS] if len(said) > MOST_WORDS else 0
    return [message for message in messages if message.role == "tool" or message.offset >= since]


def _redacted(message: Message, secrets: Collection[str]) -> Message:
    """Return the message without secrets and without a tool's output: nothing is kept of output, and it is most of a
    transcript."""
    given = {name: redact(value, known=secrets) for name, value in message.tool_input.items()}
    text = "" if message.role == "tool" else redact(message.text, known=secrets)
    return message.replace(text=text, error=redact(message.error, known=secrets), tool_input=given)
