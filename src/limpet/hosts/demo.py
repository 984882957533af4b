"""Plays a correction through the real hook in a project of its own, with nobody's settings: said in one conversation,
there in the next and after a compaction. ``limpet demo`` shows it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.event_log import metrics_path
from limpet.ground.storage.files import STAMP_GRAIN_NS, write_atomic
from limpet.ground.storage.json_lines import append_object, read_newest_first
from limpet.ground.storage.scaffold import missing_files
from limpet.ground.trust.giving import give_trust
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, workspace_at
from limpet.hosts.claude_code.events import ATTENDED, ENTRY
from limpet.hosts.commands.lines import FinishedLine, direct_command, run_line
from limpet.hosts.registry import HOSTS
from limpet.memory.files.store import scan_files

# The host that is played; the payloads and the transcripts below have its format.
HOST = next(iter(HOSTS))
MODEL = "claude-haiku-4-5"
# Tokens of the context window.
WINDOW = 200_000
# What tools print in a turn, in characters: a transcript that hardly grew is read at a later turn's end.
PRINTED = 4000
# Seconds that the hook may take for an event, and what it does after a turn's end.
DEADLINE = 30.0


class DemoScene(Value):
    """``day``: of the conversation. ``said``: the agent's answer by then. ``used``: the tokens used by then.
    ``source``: what started the event, as the host says it."""

    title: str
    day: int
    event: str = "UserPromptSubmit"
    prompt: str = ""
    said: str = ""
    used: int = 0
    source: str = ""


class DemoBlock(Value):
    """``milliseconds``: from the start of the shell that runs the hook to its exit. ``seen``: the line that the client
    shows to the person."""

    scene: DemoScene
    bracket: str
    block: str
    seen: str
    tokens: int
    milliseconds: float


WISH = "No, use pnpm, not npm."
SCENES = (
    DemoScene("A session starts: the stable part goes out, once", 1, "SessionStart", source="startup"),
    DemoScene("A prompt", 1, prompt="add zod to the project", used=12_000),
    DemoScene("A correction", 1, prompt=WISH, said="I ran `npm install zod`.", used=14_000),
    DemoScene("The turn ends: the correction is kept", 1, "Stop", said="Done with `pnpm add zod`.", used=16_000),
    DemoScene("The next day, a new conversation", 2, "SessionStart", source="startup"),
    DemoScene("A prompt", 2, prompt="write a schema for orders", used=12_000),
    DemoScene("The window fills: MODERATE", 2, prompt="now one for refunds", said="Written.", used=100_000),
    DemoScene("The window fills: DEPLETED", 2, prompt="go on with invoices", said="Written.", used=135_000),
    DemoScene("The window fills: CRITICAL", 2, prompt="and test them", said="Written.", used=156_000),
    DemoScene("The client is about to compact", 2, "PreCompact", said="Tested.", used=180_000, source="auto"),
    DemoScene("After the compaction: everything is sent again", 2, "SessionStart", source="compact"),
    DemoScene("The client reports the compaction", 2, "PostCompact", source="auto"),
    DemoScene("The first prompt after it", 2, prompt="go on", used=14_000),
)


def play(root: str) -> Iterator[DemoBlock]:
    """``root``: a folder, in which a project is made. Raises LimpetError."""
    with _folders_of_its_own(root):
        workspace = _make_project(root)
        for number, scene in enumerate(SCENES, 1):
            transcript = os.path.join(root, f"{session_of(scene)}.jsonl")
            for line in _transcript_lines(scene, number):
                append_object(transcript, line, limit=1_000_000)
            payload = _payload(scene, number, root, transcript)
            command = direct_command(HOST, scene.event)
            finished = run_line(command, json.dumps(payload).encode(), DEADLINE, cwd=root)
            if finished.code != 0 or finished.err:
                what = "took too long" if finished.code is None else f"ended with {finished.code}"
                raise LimpetError(f"The hook {what} on {scene.event}", finished.err.decode("utf-8", "replace").strip())
            yield _show(scene, workspace, finished)
            if scene.event == "Stop":
                _wait_for_jobs(workspace)


def session_of(scene: DemoScene) -> str:
    return f"day-{scene.day}"


@contextmanager
def _folders_of_its_own(root: str) -> Iterator[None]:
    """Keep nobody's settings, caches and trust: those of the demonstration lie in its folder. The hook is told that a
    person sits at the client."""
    names = ("XDG_CONFIG_HOME", "LIMPET_STATE", "LIMPET_DATA", "LIMPET_CACHE")
    own = {name: os.path.join(root, ".user", name.lower()) for name in names}
    own |= {ENTRY: "cli", ATTENDED: "1"}
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
    """Make the project that ``limpet init`` would make, less the hooks in anybody's settings."""
    workspace = workspace_at(root)
    for path, text in missing_files(root).items():
        write_atomic(path, text)
    workspace = give_trust(workspace, {}, time.time())
    time.sleep(2 * STAMP_GRAIN_NS / 1e9)  # rules younger than that are compiled again on the next prompt
    return workspace


def _wait_for_jobs(workspace: Workspace) -> None:
    """What was said becomes a memory after the turn, in a process of its own."""
    late = time.monotonic() + DEADLINE
    while not any(scan_files(workspace.shared)):
        if time.monotonic() > late:
            raise LimpetError("Nothing was kept of the conversation", workspace.shared, "run: limpet doctor")
        time.sleep(0.05)


def _transcript_lines(scene: DemoScene, number: int) -> Iterator[dict[str, object]]:
    common = {"isSidechain": False, "sessionId": session_of(scene), "timestamp": iso(time.time())}
    if scene.event == "SessionStart" and scene.source == "compact":
        yield {"type": "system", "subtype": "compact_boundary", **common, "uuid": f"{number}-c", "content": "..."}
    if scene.used:
        usage = {"input_tokens": 10, "cache_creation_input_tokens": 90, "output_tokens": 100}
        usage["cache_read_input_tokens"] = scene.used - sum(usage.values())
        text = [{"type": "text", "text": scene.said or "..."}]
        message = {"role": "assistant", "model": MODEL, "content": text, "usage": usage}
        yield {"type": "assistant", **common, "uuid": f"{number}-a", "message": message}
        yield {"type": "progress", **common, "uuid": f"{number}-t", "data": {"output": "." * PRINTED}}
    if scene.prompt:
        message = {"role": "user", "content": scene.prompt}
        yield {"type": "user", **common, "uuid": f"{number}-u", "promptSource": "cli", "message": message}


def _payload(scene: DemoScene, number: int, root: str, transcript: str) -> dict[str, object]:
    session = session_of(scene)
    common = {"session_id": session, "transcript_path": transcript, "cwd": root, "hook_event_name": scene.event}
    own: dict[str, dict[str, object]] = {
        "SessionStart": {"source": scene.source, "model": MODEL},
        "UserPromptSubmit": {"prompt": scene.prompt, "prompt_id": f"{session}-{number}", "permission_mode": "default"},
        "Stop": {"stop_hook_active": False},
        "PreCompact": {"trigger": scene.source, "custom_instructions": None},
        "PostCompact": {"trigger": scene.source, "compact_summary": "What was done so far."},
    }
    return {**common, **own[scene.event]}


def _show(scene: DemoScene, workspace: Workspace, finished: FinishedLine) -> DemoBlock:
    answer = json.loads(finished.out or b"{}")
    # The user never sees a failure of the hook, so it is looked for in what the hook recorded of itself.
    record = next(read_newest_first(metrics_path(workspace)), None)
    if record is None:
        raise LimpetError("The hook left no record", workspace.kept("metrics"), "run: limpet doctor")
    if "crash" in record:
        raise LimpetError(f"The hook failed on {scene.event}: {record['crash']}: {record['what']}", record["where"])
    return DemoBlock(
        scene=scene,
        bracket=record.get("bracket") or "-",
        block=answer.get("hookSpecificOutput", {}).get("additionalContext", ""),
        seen=answer.get("systemMessage", ""),
        tokens=record.get("tokens") or 0,
        milliseconds=round(finished.seconds * 1000, 1),
    )
