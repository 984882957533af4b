"""Keeps files with paths of this machine out of git: by lines of ours in the repository's own list, which no commit
has."""

from __future__ import annotations

import os
import re
from collections.abc import Collection

from limpet.ground.errors import LimpetError
from limpet.ground.repository import GitLayout, find_layout
from limpet.hosts.file_changes import PUBLIC, ChangePlan, FileChange, parents, read_text_strictly
from limpet.hosts.git_files import shown_to_git
from limpet.hosts.hook_install import make_entry, without_ours
from limpet.hosts.records import LOCAL, canonical, change_record, known_entries

OWNER = "git"
"""Whom the record names for the list."""
BEGIN, END = "# limpet: these hold paths of this machine", "# limpet: end"


def plan_exclusion(home: str, paths: Collection[str]) -> ChangePlan:
    """``paths``: of files that are not in git."""
    root = os.path.dirname(home)
    layout = find_layout(root)
    path = _list_of(layout)
    shown = shown_to_git(root, paths) if layout and path else ()
    if not (layout and shown):
        return ChangePlan()
    try:
        before, text = read_text_strictly(path)
    except LimpetError as error:
        return ChangePlan(notes=(f"{error}. {', '.join(shown)} would be offered for a commit",))
    lines = dict.fromkeys((*_ours(text), *(_pattern(each, layout) for each in shown)))
    kept = _without(text, "")
    glue = "" if kept.endswith("\n") or not kept else "\n"
    edited = "\n".join((f"{kept}{glue}{BEGIN}", *lines, END, ""))
    known = known_entries(home, LOCAL).get(path)
    entry = make_entry(OWNER, path, LOCAL, edited, without_ours(before, known, _without), known)
    change = FileChange(path, "keeps these files out of git", before, edited.encode(), PUBLIC)
    return ChangePlan((change_record(home, LOCAL, {path: entry}), change))


def plan_exclusion_removal(home: str) -> ChangePlan:
    path = _list_of(find_layout(os.path.dirname(home)))
    entry = known_entries(home, LOCAL).get(path)
    if entry is None:
        return ChangePlan()
    made, before = entry.get("folders"), read_text_strictly(path)[0]
    folders = parents(path)[: made if isinstance(made, int) else 0]
    change = FileChange(path, "Limpet's lines", before, without_ours(before, entry, _without), folders=folders)
    return ChangePlan((change, change_record(home, LOCAL, {path: None})))


def _list_of(layout: GitLayout | None) -> str:
    """Return "" where there is none that counts, as in a submodule."""
    if layout is None or not (layout.worktree or os.path.isdir(os.path.join(layout.top, ".git"))):
        return ""
    return canonical(os.path.join(layout.common, "info", "exclude"))


def _pattern(path: str, layout: GitLayout) -> str:
    place = os.path.relpath(path, os.path.realpath(layout.top)).replace(os.sep, "/")
    return "/" + re.sub(r"([\\*?\[])", r"\\\1", place)


def _ours(text: str) -> list[str]:
    _, mark, rest = text.partition(f"{BEGIN}\n")
    return rest.partition(END)[0].splitlines() if mark else []


def _without(text: str, original: str) -> str:
    before, mark, rest = text.partition(f"{BEGIN}\n")
    return before + rest.partition(f"{END}\n")[2] if mark else text
