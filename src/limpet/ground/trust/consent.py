"""Reads what the user agreed to for a project: the part that the prompt hook needs, and no more. The record lies in the
user's data folder and is signed: nothing that came with a checkout can pass for it."""

from __future__ import annotations

import os

from limpet.ground.repository import read_id
from limpet.ground.storage.files import names_in
from limpet.ground.storage.user_folders import project_key, projects_folder, strangers_folder
from limpet.ground.trust.signed import read_signed
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, TRUST, Workspace, bound_to, outer_root, workspace_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OWNER, MOVED, REPLACED = "owner", "moved", "replaced"
LAPSED = {
    OWNER: "It belongs to another user than when you trusted it on {}",
    MOVED: "It is not where you trusted it on {}: it was moved or copied here",
    REPLACED: "You trusted another folder or repository here on {}, or this one lost what it is known by",
}
"""Why the user's word counts no longer -> a sentence with the day, and nothing that the project says."""


# The project's root of each folder that was asked for: a process asks at every event and reads once.
_roots: dict[str, str] = {}


class Consent(Value):
    """``root``: the project's folder in the main worktree, when the word was given; of a repository without one, in the
    worktree where it was given.
    ``owner``: the user id of that folder.
    ``at``: ISO 8601.
    ``agreed``: the values of acting settings that were agreed to, by dotted key.
    ``id``, ``common``: of its repository, the second as a real path; both "" where there was none.
    ``inode``: of the folder, which decides where there is no id.
    ``born``: the id of the repository's first commit, "" where it is not known; for people only.
    """

    root: str
    owner: int
    at: str
    agreed: dict[str, Any]
    id: str = ""
    common: str = ""
    inode: int = 0
    born: str = ""

    def covers(self, key: str, value: object) -> bool:
        return key in self.agreed and bool(self.agreed[key] == value)


def consent_path(workspace: Workspace) -> str:
    return os.path.join(workspace.data, TRUST)


def read_consent(path: str) -> Consent | None:
    """None where there is none of this user's for that place."""
    found = read_signed(path, consent_purpose(path))
    try:
        return Consent(**found) if found and isinstance(found["agreed"], dict) else None
    except (LookupError, TypeError):
        return None


def consent_purpose(path: str) -> str:
    """The project's private folder, so that a copy is no consent for another."""
    return os.path.basename(os.path.dirname(path))


def find_consent(workspace: Workspace) -> Consent | None:
    found = read_consent(consent_path(workspace))
    return found if found and not difference(found, workspace) else None


def find_lapsed(workspace: Workspace) -> tuple[Consent, str] | None:
    """With why it does not count (a key of ``LAPSED``)."""
    found = find_former(workspace)
    return found[1:] if found else None


def find_former(workspace: Workspace) -> tuple[str, Consent, str] | None:
    """The record of a word that counts no longer here, which may lie in the private folder of another project, that
    word, and why it does not count."""
    path, root, inode = consent_path(workspace), os.path.realpath(workspace.root), inode_of(workspace.root)
    found = read_consent(path)
    if found:
        why = difference(found, workspace)
        return (path, found, why) if why else None
    for other in consent_paths():
        one = read_consent(other)
        if one and one.root == root:
            return other, one, REPLACED
        if one and not one.id and one.inode == inode and not os.path.lexists(one.root):
            return other, one, MOVED
    return None


def difference(consent: Consent, workspace: Workspace) -> str:
    """A key of ``LAPSED``; "" where the project is the one that was trusted."""
    root, layout = workspace.root, workspace.layout
    is_linked = bool(layout and layout.worktree)
    if consent.id:
        is_same = layout and (consent.id, consent.common) == (read_id(layout), os.path.realpath(layout.common))
        if not is_same:
            return MOVED
    if not is_linked and consent.root != os.path.realpath(root):
        return MOVED
    of_main = consent.root if is_linked and layout and layout.main else root
    if not consent.id and consent.inode != inode_of(of_main):
        return REPLACED
    return "" if is_linked or consent.owner == owner_of(root) else OWNER


def consent_paths() -> tuple[str, ...]:
    """Of every project."""
    return tuple(os.path.join(projects_folder(), name, TRUST) for name in names_in(projects_folder()))


def root_of(shared: str) -> str:
    """Of the project whose memories lie in ``shared``; that of a folder which stands for one is around it."""
    if shared not in _roots:
        found = read_consent(os.path.join(os.path.dirname(shared), TRUST))
        if found is None:
            return os.path.dirname(shared)
        _roots[shared] = found.root
    return _roots[shared]


def inherited_root(workspace: Workspace) -> str:
    """Of the project around this one whose rules hold here too, "" for none: the user trusts both."""
    outer = "" if workspace.stranger else outer_root(workspace)
    return outer if outer and find_consent(workspace_at(outer)) else ""


def admit(workspace: Workspace, bound: str = "") -> Workspace:
    """Where the user does not trust the project, one stands in for it: nothing is in its folder, in the user's cache,
    but what the conversations themselves leave. A conversation that began while it was trusted stays ``bound`` by the
    state that it had."""
    if find_consent(workspace):
        return workspace
    standing_in = workspace_at(os.path.join(strangers_folder(), project_key(workspace.root)))
    return bound_to(standing_in.replace(stranger=workspace.root), bound)


def owner_of(root: str) -> int:
    """Of its ``.limpet``, which a branch may lack."""
    for path in (os.path.join(root, FOLDER), root):
        try:
            return os.stat(path).st_uid
        except OSError:
            continue
    return -1


def inode_of(root: str) -> int:
    try:
        return os.stat(root).st_ino
    except OSError:
        return 0
