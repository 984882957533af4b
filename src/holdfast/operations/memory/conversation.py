"""What a conversation asked, decided, edited and ran since its newest compaction, out of its transcript."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from holdfast.ground.safety.redaction import redact
from holdfast.ground.text.escaping import clip
from holdfast.ground.values import Value
from holdfast.memory.capture.activity import Activity, Run, activity
from holdfast.memory.capture.find import find_candidates
from holdfast.transcripts.messages import Message
from holdfast.transcripts.registry import transcript_of

MOST_REQUESTS = 3
# To search words for decisions is what takes time; older ones stand in the memories, captured from everything.
MOST_WORDS = 300
LONGEST_REQUEST, LONGEST_COMMAND = 2000, 160
TOLD = {"decision": "", "user_correction": "Corrected by the user: "}


class Talk(Value):
    """The newest of each last; ``done`` are the edits, runs and questions without an answer."""

    requests: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    done: Activity = Activity()


def read_talk(
    host: str, transcript: str, root: str, typed: str, settings: Mapping[str, Any], secrets: Collection[str]
) -> Talk:
    """The stretch without secrets; ``typed`` is what the user just said, if the transcript may not hold it yet, and
    ``settings`` the configuration's section ``memory``."""
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
    """A command and how it went, on one line."""
    times = f" ({run.times} runs, {run.failures} failed)" if run.times > 1 else ""
    return f"`{clip(run.command, LONGEST_COMMAND)}`: {'failed' if run.failing else 'passed'}{times}"


def _newest_words(messages: Sequence[Message]) -> list[Message]:
    """All calls of tools, and of what was said the newest."""
    said = [message.offset for message in messages if message.role != "tool"]
    since = said[-MOST_WORDS] if len(said) > MOST_WORDS else 0
    return [message for message in messages if message.role == "tool" or message.offset >= since]


def _redacted(message: Message, secrets: Collection[str]) -> Message:
    """Without what tools answered: nothing is told of it, and it is most of a conversation."""
    if message.role != "tool":
        return message.replace(text=redact(message.text, known=secrets))
    given = {name: redact(value, known=secrets) for name, value in message.tool_input.items() if name == "command"}
    return message.replace(text="", error=redact(message.error, known=secrets), tool_input=given)


def _decisions(messages: Sequence[Message], settings: Mapping[str, Any]) -> tuple[str, ...]:
    candidates = [each for each in find_candidates(messages, settings) if each.type in TOLD]
    return tuple(TOLD[each.type] + each.title for each in sorted(candidates, key=lambda each: each.at))
