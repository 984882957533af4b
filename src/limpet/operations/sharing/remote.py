"""The remote that a person agreed to, what goes there, and the key: set by their word alone, run by every door."""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import read_object
from limpet.ground.git import setting
from limpet.ground.storage.durable import make_folder, write_durably
from limpet.ground.storage.files import names_in, read_bytes, read_text, write_atomic
from limpet.ground.storage.text_file import sole_writer
from limpet.ground.storage.user_folders import data_folder, state_folder
from limpet.ground.trust.consent import find_consent
from limpet.ground.trust.giving import make_key
from limpet.ground.trust.signed import read_signed, signed_record
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, workspace_at
from limpet.memory.model.layout import WHOLE_STORE
from limpet.memory.personal import personal_workspace
from limpet.operations.approval import Obtain
from limpet.operations.caller import Caller
from limpet.operations.project import Project, open_as
from limpet.operations.sharing.joined import read_joined, synchronize_team, team_path
from limpet.operations.sharing.report import SyncReport
from limpet.operations.sharing.sync import APART, RAN, WRITERS, Syncing
from limpet.sharing.address import read_remote, repository_name
from limpet.sharing.git_remote import GitRemote
from limpet.sharing.ledger import Ledger, damaged
from limpet.sharing.mark import MARK, OTHER
from limpet.sharing.sealing import make_sync_key, read_key_line, require_nacl, write_key_line

SYNC = "sync"
# Seconds between two runs that nobody asked for.
BETWEEN = 300.0
NO_REMOTE = "No remote is set"
SET_ONE = "Run: limpet sync --git REMOTE"
ELSEWHERE = "The store is encrypted, and its key is not on this machine"
MOVE_KEY = "On a machine that has it, run: limpet sync --key. Give its line to the same command here."


class Agreed(Value):
    """``projects``: address of a repository -> the root of the project here whose memories go along."""

    remote: str
    plain: bool = False
    background: bool = False
    projects: dict[str, str] = {}


class SyncState(Value):
    """``ran``: when the store was last reached, 0 for never. ``apart``: files of the store that do not count.
    ``waiting``: revisions that it does not have yet."""

    remote: str
    ran: float = 0.0
    apart: int = 0
    waiting: int = 0


def read_agreed() -> Agreed | None:
    """None where no remote is set; what somebody else wrote there counts for nothing."""
    found = read_signed(_path("agreed"), SYNC)
    return Agreed(**found) if found else None


def set_remote(obtain: Obtain, address: str, plain: bool, now: float) -> tuple[SyncReport, str]:
    """Return what the first run did, and the line of the key where one was made. Raise LimpetError, with nothing
    changed, where nobody agrees or the store is another's."""
    remote, before = read_remote(address), read_agreed()
    how = "readable for whoever can read it" if plain else "encrypted"
    obtain(f"Keep your own memories in {remote}, {how}")
    agreed = (before or Agreed(remote)).replace(remote=remote, plain=plain)
    with _alone():
        transport = _transport(remote)
        is_empty = not transport.revision()
        begins = b"" if is_empty else transport.get([MARK]).get(MARK, b"")
    if not is_empty and not begins.startswith(MARK.encode()):
        raise LimpetError(OTHER, remote, "Use a repository of its own.")
    made = ""
    if not plain:
        require_nacl()
        if read_sync_key() is None:
            if not is_empty:
                raise LimpetError(ELSEWHERE, hint=MOVE_KEY)
            made = write_key_line(_keep_key(make_sync_key()))
    with _opened(agreed, now) as syncing:
        if plain and syncing.transport.revision():
            known = {*syncing.ledger.fact(WRITERS).split(), *syncing.transport.writer()}
            syncing.ledger.note(WRITERS, " ".join(sorted(known)))
        report = syncing.run()
    _agree(agreed)
    for name in names_in(_path()):
        if os.path.isdir(_path(name)) and name != digest(remote):
            shutil.rmtree(_path(name), ignore_errors=True)
    return report, made


def change_agreed(obtain: Obtain, says: str, **changes: object) -> Agreed:
    """Raise LimpetError where no remote is set or nobody agrees."""
    agreed = _require()
    obtain(f"{says} ({agreed.remote})")
    changed = agreed.replace(**changes)
    _agree(changed)
    return changed


def share_project(obtain: Obtain, workspace: Workspace, is_on: bool) -> Agreed:
    """Whether a project's own memories go along, found elsewhere by its repository's address."""
    projects, name = dict(_require().projects), repository_name(setting(workspace.root, "remote.origin.url"))
    if not name:
        raise LimpetError("The repository has no remote named origin, by which other machines would know it")
    projects.pop(name, None)
    says = f"Keep the memories of {workspace.root} there no longer"
    if is_on:
        projects[name] = workspace.root
        says = f"Keep the memories of {workspace.root} there too, as those of {name}"
    return change_agreed(obtain, says, projects=projects)


def synchronize(now: float) -> SyncReport:
    """Raise LimpetError where no remote is set, or the store is not what was agreed."""
    agreed = _require()
    with _opened(agreed, now) as syncing:
        return syncing.run()


def rewrite_store(obtain: Obtain, now: float) -> SyncReport:
    agreed = _require()
    obtain(f"Begin the history of {agreed.remote} anew, without what was deleted or said before")
    with _opened(agreed, now) as syncing:
        return syncing.begin_anew()


def is_background_due(workspace: Workspace, now: float) -> bool:
    """Of the person's own store, or of the project's server. Notes that it was asked: the next run is not due at
    once."""
    agreed = read_agreed()
    own = bool(agreed and agreed.background) and _is_time(_path("ran"), now)
    team = read_joined(workspace) is not None and _is_time(team_path(workspace, "ran"), now)
    return own or team


def synchronize_in_background(workspace: Workspace, now: float) -> tuple[SyncReport, ...]:
    """Where one of the two fails, the other runs. Raise LimpetError for the first that did."""
    agreed = read_agreed()
    try:
        team = synchronize_team(workspace, now)
    finally:
        own = synchronize(now) if agreed and agreed.background else None
    return tuple(each for each in (own, team) if each)


def read_sync_state() -> SyncState | None:
    """As of the last run: nothing is asked of the remote. None where none is set."""
    agreed = read_agreed()
    if agreed is None:
        return None
    path = _path(digest(agreed.remote), "ledger.db")
    state = SyncState(agreed.remote)
    if not os.path.isfile(path):
        return state
    ledger = Ledger(path)
    try:
        ran, apart = float(ledger.fact(RAN) or 0), read_object(ledger.fact(APART))
        return state.replace(ran=ran, apart=sum(apart.values()), waiting=len(ledger.unsent()))
    finally:
        ledger.close()


def read_sync_key() -> bytes | None:
    return read_bytes(_key_path()) or None


def take_key(obtain: Obtain | None, line: str) -> None:
    """``obtain``: asks where an agent could have written the line, and who knows the key reads all that it encrypts.
    Raise LimpetError for a line that is none, and where another key is in use here."""
    if obtain:
        obtain("Take a key with which your own memories are encrypted")
    key, known = read_key_line(line), read_sync_key()
    if known not in (None, key) and read_agreed():
        raise LimpetError("Another key is in use here", _key_path(), "Move that file away to use this one.")
    _keep_key(key)


def _is_time(path: str, now: float) -> bool:
    told = read_text(path) or ""
    ran = float(told) if told.replace(".", "", 1).isdecimal() else 0.0
    if 0 <= now - ran < BETWEEN:
        return False
    write_atomic(path, str(now), follow=False)
    return True


def _require() -> Agreed:
    agreed = read_agreed()
    if agreed is None:
        raise LimpetError(NO_REMOTE, hint=SET_ONE)
    return agreed


@contextmanager
def _opened(agreed: Agreed, now: float) -> Iterator[Syncing]:
    key = None if agreed.plain else read_sync_key()
    if not agreed.plain:
        require_nacl()
        if key is None:
            raise LimpetError(ELSEWHERE, hint=MOVE_KEY)
    with _alone():
        ledger = Ledger(_path(digest(agreed.remote), "ledger.db"))
        try:
            yield Syncing(ledger, _transport(agreed.remote), key, dict(_stores(agreed, now)))
        except sqlite3.Error as error:
            raise damaged(error, ledger.path) from error
        finally:
            ledger.close()


def _alone() -> AbstractContextManager[object]:
    return sole_writer(_path("lock"), "what is shared", 0)


def _stores(agreed: Agreed, now: float) -> Iterator[tuple[str, Project]]:
    """Name -> the project; one that moved, or is not trusted any more, stays away."""
    caller = Caller(reader=WHOLE_STORE, now=now, by=SYNC)
    yield "", open_as(personal_workspace(), caller)
    for name, root in agreed.projects.items():
        workspace = workspace_at(root)
        if find_consent(workspace):
            yield name, open_as(workspace, caller)


def _transport(remote: str) -> GitRemote:
    return GitRemote(_path(digest(remote), "copy.git"), remote)


def _agree(agreed: Agreed) -> None:
    make_folder(_path())
    write_durably(_path("agreed"), signed_record(agreed.__dict__, SYNC, make_key()))


def _keep_key(key: bytes) -> bytes:
    write_durably(_key_path(), key)
    return key


def _key_path() -> str:
    return os.path.join(state_folder(), "sync-key")


def sync_home() -> str:
    return _path()


def _path(*parts: str) -> str:
    return os.path.join(data_folder(), SYNC, *parts)
