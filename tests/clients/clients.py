"""The four real clients behind one door, driven offline, so that one scenario can be told of each.

    client = CLIENTS["codex-cli"](tmp_path / "codex")
    client.consent(project)                       # what a person answers when the client first opens the project
    first = client.ask(project, f"go {client.shell('ls')}")
    second = client.ask(project, "go on", conversation=first.conversation)
    assert begins_with(second.requests[0], first.requests[-1])

One `Client` is one user with one home folder. A run is one prompt without a terminal. What the model is sent has the
form of the Messages API, whatever the client's own tongue is, so that `texts`, `count` and `said` of conversation.py
read it. No tool asks for permission, but whether the hooks of a project run is the client's decision: none is told to
skip that.

LIMPET_CLAUDE, LIMPET_CODEX, LIMPET_COPILOT and LIMPET_GEMINI name the clients; else they are those on PATH. A
test of one that is not installed is skipped, with the reason. The folder that holds a client comes first on its PATH,
because it may need a newer Node than the machine's, which tools/install_clients.py puts beside it.
"""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from .conversation import said
from .directives import Json
from .fake_model import URL, Exchange, read_log
from .process import DUMMY_KEY, REPOSITORY, REQUESTS, beside_the_fake, environment_of, find_program, records_in
from .terminal import Terminal

TIMEOUT = 120.0
# Seconds after which a client that is to leave has not read that: Gemini CLI draws its input line before it reads.
_UNREAD_AFTER = 20.0
_UP, _DOWN = "\x1b[A", "\x1b[B"


@dataclass(frozen=True)
class Run:
    """What one prompt came to; `conversation` names the conversation to go on with."""

    conversation: str
    answer: str
    exchanges: tuple[Exchange, ...]
    returncode: int
    stdout: str
    stderr: str

    @property
    def requests(self) -> list[Json]:
        """What went to the main model, oldest first."""
        return [each.body for each in self.exchanges if each.kind == "main"]

    @property
    def side(self) -> list[Exchange]:
        """What else the model was asked: summaries, titles, sub-agents' requests."""
        return [each for each in self.exchanges if each.kind not in ("main", "count", "other")]

    @property
    def tools(self) -> list[str]:
        """The results of this prompt's tools as the model was sent them."""
        before = len(_results(self.requests[0]))
        return _results(self.requests[-1])[before:]


@dataclass(frozen=True)
class Client(ABC):
    """An installed client, and a folder for its home and for the records of its runs."""

    folder: Path

    host: ClassVar[str]
    """How Limpet calls it."""
    name: ClassVar[str]
    """Its program."""
    title: ClassVar[str]
    settings: ClassVar[str]
    """The file in a project where a team keeps the client's hooks."""
    ready: ClassVar[str]
    """What stands under the input line."""
    quit: ClassVar[str]
    dialogs: ClassVar[Mapping[str, str]]
    """What it asks a person who opens a project, and the key by which the person consents."""

    leaving: ClassVar[Sequence[str]] = ()
    """What it says when it leaves by itself behind a dialog."""

    @cached_property
    def executable(self) -> Path:
        """The installed client; skips the test where there is none."""
        flag = f" --{self.name}" if self.name != "claude" else ""
        return find_program(
            self.name, self.title, f"LIMPET_{self.name.upper()}", f"tools/install_clients.py FOLDER{flag}"
        )

    @property
    def home(self) -> Path:
        """The user's home folder."""
        return self.folder.resolve() / "home"

    def ask(self, project: Path, prompt: str, *, conversation: str | None = None, words: Sequence[str] = ()) -> Run:
        """Give it one prompt, in a new conversation or in one that goes on; ``words`` are more words for the client."""
        command, environment, records = self._prepare(project, [*self.headless(prompt, conversation), *words])
        done = _finish(command, environment)
        (records / "stdout.txt").write_text(done.stdout, encoding="utf-8")
        (records / "stderr.txt").write_text(done.stderr, encoding="utf-8")
        key, answer = self.outcome(done.stdout, conversation)
        return Run(key, answer, read_log(records / REQUESTS), done.returncode, done.stdout, done.stderr)

    def manage(self, project: Path, *words: str) -> str:
        """What one of its commands prints that asks no model, such as those that install a plugin."""
        command, environment, _ = self._prepare(project, words)
        done = _finish(command, environment)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def consent(self, project: Path) -> None:
        """Open the client in a terminal, agree to all that it asks of the project and its hooks, and leave it."""
        with self._terminal(project, []) as terminal:
            has_ended = False
            while not has_ended:
                ends = (self.ready, *self.leaving)
                if terminal.answer(self.dialogs, *ends, may_leave=bool(self.leaving)) == self.ready:
                    terminal.type(self.quit)
                has_ended = terminal.ends_within(_UNREAD_AFTER)

    @contextmanager
    def terminal(self, project: Path, conversation: str | None = None) -> Iterator[Terminal]:
        """The client in a terminal, in a project that has the person's consent; left in the end. See terminal.py."""
        with self._terminal(project, self.interactive(conversation), self.ready) as terminal:
            yield terminal
            terminal.type(self.quit)
            while not terminal.ends_within(_UNREAD_AFTER):
                terminal.type(self.quit)

    @abstractmethod
    def compact(self, project: Path, conversation: str) -> Run:
        """Have the client compact the conversation."""

    @abstractmethod
    def shell(self, command: str) -> str:
        """The directive at which the model runs a command."""

    @abstractmethod
    def edit(self, path: Path, old: str, new: str) -> str:
        """The directives at which the model replaces a line of a file."""

    @abstractmethod
    def headless(self, prompt: str, conversation: str | None) -> list[str]:
        """The client's words for one prompt."""

    def interactive(self, conversation: str | None) -> list[str]:
        """The client's words for a terminal."""
        raise NotImplementedError

    @abstractmethod
    def variables(self) -> dict[str, str]:
        """What its environment needs beside the addresses of the fake; what it must find in its home is written."""

    @abstractmethod
    def outcome(self, stdout: str, conversation: str | None) -> tuple[str, str]:
        """Which conversation it was, and what was answered."""

    @contextmanager
    def _terminal(self, project: Path, words: Sequence[str], *ready: str) -> Iterator[Terminal]:
        command, environment, _ = self._prepare(project, words)
        with Terminal(command, environment, TIMEOUT, *ready) as terminal:
            yield terminal

    def _prepare(self, project: Path, words: Sequence[str]) -> tuple[list[str], dict[str, str], Path]:
        records = records_in(self.folder.resolve())
        path = os.pathsep.join([str(self.executable.parent), os.environ.get("PATH", "")])
        command = beside_the_fake([str(self.executable), *words], project.resolve(), records, None)
        return command, environment_of(self.folder.resolve(), {**self.variables(), "PATH": path}), records


class Claude(Client):
    """Claude Code; claude_code.py drives it with more ways to look at it."""

    host, name, title, settings = "claude-code", "claude", "Claude Code", ".claude/settings.json"
    ready, quit = "shift+tab to cycle", "/exit"
    dialogs: ClassVar = {
        "❯ No, exit": _DOWN,
        "❯ Yes, I trust this folder": "\r",
        "❯ Continue without using this MCP server": _UP,
        "❯ Use this and all future MCP servers": _UP,
        "❯ Use this MCP server": "\r",
        "❯ [✔] own": _DOWN,  # of several, all are chosen
        "❯ [✔] limpet": _DOWN,
        "❯    Enable selected": "\r",
    }

    def compact(self, project: Path, conversation: str) -> Run:
        """By its command."""
        return self.ask(project, "/compact", conversation=conversation)

    def shell(self, command: str) -> str:
        return call("Bash", command=command, description="work")

    def edit(self, path: Path, old: str, new: str) -> str:
        given = {"file_path": str(path), "old_string": old, "new_string": new}
        return call("Read", file_path=str(path)) + call("Edit", **given)

    def headless(self, prompt: str, conversation: str | None) -> list[str]:
        session = ["--resume", conversation] if conversation else ["--session-id", str(uuid.uuid4())]
        allowed = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash"]
        return ["-p", prompt, "--output-format", "json", *session, *allowed]

    def interactive(self, conversation: str | None) -> list[str]:
        return ["--resume", conversation] if conversation else []

    def variables(self) -> dict[str, str]:
        answers = {"hasCompletedOnboarding": True, "customApiKeyResponses": {"approved": [DUMMY_KEY[-20:]]}}
        write_once(self.home / ".claude.json", json.dumps(answers))
        return {}

    def outcome(self, stdout: str, conversation: str | None) -> tuple[str, str]:
        result = json.loads(stdout)
        return result["session_id"], result.get("result", "")


class Codex(Client):
    """Codex CLI, whose commands run without its sandbox."""

    host, name, title, settings = "codex-cli", "codex", "Codex CLI", ".codex/hooks.json"
    ready, quit = "? for shortcuts", "/quit"
    dialogs: ClassVar = {
        "› 1. Trust and continue": "\r",
        "› 1. Review hooks": _DOWN,
        "› 2. Trust all and continue": "\r",
    }

    def compact(self, project: Path, conversation: str) -> Run:
        """By a limit that the conversation has passed: it compacts before the prompt. `exec` has no command for it."""
        self.ask(project, "go on [[usage:50000]]", conversation=conversation)
        limit = ("-c", "model_auto_compact_token_limit=40000")
        return self.ask(project, "go on", conversation=conversation, words=limit)

    def shell(self, command: str) -> str:
        return call("exec_command", cmd=command)

    def edit(self, path: Path, old: str, new: str) -> str:
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch"
        return call("apply_patch", input=patch)

    def headless(self, prompt: str, conversation: str | None) -> list[str]:
        words = ["exec", "--json", "--skip-git-repo-check", "--sandbox", "danger-full-access", *_CODEX_ADDRESS]
        return [*words, *(["resume", conversation] if conversation else []), prompt]

    def interactive(self, conversation: str | None) -> list[str]:
        return [*_CODEX_ADDRESS, *(["resume", conversation] if conversation else [])]

    def variables(self) -> dict[str, str]:
        write_once(self.home / ".codex" / "config.toml", _CODEX)
        return {"CODEX_HOME": str(self.home / ".codex")}

    def outcome(self, stdout: str, conversation: str | None) -> tuple[str, str]:
        events = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
        keys = [event["thread_id"] for event in events if event["type"] == "thread.started"]
        items = [event["item"] for event in events if event["type"] == "item.completed"]
        answers = [item["text"] for item in items if item["type"] == "agent_message"]
        return (keys or [conversation or ""])[0], (answers or [""])[-1]


class Copilot(Client):
    """Copilot CLI."""

    host, name, title, settings = "copilot-cli", "copilot", "Copilot CLI", ".github/hooks/team.json"
    ready, quit = "? help", "/exit"
    dialogs: ClassVar = {"❯ 1. Yes": _DOWN, "❯ 2. Yes, and remember this folder": "\r"}

    def compact(self, project: Path, conversation: str) -> Run:
        """By its command."""
        return self.ask(project, "/compact", conversation=conversation)

    def shell(self, command: str) -> str:
        return call("bash", command=command, description="work")

    def edit(self, path: Path, old: str, new: str) -> str:
        return call("edit", path=str(path), old_str=old, new_str=new)

    def headless(self, prompt: str, conversation: str | None) -> list[str]:
        session = f"--resume={conversation}" if conversation else f"--session-id={uuid.uuid4()}"
        return ["-p", prompt, "--output-format", "json", "--allow-all-tools", session]

    def interactive(self, conversation: str | None) -> list[str]:
        return [f"--resume={conversation}"] if conversation else []

    def variables(self) -> dict[str, str]:
        return _COPILOT

    def outcome(self, stdout: str, conversation: str | None) -> tuple[str, str]:
        events = [json.loads(line) for line in stdout.splitlines() if line.startswith("{")]
        answers = [event["data"]["content"] for event in events if event["type"] == "assistant.message"]
        ended = [event["sessionId"] for event in events if event["type"] == "result"]
        return (ended or [conversation or ""])[-1], (answers or [""])[-1]

    def events(self, conversation: str) -> list[Json]:
        """The conversation's own event log."""
        path = self.home / ".copilot" / "session-state" / conversation / "events.jsonl"
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        return [json.loads(line) for line in text.split("\n") if line]

    def hooks(self, run: Run) -> list[Json]:
        """What became of each hook that ran in the conversation so far, by the client's own judgement."""
        return [event["data"] for event in self.events(run.conversation) if event["type"] == "hook.end"]

    def failed_hooks(self, run: Run) -> list[Json]:
        """The hooks that the client found fault with."""
        return [hook for hook in self.hooks(run) if not hook["success"]]

    def log(self) -> str:
        """The client's log files."""
        logs = sorted((self.home / ".copilot" / "logs").glob("*.log"))
        return "".join(path.read_text(encoding="utf-8") for path in logs)


class Gemini(Client):
    """Gemini CLI, which asks about no tool."""

    host, name, title, settings = "gemini-cli", "gemini", "Gemini CLI", ".gemini/settings.json"
    ready, quit = "Type your message", "/quit"
    dialogs: ClassVar = {"● 1. Trust folder": "\r"}
    leaving = ("Gemini CLI is restarting",)  # where it may not start itself anew, it ends

    def compact(self, project: Path, conversation: str) -> Run:
        """By a limit that the conversation has passed: it compacts before the prompt. `-p` has no command for it."""
        settings = self.home / ".gemini" / "settings.json"
        self.ask(
            project, "word " * 20_000, conversation=conversation
        )  # a summary must be shorter than what it replaces
        before = settings.read_text(encoding="utf-8")
        settings.write_text(json.dumps(_GEMINI | {"model": {"compressionThreshold": 0.000001}}), encoding="utf-8")
        try:
            return self.ask(project, "go on", conversation=conversation)
        finally:
            settings.write_text(before, encoding="utf-8")

    def shell(self, command: str) -> str:
        return call("run_shell_command", command=command, description="work")

    def edit(self, path: Path, old: str, new: str) -> str:
        return call("replace", file_path=str(path), old_string=old, new_string=new, instruction="work")

    def headless(self, prompt: str, conversation: str | None) -> list[str]:
        session = ["--resume", conversation] if conversation else ["--session-id", str(uuid.uuid4())]
        return [*_GEMINI_MODEL, "-y", "-o", "json", *session, "-p", prompt]

    def interactive(self, conversation: str | None) -> list[str]:
        return [*_GEMINI_MODEL, *(["--resume", conversation] if conversation else [])]

    def variables(self) -> dict[str, str]:
        write_once(self.home / ".gemini" / "settings.json", json.dumps(_GEMINI))
        return {"GEMINI_API_KEY": DUMMY_KEY, "GEMINI_CLI_NO_RELAUNCH": "true"}

    def outcome(self, stdout: str, conversation: str | None) -> tuple[str, str]:
        result = json.loads(stdout[stdout.find("{") :] or "{}")
        return result.get("session_id", conversation or ""), result.get("response", "")


CLIENTS: dict[str, type[Client]] = {kind.host: kind for kind in (Claude, Codex, Copilot, Gemini)}

_CODEX = """\
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false
[model_providers.fake]
name = "fake"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
[analytics]
enabled = false
[features]
daemon_auto_start = false
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
"""
_CODEX_ADDRESS = ("-c", f'model_providers.fake.base_url="{URL}/v1"')
_COPILOT = {
    "COPILOT_AUTO_UPDATE": "false",
    "COPILOT_MODEL": "claude-sonnet-4.5",
    "COPILOT_OFFLINE": "true",
    "COPILOT_PROVIDER_API_KEY": DUMMY_KEY,
    "COPILOT_PROVIDER_TYPE": "anthropic",
}
_GEMINI = {
    "security": {"auth": {"selectedType": "gemini-api-key"}},
    "privacy": {"usageStatisticsEnabled": False},
    "telemetry": {"enabled": False},
    "general": {"enableAutoUpdate": False},
}
_GEMINI_MODEL = ("-m", "gemini-2.5-flash")  # else a smaller model is asked first which one to take


def call(tool: str, **given: object) -> str:
    """The directive at which the model calls a tool."""
    return f"[[tool:{tool} {json.dumps(given)}]]"


def begins_with(later: Json, earlier: Json) -> bool:
    """Whether a request says first all that the earlier one said, but for what Gemini CLI tells of the folder's files,
    which it reads anew whenever it goes on with a conversation."""
    before, after = (
        [each for each in said(request) if not each.text.startswith("<session_context>")]
        for request in (earlier, later)
    )
    return after[: len(before)] == before


def write_once(path: Path, text: str) -> None:
    """Write a file that is not there yet."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def _finish(command: Sequence[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=REPOSITORY,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=TIMEOUT,
        check=False,
    )


def _results(request: Json) -> list[str]:
    return [each.text for each in said(request) if each.role == "tool"]
