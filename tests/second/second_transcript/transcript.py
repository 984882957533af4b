"""What was said, the model's tasks, and where the newest context epoch begins."""

from __future__ import annotations

import glob
import os

from limpet.transcripts.messages import ListedTask, Message
from limpet.transcripts.tail import lines_from, lines_from_end

ROLES = {"user": "user", "model": "assistant"}


def read_messages(path, since=0, *, root=""):
    """Return what both said."""
    messages, end = [], since
    for offset, end, line in lines_from(path, since, 1_000_000):  # noqa: B007
        word, _, text = line.decode("utf-8", "replace").partition(" ")
        if word in ROLES:
            messages.append(Message(role=ROLES[word], text=text, offset=offset))
    return messages, end


def find_transcripts(root):
    """Return what lies in its folder of the project."""
    return sorted(glob.glob(os.path.join(root, ".second", "*.talk")), key=os.path.getmtime, reverse=True)


def holds_prompts(path, ids):
    """Return whether a line names one of the prompts."""
    words = (line.decode("utf-8", "replace").partition(" ") for _, _, line in lines_from(path, 0, 1_000_000))
    return any(word == "prompt" and text in ids for word, _, text in words)


def epoch_start(path):
    """Return the byte of the newest cut."""
    return next((offset for offset, line in lines_from_end(path) if line == b"cut"), 0)


def read_task_list(path):
    """Return what the model noted to do."""
    words = (line.decode().partition(" ") for _, _, line in lines_from(path, 0, 1_000_000))
    return tuple(ListedTask(text=text) for word, _, text in words if word == "todo")
