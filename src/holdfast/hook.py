"""The command that a host runs on every event: JSON in, JSON out, exit code 0, and never a word on stderr."""

from __future__ import annotations

import gc
import os
import sys

# The process lives for some milliseconds: looking for cycles would cost it one of them and free nothing.
gc.disable()

# The name under which a host draws its status line, which is no event: it needs few modules, and not the bundle.
STATUS_LINE = "StatusLine"


def main(args: list[str] | None = None) -> None:
    """Answer one event: ``args`` are the host and its name of the event; the payload comes on stdin."""
    answer = ""
    try:
        answer = _answer(*(sys.argv[2:] if args is None else args)[:2])
    finally:
        _leave(answer)


def _answer(host: str = "", name: str = "") -> str:
    raw = sys.stdin.buffer.read()
    if name == STATUS_LINE:
        from holdfast.hosts.registry import status_line_of

        if line := status_line_of(host):
            line.main(raw)
        return ""
    from holdfast.ground.prompt_path.bundle import may_be_made, use_bundle

    bundled = use_bundle()
    from holdfast.hosts.registry import events_of, prompt_path

    events = events_of(host)
    payload = _payload(raw)
    if payload is None or events is None:
        return ""
    from holdfast.engine import handle
    from holdfast.ground.clock import Clock
    from holdfast.ground.workspace import find_workspace

    event = events.read_event(name, payload)
    workspace = find_workspace(event.cwd or os.getcwd())
    if workspace is None:
        return ""
    reply = events.render_reply(name, handle(event, workspace, Clock()))
    if event.kind == "session_start" and not bundled and may_be_made():
        from holdfast.engine.worker import start_module

        start_module(workspace, "holdfast.ground.prompt_path.bundling", *prompt_path())
    return reply


def _payload(raw: bytes) -> dict[str, object] | None:
    from holdfast.ground.formats.json_text import loads

    try:
        found = loads(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _leave(answer: str) -> None:
    """Print the answer and exit at once with 0: there is nothing to tidy up, and a closed pipe is no error."""
    try:
        if answer:
            sys.stdout.buffer.write(answer.encode("utf-8", "replace") + b"\n")
        sys.stdout.flush()
    finally:
        os._exit(0)
