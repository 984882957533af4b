"""Watches what happens while an agent is at work: before the first call that may do more than its words tell, the
repository is looked at, and again when the turn is over. Imported only then."""

from __future__ import annotations

import os

from limpet.engine.guard.scene import find_places, make_scene
from limpet.engine.guard.snapshot import (
    SECONDS,
    SHA256,
    UNKNOWN,
    Difference,
    Snapshot,
    find_difference,
    mark_file,
    read_snapshot,
    read_texts_of,
    take_snapshot,
    write_snapshot,
)
from limpet.engine.guard.watched import AGENT, NOTE, TEXTS, WATCH, agent_mark, effects_folder
from limpet.ground.clock import Patience
from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, loads
from limpet.ground.storage.durable import delete_file, write_durably
from limpet.ground.storage.files import mode_of, names_in, read_text, remove_file, write_if_possible
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.guard.judge import Effect, FileEffect, find_copied, judge_act, judge_changes
from limpet.memory.model.layout import ENDING
from limpet.work.session import read_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from limpet.engine.event_context import EventContext
    from limpet.ground.clock import Clock
    from limpet.ground.config.mirror import Mirror
    from limpet.ground.event import Event
    from limpet.guard.call import Scene

# In the folder of a conversation, beside what ``watched`` knows of: what was found last.
FOUND = "found"
# Changed files and private memories that are read, and bytes of one.
MOST, BYTES = 200, 400_000
NAMED = 3
UNDO = "To put a file back: limpet guard undo FILE"
NEW_FILE = 0o644


class FoundEffects(Value):
    """What the last turn did that its agent may not do, seen from ``root``; ``effects``: (rule, what it says, target);
    ``contents``: path -> (id of the content before, and after) of the files among them."""

    at: float
    root: str
    agent: str
    effects: tuple[tuple[str, str, str], ...]
    contents: dict[str, tuple[str, str]]


def watch(workspace: Workspace, session: str, scene: Scene, clock: Clock) -> None:
    """Have the repository as it is looked at when the turn is over, unless that is due already."""
    folder = effects_folder(workspace.state, session)
    if not os.path.exists(os.path.join(folder, WATCH)):
        texts = os.path.join(folder, TEXTS)
        snapshot = take_snapshot(scene.root, clock, texts)
        if snapshot is None:
            return
        write_snapshot(os.path.join(folder, WATCH), snapshot)
    mark = agent_mark(folder, scene.agent)
    if not os.path.exists(mark):
        write_if_possible(mark, scene.agent)


def settle_turn(context: EventContext) -> str:
    """Return what the person is told, "" for nothing; the agent gets a note. The snapshot goes."""
    folder = effects_folder(context.workspace.state, context.event.session)
    try:
        found = find_effects(context.workspace, context.event, context.mirror, context.clock)
    finally:
        for name in (WATCH, *_marks(folder)):
            remove_file(os.path.join(folder, name))
    kept = {was for was, _ in found.contents.values()} if found else set()
    for name in {*names_in(os.path.join(folder, TEXTS))} - kept:
        remove_file(os.path.join(folder, TEXTS, name))
    if found is None:
        return ""
    write_if_possible(os.path.join(folder, FOUND), dumps(found.__dict__))
    from limpet.engine.guard.record import record_effects

    record_effects(context, found.effects, found.agent)
    lines = describe_effects(found)
    write_if_possible(os.path.join(folder, NOTE), "\n".join(f"{line} The user was told." for line in lines))
    return "\n".join(f"Limpet: {line}" for line in (*lines, *((UNDO,) if found.contents else ())))


def find_effects(workspace: Workspace, event: Event, mirror: Mirror, clock: Clock) -> FoundEffects | None:
    """None for nothing, and where there is no snapshot."""
    folder = effects_folder(workspace.state, event.session)
    before = read_snapshot(os.path.join(folder, WATCH))
    agents = [read_text(os.path.join(folder, name), STATE_BYTES) or "" for name in _marks(folder)]
    after = take_snapshot(before.root, clock) if before else None
    if before is None or after is None or not agents:
        return None
    state = read_state(workspace, event.session)
    scene = make_scene(event.replace(agent_type=""), find_places(workspace), mirror, state)
    scenes = tuple(scene.replace(root=before.root, agent=agent, starter="") for agent in agents)
    texts, difference = os.path.join(folder, TEXTS), find_difference(before, after, Patience(SECONDS, clock))
    effects = _judge(before, difference, scenes, texts, clock)
    contents = {each.target: difference.paths[each.target] for each in effects if each.target in difference.paths}
    told = tuple((one.rule, one.says, one.target) for one in effects)
    return FoundEffects(after.at, before.root, scenes[0].agent, told, contents) if told else None


def read_found(folder: str) -> FoundEffects | None:
    raw = read_text(os.path.join(folder, FOUND), BYTES)
    try:
        data: Any = loads(raw) if raw else {}
        effects = tuple((str(rule), str(says), str(target)) for rule, says, target in data["effects"])
        contents = {str(path): (str(was), str(now)) for path, (was, now) in data["contents"].items()}
        return FoundEffects(float(data["at"]), str(data["root"]), str(data["agent"]), effects, contents)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def describe_effects(found: FoundEffects) -> tuple[str, ...]:
    targets: dict[str, list[str]] = {}
    for rule, _, target in found.effects:
        targets.setdefault(rule, []).append(target)
    says = {rule: said for rule, said, _ in reversed(found.effects)}
    lines = []
    for rule, names in targets.items():
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        lines.append(f"{', '.join(names[:NAMED])}{more} changed in this turn: {says[rule].partition('. ')[0]}.")
    return tuple(lines)


def undo_effects(workspace: Workspace, path: str) -> str:
    """Put a file (absolute) back; return what was done. Raises LimpetError for one that no turn was told of, that
    changed since, or whose former text was not kept."""
    folder, found, name = _find(workspace, path)
    was, now = found.contents[name]
    if mark_file(path, "sha256" if len(now or was) == SHA256 else "sha1")[2] != now:
        raise LimpetError("The file changed since; it was left as it is", path, "compare it with git yourself")
    raw = read_texts_of(found.root, {was}, os.path.join(folder, TEXTS)).get(was)
    if was == UNKNOWN or (was and raw is None):
        raise LimpetError("Its former text was not kept", path, "it may hold a secret, or is large; see git log")
    try:
        if raw is None:
            delete_file(path)
            return "Removed: it was not there before"
        write_durably(path, raw, mode_of(path, NEW_FILE), follow=False)
        return "Put back as it was before the turn"
    except OSError as error:
        raise LimpetError(f"Cannot change the file: {error.strerror}", path, "make it writable") from error


def _judge(
    before: Snapshot, difference: Difference, scenes: tuple[Scene, ...], texts: str, clock: Clock
) -> tuple[Effect, ...]:
    olds = read_texts_of(before.root, {was for was, _ in difference.paths.values()}, texts, Patience(SECONDS, clock))
    changes = tuple(_change(before.root, path, was, olds.get(was)) for path, (was, _) in difference.paths.items())
    effects = (*judge_changes(changes, scenes), *find_copied(changes, _memories(scenes) if changes else {}))
    commits = [commit[:8] for commit in difference.commits] or [name.rpartition("/")[2] for name in difference.moved]
    for words, names in ((("git", "commit"), commits), (("git", "push"), difference.pushed)):
        for name in names[:MOST]:
            effects += judge_act(words, name.removeprefix("refs/remotes/"), scenes)
    return effects


def _change(root: str, path: str, was: str, old: bytes | None) -> FileEffect:
    new = os.path.join(root, *path.split("/"))
    after = read_text(new, BYTES) if os.path.lexists(new) else None
    unread = "" if was else None
    return FileEffect(path, unread if old is None else old.decode("utf-8", "replace"), after)


def _marks(folder: str) -> list[str]:
    return [name for name in names_in(folder) if name.startswith(AGENT)]


def _memories(scenes: tuple[Scene, ...]) -> dict[str, str]:
    """Text -> owner, of agents that were not at work."""
    agents = {scene.agent for scene in scenes}
    paths: list[tuple[str, str]] = []
    for top, owner in scenes[0].owners.items():
        for folder, _, names in os.walk(top) if owner not in agents else ():
            paths += [(os.path.join(folder, name), owner) for name in names if name.endswith(ENDING)]
    texts = {read_text(path, BYTES): owner for path, owner in paths[:MOST]}
    return {text: owner for text, owner in texts.items() if text}


def _find(workspace: Workspace, path: str) -> tuple[str, FoundEffects, str]:
    top, seen = effects_folder(workspace.state), []
    for folder in (os.path.join(top, name) for name in names_in(top)):
        found = read_found(folder)
        name = os.path.relpath(path, found.root).replace(os.sep, "/") if found else ""
        if found and name in found.contents:
            seen.append((found.at, folder, found, name))
    if not seen:
        raise LimpetError("No turn was told of this file", path, "See what was: limpet guard log")
    _, folder, found, name = max(seen, key=lambda each: each[0])
    return folder, found, name
