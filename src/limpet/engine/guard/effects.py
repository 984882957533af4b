"""Watches what happens while an agent is at work: before the first call that may do more than its words tell, the
repository is looked at, and again when the turn is over. Imported only then."""

from __future__ import annotations

import os
import stat

from limpet.engine.guard.scene import find_places, make_scene
from limpet.engine.guard.snapshot import (
    KEPT,
    SECONDS,
    SHA256,
    UNKNOWN,
    Content,
    Difference,
    Snapshot,
    decides_dress,
    find_difference,
    git_mode,
    mark_file,
    read_dress,
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
from limpet.ground.git import configured, read_worktree_form
from limpet.ground.repository import find_repository
from limpet.ground.storage.durable import delete_file, put_back
from limpet.ground.storage.files import mode_of, names_in, read_bytes, read_text, remove_file, write_if_possible
from limpet.ground.text.escaping import on_one_line
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
# In the same folder, while the person knows that nothing is seen.
BLIND = "blind"
UNSEEN = "What programs change in this turn cannot be told: git does not answer for {}. Run: git status"


class FoundEffects(Value):
    """What the last turn did that its agent may not do, seen from ``root``; ``effects``: (rule, what it says, target);
    ``contents``: path -> what was there, and then, of the files among them; ``dress``: git's folder -> what decided how
    git wrote a file before, "" where that changed; ``unseen``: git could not tell."""

    at: float
    root: str
    agent: str
    effects: tuple[tuple[str, str, str], ...] = ()
    contents: dict[str, tuple[Content, Content]] = {}
    dress: dict[str, str] = {}
    unseen: bool = False


def watch(workspace: Workspace, session: str, scene: Scene, clock: Clock) -> None:
    """Have the repository as it is looked at when the turn is over, unless that is due already."""
    folder = effects_folder(workspace.state, session)
    if not os.path.exists(os.path.join(folder, WATCH)):
        texts = os.path.join(folder, TEXTS)
        snapshot = take_snapshot(scene.root, clock, texts)
        if snapshot is None:
            write_if_possible(os.path.join(folder, WATCH), "")
        else:
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
    kept = {was[0] for was, _ in found.contents.values()} if found else set()
    for name in {*names_in(os.path.join(folder, TEXTS))} - kept:
        remove_file(os.path.join(folder, TEXTS, name))
    is_blind, known = found is not None and found.unseen, os.path.exists(os.path.join(folder, BLIND))
    if known and not is_blind:
        remove_file(os.path.join(folder, BLIND))
    if found is None or (known and is_blind):
        return ""
    if is_blind:
        write_if_possible(os.path.join(folder, BLIND), "")
    write_if_possible(os.path.join(folder, FOUND), dumps(found.__dict__))
    from limpet.engine.guard.record import record_effects

    record_effects(context, found.effects, found.agent)
    lines = describe_effects(found)
    write_if_possible(os.path.join(folder, NOTE), "\n".join(f"{line} The user was told." for line in lines))
    return "\n".join(f"Limpet: {line}" for line in (*lines, *((UNDO,) if found.contents else ())))


def find_effects(workspace: Workspace, event: Event, mirror: Mirror, clock: Clock) -> FoundEffects | None:
    """None for nothing, and where there is no snapshot."""
    folder = effects_folder(workspace.state, event.session)
    agents = [read_text(os.path.join(folder, name), STATE_BYTES) or "" for name in _marks(folder)]
    if not agents or not os.path.exists(os.path.join(folder, WATCH)):
        return None
    before = read_snapshot(os.path.join(folder, WATCH))
    after = take_snapshot(before.root, clock) if before else None
    difference = find_difference(before, after, Patience(SECONDS, clock)) if before and after else None
    if before is None or difference is None:
        return FoundEffects(clock.now(), workspace.root, agents[0], unseen=True)
    state = read_state(workspace, event.session)
    scene = make_scene(event.replace(agent_type=""), find_places(workspace), mirror, state)
    scenes = tuple(scene.replace(root=before.root, agent=agent, starter="") for agent in agents)
    effects = _judge(before, difference, scenes, os.path.join(folder, TEXTS), clock)
    if not effects:
        return None
    contents = {each.target: difference.paths[each.target] for each in effects if each.target in difference.paths}
    is_sure = not any(map(decides_dress, difference.paths))
    dress = {each.folder: each.dress for each in (before, *before.within)} if is_sure else {}
    told = tuple((one.rule, one.says, one.target) for one in effects)
    return FoundEffects(clock.now(), before.root, scenes[0].agent, told, contents, dress)


def read_found(folder: str) -> FoundEffects | None:
    raw = read_text(os.path.join(folder, FOUND), BYTES)
    try:
        data: Any = loads(raw) if raw else {}
        effects = tuple((str(rule), str(says), str(target)) for rule, says, target in data["effects"])
        contents = {path: ((was[0], was[1]), (now[0], now[1])) for path, (was, now) in data["contents"].items()}
        return FoundEffects(data["at"], data["root"], data["agent"], effects, contents, data["dress"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def describe_effects(found: FoundEffects) -> tuple[str, ...]:
    if found.unseen:
        return (on_one_line(UNSEEN.format(found.root)),)
    targets: dict[str, list[str]] = {}
    for rule, _, target in found.effects:
        targets.setdefault(rule, []).append(target)
    says = {rule: said for rule, said, _ in reversed(found.effects)}
    lines = []
    for rule, names in targets.items():
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        first = ", ".join(map(on_one_line, names[:NAMED]))
        lines.append(f"{first}{more} changed in this turn: {on_one_line(says[rule]).partition('. ')[0]}.")
    return tuple(lines)


def undo_effects(workspace: Workspace, path: str) -> str:
    """Put a file (absolute) back; return what was done. Raises LimpetError for one that no turn was told of, that
    changed since, or whose former text was not kept."""
    folder, found, name = _find(workspace, path)
    was, now = found.contents[name]
    there = mark_file(path, "sha256" if len(now[0] or was[0]) == SHA256 else "sha1")[2:]
    if UNKNOWN in (there[0], now[0]):
        raise LimpetError("Whether the file changed since is not known", path, "compare it with git yourself")
    if there[0] != now[0] or (now[0] and git_mode(there[1]) != git_mode(now[1])):
        raise LimpetError("The file changed since; it was left as it is", path, "compare it with git yourself")
    text = _former_text(os.path.join(folder, TEXTS), found, path, was[0])
    if was[0] and text is None:
        raise LimpetError("Its former text was not kept", path, "it may hold a secret, or is large; see git log")
    try:
        if text is None:
            delete_file(path)
            return "Removed: it was not there before"
        put_back(path, text, _former_mode(path, was[1]))
        return "Put back as it was before the turn"
    except OSError as error:
        raise LimpetError(f"Cannot change the file: {error.strerror}", path, "make it writable") from error


def _former_text(texts: str, found: FoundEffects, path: str, content: str) -> bytes | None:
    """None where there was no file, or its bytes are not known for sure: git's are the file's only where it writes
    files as it did then."""
    if content in ("", UNKNOWN):
        return None
    kept = read_bytes(os.path.join(texts, content), KEPT)
    repository = find_repository(os.path.dirname(path)) if kept is None else None
    settings = configured(repository.root) if repository else None
    if repository is None or settings is None:
        return kept
    folder = next((each for each in found.dress if os.path.realpath(each) == os.path.realpath(repository.folder)), "")
    if not folder or found.dress[folder] != read_dress(folder, settings):
        return None
    return read_worktree_form(repository.root, os.path.relpath(path, repository.root).replace(os.sep, "/"), content)


def _former_mode(path: str, mode: int) -> int:
    """Git knows no more of a mode than whether the file is a program; who may read it is as it is now, or as for the
    folder."""
    if mode & 0o666:
        return mode
    if stat.S_ISLNK(mode):
        return mode
    rights = mode_of(path, mode_of(os.path.dirname(path), 0o755)) & 0o666
    return rights | (rights & 0o444) >> 2 if mode & stat.S_IXUSR else rights


def _judge(
    before: Snapshot, difference: Difference, scenes: tuple[Scene, ...], texts: str, clock: Clock
) -> tuple[Effect, ...]:
    olds = read_texts_of(before.root, {was[0] for was, _ in difference.paths.values()}, texts, Patience(SECONDS, clock))
    changes = tuple(_change(before.root, path, was[0], olds.get(was[0])) for path, (was, _) in difference.paths.items())
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
