"""The state of one conversation, ``sessions/<id>.json``: what was sent, how full the window is, what it overrides."""

from __future__ import annotations

import os
import time

from limpet.ground.clock import iso
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, loads, read_object
from limpet.ground.storage.files import Lock, is_larger, names_in, read_text, write_atomic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from limpet.ground.workspace import Workspace

    Session = dict[str, Any]

SCHEMA_VERSION = 1
# The key of what the context epoch holds; files of schema version 1 call it so.
EPOCH = "stretch"
# The key in it with the numbers of its prompts and where their lines begin in the transcript.
PROMPTS = "prompts"
# The key in it that says that a check failed.
FAILED = "failed"
# The key that says that nobody sits at the conversation, and by what its last prompt came; where an agent started the
# client, NESTED.
UNATTENDED, NESTED = "unattended", "nested"
# How the ids of conversations begin that `limpet doctor` makes up.
TRIAL = "limpet-doctor-"
KEPT_CLAIMS = 16
# How a line of the conversation's ``continuation`` begins that tells a decision.
DECIDED = "Decided"
LARGEST_COUNT = 2**53
# Fields that hold an id or a name, where this conversation differs from its project; ``task`` may be a mapping.
CHOSEN = ("active_agent", "workflow", "squad", "mode", "permission", "model")
# Fields that may be empty or missing: in another shape they count as that.
OPTIONAL: dict[str, type | tuple[type, ...]] = {
    "title": str,
    "usage": dict,
    "marker": dict,
    "score_before_compaction": (int, float),
    "task": (str, dict),
    "transcript": str,
    "bracket": str,
    "recalled": list,
    "asked": list,
    "heard": int,
    "continued": str,
    "last": dict,
    "reload": bool,
    "uncaptured": str,
    "continuation": list,
    "spawn_begun": str,
    "spawned": dict,
    "role": str,
    "taking_over": str,
    "taken_over": dict,
    "ended": str,
    "kept": dict,
    "opening": dict,
    UNATTENDED: str,
}


def new_session(session_id: str, host: str, cwd: str, now: float) -> Session:
    return {
        "schema_version": SCHEMA_VERSION,
        "revision": 0,
        "id": session_id,
        "host": host,
        "started": iso(now),
        "last_activity": iso(now),
        "cwd": cwd,
        "label": os.path.basename(cwd),
        "title": None,
        "prompt_count": 0,
        "usage": None,
        "compactions": 0,
        "marker": None,
        "void_before": 0,
        "critical_streak": 0,
        "score_before_compaction": None,
        "overrides": {},
        EPOCH: {},
        "claims": [],
        "history": {"star_commands": [], "domains_last": []},
    }


def session_path(workspace: Workspace, session_id: str) -> str:
    return workspace.kept("sessions", f"{safe_name(session_id)}.json")


def session_paths(workspace: Workspace) -> list[str]:
    folder = workspace.kept("sessions")
    return [os.path.join(folder, name) for name in names_in(folder) if name.endswith(".json")]


def session_lock(workspace: Workspace, session_id: str, patience: float = 2.0) -> Lock:
    return Lock(workspace.kept("locks", f"{safe_name(session_id)}.lock"), patience)


def read_session(workspace: Workspace, session_id: str) -> tuple[Session | None, str]:
    """Return (state, a note when the file cannot be used). A damaged one is set aside as ``.damaged``, never
    deleted."""
    path = session_path(workspace, session_id)
    text = read_text(path, STATE_BYTES)
    if text is None:
        return None, _set_aside(path) if is_larger(path, STATE_BYTES) else ""
    try:
        found = loads(text)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found, ""
    return None, _set_aside(path)


def read_state(workspace: Workspace, session_id: str) -> Session:
    """Return the state as it is on disk, empty where there is none, or none that can be read. For callers that only
    look: nothing is set aside, and fields may be missing or of another shape."""
    return read_state_file(session_path(workspace, session_id)) if session_id else {}


def read_state_file(path: str) -> Session:
    return read_object(read_text(path, STATE_BYTES))


def complete(found: Session, session_id: str, host: str, cwd: str, now: float) -> Session:
    """Add every field that a foreign or older file lacks or holds in another shape; unknown fields stay."""
    blank = new_session(session_id, host, cwd, now)
    known = {
        name: value for name, value in found.items() if value is None or isinstance(value, OPTIONAL.get(name, object))
    }
    usable = {name: value for name, value in known.items() if name not in blank or _same_shape(value, blank[name])}
    session = {**blank, **usable, "id": session_id}
    chosen = {name: _chosen_id(session[name]) for name in CHOSEN if name in session}
    history = {}
    for name in ("star_commands", "domains_last"):
        names = session["history"].get(name)
        history[name] = [one for one in names if isinstance(one, str)] if isinstance(names, list) else []
    # Leave out fields of another shape, because the context room reads it without a further check.
    shapes = {"began": int, "reminded": int, "stable": str, "bracket": str, "notes": list, "sent": dict, "rules": dict}
    shapes.update({FAILED: bool, PROMPTS: list, "cut": dict, "left": list})
    kept: Session = {
        name: value for name, value in session[EPOCH].items() if isinstance(value, shapes.get(name, object))
    }
    sent = {key: mark for key, mark in kept.get("sent", {}).items() if _is_pair(mark, str, int)}
    rules = {name: mark for name, mark in kept.get("rules", {}).items() if _is_pair(mark, str, str)}
    if PROMPTS in kept:
        kept[PROMPTS] = [pair for pair in kept[PROMPTS] if _is_pair(pair, int, int)]
    return {
        **session,
        **chosen,
        EPOCH: {**kept, "sent": sent, **({"rules": rules} if rules else {})},
        "history": {**session["history"], **history},
        "claims": [entry for entry in session["claims"] if _is_pair(entry, str, (int, float))],
    }


def remaining_window(session: Session) -> float | None:
    """Return the percent that was left at the last prompt, None where it was not measured."""
    usage = session.get("usage")
    left = usage.get("remaining") if isinstance(usage, dict) else None
    return left if isinstance(left, (int, float)) else None


def is_future(session: Session) -> bool:
    """A newer Limpet wrote the state: it may be read and not written."""
    version = session.get("schema_version")
    return isinstance(version, int) and version > SCHEMA_VERSION


def write_session(workspace: Workspace, session: Session) -> None:
    """Write the state with its next revision. Raise OSError."""
    path = session_path(workspace, str(session["id"]))
    stamped = {**session, "schema_version": SCHEMA_VERSION, "revision": session.get("revision", 0) + 1}
    try:
        text = dumps(stamped, indent=1)
    except ValueError:  # a field that we do not know, nested too deeply to be written
        _set_aside(path)
        text = dumps({name: value for name, value in stamped.items() if _is_writable(value)}, indent=1)
    write_atomic(path, text + "\n", follow=False)


def change_session(workspace: Workspace, session_id: str, changes: Session) -> Session:
    """Change fields from outside the hook; None clears one. Raise LimpetError for an unknown conversation and for one
    that a newer version keeps, OSError, TimeoutError."""
    with session_lock(workspace, session_id) as held:
        if not held:
            raise TimeoutError(f"session {session_id} is locked")
        now = time.time()
        found, _ = read_session(workspace, session_id)
        if found is None:
            raise LimpetError("No conversation with this ID", session_id, "Run: limpet status")
        if is_future(found):
            raise LimpetError("A newer Limpet wrote this conversation's state", session_id, "Update Limpet.")
        session = complete(found, session_id, "", workspace.root, now)
        merged = {name: value for name, value in {**session, **changes}.items() if value is not None or name in session}
        write_session(workspace, merged)
        return merged


def reopen_epoch(workspace: Workspace, session_id: str) -> None:
    """With the next block all is sent again. A state that cannot be written, or is not there, is left as it is."""
    count = read_state(workspace, session_id).get("prompt_count")
    change_epoch(workspace, session_id, {"began": count if isinstance(count, int) else 0})


def note_failed_check(workspace: Workspace, session_id: str) -> None:
    """Keep it in this context epoch. A state that cannot be written, or is not there, is left as it is."""
    epoch = read_state(workspace, session_id).get(EPOCH)
    if isinstance(epoch, dict):
        change_epoch(workspace, session_id, {**epoch, FAILED: True})


def note_sent(workspace: Workspace, session_id: str, marks: Collection[str]) -> None:
    """The conversation's window holds since now what has these marks: a command printed it there."""
    known = read_state(workspace, session_id)
    epoch, number = known.get(EPOCH), known.get("prompt_count")
    if marks and isinstance(epoch, dict) and isinstance(number, int):
        sent = {**(epoch.get("sent") or {}), **{mark: ["", number] for mark in marks}}
        change_epoch(workspace, session_id, {**epoch, "sent": sent})


def take_back_asked(workspace: Workspace, session_id: str) -> None:
    """What the conversation was asked for counts as not asked. A state that cannot be written is left as it is."""
    try:
        change_session(workspace, session_id, {"asked": []})
    except (LimpetError, OSError):
        return


def change_epoch(workspace: Workspace, session_id: str, epoch: Session) -> None:
    """Only if the conversation's state is there and can be written."""
    try:
        change_session(workspace, session_id, {EPOCH: epoch})
    except (LimpetError, OSError):
        return


def claim(session: Session, key: str, now: float, lasting: bool) -> Session | None:
    """Return the state with this firing claimed, or None when another firing of the same event claimed it. A lasting
    key (the host's own id of the prompt) is claimed for good, another one for ten seconds."""
    claims = session["claims"]
    if any(claimed == key and (lasting or abs(now - when) < 10) for claimed, when in claims):
        return None
    return {**session, "claims": [*claims, [key, now]][-KEPT_CLAIMS:]}


def _is_writable(value: object) -> bool:
    try:
        dumps(value, indent=1)
    except ValueError:
        return False
    return True


def _set_aside(path: str) -> str:
    aside, number = f"{path}.damaged", 1
    while os.path.lexists(aside):
        aside, number = f"{path}.damaged.{number}", number + 1
    try:
        os.replace(path, aside)
    except OSError:
        return "the session file is damaged and could not be renamed"
    return f"the session file was damaged and is now {os.path.basename(aside)}"


def _chosen_id(value: object) -> str | None:
    """SYNAPSE has ``{"id": ...}``."""
    found = value.get("id") if isinstance(value, dict) else value
    return found if isinstance(found, str) else None


def _is_pair(value: object, first: type, second: type | tuple[type, ...]) -> bool:
    return isinstance(value, list) and len(value) == 2 and isinstance(value[0], first) and isinstance(value[1], second)


def _same_shape(value: object, blank: object) -> bool:
    if blank is None:
        return True
    if isinstance(blank, int):
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_COUNT
    return isinstance(value, type(blank))
