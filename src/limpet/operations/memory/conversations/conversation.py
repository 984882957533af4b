"""A conversation to be captured, and the reading of its transcript."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.safety.redaction import redact
from limpet.ground.values import Value
from limpet.memory.model.access import Reader
from limpet.memory.model.entry import CAPTURED
from limpet.operations.caller import Caller
from limpet.operations.surroundings import Surroundings
from limpet.transcripts.messages import Message
from limpet.transcripts.registry import transcript_of


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


def read_messages(conversation: Conversation, root: str, since: int) -> tuple[list[Message], int]:
    """Return the messages from a byte of the transcript on, without secrets and tools' output, and the byte at which
    they end. Raise LimpetError for a host whose transcripts nobody reads.

    Memories were written without secrets too: only like this can new words be compared with them.
    """
    transcript = transcript_of(conversation.host)
    if transcript is None:
        raise LimpetError("Cannot read transcripts of this host", conversation.host)
    messages, end = transcript.read_messages(conversation.transcript, since, root=root)
    secrets = read_secrets(root)
    return [without_secrets(message, secrets) for message in messages], end


def without_secrets(message: Message, secrets: Collection[str]) -> Message:
    """Return the message without secrets and without a tool's output: nothing is kept of output, and it is most of a
    transcript."""
    given = {name: redact(value, known=secrets) for name, value in message.tool_input.items()}
    text = "" if message.role == "tool" else redact(message.text, known=secrets)
    return message.replace(text=text, error=redact(message.error, known=secrets), tool_input=given)
