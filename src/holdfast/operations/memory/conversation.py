"""A conversation and its transcript: who captures it, and what it asked, decided, edited and ran since its newest
compaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from holdfast.ground.safety.redaction import redact
from holdfast.ground.text.escaping import clip
from holdfast.ground.values import Value
from holdfast.memory.capture.activity import Activity, Run, activity
from holdfast.memory.capture.find import find_candidates
from holdfast.memory.model.access import Reader
from holdfast.operations.caller import Caller, Surroundings
from holdfast.transcripts.messages import Message
from holdfast.transcripts.registry import transcript_of

MOST_REQUESTS = 3
# To search words for decisions is what takes time; older ones stand in the memories, captured from everything.
MOST_WORDS = 300
LONGEST_REQUEST, LONGEST_COMMAND = 2000, 160
LEAD_INS = {"decision": "", "user_correction": "Corrected by the user: "}


class Conversation(Value):
    """A conversation that is captured.

    ``session``: its id.
    ``host``: the coding agent's name.
    ``transcript``: the path of what was said.
    ``agent``: the id of the agent that is active in it, "" for none.
    ``now``: the moment of the capture, in seconds since 1970.
    """

    session: str
    now: float
    host: str = ""
    transcript: str = ""
    agent: str = ""

    @property
    def caller(self) -> Caller:
        """Who writes what it taught: its agent, by way of the capture."""
        return Caller(
            reader=Reader(agent=self.agent),
            now=self.now,
            surroundings=Surroundings(host=self.host, conversation=self.session),
            by=f"capture:{self.session}",
        )


class Talk(Value):
    """What was said and done, the newest of each last.

    ``done``: the edits, the runs, and the questions without an answer.
    """

    requests: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    done: Activity = Activity()


def read_talk(
    host: str, transcript: str, root: str, typed: str, settings: Mapping[str, Any], secrets: Collection[str]
) -> Talk:
    """Return what stands in the transcript since the newest compaction, without secrets.

    ``typed`` is what the user just said, if the transcript may not hold it yet; ``settings`` is the configuration's
    section ``memory``.
    """
    messages: list[Message] = []
    reader = transcript_of(host)
    if reader and transcript:
        found = _newest_words(reader.read_messages(transcript, reader.epoch_start(transcript), root=root)[0])
        messages = [_redacted(message, secrets) for message in found]
    said = [message.text for message in messages if message.role == "user"]
    new = redact(typed, known=secrets).strip()
    if new and not (said and said[-1].startswith(new[:LONGEST_REQUEST])):
        messages.append(Message(role="user", text=new))
        said.append(new)
    requests = tuple(clip(text, LONGEST_REQUEST) for text in said[-MOST_REQUESTS:])
    return Talk(requests=requests, decisions=_decisions(messages, settings), done=activity(messages))


def outcome(run: Run) -> str:
    """Return a command and how it went, on one line."""
    times = f" ({run.times} runs, {run.failures} failed)" if run.times > 1 else ""
    return f"`{clip(run.command, LONGEST_COMMAND)}`: {'failed' if run.failing else 'passed'}{times}"


def _newest_words(messages: Sequence[Message]) -> list[Message]:
    """Return all calls of tools, and of what was said the newest."""
    said = [message.offset for message in messages if message.role != "tool"]
    since = said[-MOST_WORDS] if len(said) > MOST_WORDS else 0
    return [message for message in messages if message.role == "tool" or message.offset >= since]


def _redacted(message: Message, secrets: Collection[str]) -> Message:
    """Return the message without what tools answered: nothing is told of it, and it is most of a conversation."""
    if message.role != "tool":
        return message.replace(text=redact(message.text, known=secrets))
    given = {name: redact(value, known=secrets) for name, value in message.tool_input.items() if name == "command"}
    return message.replace(text="", error=redact(message.error, known=secrets), tool_input=given)


def _decisions(messages: Sequence[Message], settings: Mapping[str, Any]) -> tuple[str, ...]:
    candidates = [each for each in find_candidates(messages, settings) if each.type in LEAD_INS]
    return tuple(LEAD_INS[each.type] + each.title for each in sorted(candidates, key=lambda each: each.at))
