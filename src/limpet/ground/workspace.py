"""Folders of a project: in the repository its root and its ``.limpet``, all of it meant for git; in the user's data
folder what is private, which no git command and no search of the project meets (decision 64)."""

from __future__ import annotations

import os

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.digest import digest, safe_name
from limpet.ground.errors import LimpetError
from limpet.ground.repository import GitLayout, find_layout, find_upward, read_id
from limpet.ground.storage.confinement import FOLDER as FOLDER
from limpet.ground.storage.confinement import LEADS_OUT, leads_out, lies_in
from limpet.ground.storage.files import names_in, read_text
from limpet.ground.storage.user_folders import SYMBOLS, project_cache, project_key, projects_folder, strangers_folder
from limpet.ground.values import Value

USE_ABOVE = "To use it here, run: limpet trust; for one of its own: limpet init"
MOST_WORKTREES = 20
"""The most linked worktrees of a repository that are looked for."""
TRUST = "trust"
"""The record in a project's private folder that says which project it belongs to, and that the user trusts it."""
SHARED, TREES, MAIN = "shared", "trees", "main"
REGISTRY = "registry.yaml"
"""The map of a project's artifacts, in its ``.limpet``."""
BELOW = "below"
"""The file there of the repositories below the project that use it, by their real paths."""


class Workspace(Value):
    """Absolute paths of a project.

    ``home``: its ``.limpet``, which a branch may lack.
    ``shared``: memories and events, private, one for all worktrees.
    ``state``: of the worktree: sessions, modes, lock, figures, private too.
    ``cache``: the user's folder of what is made of the files in ``home``.
    ``stranger``: the folder of a project that the user does not trust, for which this empty one stands in.
    ``layout``: of git's folders around it, None outside a repository.
    """

    root: str
    home: str
    shared: str
    state: str
    cache: str
    stranger: str = ""
    layout: GitLayout | None = None

    def path(self, *parts: str) -> str:
        return os.path.join(self.home, *parts)

    def kept(self, *parts: str) -> str:
        return os.path.join(self.state, *parts)

    def cached(self, *parts: str) -> str:
        return os.path.join(self.cache, *parts)

    @property
    def is_linked(self) -> bool:
        """It is a linked worktree's."""
        return os.path.basename(self.state) != MAIN

    @property
    def data(self) -> str:
        """The project's private folder, around ``shared`` and the worktrees' ``state``."""
        return os.path.dirname(self.shared)


def find_workspace(start: str) -> Workspace | None:
    """At or above ``start`` (absolute), within its repository; where a linked worktree has no ``.limpet`` of its own,
    that of the main worktree, with the linked one's state. A project that the user knows counts without its
    ``.limpet``, which a branch may lack; one above the repository only if the user said so."""
    layout = find_layout(start)
    top = layout.top if layout else ""
    if layout and layout.worktree:
        root, main = find_upward(start, is_project, top), _in_main(layout, start)
        of_main = find_upward(main, is_project, layout.main) if main and not root else None
        if of_main:
            workspace = workspace_at(of_main)
            return bound_to(workspace, os.path.join(workspace.data, TREES, _tree_name(layout)))
        root = root or find_upward(start, lambda folder: is_known(folder, layout), top)
    else:
        root = find_upward(start, lambda folder: is_project(folder) or is_known(folder, layout), top)
    root = root or (_agreed_above(top) if top else None)
    return None if root is None else workspace_at(root)


def is_project(folder: str) -> bool:
    """``folder/.limpet`` is a folder that the user, or the owner of ``folder``'s own files, put there. A stranger's
    folder in a shared parent such as /tmp must not speak to the user's agent, nor may a link out of ``folder``."""
    home = os.path.join(folder, FOLDER)
    try:
        found = os.stat(home)
    except (OSError, ValueError):  # ValueError: a NUL in the path
        return False
    if found.st_mode & 0o170000 != 0o040000 or leads_out(home, folder):
        return False
    euid = os.geteuid() if hasattr(os, "geteuid") else found.st_uid
    return found.st_uid == euid or euid == 0


def is_known(folder: str, layout: GitLayout | None) -> bool:
    """The user trusted a project there, whether or not that still counts (``trust.consent``)."""
    is_there = os.path.isfile(os.path.join(private_folder(folder, layout), TRUST))
    return is_there and not leads_out(os.path.join(folder, FOLDER), folder)


def home_out_of_project(start: str) -> str | None:
    """The nearest ``.limpet`` at or above ``start`` that is a link out of its project: it counts as none."""
    root = find_upward(start, lambda folder: leads_out(os.path.join(folder, FOLDER), folder))
    return None if root is None else os.path.join(root, FOLDER)


def no_project(start: str) -> LimpetError:
    if linked := home_out_of_project(start):
        return LimpetError(LEADS_OUT, linked, "replace the link with the folder")
    if above := project_above(start):
        return LimpetError(f"This repository has no project of its own, and does not use {above}", start, USE_ABOVE)
    return LimpetError("No .limpet folder here or above", start, "run: limpet init")


def workspace_at(root: str) -> Workspace:
    layout = find_layout(root)
    private, home = private_folder(root, layout), os.path.join(root, FOLDER)
    return Workspace(
        root=root,
        home=home,
        shared=os.path.join(private, SHARED),
        state=os.path.join(private, TREES, _tree_name(layout)),
        cache=project_cache(home),
        layout=layout,
    )


def bound_to(workspace: Workspace, state: str) -> Workspace:
    """With the ``state`` of another, by which a conversation stays bound; unchanged where there is none."""
    if state in ("", workspace.state):
        return workspace
    return workspace.replace(state=state, cache=project_cache(state))


def is_bound(workspace: Workspace) -> bool:
    """An empty project stands in for one that lost the user's trust while the conversation went on."""
    return bool(workspace.stranger) and not lies_in(workspace.root, workspace.state)


def private_folder(root: str, layout: GitLayout | None) -> str:
    """By the repository's id and the place in it, else by the path in the main worktree. It says nothing about trust:
    an id may have been copied, and another folder may lie at the path."""
    if os.path.dirname(root) == strangers_folder():
        return root
    known = read_id(layout) if layout else ""
    if layout is None or not known:
        main = _in_main(layout, root) if layout and layout.worktree else None
        return os.path.join(projects_folder(), project_key(main or root))
    place = os.path.relpath(os.path.realpath(root), os.path.realpath(layout.top)).replace(os.sep, "/")
    name = safe_name(known) if place == os.curdir else f"{safe_name(known)}-{digest(place)}"
    return os.path.join(projects_folder(), name)


def worktrees(root: str) -> tuple[str, ...]:
    """The folder and the repository's other worktrees. Reads a small file for each and runs no git."""
    layout = find_layout(root)
    if layout is None:
        return (root,)
    folder = os.path.join(layout.common, "worktrees")
    names = names_in(folder)[:MOST_WORKTREES]
    pointers = ((name, read_text(os.path.join(folder, name, "gitdir"), STATE_BYTES)) for name in names)
    linked = [os.path.dirname(os.path.join(folder, name, found.strip())) for name, found in pointers if found]
    if not (layout.worktree or linked):
        return (root,)
    main = _in_main(layout, root) if layout.worktree else layout.top
    return tuple(dict.fromkeys((root, *filter(None, (main,)), *map(os.path.normpath, linked))))


def outer_root(workspace: Workspace) -> str:
    """The nearest project above, within the repository; "" for none. Costs one ``lstat`` where the project is the
    repository's root."""
    root, top = workspace.root, workspace.layout.top if workspace.layout else ""
    found = find_upward(os.path.dirname(root), is_project, top) if top and top != root else None
    return found if found and lies_in(top, found) else ""


def project_above(start: str) -> str:
    """The nearest project beyond the border of the repository around ``start``; "" for none, and outside one."""
    layout = find_layout(start)
    return (find_upward(os.path.dirname(layout.top), is_project) or "") if layout else ""


def uses_registry(workspace: Workspace) -> bool:
    """Somebody wrote its map of artifacts, or scanned its code."""
    return os.path.exists(workspace.path(REGISTRY)) or os.path.exists(workspace.kept(SYMBOLS))


def in_main_worktree(path: str) -> str | None:
    """None for a path outside a linked worktree."""
    layout = find_layout(path)
    return _in_main(layout, path) if layout and layout.worktree else None


def main_root(path: str) -> str | None:
    layout = find_layout(path)
    return (layout.main or layout.top) if layout else None


def _tree_name(layout: GitLayout | None) -> str:
    return f"linked-{safe_name(layout.worktree)}" if layout and layout.worktree else MAIN


def _in_main(layout: GitLayout, path: str) -> str | None:
    return os.path.normpath(os.path.join(layout.main, os.path.relpath(path, layout.top))) if layout.main else None


def _agreed_above(top: str) -> str | None:
    above = find_upward(os.path.dirname(top), is_project)
    if above is None:
        return None
    agreed = read_text(os.path.join(workspace_at(above).data, BELOW), STATE_BYTES) or ""
    return above if os.path.realpath(top) in agreed.splitlines() else None
