"""Carries out what agents left in the inbox: as the agent whose call the hook saw, else only shown to a person."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping

from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.formats.json_text import dumps
from limpet.ground.processes import own_command
from limpet.ground.storage.files import Lock, read_shipped, write_atomic
from limpet.ground.storage.json_lines import append_line, read_objects
from limpet.ground.text.escaping import clip, visible
from limpet.ground.workspace import Workspace
from limpet.work.conversation import any_private, read_private
from limpet.work.inbox import DONE, UNKNOWN, Letter, name_of_carried, take_letters

# Seconds for one command, characters of what it says that an agent is told, and of a letter that a person is shown.
LONGEST, SAID, SHOWN = 60.0, 600, 300
NOT_DONE = "not done, and left to the user's review: no call of yours was seen that asks for it"


def empty_inbox(workspace: Workspace, host: str, now: float) -> int:
    """Return the number of letters; what came of them waits for the conversations' next block."""
    with Lock(workspace.kept("locks", "inbox.lock"), patience=0) as held:
        letters = take_letters(workspace, now) if held else ()
        for letter in letters:
            private = read_private(letter.session)
            if (private and private.paused) or (not letter.session and any_private()):
                continue
            said = _carry_out(workspace, host, letter) if letter.session else _set_aside(workspace, letter, now)
            line = f"limpet {name_of_carried(letter.words)}: {said}"
            append_line(workspace.kept(DONE), " ".join(line.split()), STATE_BYTES)
    return len(letters)


def read_unknown(workspace: Workspace) -> tuple[str, ...]:
    """What scripts left of which nobody knows who wrote it, oldest first."""
    found = read_objects(os.path.join(workspace.shared, UNKNOWN))
    return tuple(str(each["text"]) for each in found if each.get("text"))


def drop_unknown(workspace: Workspace, text: str) -> None:
    """Raise OSError."""
    path = os.path.join(workspace.shared, UNKNOWN)
    left = [each for each in read_objects(path) if each.get("text") != text]
    write_atomic(path, "".join(f"{dumps(each)}\n" for each in left), follow=False)


def _carry_out(workspace: Workspace, host: str, letter: Letter) -> str:
    command = own_command("limpet.__main__", *letter.words)
    environment = _environment(host, letter.session)
    try:
        done = subprocess.run(
            command,
            cwd=workspace.root,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LONGEST,
        )
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return f"not done: {error}"
    return clip(visible(done.stdout.decode("utf-8", "replace").strip()), SAID) or "done"


def _environment(host: str, session: str) -> Mapping[str, str]:
    """Of a command that an agent of the conversation runs."""
    client = read_shipped("clients")["clients"].get(host, {})
    named = dict.fromkeys(client.get("variables", ())[:1], "1")
    if client.get("conversation"):
        named[client["conversation"]] = session
    return {**os.environ, **named}


def _set_aside(workspace: Workspace, letter: Letter, now: float) -> str:
    text = clip(" ".join(letter.words[2:]), SHOWN)
    if letter.words[0] in ("memory", "learn") and text:
        line = dumps({"at": iso(now), "text": text})
        append_line(os.path.join(workspace.shared, UNKNOWN), line, STATE_BYTES)
    return NOT_DONE
