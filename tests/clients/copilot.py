"""The real Copilot CLI, driven offline: what a project with Claude Code's hooks looks like in a client that runs them
too.

    run = CopilotCli(find_copilot(), tmp_path / "copilot").ask(project, "hello")
    assert run.failed_hooks == []

One `CopilotCli` is one user with one home folder. Set HOLDFAST_COPILOT to the client to use; else it is `copilot` on
PATH; if there is none, the test is skipped. The folder that holds it comes first on its PATH, because it may need a
newer Node than the machine's, which tools/install_clients.py puts beside it.
"""

from __future__ import annotations

import json
import os
import subprocess
import uuid
from dataclasses import dataclass
from pathlib import Path

from .conversation import texts
from .directives import Json
from .fake_model import read_log
from .process import DUMMY_KEY, REPOSITORY, REQUESTS, beside_the_fake, environment_of, find_program, records_in

TIMEOUT = 120.0
_OFFLINE = {
    "COPILOT_ALLOW_ALL": "true",  # trusts the folder, without which its hooks are not loaded
    "COPILOT_AUTO_UPDATE": "false",
    "COPILOT_MODEL": "claude-sonnet-4.5",
    "COPILOT_OFFLINE": "true",
    "COPILOT_PROVIDER_API_KEY": DUMMY_KEY,
    "COPILOT_PROVIDER_TYPE": "anthropic",
}


@dataclass(frozen=True)
class CopilotRun:
    """One prompt: the exit status, what the client printed, the texts that the model was sent, the session's own event
    log and the client's log file."""

    session_id: str
    status: int
    output: str
    stderr: str
    requests: tuple[str, ...]
    events: tuple[Json, ...]
    log: str

    @property
    def hooks(self) -> list[Json]:
        """What became of each hook that ran, by the client's own judgement."""
        return [event["data"] for event in self.events if event["type"] == "hook.end"]

    @property
    def failed_hooks(self) -> list[Json]:
        """The hooks that the client found fault with."""
        return [hook for hook in self.hooks if not hook["success"]]


@dataclass(frozen=True)
class CopilotCli:
    """An installed client, and a folder for its home and for the logs of its runs."""

    executable: Path
    folder: Path

    def ask(self, project: Path, prompt: str, resume: str = "") -> CopilotRun:
        """Run `copilot -p PROMPT` in a new session, or in one that goes on."""
        folder = self.folder.resolve()
        records = records_in(folder)
        session = resume or str(uuid.uuid4())
        arguments = ["-p", prompt, "--output-format", "json", "--allow-all-tools"]
        arguments += [f"--resume={session}" if resume else f"--session-id={session}"]
        done = subprocess.run(
            beside_the_fake([str(self.executable), *arguments], project.resolve(), records, None),
            cwd=REPOSITORY,
            env=environment_of(folder, _OFFLINE | {"PATH": self._path()}),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=TIMEOUT,
            check=False,
        )
        state = folder / "home" / ".copilot"
        return CopilotRun(
            session_id=session,
            status=done.returncode,
            output=done.stdout,
            stderr=done.stderr,
            requests=tuple(texts(exchange.body) for exchange in read_log(records / REQUESTS)),
            events=_read_lines(state / "session-state" / session / "events.jsonl"),
            log="".join(path.read_text(encoding="utf-8") for path in sorted((state / "logs").glob("*.log"))),
        )

    def _path(self) -> str:
        return os.pathsep.join([str(self.executable.parent), os.environ.get("PATH", "")])


def find_copilot() -> Path:
    """The client to drive; skips the test, with the reason, when none is installed."""
    return find_program("copilot", "Copilot CLI", "HOLDFAST_COPILOT", "tools/install_clients.py --copilot")


def _read_lines(path: Path) -> tuple[Json, ...]:
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return tuple(json.loads(line) for line in text.split("\n") if line)
