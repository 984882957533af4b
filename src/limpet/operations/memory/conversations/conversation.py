"""A conversation to be captured, and the reading of its transcript."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.event import Surroundings
from limpet.ground.formats.json_text import read_object
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.capture.find import find_heard, question_in
from limpet.memory.capture.heard import begins, matchable, sentences
from limpet.memory.capture.outcomes import Activity, CommandRun, activity
from limpet.memory.model.entry import CAPTURED
from limpet.memory.model.layout import Reader
from limpet.operations.caller import Caller
from limpet.transcripts.messages import ListedTask, Message
from limpet.transcripts.registry import transcript_of
from limpet.work.conversation import KEPT_OUT, has_mark, private_prompts, read_private

LONGEST_TITLE = 80
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


class Conversation(Value):
    """A conversation that is captured; ``transcript`` is a path, ``now`` when it is, in seconds since 1970."""

    session: str
    now: float
    host: str = ""
    transcript: str = ""
    agent: str = ""

    @property
    def caller(self) -> Caller:
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


def read_conversation(conversation: Conversation, root: str, since: int) -> tuple[list[Message], int]:
    """Return the messages from a byte of the transcript on, without secrets and tools' output, and the byte at which
    they end. Memories were written without secrets too: only like this can new words be compared with them. Raise
    LimpetError for a host whose transcripts nobody reads."""
    transcript = transcript_of(conversation.host)
    if transcript is None:
        raise LimpetError("Cannot read transcripts of this host", conversation.host)
    messages, end = transcript.read_messages(conversation.transcript, since, root=root)
    secrets = read_secrets(root)
    return [said_without_secrets(message, secrets) for message in messages], end


def said_without_secrets(message: Message, secrets: Collection[str]) -> Message:
    """Nothing is kept of a tool's output either, which is most of a transcript."""
    given = {name: redact(value, known=secrets) for name, value in message.tool_input.items()}
    text = "" if message.role == "tool" else redact(message.text, known=secrets)
    return message.replace(text=text, error=redact(message.error, known=secrets), tool_input=given)


def is_kept_out(session: str, host: str, transcript: str) -> bool:
    """Whether the conversation is private or was, or its transcript holds a prompt of one that is."""
    if has_mark(session):
        return True
    prompts = private_prompts() if transcript else frozenset()
    reader = transcript_of(host) if prompts else None
    return reader is not None and reader.holds_prompts(transcript, prompts)


def captured_title(workspace: Workspace, session: str) -> str:
    """What the person first asked for in a conversation that was captured, "" where that is not known."""
    title = read_object(read_text(capture_mark(workspace, session))).get("title")
    return title if isinstance(title, str) else ""


def capture_mark(workspace: Workspace, session: str) -> str:
    """The file that says how far a conversation was captured."""
    return workspace.path("sessions", f"{safe_name(session)}.captured")


def refuse_paused(caller: Caller) -> None:
    """Raise LimpetError for an agent in a conversation that is paused: it gets nothing from Limpet."""
    found = None if caller.reader.person else read_private(caller.conversation)
    if found and found.paused:
        raise LimpetError("Limpet is paused for this conversation", hint="The user ends it with *private off.")


def refuse_private(caller: Caller) -> None:
    """Raise LimpetError for an agent that would keep something in a conversation that is private or was."""
    if not caller.reader.person and has_mark(caller.conversation):
        raise LimpetError(KEPT_OUT, hint="The user may add it.")


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
    """Summarize the transcript since its newest compaction, without secrets. ``typed`` is the prompt that was just
    typed, if the transcript may not hold it yet."""
    messages: list[Message] = []
    tasks: tuple[ListedTask, ...] = ()
    reader = transcript_of(host)
    if reader and transcript:
        found = _newest_words(reader.read_messages(transcript, reader.epoch_start(transcript), root=root)[0])
        messages = [said_without_secrets(message, secrets) for message in found]
        tasks = tuple(task.replace(text=redact(task.text, known=secrets)) for task in reader.read_task_list(transcript))
    said = [message.text for message in messages if message.role == "user"]
    new = redact(typed, known=secrets).strip()
    if new and not (said and said[-1].startswith(new[:LONGEST_REQUEST])):
        messages.append(Message(role="user", text=new, id=TYPED))
    asked = questions_answered(messages)
    requests = [
        with_question(clip(message.text, LONGEST_REQUEST), asked[line_place_of(message)])
        for message in messages
        if message.role == "user"
    ]
    return EpochSummary(
        requests=tuple(requests[-MOST_REQUESTS:]),
        decisions=_decisions(messages, asked),
        said=next((message.text.strip() for message in reversed(messages) if message.role == "assistant"), ""),
        action=next_action(messages),
        tasks=tasks,
        done=activity(messages),
    )


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
    """Return a short text with the question that it answers, unless it says it itself."""
    if not question or ASKED in text or len(text) > LONGEST_ANSWER:
        return text
    return f"{text}{ASKED}{clip(' '.join(question.split()), LONGEST_QUESTION)})"


def _decisions(messages: Sequence[Message], asked: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(
        LEAD_INS[each.type] + with_question(each.line, asked.get(f"{each.message or each.offset}", ""))
        for each in find_heard(messages)
        if each.role == "user" and each.type in LEAD_INS
    )


def _newest_words(messages: Sequence[Message]) -> list[Message]:
    said = [message.offset for message in messages if message.role != "tool"]
    since = said[-MOST_WORDS] if len(said) > MOST_WORDS else 0
    return [message for message in messages if message.role == "tool" or message.offset >= since]
