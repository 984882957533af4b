"""``holdfast demo``: a short session through the real hook in a scratch project, shown as the model would see it."""

from __future__ import annotations

import json
import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import click

from holdfast.cli.output import emit, json_option
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.files import metrics_path
from holdfast.ground.storage.files import STAMP_GRAIN_NS, write_atomic
from holdfast.ground.storage.json_lines import append_object, read_newest_first
from holdfast.ground.storage.scaffold import missing_files
from holdfast.ground.values import Value
from holdfast.ground.workspace import Workspace, workspace_at
from holdfast.hosts.bytecode import compile_package
from holdfast.hosts.command import hook_command
from holdfast.hosts.registry import HOSTS
from holdfast.hosts.shell import Finished, run_line

# The host that is played.
HOST = next(iter(HOSTS))
SESSION = "demo"
MODEL = "claude-haiku-4-5"
WINDOW = 200_000
DEADLINE = 30.0
NOTHING = "(nothing new: no block)"


class Scene(Value):
    """One event: its name for people and the host's name for it, what was typed, and the tokens used by then."""

    title: str
    event: str = "UserPromptSubmit"
    prompt: str = ""
    used: int = 0
    source: str = ""


class Shown(Value):
    """What came of a scene; ``tokens`` as the hook counted them, ``milliseconds`` of the whole process."""

    scene: Scene
    bracket: str
    block: str
    tokens: int
    milliseconds: float


SCENES = (
    Scene("A session starts: the stable part goes out, once", "SessionStart", source="startup"),
    Scene("A prompt that calls no rules", prompt="Good morning! What is this project about?", used=12_000),
    Scene(
        "A prompt whose words call two domains",
        prompt="Write a failing test for the first acceptance criterion.",
        used=30_000,
    ),
    Scene("A star-command", prompt="*brief What does the parser do?", used=44_000),
    Scene("An agent takes over", prompt="*agent dev", used=60_000),
    Scene("The window fills: MODERATE", prompt="Now make that test pass.", used=100_000),
    Scene("The window fills: DEPLETED", prompt="Go on with the next one.", used=135_000),
    Scene("The window fills: CRITICAL", prompt="Does the regression test still pass?", used=156_000),
    Scene("Under 15 %: the handoff is due", prompt="Go on.", used=175_000),
    Scene("The client is about to compact", "PreCompact", used=180_000, source="auto"),
    Scene("It has compacted: everything is built anew", "SessionStart", source="compact"),
    Scene("The client reports the compaction", "PostCompact", source="auto"),
    Scene("The first prompt after it", prompt="Go on with the failing test.", used=14_000),
)


@click.command()
@click.option("--keep", metavar="DIR", help="Play it in DIR, a new or empty folder, and leave the project there.")
@json_option
def demo(keep: str | None, as_json: bool) -> None:
    """Show what a model gets in the course of a session, without a model.

    \b
    Examples:
      holdfast demo
      holdfast demo --keep ~/holdfast-demo
    """
    with _scratch(keep) as root:
        compile_package()
        shown = []
        for one in play(os.path.abspath(root)):
            shown.append(one)
            _tell(() if as_json else _lines(one, len(shown)))
    if as_json:
        emit([_data(one) for one in shown], (), as_json)
    else:
        _tell(_summary(shown))


def play(root: str) -> Iterator[Shown]:
    """Make a project in the folder ``root`` and send it each scene as the host would. Raises HoldfastError."""
    workspace = _make_project(root)
    transcript = os.path.join(root, "transcript.jsonl")
    for number, scene in enumerate(SCENES, 1):
        for line in _transcript_lines(scene):
            append_object(transcript, line, limit=1_000_000)
        payload = _payload(scene, number, root, transcript)
        yield _show(scene, workspace, _run(scene, payload, root))


def _scratch(keep: str | None) -> AbstractContextManager[str]:
    if keep is None:
        return tempfile.TemporaryDirectory(prefix="holdfast-demo-", ignore_cleanup_errors=True)
    os.makedirs(keep, exist_ok=True)
    if os.listdir(keep):
        raise HoldfastError("is not empty", keep, "name a new folder")
    return nullcontext(keep)


def _make_project(root: str) -> Workspace:
    """Make the project that ``holdfast init`` would make, less the hooks in anybody's settings."""
    workspace = workspace_at(root)
    if workspace.shared != workspace.home:
        raise HoldfastError("lies in a linked git worktree, which shares its records", root, "name another folder")
    for path, text in missing_files(root).items():
        write_atomic(path, text)
    time.sleep(2 * STAMP_GRAIN_NS / 1e9)  # rules younger than that are compiled again on the next prompt
    return workspace


def _transcript_lines(scene: Scene) -> Iterator[dict[str, object]]:
    """Yield what the host has written into its transcript by the time of the event."""
    if scene.event == "SessionStart" and scene.source == "compact":
        yield {"type": "system", "subtype": "compact_boundary", "isSidechain": False, "content": "..."}
    if scene.used:
        usage = {"input_tokens": 10, "cache_creation_input_tokens": 90, "output_tokens": 100}
        usage["cache_read_input_tokens"] = scene.used - sum(usage.values())
        message = {"role": "assistant", "model": MODEL, "content": [{"type": "text", "text": "..."}], "usage": usage}
        yield {"type": "assistant", "isSidechain": False, "sessionId": SESSION, "message": message}


def _payload(scene: Scene, number: int, root: str, transcript: str) -> dict[str, object]:
    common = {"session_id": SESSION, "transcript_path": transcript, "cwd": root, "hook_event_name": scene.event}
    own: dict[str, dict[str, object]] = {
        "SessionStart": {"source": scene.source, "model": MODEL},
        "UserPromptSubmit": {"prompt": scene.prompt, "prompt_id": f"{SESSION}-{number}", "permission_mode": "default"},
        "PreCompact": {"trigger": scene.source, "custom_instructions": None},
        "PostCompact": {"trigger": scene.source, "compact_summary": "What was done so far."},
    }
    return {**common, **own[scene.event]}


def _run(scene: Scene, payload: dict[str, object], root: str) -> Finished:
    """Run the installed command through the shell, with nobody's own settings."""
    env = {**os.environ, "XDG_CONFIG_HOME": os.path.join(root, ".config")}
    finished = run_line(hook_command(HOST, scene.event), json.dumps(payload).encode(), DEADLINE, cwd=root, env=env)
    if finished.code != 0 or finished.err:
        what = "took too long" if finished.code is None else f"ended with {finished.code}"
        raise HoldfastError(f"the hook {what} on {scene.event}", finished.err.decode("utf-8", "replace").strip())
    return finished


def _show(scene: Scene, workspace: Workspace, finished: Finished) -> Shown:
    answer = json.loads(finished.out or b"{}").get("hookSpecificOutput", {})
    record = _last_record(workspace)
    if "crash" in record:
        raise HoldfastError(f"the hook failed on {scene.event}: {record['crash']}: {record['what']}", record["where"])
    return Shown(
        scene=scene,
        bracket=record.get("bracket") or "-",
        block=answer.get("additionalContext", ""),
        tokens=record.get("tokens") or 0,
        milliseconds=round(finished.seconds * 1000, 1),
    )


def _last_record(workspace: Workspace) -> dict[str, Any]:
    """Return what the hook wrote of itself: the user never sees its failures, so they are looked for here."""
    newest = next(read_newest_first(metrics_path(workspace)), None)
    if newest is None:
        raise HoldfastError("the hook left no record", workspace.path("metrics"), "see `holdfast doctor`")
    return newest


def _tell(lines: Iterable[str]) -> None:
    """Print lines with their styles, which ``emit`` would take for a stranger's."""
    for line in lines:
        click.echo(line)


def _lines(one: Shown, number: int) -> Iterator[str]:
    scene = one.scene
    yield click.style(f"== {number}. {scene.title} ==", bold=True)
    event = f"{scene.event} ({scene.source})" if scene.source else scene.event
    yield f"   {event}, {_left(scene)} of the window left, {one.bracket}"
    if scene.prompt:
        yield f"   > {scene.prompt}"
    yield ""
    yield one.block or NOTHING
    yield ""
    yield f"   {one.tokens} tokens, {one.milliseconds:.0f} ms"
    yield ""


def _summary(shown: list[Shown]) -> Iterator[str]:
    yield click.style("== Summary ==", bold=True)
    yield f"{'':3}{'event':18}{'left':>6}  {'bracket':10}{'tokens':>7}{'ms':>7}  "
    for number, one in enumerate(shown, 1):
        facts = f"{one.scene.event:18}{_left(one.scene):>6}  {one.bracket:10}{one.tokens:7}{one.milliseconds:7.0f}"
        yield f"{number:2} {facts}  {one.scene.title}"
    total = sum(one.tokens for one in shown)
    yield f"{len(shown)} events, {total} tokens in all. Tokens are estimated with a reserve. ms is the time from"
    yield "starting the shell that runs the hook to its exit; the first event compiles the rules."


def _data(one: Shown) -> dict[str, object]:
    scene = one.scene
    return {
        "title": scene.title,
        "event": scene.event,
        "source": scene.source,
        "prompt": scene.prompt,
        "used": scene.used,
        "window": WINDOW,
        "bracket": one.bracket,
        "block": one.block,
        "tokens": one.tokens,
        "ms": one.milliseconds,
    }


def _left(scene: Scene) -> str:
    return f"{100 - 100 * scene.used / WINDOW:.0f}%"
