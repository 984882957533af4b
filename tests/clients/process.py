"""A client's process with the fake model beside it: separate, because only here something runs and is killed."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

import pytest

from .conversation import Turn
from .directives import Json
from .fake_model import Exchange, read_log

REPOSITORY = Path(__file__).resolve().parents[2]  # where the fake is started: it is a module of the tests
OWN_TURN = "<a turn that the client takes by itself>"

REQUESTS, DEBUG, ERRORS = "requests.jsonl", "debug.txt", "stderr.txt"  # in the records of a run
DUMMY_KEY = "dummy-key-of-a-fake-model"

_QUIET = {
    "ANTHROPIC_API_KEY": DUMMY_KEY,
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "CLAUDE_CODE_MAX_RETRIES": "0",  # a failure that a test asks for comes once, not after ten retries
    "DISABLE_AUTOUPDATER": "1",
    "DISABLE_ERROR_REPORTING": "1",
    "DISABLE_TELEMETRY": "1",
    "IS_SANDBOX": "1",  # else the client refuses `bypassPermissions` to root, which a namespace makes of anyone
}
_KEPT = (
    *("PATH", "TMPDIR", "SYSTEMROOT", "COMSPEC", "PATHEXT", "TEMP", "TMP", "CLAUDE_CODE_GIT_BASH_PATH"),
    *("XDG_STATE_HOME", "XDG_CACHE_HOME"),  # where a test keeps the user's folders
)
_NAMESPACE = ["unshare", "--user", "--map-root-user", "--net"]
_BETWEEN_LOOKS = 0.05  # seconds
_LAST_WAIT = 0.1  # seconds that a read still gets when the deadline has passed


class ClientFailure(AssertionError):
    """The client gave no answer: what happened, and the tail of its error output and debug log."""


class ClientProcess:
    """A running client, from `with` to its end; whatever it started is killed then.

    `command` is what `beside_the_fake` made, `records` the folder for its logs, `timeout` the seconds that the
    whole run may take.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], records: Path, timeout: float) -> None:
        self.events: list[Json] = []
        self.status = -1
        self._command = command
        self._records = records
        self._timeout = timeout
        self._deadline = time.monotonic() + timeout
        self._seen = 0
        self._lines: queue.Queue[str | None] = queue.Queue()
        with (records / ERRORS).open("wb") as errors:
            self._process = subprocess.Popen(
                command,
                cwd=REPOSITORY,
                env=dict(environment),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
                start_new_session=True,
            )
        assert self._process.stdin and self._process.stdout
        self._input = self._process.stdin
        threading.Thread(target=_feed, args=(self._process.stdout, self._lines), daemon=True).start()

    def __enter__(self) -> ClientProcess:
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        try:
            if not failed:
                self._await_end()
        finally:
            kill(self._process)

    def converse(self, prompts: Sequence[str]) -> Iterator[Turn]:
        """Type each prompt and yield its turn; turns that the client takes by itself come in between."""
        for prompt in prompts:
            awaited = None if prompt == OWN_TURN else prompt
            if awaited is not None:
                self._type(awaited)
            turn = self._next_turn(awaited)
            while turn.prompt != awaited:
                yield turn
                turn = self._next_turn(awaited)
            yield turn

    def answer(self, prompt: str) -> Turn:
        """The turn of a prompt that stands in the command line."""
        self._close_input()
        return self._next_turn(prompt)

    def exchanges(self) -> tuple[Exchange, ...]:
        """What the model was sent so far."""
        return read_log(self._records / REQUESTS)

    def stderr(self) -> str:
        """The client's error output so far."""
        return _read(self._records / ERRORS)

    def debug(self) -> str:
        """The client's debug log so far."""
        return _read(self._records / DEBUG)

    def _type(self, prompt: str) -> None:
        message = {"type": "user", "message": {"role": "user", "content": prompt}}
        with contextlib.suppress(BrokenPipeError):  # a client that is gone is reported by the read that follows
            self._input.write(json.dumps(message) + "\n")
            self._input.flush()

    def _close_input(self) -> None:
        """Nothing more will be typed: a plain `-p` would wait three seconds for more."""
        with contextlib.suppress(BrokenPipeError):
            self._input.close()

    def _next_turn(self, awaited: str | None) -> Turn:
        result = self._next_result()
        own = "origin" in result  # the client names it, for instance {"kind": "task-notification"}
        every = self.exchanges()
        new, self._seen = every[self._seen :], len(every)
        return Turn(None if own else awaited, result, new)

    def _next_result(self) -> Json:
        while event := self._next_event():
            if event.get("type") == "result":
                return event
        raise self._failure("exited before it answered")

    def _next_event(self) -> Json | None:
        try:
            line = self._lines.get(timeout=self._remaining())
        except queue.Empty:
            raise self._failure(f"did not answer within {self._timeout:g} seconds") from None
        if line is None:
            return None
        event: Json = json.loads(line)
        self.events.append(event)
        return event

    def _await_end(self) -> None:
        self._close_input()
        while self._next_event():
            pass
        try:
            self.status = self._process.wait(self._remaining())
        except subprocess.TimeoutExpired:
            raise self._failure("answered everything but did not exit") from None

    def _remaining(self) -> float:
        return max(_LAST_WAIT, self._deadline - time.monotonic())

    def _failure(self, what: str) -> ClientFailure:
        said = f"--- stderr\n{self.stderr()[-2000:]}\n--- debug\n{self.debug()[-4000:]}"
        return ClientFailure(f"the client {what}: {' '.join(self._command)}\n{said}")


def find_program(name: str, title: str, variable: str, mend: str) -> Path:
    """The client to drive: the one that an environment variable names, else the one on PATH.

    Skips the test, with the reason, when none is installed; ``mend`` installs it.
    """
    named = os.environ.get(variable)
    found = shutil.which(named or name)
    if named and not found:
        pytest.fail(f"{variable} names no program: {named}")
    if not found:
        pytest.skip(f"{title} is not installed: put `{name}` on PATH or its path into {variable} ({mend} installs it)")
    return Path(found).absolute()


# The user's settings: what a test says to a client that nobody sits at counts as typed.
TYPED = "hosts: {attended: [sdk-cli, exec, copilot-cli, gemini-cli]}\n"


def records_in(folder: Path) -> Path:
    """A new folder for the records of a run, beside the client's home and its temporary files."""
    records = folder / f"run-{len(list(folder.glob('run-*'))) + 1}"
    settings = folder / "home" / ".config" / "limpet"
    for each in (settings, folder / "tmp", records):
        each.mkdir(parents=True, exist_ok=True)
    (settings / "config.yaml").write_text(TYPED)
    return records


def environment_of(folder: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """The environment of a client that keeps its home and its temporary files in a folder.

    It is built anew, with nothing of the developer's but what a program needs to start.
    """
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    homes = {name: str(folder / "home") for name in ("HOME", "USERPROFILE")}
    temporary = {"CLAUDE_CODE_TMPDIR": str(folder / "tmp")}
    return {**kept, **homes, **temporary, "LANG": "C.UTF-8", "TERM": "dumb", **_QUIET, **extra}


def beside_the_fake(client: Sequence[str], project: Path, records: Path, window: int | None) -> list[str]:
    """The command that runs a client in a project, beside the fake; both in a network namespace if there can be one.

    `records` is the folder for the log of requests, `window` the largest request that the model takes, in tokens.
    """
    namespace = _NAMESPACE if _can_isolate() else []
    serve = [
        sys.executable,
        "-S",
        "-m",
        "tests.clients.fake_model",
        "--log",
        str(records / REQUESTS),
        "--folder",
        str(project),
    ]
    serve += ["--new-namespace"] if namespace else []
    serve += ["--window", str(window)] if window else []
    return [*namespace, *serve, "--", *client]


@cache
def _can_isolate() -> bool:
    """Whether this kernel lets this user make a network namespace."""
    if not shutil.which(_NAMESPACE[0]):
        return False
    return subprocess.run([*_NAMESPACE, "true"], capture_output=True, check=False).returncode == 0


def outlasting(words: str, patience: float = 30.0) -> list[str]:
    """The command lines that hold these words of processes still running after so many seconds; [] as soon as there
    are none, and where there is no `ps`."""
    deadline = time.monotonic() + patience
    while (found := _running(words)) and time.monotonic() < deadline:
        time.sleep(_BETWEEN_LOOKS)
    return found


def _running(words: str) -> list[str]:
    if not shutil.which("ps"):
        return []
    listing = subprocess.run(["ps", "-A", "-ww", "-o", "args="], capture_output=True, text=True, check=True).stdout
    return [line for line in listing.splitlines() if words in line]


def _feed(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    for line in stream:
        lines.put(line)
    lines.put(None)


def kill(process: subprocess.Popen[str] | subprocess.Popen[bytes]) -> None:
    """End a process and, where there are process groups, all that it started."""
    if sys.platform == "win32":
        process.kill()
    else:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
