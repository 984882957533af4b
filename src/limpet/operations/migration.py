"""Brings another tool's files over and takes that back. What is written is known before the first byte; copies of what
was there lie in the project's private folder until then, under a journal that says how far it came."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import PurePosixPath

from limpet.ground.clock import iso
from limpet.ground.config.defaults import CACHE_BYTES, STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps
from limpet.ground.recording import record
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.confinement import leads_out
from limpet.ground.storage.durable import make_folder, make_shared_folders, write_durably
from limpet.ground.storage.files import OWNER_ONLY, is_draft, names_in, read_bytes
from limpet.ground.storage.text_file import sole_writer
from limpet.ground.storage.walking import files_below
from limpet.ground.trust.giving import trusted_projects
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, workspace_at
from limpet.memory.files.store import sole_memory_writer
from limpet.memory.model.layout import full_path, personal_home
from limpet.migration.conversion import Conversion, MovedItem
from limpet.migration.domains import convert_domains
from limpet.migration.journal import (
    BACK,
    BEGUN,
    DONE,
    IMPORTS,
    JOURNAL,
    list_imports,
    long_checksum,
    read_journal,
    set_state,
    unfinished,
)
from limpet.migration.knowledge import convert_chat_spec, convert_shaktra
from limpet.migration.work import HEADING, convert_aios, convert_chati
from limpet.operations.commit import refresh
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import Project
from limpet.operations.trust_record import own_changes
from limpet.rules.layout import LIMPET
from limpet.rules.plan.places import domain_files
from limpet.rules.plan.store import drop_plan

CARL, SYNAPSE, CHATI, SHAKTRA, CHAT_SPEC = KINDS = ("carl", "synapse", "chati", "shaktra", "chat-spec")
# Kind -> patterns of its files, from the project's root.
PATTERNS = {
    CARL: (".carl/**",),
    SYNAPSE: (
        ".synapse/**",
        *(f"{folder}/{name}" for folder in (".aios", ".aiox") for name in ("*-state.yaml", "gotchas.json")),
        *(f"{folder}/{name}/**" for folder in (".aios", ".aiox") for name in ("session-digests", "memories")),
    ),
    CHATI: (".chati/**", "chati.dev/artifacts/handoffs/*", "chati.dev/artifacts/decisions/*"),
    SHAKTRA: (".shaktra/**",),
    CHAT_SPEC: (".chat-spec/**",),
}
LOCKED = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "AGENTS.override.md", "GEMINI.md", ".gemini/session-lock.md")
PERSONAL = "~/.carl"
UNKNOWN = "Limpet has nothing for it; it stays where it is"
_PUBLIC = 0o644


class ImportedFile(Value):
    """``before``: the bytes that are there, None for none."""

    place: str
    path: str
    before: bytes | None
    after: bytes


class ImportPlan(Value):
    """``originals``: the bytes of its files, by path; ``changes``: what is written; ``items``: all that was found."""

    kind: str
    originals: dict[str, bytes]
    changes: tuple[ImportedFile, ...]
    items: tuple[MovedItem, ...]


class RolledBack(Value):
    """``restored``: paths as they were before; ``edited``: those that somebody changed since, left as they are;
    ``folder``: with the copies from before."""

    kind: str
    restored: tuple[str, ...]
    edited: tuple[str, ...]
    folder: str


def plan_import(workspace: Workspace, kind: str, now: float) -> ImportPlan:
    """Reads, and writes nothing."""
    files, refused = _originals(workspace.root, kind)
    secrets = read_secrets(workspace.root)
    one = Conversion(kind, files, lambda place: read_bytes(_path_of(workspace, place), CACHE_BYTES), iso(now), secrets)
    own = domain_files(workspace.root, LIMPET.folder)
    if kind in (CARL, SYNAPSE):
        convert_domains(one, f".{kind}", own)
    if kind == CARL and any(path.startswith(f"{PERSONAL}/") for path in files):
        convert_domains(one, PERSONAL, domain_files(os.path.dirname(personal_home()), LIMPET.folder), "personal:")
    others = {SYNAPSE: convert_aios, CHATI: convert_chati, SHAKTRA: convert_shaktra, CHAT_SPEC: convert_chat_spec}
    if kind in others:
        others[kind](one)
    told = {item.source for item in one.items}
    left = [MovedItem("file", path, path, "", UNKNOWN) for path in files if path not in told]
    left += [MovedItem("file", path, path, "", why) for path, why in refused.items()]
    changes = []
    for place, raw in one.targets.items():
        path = _path_of(workspace, place)
        before = read_bytes(path, CACHE_BYTES)
        if before != raw:
            changes.append(ImportedFile(place, path, before, raw))
    return ImportPlan(kind, files, tuple(changes), (*one.items, *left))


def import_original(project: Project, plan: ImportPlan) -> str:
    """Return the folder with the copies. Raise LimpetError, with all as it was before."""
    workspace, now = project.workspace, project.caller.now
    with _alone(workspace):
        if unfinished(workspace):
            raise LimpetError("An import was interrupted", workspace.root, "Run: limpet import --rollback")
        folder = _keep(workspace, plan, now)
        try:
            with own_changes(workspace):
                for change in plan.changes:
                    _write(change)
                for change in plan.changes:
                    if read_bytes(change.path, CACHE_BYTES) != change.after:
                        raise LimpetError("It reads otherwise than it was written", change.path)
        except (LimpetError, OSError) as error:
            _restore(workspace, folder)
            hint = "Nothing was changed. Try again."
            raise LimpetError(f"Cannot import ({error})", plan.kind, hint) from error
        set_state(folder, DONE)
    data = {"from": plan.kind, "files": len(plan.changes), "items": len(plan.items)}
    record(workspace, project.actor, "import.done", data)
    _renew(project)
    return folder


def roll_back(project: Project) -> RolledBack:
    """Undo the newest import, also one that was interrupted."""
    workspace = project.workspace
    with _alone(workspace):
        found = [folder for folder in list_imports(workspace) if read_journal(folder)["state"] != BACK]
        if not found:
            raise LimpetError("No import to roll back", workspace.root)
        done = _restore(workspace, found[-1])
    record(workspace, project.actor, "import.rolled_back", {"from": done.kind, "edited": list(done.edited)})
    _renew(project)
    return done


def _originals(root: str, kind: str) -> tuple[dict[str, bytes], dict[str, str]]:
    """The bytes of its files, and why others are not read."""
    files, refused = dict[str, bytes](), dict[str, str]()
    tops = dict.fromkeys(pattern.partition("/")[0] for pattern in PATTERNS[kind])
    paths = [path for top in tops for path in files_below(root, top, links=True)]
    found = {path: f"{root}/{path}" for path in paths if any(_fits(path, pattern) for pattern in PATTERNS[kind])}
    for path in LOCKED if kind == CHATI else ():
        if HEADING.encode() in (read_bytes(f"{root}/{path}", CACHE_BYTES) or b""):
            found[path] = f"{root}/{path}"
    home = os.path.expanduser("~")
    if kind == CARL and os.path.realpath(home) != os.path.realpath(root):
        found |= {f"~/{path}": f"{home}/{path}" for path in files_below(home, ".carl", links=True)}
    for path, full in found.items():
        is_out = not path.startswith("~") and leads_out(full, root)
        raw = None if is_out else read_bytes(full, STATE_BYTES)
        if path in LOCKED and os.path.islink(full):
            refused[path] = "it is a link, and the file behind it is looked at by its own name"
        elif raw is None:
            refused[path] = f"it is a link out of the project, no file, or larger than {STATE_BYTES // 1024} KB"
        elif not _is_text(raw):
            refused[path] = "it is no text in UTF-8; save it so"
        else:
            files[path] = raw
    return files, refused


def _is_text(raw: bytes) -> bool:
    try:
        return "\0" not in raw.decode()
    except UnicodeDecodeError:
        return False


def _fits(path: str, pattern: str) -> bool:
    start, is_tree, _ = pattern.partition("/**")
    return path.startswith(f"{start}/") if is_tree else PurePosixPath(path).match(pattern)


def _path_of(workspace: Workspace, place: str) -> str:
    room, _, path = place.partition(":")
    if ".." in path.split("/"):
        raise LimpetError("Not a place of ours", place)
    if room == "memories":
        return full_path(workspace.shared, path)
    tops = {"project": workspace.root, "state": workspace.state, "personal": os.path.dirname(personal_home())}
    return os.path.join(tops[room], *path.split("/"))


@contextmanager
def _alone(workspace: Workspace) -> Iterator[None]:
    """Nobody else writes rules, the session or memories."""
    with ExitStack() as held:
        for name in ("rules", "session.yaml", "import"):
            held.enter_context(sole_writer(workspace.kept("locks", f"{name}.lock"), name))
        held.enter_context(sole_memory_writer(workspace.shared))
        yield


def _keep(workspace: Workspace, plan: ImportPlan, now: float) -> str:
    """All copies are on the disk before the journal, and that before the first change."""
    top = os.path.join(workspace.data, IMPORTS)
    folder = os.path.join(top, f"{iso(now).replace(':', '')}-{len(names_in(top)):04}-{plan.kind}")
    rows = []
    for number, (path, raw) in enumerate(plan.originals.items()):
        write_durably(os.path.join(folder, "originals", str(number)), raw)
        rows.append({"path": path, "checksum": long_checksum(raw), "copy": f"originals/{number}"})
    files, missing = [], dict[str, None]()
    for number, change in enumerate(plan.changes):
        if change.before is not None:
            write_durably(os.path.join(folder, "before", str(number)), change.before)
        sums = {"before": long_checksum(change.before), "after": long_checksum(change.after)}
        files.append({"place": change.place, **sums, "copy": f"before/{number}"})
        parent = os.path.dirname(change.path)
        while not os.path.isdir(parent):
            missing[parent] = None
            parent = os.path.dirname(parent)
    left = [item.__dict__ for item in plan.items]
    told = {"kind": plan.kind, "state": BEGUN, "originals": rows, "files": files, "folders": [*missing], "items": left}
    write_durably(os.path.join(folder, JOURNAL), dumps(told, indent=1))
    return folder


def _write(change: ImportedFile) -> None:
    if read_bytes(change.path, CACHE_BYTES) != change.before:
        raise LimpetError("Another program changed the file", change.path)
    is_private = not change.place.startswith("project:")
    (make_folder if is_private else make_shared_folders)(os.path.dirname(change.path))
    write_durably(change.path, change.after, OWNER_ONLY if is_private else _PUBLIC)


def _restore(workspace: Workspace, folder: str) -> RolledBack:
    """The last written first. Each file is as it was, as it was written, or somebody's since."""
    told, restored, edited = read_journal(folder), list[str](), list[str]()
    kept = {row["copy"]: read_bytes(os.path.join(folder, row["copy"]), CACHE_BYTES) for row in told["files"]}
    for row in told["files"]:
        if long_checksum(kept[row["copy"]]) != row["before"]:
            hint = "Nothing was rolled back. Bring the copy back, or take out by hand what the import made."
            raise LimpetError("A copy from before is damaged", os.path.join(folder, row["copy"]), hint)
    with own_changes(workspace):
        for row in reversed(told["files"]):
            path = _path_of(workspace, row["place"])
            now = long_checksum(read_bytes(path, CACHE_BYTES))
            if now not in (row["before"], row["after"]):
                edited.append(path)
            elif now != row["before"] and row["before"]:
                write_durably(path, kept[row["copy"]] or b"")
                restored.append(path)
            elif now != row["before"]:
                os.unlink(path)
                restored.append(path)
            for name in names_in(os.path.dirname(path)):
                if is_draft(name):
                    os.unlink(os.path.join(os.path.dirname(path), name))
        for path in sorted(told["folders"], key=len, reverse=True):
            with suppress(OSError):
                os.rmdir(path)
    set_state(folder, BACK)
    return RolledBack(told["kind"], tuple(restored), tuple(edited), folder)


def _renew(project: Project) -> None:
    for consent in trusted_projects().values():
        drop_plan(workspace_at(consent.root))
    drop_plan(project.workspace)
    refresh(project)
    update_index(open_library(project))
