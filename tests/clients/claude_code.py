"""The real Claude Code, driven offline: the door for tests, which say what is typed and what they expect.

    def test_something(claude, project):                 # the fixtures of conftest.py
        write_settings(project, hooks=hook_settings({"UserPromptSubmit": "python3 hook.py"}))
        conversation = claude.run(project, ["hello", "/compact", "and now"])
        assert count(conversation.requests[-1], "MARKER") == 1

One `ClaudeCode` is one user with one home folder: what it ran before can be resumed.

- `claude.run(project, prompts, ...)` types the prompts into one process (stream-json), each after the answer to the
  one before. A slash command is a prompt too. `OWN_TURN` in place of a prompt waits until the client has answered a
  turn that nobody typed: it takes one when a background task ends.
- `claude.ask(project, prompt, ...)` is plain `claude -p PROMPT`; its events hold no `hook_response`.
- `claude.terminal(project)` is the client in a terminal, for the status line and the like; see terminal.py.

The first two return a `Conversation` (see conversation.py): `requests` are the bodies that the main conversation
sent to the model; `turns[i].requests` those of one prompt; summaries and subagents stand apart. What the model answers
is steered by directives in the prompts, see directives.py. A client that stops answering, or exits before it has
answered, raises `ClientFailure` with the tail of what it said. Hooks run as they do for a user; no permission is asked.

The client sees nothing of the developer's machine: the environment is built anew, the key is a dummy, telemetry and
self-update are off, and on Linux, where the kernel permits it, client and fake share a network namespace that has only
loopback. Set LIMPET_CLAUDE to the client to use; else it is `claude` on PATH; if there is none, the test is skipped.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict, Unpack

from .conversation import Conversation, Turn, count, texts
from .directives import Json
from .fake_model import Exchange
from .process import (
    DEBUG,
    DUMMY_KEY,
    OWN_TURN,
    ClientFailure,
    ClientProcess,
    beside_the_fake,
    environment_of,
    find_program,
    records_in,
)
from .terminal import Terminal

__all__ = [
    "OWN_TURN",
    "ClaudeCode",
    "ClientFailure",
    "Conversation",
    "Exchange",
    "Options",
    "Terminal",
    "Turn",
    "count",
    "find_client",
    "hook_settings",
    "texts",
    "write_settings",
]

DEFAULT_TIMEOUT = 60.0
READY = "shift+tab to cycle"  # under the input line, once Claude Code draws it


class Options(TypedDict, total=False):
    """How a client is started; everything may be left out.

    `session_id` names a new session (else a new UUID); `resume` continues that session, with `fork` as a copy;
    `window` is the largest request that the model takes, in tokens; `arguments` and `env` are handed to the client
    as they are; `timeout` is in seconds and for the whole run.
    """

    model: str
    session_id: str
    resume: str
    fork: bool
    window: int
    arguments: Sequence[str]
    env: Mapping[str, str]
    timeout: float


@dataclass(frozen=True)
class ClaudeCode:
    """An installed client, and a folder for its home and for the logs of its runs."""

    executable: Path
    folder: Path

    @property
    def home(self) -> Path:
        """The client's home folder, the same for all runs."""
        return self.folder / "home"

    def run(self, project: Path, prompts: Sequence[str], **options: Unpack[Options]) -> Conversation:
        """Type the prompts into one process, one after the other. Raises ClientFailure."""
        arguments = ["-p", "--input-format", "stream-json", "--output-format", "stream-json"]
        with self._start(project, [*arguments, "--verbose", "--include-hook-events"], options) as process:
            turns = tuple(process.converse(prompts))
        return self._conversation(process, turns)

    def ask(self, project: Path, prompt: str, **options: Unpack[Options]) -> Conversation:
        """Run `claude -p PROMPT`. Raises ClientFailure."""
        with self._start(project, ["-p", prompt, "--output-format", "json"], options) as process:
            turn = process.answer(prompt)
        return self._conversation(process, (turn,))

    @contextmanager
    def terminal(self, project: Path, **options: Unpack[Options]) -> Iterator[Terminal]:
        """Start the client in a terminal, in a project that it trusts; see terminal.py."""
        command, environment, _ = self._prepare(project, [], options)
        _accept_all_dialogs(self.home, project)
        with Terminal(command, environment, options.get("timeout", DEFAULT_TIMEOUT), READY) as terminal:
            yield terminal

    def _start(self, project: Path, arguments: Sequence[str], options: Options) -> ClientProcess:
        command, environment, records = self._prepare(project, arguments, options)
        return ClientProcess(command, environment, records, options.get("timeout", DEFAULT_TIMEOUT))

    def _prepare(
        self, project: Path, arguments: Sequence[str], options: Options
    ) -> tuple[list[str], dict[str, str], Path]:
        """The command to start, its environment, and a new folder for the records of the run."""
        folder = self.folder.resolve()
        records = records_in(folder)
        client = [str(self.executable), *arguments, *_arguments(options), "--debug-file", str(records / DEBUG)]
        command = beside_the_fake(client, project.resolve(), records, options.get("window"))
        return command, environment_of(folder, options.get("env", {})), records

    def _conversation(self, process: ClientProcess, turns: tuple[Turn, ...]) -> Conversation:
        session_id = turns[-1].result["session_id"]
        transcripts = self.home.glob(f".claude/projects/*/{session_id}.jsonl")
        return Conversation(
            session_id=session_id,
            turns=turns,
            exchanges=process.exchanges(),
            events=tuple(process.events),
            status=process.status,
            stderr=process.stderr(),
            debug=process.debug(),
            transcript=next(transcripts, self.home / f"{session_id}.jsonl"),
        )


def find_client() -> Path:
    """The client to drive; skips the test, with the reason, when none is installed."""
    return find_program("claude", "Claude Code", "LIMPET_CLAUDE", "tools/install_clients.py")


def seen(conversation: Conversation) -> list[str]:
    """What the person was shown at each prompt, "" for nothing."""
    answers = [json.loads(hook["stdout"] or "{}") for hook in conversation.hooks("UserPromptSubmit")]
    return [answer.get("systemMessage", "") for answer in answers]


def write_settings(project: Path, **settings: object) -> None:
    """Write `.claude/settings.json` of a project."""
    path = project / ".claude" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(settings), encoding="utf-8")


def hook_settings(commands: Mapping[str, str]) -> Json:
    """The `hooks` value of a settings file that runs one shell command for each event."""
    return {event: [{"hooks": [{"type": "command", "command": command}]}] for event, command in commands.items()}


def _accept_all_dialogs(home: Path, project: Path) -> None:
    """Answer beforehand what the client asks a new user: theme, trust in the folder, use of the key, permissions."""
    _merge(home / ".claude" / "settings.json", {"skipDangerousModePermissionPrompt": True})
    answers = {
        "hasCompletedOnboarding": True,
        "projects": {str(project.resolve()): {"hasTrustDialogAccepted": True}},
        "customApiKeyResponses": {"approved": [DUMMY_KEY[-20:]]},
    }
    _merge(home / ".claude.json", answers)


def _merge(path: Path, values: Json) -> None:
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**known, **values}), encoding="utf-8")


def _arguments(options: Options) -> list[str]:
    if resume := options.get("resume"):
        session = ["--resume", resume, *(["--fork-session"] if options.get("fork") else [])]
    else:
        session = ["--session-id", options.get("session_id", str(uuid.uuid4()))]
    model = ["--model", options["model"]] if "model" in options else []
    given = [*options.get("arguments", ())]
    permissions = [] if "--permission-mode" in given else ["--permission-mode", "bypassPermissions"]
    return [*session, *model, *permissions, *given]
