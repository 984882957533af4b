"""The second host's transcript: lines such as ``used 500``, ``user Hello.``, ``model Hi.``, ``cut``."""

from __future__ import annotations

import os

from limpet.ground.message import Message
from limpet.transcripts.messages import ListedTask, UsageLine
from limpet.transcripts.tail import Reading, lines_from, lines_from_end, neighbours, size_of

ROLES = {"user": "user", "model": "assistant"}


def read_messages(path, since=0, *, root="", left=False):
    """Return what both said; nobody goes back."""
    messages, end = [], since
    if left:
        return messages, end
    for offset, end, line in lines_from(path, since, 1_000_000):  # noqa: B007
        word, _, text = line.decode("utf-8", "replace").partition(" ")
        if word in ROLES:
            messages.append(Message(role=ROLES[word], text=text, offset=offset))
    return messages, end


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


def read_answers(path):
    """Return what each answer used."""
    words = ((at, line.decode().partition(" ")) for at, _, line in lines_from(path, 0, 1_000_000))
    return [UsageLine(input=int(text), id=str(at)) for at, (word, _, text) in words if word == "used"]


def read_usage(path, since=0):
    """Return the newest figure."""
    blank = Reading(size=size_of(path))
    for offset, line in lines_from_end(path):
        if offset < since:
            break
        if line == b"cut":
            return blank.replace(boundary=offset)
        word, _, text = line.partition(b" ")
        if word == b"used" and text.isdigit():
            return blank.replace(used=int(text), model="second-model", at=offset)
    return blank


def session_of(path):
    """Return the file's name."""
    return os.path.splitext(os.path.basename(path))[0]


def find_parent(path, used):
    """Return the neighbour that used so much."""
    return next((each for each in neighbours(path) if read_usage(each).used == used), "")


def holds(path, needle):
    """Return whether a line since the last cut holds it."""
    for _, line in lines_from_end(path):
        if line == b"cut":
            return False
        if needle in line:
            return True
    return False
