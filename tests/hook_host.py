"""A host and its hook: a process each, with the payload on stdin, as clients start it."""

import itertools
import json
import os
import subprocess
import sys

import jsonschema
import pytest

from limpet import hook
from limpet.ground.formats.schema import load_schema
from limpet.hosts.commands.lines import BOOTSTRAP

from .blocks import read_block
from .forking import SOURCE
from .places import private_path
from .playing import can_play, play

SCHEMA = jsonschema.Draft202012Validator(load_schema("context-block"))
MANIFEST = """GLOBAL_ALWAYS_ON=true
API_RECALL=endpoint, route
API_EXCLUDE=mock endpoint
COMMANDS_STATE=active
"""
# How a hook is started that has an interpreter of its own, whatever the system allows.
STARTED = {"first": "pass"}
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="POSIX files")


def bare():
    """An environment with nothing in it but what the system needs, and where a test's caches lie."""
    names = ("SYSTEMROOT", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    return {name: os.environ[name] for name in names if name in os.environ}


class Answer:
    """How the process ended and what it said."""

    def __init__(self, done):
        self.code, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def block(self):
        """The block as data, or None."""
        return read_block(self.text) if self.out and self.text else None

    @property
    def shown(self):
        """The lines that the client shows, without the first one of a conversation."""
        message = json.loads(self.out).get("systemMessage", "") if self.out else ""
        return [line for line in message.splitlines() if not line.endswith(("(limpet why)", "(limpet review)"))]

    @property
    def text(self):
        """The block as the host gets it, "" where there is nothing, or a message for the person alone."""
        output = json.loads(self.out or b"{}").get("hookSpecificOutput")
        if output is None:
            return ""
        assert set(output) == {"hookEventName", "additionalContext"}
        return output["additionalContext"]


def hook_line(*args, source=SOURCE, first=""):
    """The command that starts the hook with these arguments, as the host's command line does; ``first`` is code that
    runs in the process before it."""
    return [sys.executable, "-I", "-S", "-c", f"{first}\n{BOOTSTRAP}", source, *args]


def spawn(stdin, *args, cwd, env=None, prefix=(), **line):
    """Run the hook with these arguments in an interpreter of its own; ``prefix`` is a command that starts it."""
    command = [*prefix, *hook_line(*args, **line)]
    return Answer(subprocess.run(command, input=stdin, cwd=cwd, env=env, capture_output=True, timeout=60))


def run_hook(stdin, *args, cwd, env=None):
    """Play the hook in the tests' process, where the system allows it."""
    if not can_play():
        return spawn(stdin, *args, cwd=cwd, env=env)
    return Answer(play(lambda: hook.main([*args]), cwd, env, stdin))


def typed(workspace, prompt="the endpoint"):
    """The payload of a prompt, with what is needed and no more."""
    return json.dumps({"session_id": "s", "cwd": workspace.root, "prompt": prompt}).encode()


class Host:
    """A host with a project open."""

    def __init__(self, workspace):
        self.workspace = workspace
        self.numbers = itertools.count()

    def send(self, event, cwd=None, process=None, **payload):
        """An event with its payload; ``process`` says how the hook is started: with more than an environment, in an
        interpreter of its own."""
        cwd = cwd or self.workspace.root
        payload = {"session_id": "s", "cwd": cwd, "hook_event_name": event, **payload}
        given = {name: value for name, value in payload.items() if value is not ...}
        raw = json.dumps(given).encode()
        start = spawn if process and set(process) != {"env"} else run_hook
        return start(raw, "claude-code", event, cwd=self.workspace.root, **(process or {}))

    def prompt(self, text="Go on.", **payload):
        """The user types; what comes back must be harmless, whatever it is."""
        payload = {"prompt": text, "prompt_id": f"p{next(self.numbers)}", **payload}
        answer = self.send("UserPromptSubmit", **payload)
        assert (answer.code, answer.err) == (0, b"")
        return answer


def rule_lines(answer, domain):
    """A domain's rules in the block, None when it is not there."""
    return next(
        (rules["lines"] for rules in (answer.block or {"rules": []})["rules"] if rules["domain"] == domain), None
    )


def notes(answer):
    """The block's notes, none where there is no block."""
    return (answer.block or {"notes": []})["notes"]


def state(workspace, name="s"):
    """What is kept of a conversation."""
    with open(private_path(workspace, "sessions", f"{name}.json"), encoding="utf-8") as file:
        return json.load(file)


def outside(workspace):
    """Every file in the test's own folder that does not lie in the project's ``.limpet``."""
    top = os.path.dirname(workspace.root)
    found = {os.path.join(folder, name) for folder, _, names in os.walk(top) for name in names}
    return {path for path in found if not path.startswith(workspace.home + os.sep)}
