"""Reads what the user agreed to for a project: the part that the prompt hook needs, and no more. The record is in the
user's state folder, by the project's path, and is signed: nothing that came with a checkout can pass for it."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.storage.files import open_regular, read_text
from limpet.ground.storage.user_folders import cache_folder, project_cache, project_key, project_state
from limpet.ground.trust.signed import read_signed
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace, main_root, outer_root, workspace_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

NAME = "trust"

OWNER, FOLDER_CHANGED, REMOTE_CHANGED, REPOSITORY_CHANGED = "owner", "folder", "remote", "repository"
LAPSED = {
    OWNER: "Its .limpet belongs to another user than when you trusted it on {}",
    FOLDER_CHANGED: "Its .limpet is not the one that you trusted on {}: it was replaced, or lost its file .identity",
    REMOTE_CHANGED: "The remote of its repository changed since you trusted it on {}",
    REPOSITORY_CHANGED: "You trusted another repository here on {}",
}
"""Why the user's word counts no longer -> a sentence with the day, and nothing that the project says."""
IDENTITY_NAME = ".identity"
"""The file in ``.limpet``, which git ignores: a line for each user, machine or container that trusts the folder."""
_NONCES, _CONFIG = 4096, 65_536


class Consent(Value):
    """``root``: the project's folder when the word was given.
    ``owner``: the user id of its ``.limpet``.
    ``at``: ISO 8601.
    ``place``: device and inode of the folder.
    ``agreed``: the values of acting settings that were agreed to, by dotted key.
    ``nonce``: the line in its ``.identity``; "" where none could be written and the place decides.
    ``remote``: the address of its repository's remote, "" for none: then the nonce alone decides.
    ``born``: the id of the repository's first commit, "" where it is not known; for people only.
    """

    root: str
    owner: int
    at: str
    place: tuple[int, int]
    agreed: dict[str, Any]
    nonce: str
    remote: str = ""
    born: str = ""

    def covers(self, key: str, value: object) -> bool:
        return key in self.agreed and bool(self.agreed[key] == value)


def consent_path(home: str) -> str:
    return os.path.join(project_state(home), NAME)


def read_consent(path: str) -> Consent | None:
    """None where there is none of this user's for that path."""
    found = read_signed(path, consent_purpose(path))
    if found is None:
        return None
    try:
        return Consent(
            root=str(found["root"]),
            owner=int(found["owner"]),
            at=str(found["at"]),
            place=(int(found["place"][0]), int(found["place"][1])),
            agreed=dict(found["agreed"]),
            nonce=str(found["nonce"]),
            remote=str(found.get("remote", "")),
            born=str(found.get("born", "")),
        )
    except (ValueError, LookupError, TypeError):
        return None


def consent_purpose(path: str) -> str:
    """The project, by its key, so that a copy is no consent for another."""
    return os.path.basename(os.path.dirname(path))


def consent_paths(workspace: Workspace) -> tuple[str, ...]:
    """The project's own, and for a worktree the main one's, whose link to it was checked on both sides."""
    return tuple(consent_path(home) for home in _homes(workspace))


def find_consent(workspace: Workspace) -> Consent | None:
    words = (_read_word(workspace, home) for home in _homes(workspace))
    return next((word[0] for word in words if word and not word[1]), None)


def find_lapsed(workspace: Workspace) -> tuple[Consent, str] | None:
    """With why it does not count (a key of ``LAPSED``)."""
    words = (_read_word(workspace, home) for home in _homes(workspace))
    return next((word for word in words if word and word[1]), None)


def difference(consent: Consent, home: str) -> str:
    """A key of ``LAPSED``; "" where the project is the one that was trusted."""
    root = os.path.dirname(home)
    is_there = consent.nonce in read_nonces(home) if consent.nonce else consent.place == consent_place_of(root)
    if is_there:
        return REMOTE_CHANGED if consent.remote and consent.remote != read_remote(root) else ""
    return FOLDER_CHANGED if consent.remote == read_remote(root) else REPOSITORY_CHANGED


def inherited_root(workspace: Workspace) -> str:
    """Of the project around this one whose rules hold here too, "" for none: the user trusts both."""
    outer = "" if workspace.stranger else outer_root(workspace.root)
    return outer if outer and find_consent(workspace_at(outer)) else ""


def admit(workspace: Workspace) -> Workspace:
    """Where the user does not trust the project, one stands in for it: nothing is in its folder, in the user's cache,
    but what the conversations themselves leave."""
    if find_consent(workspace):
        return workspace
    root = os.path.join(cache_folder(), "strangers", project_key(workspace.root))
    home = os.path.join(root, FOLDER)
    return Workspace(root=root, home=home, shared=home, cache=project_cache(home), stranger=workspace.root)


def file_owner_of(home: str) -> int:
    try:
        return os.stat(home).st_uid
    except OSError:
        return -1


def read_nonces(home: str) -> list[str]:
    return (read_text(os.path.join(home, IDENTITY_NAME), _NONCES) or "").split()


def consent_place_of(root: str) -> tuple[int, int]:
    try:
        about = os.stat(root)
    except OSError:
        return 0, 0
    return about.st_dev, about.st_ino


def read_remote(root: str) -> str:
    """Host and path of ``origin``, or else of the first remote, however it is reached; "" for none. Reads the start of
    the repository's own configuration file, and no other."""
    top = main_root(root)
    if not top:
        return ""
    folder = os.path.join(top, ".git")
    pointer = read_text(folder, STATE_BYTES)
    if pointer and pointer.startswith("gitdir:"):  # a submodule's, or that of a worktree of a bare repository
        folder = os.path.join(top, pointer.removeprefix("gitdir:").strip())
        folder = os.path.join(folder, (read_text(os.path.join(folder, "commondir"), STATE_BYTES) or "").strip())
    return _remote_in(_read_start(os.path.join(folder, "config")))


def _homes(workspace: Workspace) -> Iterable[str]:
    return dict.fromkeys((workspace.home, workspace.shared))


def _read_word(workspace: Workspace, home: str) -> tuple[Consent, str] | None:
    found = read_consent(consent_path(home))
    if found is None:
        return None
    return found, OWNER if found.owner != file_owner_of(workspace.home) else difference(found, home)


def _read_start(path: str) -> str:
    handle = open_regular(path)
    if handle is None:
        return ""
    try:
        return os.read(handle, _CONFIG).decode("utf-8", "replace")
    except OSError:
        return ""
    finally:
        os.close(handle)


def _remote_in(text: str) -> str:
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("["):
            kind, _, rest = line[1:].partition(" ")
            name = rest.strip(' "]') if kind.lower() == "remote" else ""
        elif name and line[:3].lower() == "url":
            key, divider, value = line.partition("=")
            if divider and key.strip().lower() == "url":
                found.setdefault(name, _address(value))
    return found.get("origin") or next(iter(found.values()), "")


def _address(url: str) -> str:
    """Without what may be a password: https and ssh name one repository."""
    scheme, divider, rest = url.strip(' \t"').partition("://")
    authority, slash, path = (rest if divider else scheme).partition("/")
    authority = authority.rpartition("@")[2]
    whole = f"{authority if divider else authority.replace(':', '/', 1)}{slash}{path.partition('?')[0]}"
    return whole.rstrip("/").removesuffix(".git")
