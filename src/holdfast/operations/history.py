"""The hook's records, read back for people: metrics and conversations. Nothing is written, not even repairs."""

from __future__ import annotations

import os
import time
from collections import Counter, defaultdict
from itertools import islice
from statistics import median
from typing import TYPE_CHECKING, Any

from holdfast.context.pipeline import STANDING
from holdfast.context.usage import Usage
from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.files import metrics_path
from holdfast.ground.storage.files import stamp
from holdfast.ground.storage.json_lines import read_newest_first
from holdfast.ground.workspace import Workspace
from holdfast.work.session import TRIAL, complete, read_state_file, session_path, session_paths

if TYPE_CHECKING:
    from holdfast.work.session import Session

Line = dict[str, Any]


def read_metrics(workspace: Workspace, last: int, session: str = "") -> list[Line]:
    """The newest ``last`` lines of metrics, the oldest first; of one conversation if ``session`` is given, else
    of all but the doctor's.

    Rotated files are read as far as they are needed, torn lines passed over.
    """
    newest = (line for line in read_newest_first(metrics_path(workspace)) if line and _is_of(line, session))
    return list(islice(newest, last))[::-1]


def _is_of(line: Line, session: str) -> bool:
    own = str(line.get("session", ""))
    return own == session if session else not own.startswith(TRIAL)


def read_conversation(workspace: Workspace, session: str) -> Session:
    """The state of a conversation. Raises HoldfastError where there is none."""
    state = _state(session_path(workspace, session))
    if state is None:
        newest = newest_conversation(workspace)
        advice = f"the newest one is {newest['id']}" if newest else "none has been seen in this project"
        raise HoldfastError(f"there is no conversation {session}", "", advice)
    return state


def newest_conversation(workspace: Workspace) -> Session | None:
    """The state of the conversation that was written last."""
    newest_first = sorted(session_paths(workspace), key=lambda path: stamp(path) or (0, 0, 0), reverse=True)
    return next(filter(None, map(_state, newest_first)), None)


def summarize(lines: list[Line]) -> dict[str, Any]:
    """Of metrics lines: events with tokens and milliseconds, layers' milliseconds, what fell out, notes, crashes."""
    events, layers = defaultdict(list), defaultdict(list)
    left_out: Counter[str] = Counter()
    for line in lines:
        if "event" in line:
            events[str(line["event"])].append(line)
        for name, milliseconds in _dict(line.get("layers")).items():
            layers[name].append(milliseconds)
        left_out.update(f"{name}: {why}" for name, why in line.get("out", []) if why != STANDING)
    return {
        "lines": len(lines),
        "events": {kind: _event_figures(found) for kind, found in events.items()},
        "layers_ms": {name: _figures(found) for name, found in layers.items()},
        "left_out": dict(left_out.most_common()),
        "notes": dict(Counter(note for line in lines for note in line.get("notes", [])).most_common()),
        "crashes": [line for line in lines if "crash" in line],
    }


def _event_figures(lines: list[Line]) -> dict[str, Any]:
    tokens = [line["tokens"] for line in lines if "tokens" in line]
    milliseconds = [line["ms"] for line in lines if "ms" in line]
    sent = [one for one in tokens if one]
    figures = {"count": len(lines), "blocks": len(sent), "tokens": sum(sent), "largest": max(sent, default=0)}
    return {**figures, "ms": _figures(milliseconds) if milliseconds else None}


def _figures(values: list[float]) -> dict[str, float]:
    return {"median": round(median(values), 3), "max": round(max(values), 3)}


def _state(path: str) -> Session | None:
    found = read_state_file(path)
    if not found:
        return None
    session = str(found.get("id") or os.path.basename(path).removesuffix(".json"))
    usage = _dict(found.get("usage"))
    known = {**found, "usage": usage if set(usage) == set(Usage.fields) else None}
    return complete(known, session, "", str(found.get("cwd", "")), time.time())


def _dict(value: object) -> Line:
    return value if isinstance(value, dict) else {}
