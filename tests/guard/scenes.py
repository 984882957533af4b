"""A project for the guard's rules: scenes, calls, and what is answered."""

from __future__ import annotations

import os

from limpet.guard.call import BoundStory, Scene, ToolCall, strictest
from limpet.guard.judge import judge_tool_call
from limpet.guard.shell.understand import parse_shell, understand

ROOT = os.path.realpath("/srv/harbour")
# The user's data folder.
DATA = "/home/ada/.local/share/limpet"
STORY = BoundStory(id="S-12", files=("src/orders/*.py", "tests/orders/"))
SCENE = Scene(
    root=ROOT,
    owners={f"{DATA}/projects/x/shared/memories/{name}": name for name in ("dev", "qa-implementation")},
    kept=(DATA, "/home/ada/.local/state/limpet", "/home/ada/.cache/limpet"),
)


def scene(agent="", **others):
    """The project with an agent in force."""
    return SCENE.replace(agent=agent, **others)


def shell(text, shell="posix"):
    """A shell call in the project's root."""
    return ToolCall(kind="shell", tool="Bash", command=text, shell=shell, folder=ROOT)


def write(path, text="x = 1\n", folder=ROOT):
    """A file written whole."""
    return ToolCall(
        kind="write", tool="Write", paths=(os.path.join(folder, path),), edits=(("", text, False),), whole=True
    )


def edit(path, *edits):
    """A file edited; each edit is (old, new)."""
    return ToolCall(kind="write", tool="Edit", paths=(f"{ROOT}/{path}",), edits=tuple((*each, False) for each in edits))


def read(path, kind="read"):
    """A file read, or a folder searched."""
    return ToolCall(kind=kind, tool="Read", paths=(os.path.join(ROOT, path),))


def verdicts(call, where=SCENE, before=None):
    """All that the rules say to a call."""
    call = shell(call) if isinstance(call, str) else call
    understood = understand(call.command, parse_shell, call.shell, call.folder, ROOT) if call.kind == "shell" else None
    return judge_tool_call(call, where, understood, before).verdicts


def answer(call, where=SCENE, before=None):
    """(answer, rule) of what counts; the rule is "" where nothing is said."""
    found = strictest(verdicts(call, where, before))
    return found.answer, found.rule
