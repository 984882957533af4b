"""The prompts of a project's past conversations, as the hosts keep them, with the files that the agent then opened.

A rule is tried on them before it exists."""

from __future__ import annotations

from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace
from holdfast.operations.memory.conversations.privacy import is_kept_out
from holdfast.rules.globs import path_from
from holdfast.transcripts.registry import TRANSCRIPTS, transcript_of, usage_of

# The newest prompts that are looked at.
MOST = 200


class PastPrompt(Value):
    """A prompt.

    ``text``: its words.
    ``opened``, ``written``: the files that the agent read or wrote before the next one, from the project's root.
    """

    text: str
    opened: tuple[str, ...] = ()
    written: tuple[str, ...] = ()


def past_prompts(workspace: Workspace) -> list[PastPrompt]:
    """Return the newest prompts, those of a private conversation left out; [] where no host keeps any."""
    found: list[PastPrompt] = []
    for host in TRANSCRIPTS:
        transcript, usage = transcript_of(host), usage_of(host)
        if transcript is None or usage is None:
            continue
        for path in transcript.find_transcripts(workspace.root):
            if len(found) < MOST and not is_kept_out(usage.session_of(path), host, path):
                found += _prompts(workspace.root, host, path)
    return found[:MOST]


def _prompts(root: str, host: str, path: str) -> list[PastPrompt]:
    """Return the prompts of one conversation, the newest first."""
    transcript, found = transcript_of(host), list[PastPrompt]()
    for message in transcript.read_messages(path, root=root)[0] if transcript else ():
        if message.role == "user":
            found.append(PastPrompt(message.text))
        elif found and (given := message.edited or message.tool_input.get("file_path", "")):
            file = path_from(root, root, given)
            last = found[-1]
            written = (*last.written, file) if message.edited and file else last.written
            found[-1] = last.replace(opened=(*last.opened, file) if file else last.opened, written=written)
    return found[::-1]
