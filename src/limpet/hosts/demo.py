"""Plays a short session through the real hook in a project of its own, with nobody's settings: the session that
``limpet demo`` shows."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from limpet.ground.errors import LimpetError
from limpet.ground.event_log import metrics_path
from limpet.ground.storage.files import STAMP_GRAIN_NS, write_atomic
from limpet.ground.storage.json_lines import append_object, read_newest_first
from limpet.ground.storage.scaffold import missing_files
from limpet.ground.trust.giving import give_trust
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, workspace_at
from limpet.hosts.commands.lines import FinishedLine, direct_command, run_line
from limpet.hosts.registry import HOSTS
from limpet.rules.layout import MANIFEST

# The host that is played; the payloads and the transcript below have its format.
HOST = next(iter(HOSTS))
SESSION = "demo"
MODEL = "claude-haiku-4-5"
# Tokens of the context window.
WINDOW = 200_000
# Seconds that the hook may take for an event.
DEADLINE = 30.0


class DemoScene(Value):
    """``used``: the tokens used by then. ``source``: what started the event, as the host says it."""

    title: str
    event: str = "UserPromptSubmit"
    prompt: str = ""
    used: int = 0
    source: str = ""


class DemoBlock(Value):
    """``milliseconds``: from the start of the shell that runs the hook to its exit."""

    scene: DemoScene
    bracket: str
    block: str
    tokens: int
    milliseconds: float


SCENES = (
    DemoScene("A session starts: the stable part goes out, once", "SessionStart", source="startup"),
    DemoScene("A prompt that calls no rules", prompt="Good morning! What is this project about?", used=12_000),
    DemoScene(
        "A prompt whose words call a domain",
        prompt="Write a failing test for the first acceptance criterion.",
        used=30_000,
    ),
    DemoScene("A star-command", prompt="*brief What does the parser do?", used=44_000),
    DemoScene("An agent takes over", prompt="*agent dev", used=60_000),
    DemoScene("The window fills: MODERATE", prompt="Now make that test pass.", used=100_000),
    DemoScene("The window fills: DEPLETED", prompt="Go on with the next one.", used=135_000),
    DemoScene("The window fills: CRITICAL", prompt="Does the regression test still pass?", used=156_000),
    DemoScene("Under 15 %: the handoff is due", prompt="Go on.", used=175_000),
    DemoScene("The client is about to compact", "PreCompact", used=180_000, source="auto"),
    DemoScene("After the compaction: everything is sent again", "SessionStart", source="compact"),
    DemoScene("The client reports the compaction", "PostCompact", source="auto"),
    DemoScene("The first prompt after it", prompt="Go on with the failing test.", used=14_000),
)


def play(root: str) -> Iterator[DemoBlock]:
    """``root``: a folder, in which a project is made. Raises LimpetError."""
    with _folders_of_its_own(root):
        workspace = _make_project(root)
        transcript = os.path.join(root, "transcript.jsonl")
        for number, scene in enumerate(SCENES, 1):
            for line in _transcript_lines(scene):
                append_object(transcript, line, limit=1_000_000)
            payload = _payload(scene, number, root, transcript)
            command = direct_command(HOST, scene.event)
            finished = run_line(command, json.dumps(payload).encode(), DEADLINE, cwd=root)
            if finished.code != 0 or finished.err:
                what = "took too long" if finished.code is None else f"ended with {finished.code}"
                raise LimpetError(f"The hook {what} on {scene.event}", finished.err.decode("utf-8", "replace").strip())
            yield _show(scene, workspace, finished)


@contextmanager
def _folders_of_its_own(root: str) -> Iterator[None]:
    """Keep nobody's settings, caches and trust: those of the demonstration lie in its folder."""
    names = ("XDG_CONFIG_HOME", "LIMPET_STATE", "LIMPET_DATA", "LIMPET_CACHE")
    own = {name: os.path.join(root, ".user", name.lower()) for name in names}
    before = {name: os.environ.get(name) for name in own}
    os.environ.update(own)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _make_project(root: str) -> Workspace:
    """Make the project that ``limpet init`` would make, less the hooks in anybody's settings, with QA on."""
    workspace = workspace_at(root)
    files = {**missing_files(root), os.path.join(root, MANIFEST): b"QA_STATE=active\n"}
    for path, text in files.items():
        write_atomic(path, text)
    workspace = give_trust(workspace, {}, time.time())
    time.sleep(2 * STAMP_GRAIN_NS / 1e9)  # rules younger than that are compiled again on the next prompt
    return workspace


def _transcript_lines(scene: DemoScene) -> Iterator[dict[str, object]]:
    if scene.event == "SessionStart" and scene.source == "compact":
        yield {"type": "system", "subtype": "compact_boundary", "isSidechain": False, "content": "..."}
    if scene.used:
        usage = {"input_tokens": 10, "cache_creation_input_tokens": 90, "output_tokens": 100}
        usage["cache_read_input_tokens"] = scene.used - sum(usage.values())
        message = {"role": "assistant", "model": MODEL, "content": [{"type": "text", "text": "..."}], "usage": usage}
        yield {"type": "assistant", "isSidechain": False, "sessionId": SESSION, "message": message}


def _payload(scene: DemoScene, number: int, root: str, transcript: str) -> dict[str, object]:
    common = {"session_id": SESSION, "transcript_path": transcript, "cwd": root, "hook_event_name": scene.event}
    own: dict[str, dict[str, object]] = {
        "SessionStart": {"source": scene.source, "model": MODEL},
        "UserPromptSubmit": {"prompt": scene.prompt, "prompt_id": f"{SESSION}-{number}", "permission_mode": "default"},
        "PreCompact": {"trigger": scene.source, "custom_instructions": None},
        "PostCompact": {"trigger": scene.source, "compact_summary": "What was done so far."},
    }
    return {**common, **own[scene.event]}


def _show(scene: DemoScene, workspace: Workspace, finished: FinishedLine) -> DemoBlock:
    answer = json.loads(finished.out or b"{}").get("hookSpecificOutput", {})
    # The user never sees a failure of the hook, so it is looked for in what the hook recorded of itself.
    record = next(read_newest_first(metrics_path(workspace)), None)
    if record is None:
        raise LimpetError("The hook left no record", workspace.kept("metrics"), "run: limpet doctor")
    if "crash" in record:
        raise LimpetError(f"The hook failed on {scene.event}: {record['crash']}: {record['what']}", record["where"])
    return DemoBlock(
        scene=scene,
        bracket=record.get("bracket") or "-",
        block=answer.get("additionalContext", ""),
        tokens=record.get("tokens") or 0,
        milliseconds=round(finished.seconds * 1000, 1),
    )
