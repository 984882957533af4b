"""The team's server that a person joined a project to: their word, the token, the runs, and what the server tells of
who wrote. Separate from ``remote``, whose store is the person's own."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import chain
from typing import TYPE_CHECKING

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.git import setting
from limpet.ground.storage.durable import make_folder, write_durably
from limpet.ground.storage.files import read_text, remove_file, write_atomic
from limpet.ground.storage.text_file import sole_writer
from limpet.ground.storage.user_folders import state_folder
from limpet.ground.trust.consent import find_consent
from limpet.ground.trust.giving import make_key
from limpet.ground.trust.signed import read_signed, signed_record
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.memory.files.evidence import digest_of_text, digest_of_words
from limpet.memory.model.entry import MemoryEntry
from limpet.memory.model.layout import TEAM, WHOLE_STORE
from limpet.operations.approval import Obtain
from limpet.operations.caller import Caller
from limpet.operations.project import Project, open_as
from limpet.operations.sharing.report import SyncReport
from limpet.operations.sharing.sync import Syncing
from limpet.sharing.address import read_server, repository_name
from limpet.sharing.ledger import Ledger
from limpet.sharing.revision import Revision, heads_of
from limpet.sharing.transport import Unreached

if TYPE_CHECKING:
    from limpet.sharing.http_remote import HttpRemote

EVERY_PROJECT = "*"
_PURPOSE = "team server"
_BY = "sync"


class Joined(Value):
    """``project``: its name at the server. ``person``: whose token it is."""

    url: str
    project: str
    person: str


class SharedProposal(Value):
    """What ``projects`` projects of the organisation say by themselves. ``sense``: names it."""

    sense: str
    title: str
    projects: int
    confidence: float


class ApprovedWords(Value):
    """What the organisation approved for all of its projects."""

    sense: str
    title: str
    decided_by: str


def read_joined(workspace: Workspace) -> Joined | None:
    """None where the project is on no server; what somebody else wrote there counts for nothing."""
    found = read_signed(team_path(workspace, "agreed"), f"{_PURPOSE} {workspace.shared}")
    return Joined(**found) if found else None


def join_team(obtain: Obtain, workspace: Workspace, address: str, token: str, now: float) -> tuple[Joined, SyncReport]:
    """Return also what the first run did. Raise LimpetError, with nothing changed, where nobody agrees, the token opens
    nothing or the project has no name that others would know it by."""
    url = read_server(address)
    obtain(f"Share the team memories of {workspace.root} through {url}")
    told = _remote(workspace, Joined(url, "", ""), token).ask("GET", "/v1/me")
    name = str(told["project"])
    if name == EVERY_PROJECT:
        name = repository_name(setting(workspace.root, "remote.origin.url"))
    if not name:
        hint = "Use a token for one project: limpet serve --new-token TENANT/PROJECT"
        raise LimpetError("The repository has no remote named origin, by which others would know it", "", hint)
    joined = Joined(url, name, str(told["person"]))
    if "write" in told["scopes"]:
        _remote(workspace, joined, token).ask("POST", "/v1/projects")
    if read_joined(workspace) not in (None, joined):
        shutil.rmtree(team_path(workspace), ignore_errors=True)
    write_durably(_token_path(workspace), token)
    make_folder(team_path(workspace))
    record = signed_record(joined.__dict__, f"{_PURPOSE} {workspace.shared}", make_key())
    write_durably(team_path(workspace, "agreed"), record)
    return joined, _run(workspace, joined, now)


def leave_team(obtain: Obtain, workspace: Workspace) -> Joined:
    """The memories stay, here and there. Raise LimpetError where the project is on no server or nobody agrees."""
    joined = _require(workspace)
    obtain(f"Share the team memories of {workspace.root} through {joined.url} no longer")
    remove_file(_token_path(workspace))
    shutil.rmtree(team_path(workspace), ignore_errors=True)
    return joined


def synchronize_team(workspace: Workspace, now: float) -> SyncReport | None:
    """None where the project is on no server, or not trusted."""
    joined = read_joined(workspace)
    return _run(workspace, joined, now) if joined and find_consent(workspace) else None


def find_authors(workspace: Workspace, entries: Iterable[MemoryEntry]) -> dict[str, str]:
    """Id of an entry -> the person whose words it has, by the token that the server saw; without what it does not
    know."""
    joined, found = read_joined(workspace), dict[str, str]()
    if joined is None:
        return found
    persons = _remote(workspace, joined, "").persons
    ledger = Ledger(team_path(workspace, "ledger.db"))
    try:
        for entry in entries:
            parents = ledger.parents(joined.project, entry.id)
            heads = heads_of(parents)
            same = [each for each in parents if _says(ledger.revision(each), digest_of_words(entry))]
            before = chain.from_iterable(parents[each] for each in heads)
            same.sort(key=lambda each: len(parents[each]))  # what a machine merged is last: it took others' words
            author = next((persons[each] for each in (*same, *heads, *before) if each in persons), "")
            found |= {entry.id: author} if author else {}
    finally:
        ledger.close()
    return found


def list_approved(workspace: Workspace) -> list[ApprovedWords]:
    """As of the last run; those that the person has not decided on."""
    found = read_object(read_text(team_path(workspace, "approved")))
    decided = read_object(read_text(team_path(workspace, "decided")))
    return [ApprovedWords(key, *map(str, each)) for key, each in found.items() if key not in decided]


def settle_approved(workspace: Workspace, sense: str, is_kept: bool) -> None:
    """Nobody is asked about it again."""
    path = team_path(workspace, "decided")
    write_atomic(path, dumps({**read_object(read_text(path)), sense: is_kept}), follow=False)


def list_shared_proposals(workspace: Workspace) -> list[SharedProposal]:
    """As the server has them now. Raise LimpetError where this machine's token is no administrator's."""
    found = _open_remote(workspace).ask("GET", "/v1/proposals")["proposals"]
    return [SharedProposal(**{name: one[name] for name in SharedProposal.fields}) for one in found]


def decide_shared_proposal(obtain: Obtain, workspace: Workspace, sense: str, is_approved: bool) -> SharedProposal:
    """For all projects of the organisation. Raise LimpetError where nobody agrees, or none is open under the name."""
    found = next((one for one in list_shared_proposals(workspace) if one.sense == sense), None)
    if found is None:
        raise LimpetError("No such proposal is open", sense, "To list them, run: limpet team proposals")
    does = "Offer to every project of the organisation" if is_approved else "Offer to no project of the organisation"
    obtain(f'{does}: "{found.title}"')
    _open_remote(workspace).ask("POST", "/v1/proposals", {"sense": sense, "approve": is_approved})
    return found


def team_path(workspace: Workspace, *parts: str) -> str:
    return os.path.join(workspace.shared, "server", *parts)


def _run(workspace: Workspace, joined: Joined, now: float) -> SyncReport:
    project = open_as(workspace, Caller(reader=WHOLE_STORE, now=now, by=_BY))
    with _opened(project, joined) as (syncing, remote):
        report = syncing.run()
        if not report.offline:
            with suppress(Unreached):  # the next run asks again
                _note_approved(workspace, remote.ask("GET", "/v1/approved")["approved"])
    return report


def _note_approved(workspace: Workspace, approved: Iterable[Mapping[str, str]]) -> None:
    told = {one["sense"]: [one["title"], one["decided_by"]] for one in approved}
    write_atomic(team_path(workspace, "approved"), dumps(told), follow=False)


@contextmanager
def _opened(project: Project, joined: Joined) -> Iterator[tuple[Syncing, HttpRemote]]:
    workspace = project.workspace
    with sole_writer(team_path(workspace, "lock"), "what the team shares", 0):
        ledger = Ledger(team_path(workspace, "ledger.db"))
        try:
            remote = _open_remote(workspace)
            yield Syncing(ledger, remote, None, {joined.project: project}, TEAM), remote
        finally:
            ledger.close()


def _says(revision: Revision | None, words: str) -> bool:
    with suppress(LimpetError):
        return revision is not None and digest_of_text(revision.said.text, revision.file) == words
    return False


def _require(workspace: Workspace) -> Joined:
    joined = read_joined(workspace)
    if joined is None:
        raise LimpetError("This project is on no team's server", "", "Run: limpet team join URL --token T")
    return joined


def _open_remote(workspace: Workspace) -> HttpRemote:
    return _remote(workspace, _require(workspace), read_text(_token_path(workspace)) or "")


def _remote(workspace: Workspace, joined: Joined, token: str) -> HttpRemote:
    from limpet.sharing.http_remote import HttpRemote  # with much that few commands need

    return HttpRemote(joined.url, token, joined.project, team_path(workspace, "listed"))


def _token_path(workspace: Workspace) -> str:
    return os.path.join(state_folder(), "team-tokens", os.path.basename(workspace.data))
