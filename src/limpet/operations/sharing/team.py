"""What teammates brought through the project's own repository: what is new since the person looked, by whom, and what
of it counts. An author is who git says brought it; trust in one counts where their signature does."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from limpet.ground.errors import LimpetError
from limpet.ground.formats.json_text import dumps, read_object
from limpet.ground.git import setting
from limpet.ground.git_commits import Commit, commits_on
from limpet.ground.storage.durable import date_file
from limpet.ground.storage.files import read_text, write_atomic
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.memory.files.evidence import digest_of_words
from limpet.memory.files.reviewed import Look, note_reviewed, read_reviewed
from limpet.memory.files.store import read_entry
from limpet.memory.files.tree import walk_team
from limpet.memory.model.entry import LARGEST
from limpet.memory.model.layout import TEAM, full_path
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.memory.view import Opened
from limpet.operations.project import Project, handed
from limpet.operations.sharing.joined import find_authors

KINDS = {f"memories/{TEAM}/": "memory", "rules/": "rule", "knowledge/": "knowledge"}
CHANGES = {"A": "new", "M": "changed", "D": "gone"}
NOBODY = Commit("", "somebody unknown here", "", 0.0, False)
_TRUSTED, _LOOKED = "trusted", "looked"


class TeamNews(Value):
    """``change``: new, changed or gone; ``name``: of the file; ``title``: of a memory. ``is_signed``: the author's
    signature is one that the user knows. ``waits``: it counts once the person looked at it."""

    kind: str
    change: str
    name: str
    author: str
    at: float
    title: str = ""
    id: str = ""
    is_signed: bool = False
    waits: bool = False


class Teammates(Value):
    """A memory that waits for a look, and the commit that brought it. ``sender``: who the team's server says it came
    from, "" where git brought it."""

    opened: Opened
    commit: Commit
    sender: str = ""

    @property
    def author(self) -> str:
        return self.sender or self.commit.author

    @property
    def id(self) -> str:
        return self.opened.stored.entry.id

    @property
    def title(self) -> str:
        return self.opened.stored.entry.title


def list_news(project: Project) -> tuple[TeamNews, ...]:
    """Of what others committed since the last look, the newest first; a person's look is noted."""
    workspace = project.workspace
    own, waits = setting(workspace.root, "user.email"), {one.opened.stored.path for one in list_teammates(project)}
    commits = _commits(workspace, _read(workspace).get(_LOOKED, ""))
    found: dict[str, TeamNews] = {}
    for commit in commits:
        for change, path in commit.changed if commit.email != own else ():
            news = _news(project, commit, CHANGES.get(change, "changed"), path.removeprefix(f"{FOLDER}/"))
            if news:
                found.setdefault(path, news.replace(waits=news.kind == "memory" and news.name in waits))
    if commits and project.caller.reader.person:
        _write(workspace, {_LOOKED: commits[0].id})
    return tuple(handed(project, one, "title", "author", "name") for one in found.values())


def list_teammates(project: Project) -> list[Teammates]:
    """Memories that nobody looked at, with who brought them."""
    workspace, looks = project.workspace, read_reviewed(project.workspace.shared)
    found = []
    for path in _team_files(workspace):
        with suppress(LimpetError):  # what cannot be read counts for nothing, and verification names it
            stored = read_entry(workspace.shared, path)
            look = looks.get(stored.entry.id)
            if look is None or look.says != digest_of_words(stored.entry):
                found.append(Opened(workspace, stored))
    brought, library = _brought(workspace) if found else {}, open_library(project)
    senders = find_authors(workspace, [each.stored.entry for each in found]) if found else {}
    waiting = []
    for each in found:
        commit = brought.get(_in_project(each.stored.path), NOBODY)
        opened = each.replace(stored=library.handed(each.stored))
        waiting.append(Teammates(opened, commit, "" if commit.is_signed else senders.get(each.stored.entry.id, "")))
    return waiting


def settle_teammates(project: Project, chosen: Sequence[Teammates], is_kept: bool = True) -> None:
    """From now on they count, or are not asked about again."""
    shared, looks = project.workspace.shared, dict[str, Look]()
    for one in chosen:
        entry = one.opened.stored.entry
        looks[entry.id] = Look(digest_of_words(entry), one.author, is_kept)
    note_reviewed(shared, looks)
    for one in chosen:  # so that every index reads it again
        date_file(full_path(shared, one.opened.stored.path), project.caller.now)
    update_index(open_library(project))


def trust_author(project: Project, one: Teammates) -> None:
    """What this author signs, of this kind, counts from now on."""
    known = _read(project.workspace).get(_TRUSTED, [])
    _write(project.workspace, {_TRUSTED: [*known, [one.commit.email, one.opened.stored.entry.type]]})
    take_trusted(project)


def take_trusted(project: Project) -> None:
    """Before a conversation begins; costs nothing where nobody is trusted so."""
    trusted = _read(project.workspace).get(_TRUSTED, [])
    waiting = list_teammates(project) if trusted else []
    kept = [one for one in waiting if one.commit.is_signed and [one.commit.email, _type(one)] in trusted]
    if kept:
        settle_teammates(project, kept)


def _news(project: Project, commit: Commit, change: str, path: str) -> TeamNews | None:
    start = next((start for start in KINDS if path.startswith(start)), "")
    if not start:
        return None
    news = TeamNews(KINDS[start], change, path.removeprefix("memories/"), commit.author, commit.at)
    if news.kind == "memory":
        with suppress(LimpetError):
            entry = read_entry(project.workspace.shared, news.name).entry
            news = news.replace(title=entry.title, id=entry.id)
    return news.replace(is_signed=commit.is_signed)


def _brought(workspace: Workspace) -> dict[str, Commit]:
    """Path in the project -> the newest commit that wrote it."""
    found: dict[str, Commit] = {}
    for commit in _commits(workspace, ""):
        for _, path in commit.changed:
            found.setdefault(path, commit)
    return found


def _commits(workspace: Workspace, since: str) -> Sequence[Commit]:
    return commits_on(workspace.root, [f"{FOLDER}/{start}" for start in KINDS], since) or ()


def _team_files(workspace: Workspace) -> list[str]:
    found = walk_team(workspace.root)
    return [each.path for each in found if not each.what and each.stamp[1] <= LARGEST]


def _in_project(path: str) -> str:
    return f"{FOLDER}/memories/{path}"


def _type(one: Teammates) -> str:
    return one.opened.stored.entry.type


def _read(workspace: Workspace) -> dict[str, Any]:
    return read_object(read_text(_path(workspace)))


def _write(workspace: Workspace, changes: dict[str, object]) -> None:
    write_atomic(_path(workspace), dumps({**_read(workspace), **changes}), follow=False)


def _path(workspace: Workspace) -> str:
    return os.path.join(workspace.shared, "team")
