"""A conversation to be captured, and the reading of its transcript."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from limpet.ground.config.settings import load_settings
from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.event import Surroundings
from limpet.ground.formats.json_text import read_object
from limpet.ground.message import Message
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.files import read_text
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, workspace_at
from limpet.memory.model.entry import CAPTURED
from limpet.memory.model.layout import Reader
from limpet.operations.caller import Caller
from limpet.operations.conversations import read_states
from limpet.transcripts.registry import TRANSCRIPTS, transcript_of
from limpet.transcripts.tail import size_of
from limpet.work.conversation import KEPT_OUT, has_mark, private_prompts, read_private
from limpet.work.session import UNATTENDED
from limpet.work.untyped import is_untyped, read_untyped

LONGEST_TITLE = 80
# The reason of what is written about the conversation as a whole.
WHY_DIGEST = "digest of the conversation"
# Conversations whose last words are heard before another begins, which waits for it.
FEW = 3
UNSURE = "which of its client's conversations calls is not known"


class Conversation(Value):
    """A conversation that is captured; ``transcript`` is a path, ``now`` when it is, in seconds since 1970.
    ``pausing``: id and text of the prompt by which it becomes private, of which nothing is heard."""

    session: str
    now: float
    host: str = ""
    transcript: str = ""
    agent: str = ""
    pausing: str = ""

    @property
    def caller(self) -> Caller:
        return Caller(
            reader=Reader(agent=self.agent),
            now=self.now,
            surroundings=Surroundings(host=self.host, conversation=self.session),
            by=f"{CAPTURED}{self.session}",
        )


class Captured(Value):
    """How far a conversation's transcript was captured, in bytes.

    ``offset``: where the last capture ended; ``before``: where the next one begins to read.
    ``heard``: what was said is heard up to there; ``reach``: where a turn's capture begins to read.
    """

    before: int = 0
    offset: int = 0
    reach: int = 0
    heard: int = 0


def conversation_of(orders: Mapping[str, Any]) -> Conversation:
    """``orders``: a job's, with ``session`` and ``now``, and where they are known ``host``, ``transcript``,
    ``agent`` and ``pausing``."""
    told = {name: str(orders.get(name) or "") for name in ("host", "transcript", "agent", "pausing")}
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
    return [said_without_secrets(message, secrets) for message in _heard(messages, conversation.session, root)], end


def _heard(messages: list[Message], session: str, root: str) -> Iterator[Message]:
    """Leave out prompts that no person typed."""
    known, attended = read_untyped(), ("",)
    if any(message.entry for message in messages):
        attended += tuple(load_settings(workspace_at(root))[0]["hosts"]["attended"])
    for message in messages:
        is_typed = message.entry in attended and not is_untyped(message.text, session, known)
        if message.role != "user" or is_typed:
            yield message


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
    return workspace.kept("sessions", f"{safe_name(session)}.captured")


def refuse_paused(caller: Caller) -> None:
    found = () if caller.reader.person else map(read_private, caller.surroundings.conversations)
    if any(each and each.paused for each in found):
        raise LimpetError("Limpet is paused for this conversation", hint="The user ends it with *private off.")


def refuse_private(caller: Caller) -> None:
    """Raise LimpetError for an agent that would keep something of a private conversation."""
    if not caller.reader.person:
        refuse_keeping(caller.surroundings)


def refuse_keeping(around: Surroundings) -> None:
    if any(map(has_mark, around.conversations)):
        unsure = "" if has_mark(around.conversation) else f" ({UNSURE})"
        raise LimpetError(KEPT_OUT + unsure, hint="The user may add it.")


def find_unheard(workspace: Workspace, starting: str) -> list[dict[str, Any]]:
    """Return the newest conversations, but for the one that is ``starting``, in which something was said that no end of
    a turn told of: the client was killed, or stopped by hand."""
    if not load_settings(workspace)[0]["memory"]["capture"]:
        return []
    found = [state for state in read_states(workspace) if state["id"] != starting and is_read(state)]
    found.sort(key=lambda state: str(state.get("last_activity")), reverse=True)
    return [each for each in found[:FEW] if _is_unheard(workspace, each)]


def is_read(state: dict[str, Any]) -> bool:
    path = state.get("transcript")
    return isinstance(path, str) and state.get("host") in TRANSCRIPTS and not state.get(UNATTENDED)


def read_capture_mark(workspace: Workspace, session: str, transcript: str) -> Captured:
    """Nothing where the mark is of another transcript, or not sound."""
    mark = read_object(read_text(capture_mark(workspace, session)))
    numbers = {name: mark[name] for name in Captured.fields if isinstance(mark.get(name), int)}
    known = Captured(**numbers)
    is_ordered = 0 <= known.before <= known.offset <= known.heard and 0 <= known.reach <= known.heard
    is_sound = is_ordered and known.heard <= size_of(transcript)
    return known if is_sound and mark.get("transcript") == transcript else Captured()


def _is_unheard(workspace: Workspace, state: dict[str, Any]) -> bool:
    path = state["transcript"]
    grown = size_of(path) > read_capture_mark(workspace, state["id"], path).heard
    return grown and not is_kept_out(state["id"], state["host"], path)
