"""The doors through which a victim meets a checkout: each a process with the victim's environment, and its answer."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from hostile_scene import SOURCE, Scene

from limpet.hosts.claude_code.events import TIMEOUTS
from limpet.hosts.commands.lines import BOOTSTRAP

# Seconds: of a draw of the status line, of a command, and for what a door has started and left behind.
DRAWING, COMMAND, BACKGROUND = 10, 60, 90
WINDOW = 200_000
PYTHON = [sys.executable, "-I", "-S", "-c", BOOTSTRAP, SOURCE, "claude-code"]
LIMPET = [sys.executable, "-P", "-m", "limpet"]
COMMANDS = (
    ("status",),
    ("doctor",),
    ("trust", "--show"),
    ("memory", "list"),
    ("memory", "search", "export"),
    ("rules", "check"),
    ("config", "get"),
    ("context", "the endpoint", "--explain"),
    ("work", "status"),
    ("init", "--dry-run"),
    ("init", "--yes", "--host", "claude-code"),
    ("uninstall", "--yes"),
)
FEW_COMMANDS = (("status",), ("memory", "list"), ("uninstall", "--yes"))


@dataclass(frozen=True)
class Answer:
    """What a door said, and how long it took; ``code`` is None where it was ended at its ceiling."""

    door: str
    is_hook: bool
    code: int | None
    out: str
    err: str
    seconds: float


def visit(scene: Scene, few: bool = False) -> Iterator[Answer]:
    """Go through every door in turn; with ``few`` only some of the commands."""
    for happen in _events(scene):
        yield happen()
    if left := wait_for_background(str(scene.home)):
        yield Answer("background", False, None, "", f"{left} processes were still running", BACKGROUND)
    for arguments in FEW_COMMANDS if few else COMMANDS:
        yield run(" ".join(arguments), [*LIMPET, *arguments], scene.environment, scene.root, b"", COMMAND)
        if "--host" in arguments:
            yield draw(scene)
            yield send(scene, "UserPromptSubmit", session="t", prompt="The endpoint", prompt_id="p")
    wait_for_background(str(scene.home))


def trust_exists() -> bool:
    """Return whether this Limpet asks whether a project is trusted."""
    return subprocess.run([*LIMPET, "trust", "--help"], capture_output=True, check=False).returncode == 0


def trust(scene: Scene) -> Answer:
    """Let the victim trust the checkout; one where the command fails stays untrusted."""
    return run("trust --yes", [*LIMPET, "trust", "--yes"], scene.environment, scene.root, b"", COMMAND)


def wait_for_background(home: str, longest: float = BACKGROUND) -> int:
    """Wait until no process of the victim's runs any more; those that still do are ended, and counted."""
    end = time.monotonic() + longest
    while (found := _processes(home)) and time.monotonic() < end:
        time.sleep(0.05)
    for process in found:
        try:
            os.kill(process, signal.SIGKILL)
        except OSError:
            continue
    return len(found)


def _events(scene: Scene) -> list[Callable[[], Answer]]:
    """Return a conversation as calls. Its second start comes a day later, for what is done once a day."""

    def prompt(number: int, text: str, left: int) -> Answer:
        fill(scene.transcript, left)
        return send(scene, "UserPromptSubmit", prompt=text, prompt_id=f"p{number}")

    def next_day(source: str) -> Answer:
        scene.let_a_day_pass()
        return send(scene, "SessionStart", source=source)

    failed = {"tool_name": "Bash", "tool_input": {"command": "npm test"}, "tool_use_id": "t", "error": "exit code 1"}
    return [
        partial(send, scene, "SessionStart", source="startup"),
        partial(next_day, "startup"),
        partial(send, scene, "SessionStart", source="resume"),
        partial(prompt, 1, "How does the endpoint do the export?", 80),
        partial(prompt, 2, "*remember The deploy needs a token.", 30),
        partial(prompt, 3, "*brief the endpoint", 10),
        partial(send, scene, "PreCompact", trigger="manual"),
        partial(send, scene, "PostCompact", trigger="manual", compact_summary="A summary."),
        partial(prompt, 4, "Go on with the endpoint.", 10),
        partial(prompt, 5, "/limpet", 10),
        partial(send, scene, "PostToolUseFailure", **failed),
        partial(draw, scene),
        partial(send, scene, "SessionEnd", reason="other"),
    ]


def send(scene: Scene, event: str, session: str = "s", **fields: object) -> Answer:
    """Have the host send an event of this conversation."""
    common = {"session_id": session, "transcript_path": str(scene.transcript), "cwd": str(scene.root)}
    payload = json.dumps({**common, "hook_event_name": event, **fields}).encode("utf-8", "replace")
    given = TIMEOUTS.get(event, DRAWING)
    return run(event, [*PYTHON, event], scene.environment, scene.root, payload, given, is_hook=True)


def draw(scene: Scene) -> Answer:
    """Have the host draw its status line."""
    places = {"current_dir": str(scene.root), "project_dir": str(scene.root)}
    figures = {"context_window_size": WINDOW, "remaining_percentage": 81}
    return send(scene, "StatusLine", workspace=places, model={"id": "some-model"}, context_window=figures)


def fill(transcript: Path, left: int) -> None:
    """Let the host have written an answer that leaves so much percent of the window."""
    usage = {"input_tokens": WINDOW * (100 - left) // 100, "output_tokens": 0}
    message = {"role": "assistant", "model": "some-model", "content": [], "usage": usage}
    with open(transcript, "a", encoding="utf-8") as file:
        file.write(json.dumps({"type": "assistant", "message": message}) + "\n")


def run(
    door: str,
    command: list[str],
    environment: Mapping[str, str],
    cwd: Path,
    given: bytes,
    ceiling: float,
    is_hook: bool = False,
) -> Answer:
    """Run it as a host does. Output goes to files: what it starts and leaves behind may hold a pipe open."""
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        stdin.write(given)
        stdin.seek(0)
        began = time.perf_counter()
        streams = {"stdin": stdin, "stdout": out, "stderr": err}
        with subprocess.Popen(command, cwd=cwd, env=dict(environment), start_new_session=True, **streams) as process:
            try:
                code: int | None = process.wait(ceiling)
            except subprocess.TimeoutExpired:
                process.kill()
                code = None
        seconds = time.perf_counter() - began
        texts = [_text(file) for file in (out, err)]
    return Answer(door, is_hook, code, *texts, seconds)


def _text(file: object) -> str:
    file.seek(0)  # type: ignore[attr-defined]
    return str(file.read().decode("utf-8", "replace"))  # type: ignore[attr-defined]


def _processes(home: str) -> list[int]:
    """Return the processes whose environment or command names the victim's home."""
    if not os.path.isdir("/proc/self"):
        listed = subprocess.run(["ps", "-axEww", "-o", "pid=,command="], capture_output=True, text=True, check=False)
        return [int(line.split()[0]) for line in listed.stdout.splitlines() if f"HOME={home}" in line]
    wanted = f"HOME={home}".encode()
    return [int(name) for name in os.listdir("/proc") if name.isdecimal() and wanted in _environment(name).split(b"\0")]


def _environment(process: str) -> bytes:
    try:
        return Path("/proc", process, "environ").read_bytes()
    except OSError:
        return b""
