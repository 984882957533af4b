"""A project with rules and a conversation in it, driven through the engine as a host drives it, without a
process each."""

import json
import os
import shutil

from limpet.engine import handle
from limpet.engine.event_context import NO_CLIENT
from limpet.ground.clock import Clock
from limpet.ground.event import Event
from limpet.ground.storage.scaffold import shipped_rules
from limpet.rules.format.manifest import read_manifest
from limpet.rules.plan.sources import shipped_units
from limpet.work.session import read_session

from .blocks import read_block

# A model whose window is known: 200,000 tokens.
MODEL = "claude-opus-4-5"
BEGINNING = 1_800_000_000.0
# A global rule, a keyword domain and a star-command, for a test that needs some and minds not which.
RULES = {
    "global": "GLOBAL_RULE_0=Read first.\n",
    "api": "API_RULE_0=Version it.\n",
    "commands": "BRIEF_RULE_0=Short.\n",
}


def write(path, text):
    """Write a text or bytes, making folders."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))


def write_rules(workspace, manifest="", **files):
    """The project's manifest and domain files; ``agent_dev="..."`` is the file ``agent-dev``. What is shipped and that
    the manifest does not name is off."""
    write_over_shipped(workspace, without_shipped(manifest) if isinstance(manifest, str) else manifest, **files)


def write_over_shipped(workspace, manifest="", **files):
    """The same, with what is shipped beneath it."""
    write(workspace.path("rules", "manifest"), manifest)
    for name, text in files.items():
        write(workspace.path("rules", name.replace("_", "-")), text)


def without_shipped(manifest=""):
    """The manifest with every shipped domain that it does not name switched off."""
    named = [domain.name for domain in read_manifest(manifest).domains]
    off = "".join(f"{name}_STATE=inactive\n" for name in shipped_units("") if name not in named)
    return f"{manifest}{'' if manifest.endswith(chr(10)) or not manifest else chr(10)}{off}"


def write_shipped(workspace, *names):
    """Copies of shipped domains in the project."""
    shipped = shipped_rules(workspace.root)
    for name in names:
        write(workspace.path("rules", name), shipped[name])


def remove(path):
    """Remove a file or folder that may not be there."""
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.lexists(path):
        os.unlink(path)


def age(folder, when=1_600_000_000):
    """Let a folder and all that lies in it have been changed at this time, long ago, so that an edit shows."""
    for path, _, names in os.walk(folder, topdown=False):
        for each in (*(os.path.join(path, name) for name in names), path):
            os.utime(each, (when, when))


def obstruct(kind, path):
    """Put something that is no readable file in a file's place: a folder, fifo, loop, nowhere or device; else gone."""
    remove(path)
    if kind == "folder":
        os.mkdir(path)
    elif kind == "fifo":
        os.mkfifo(path)
    elif kind == "loop":
        os.symlink(path, path)
    elif kind == "nowhere":
        os.symlink("/no/such/file", path)
    elif kind == "device":
        os.symlink("/dev/zero", path)


class Conversation:
    """One conversation of a host with the product; every event comes a minute after the one before.

    Each event's answer is the block as data, or None for silence; ``text`` is the last block as it was sent.
    """

    def __init__(self, workspace, session="one", client=NO_CLIENT):
        self.workspace = workspace
        self.client = client
        self.session = session
        self.transcript = os.path.join(workspace.root, f"{os.path.basename(session)[:40]}.jsonl")
        self.now = BEGINNING
        self.events = 0
        self.text = ""

    def start(self, source="startup", **given):
        """The conversation starts, resumes or goes on."""
        return self.send("session_start", source=source, **given)

    def prompt(self, text="Go on.", **given):
        """The user types."""
        given = {"prompt_id": f"p{self.events}", **given}
        return self.send("prompt", prompt=text, **given)

    def use(self, tokens, **fields):
        """The model answers; so many tokens are in use."""
        usage = {
            "input_tokens": tokens,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "output_tokens": 0,
        }
        message = {"model": MODEL, "usage": {**usage, **fields}}
        self.log({"type": "assistant", "message": message})

    def log(self, record):
        """A line in the transcript."""
        with open(self.transcript, "a", encoding="utf-8") as file:
            file.write(json.dumps(record) + "\n")

    def bound(self):
        """The host notes a compaction in the transcript."""
        self.log({"type": "system", "subtype": "compact_boundary"})

    def send(self, kind, **given):
        """Any event."""
        self.now += 60
        self.events += 1
        event = Event(
            **{
                "kind": kind,
                "host": "claude-code",
                "session": self.session,
                "cwd": self.workspace.root,
                "transcript": self.transcript,
                **given,
            }
        )
        clock = Clock(now=lambda: self.now, timer=lambda: 0.0, worked=lambda: 0.0)
        self.text = handle(event, self.workspace, clock, self.client).block
        return read_block(self.text) if self.text else None

    @property
    def state(self):
        """What is kept of the conversation."""
        found, _ = read_session(self.workspace, self.session)
        return found
