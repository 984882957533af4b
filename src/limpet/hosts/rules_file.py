"""Rules in files, for what no hook reaches: the project's own in one that anybody may read, and what is the user's
alone in another, which git never sees. Separate from ``skills``, whose text is always the same."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, suppress

from limpet.ground.errors import LimpetError
from limpet.ground.formats.markdown import MADE_HERE
from limpet.ground.git import is_ignored, is_tracked
from limpet.ground.repository import find_layout
from limpet.ground.storage.confinement import leads_out
from limpet.ground.storage.files import read_bytes, read_text
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace, workspace_at
from limpet.hosts.checks import OK, WARN, Check
from limpet.hosts.file_changes import (
    PRIVATE,
    PUBLIC,
    ChangePlan,
    FileChange,
    apply_changes,
    holds_own_digest,
    own_digest,
    parents,
)
from limpet.hosts.git_exclude import plan_exclusion
from limpet.hosts.git_files import may_ask_git
from limpet.hosts.records import SHARED, canonical
from limpet.hosts.registry import RULE_FOLDERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from limpet.rules.format.manifest import Domain
    from limpet.rules.naming import RuleDomain


class Place(Value):
    """``head``: what opens a file there that comes with every conversation. ``private``: the name of the user's own
    file, "" for none. ``command``: makes the project's."""

    head: str
    shared: str
    private: str
    command: str


# Of clients that ``RULE_FOLDERS`` has. GitHub's cloud agent runs on a machine without Limpet; it reads files with that
# ending, as Copilot CLI and VS Code do.
PLACES = {
    "cursor": Place(
        head="---\ndescription: {}\nalwaysApply: true\n---\n",
        shared="limpet.mdc",
        private="limpet-private.mdc",
        command="limpet init --host cursor",
    ),
    "copilot-cli": Place(
        head='---\ndescription: {}\napplyTo: "**"\n---\n',
        shared="limpet.instructions.md",
        private="",
        command="limpet init --cloud-file",
    ),
}
SHARED_TITLE, SHARED_FROM = (
    "The project's rules, by Limpet",
    "from .limpet/rules: edit these; an edited copy stays as it is",
)
PRIVATE_TITLE = "What this user wants, and where the work stood, by Limpet"
PRIVATE_FROM = "for this user alone: keep it out of git"
# Characters of one file, as the strictest of the clients' pages has it, and of where the work stood.
MOST, LONGEST_PLACE = 12_000, 4000
MORE = "More rules of this project: by the tool `rules` of the MCP server limpet, or `limpet rules list`."
# Domains whose rules come with every prompt.
ALWAYS = ("global", "always")


def plan_rules(host: str, project: str) -> ChangePlan:
    """Bring the project's rules up to date; no file where it has none. One that somebody edited stays."""
    workspace = workspace_at(project)
    text = "" if workspace.stranger else render_rules(workspace)
    return _plan(host, project, PLACES[host].shared, text)


def plan_private(host: str, project: str, now: float) -> ChangePlan:
    """Bring what is the user's alone up to date, in a file that they agreed to: with the line in the repository's own
    list that keeps it from git, and not at all where git has the file."""
    path = _path(host, project, PLACES[host].private)
    workspace = workspace_at(project)
    if workspace.stranger:
        return ChangePlan()
    if may_ask_git(project) and is_tracked(project, path):
        note = f"{path} is in git, so nothing of yours is written there. To have it: git rm --cached"
        return _without_it(path) + ChangePlan(notes=(note,))
    exclusion = plan_exclusion(os.path.join(project, ".limpet"), [path])
    if find_layout(project) and not (exclusion.changes or is_ignored(project, path)):
        return ChangePlan(notes=(f"{path} cannot be kept out of git here, so nothing of yours is written there",))
    return exclusion + _plan(host, project, PLACES[host].private, render_private(workspace, now))


def plan_rules_removal(host: str, project: str, scopes: tuple[str, ...]) -> ChangePlan:
    """The project's stays where git has it, which makes it everybody's, but with their other settings."""
    plan = ChangePlan()
    for path in rules_files(host, project):
        is_private = os.path.basename(path) == PLACES[host].private
        if is_private or SHARED in scopes or not (may_ask_git(project) and is_tracked(project, path)):
            plan += plan_without(host, project, os.path.basename(path))
        elif is_own(read_bytes(path)):
            plan += ChangePlan(notes=(f"{path} is in git and stays. To remove it too, add --shared.",))
    return plan


def plan_without(host: str, project: str, name: str) -> ChangePlan:
    return _plan(host, project, name, "")


def rules_files(host: str, project: str) -> tuple[str, ...]:
    """Return the project's, and the user's own if the client has one."""
    place = PLACES[host]
    return tuple(_path(host, project, name) for name in (place.shared, place.private) if name)


def refresh_rules(host: str, project: str, now: float) -> None:
    """Where the files are there already: who wants none removes it. What cannot be written stays as it was."""
    with suppress(LimpetError, OSError):
        for path in filter(lambda each: is_own(read_bytes(each)), rules_files(host, project)):
            is_private = os.path.basename(path) == PLACES[host].private
            plan = plan_private(host, project, now) if is_private else plan_rules(host, project)
            apply_changes(plan.pending())


def check_rules(host: str, project: str) -> Iterator[Check]:
    shared = rules_files(host, project)[0]
    raw = read_bytes(shared)
    if raw is None:
        if host == "cursor" and plan_rules(host, project).pending():
            yield Check(WARN, f"The project's rules are not in {shared}", f"run `{PLACES[host].command}`")
    elif not is_own(raw):
        yield Check(
            WARN, f"{shared} was edited, so it is not rewritten", "undo the edit, or remove it and run limpet init"
        )
    elif plan_rules(host, project).pending():
        yield Check(WARN, f"{shared} is behind the project's rules", f"run `{PLACES[host].command}`")
    else:
        yield Check(OK, f"The project's rules are in {shared}")


def render_rules(workspace: Workspace) -> str:
    """Of the domains of the project's that are on, with what calls each; "" for none."""
    from limpet.rules.naming import read_catalogue
    from limpet.rules.plan.compiler import PROJECT

    parts, size = [], 0
    for entry in read_catalogue(workspace, _is_on):
        rules = (*entry.text.authority, *entry.text.rules)
        if entry.origin != PROJECT or not rules or not (entry.kind in ALWAYS or entry.kind == "keyword"):
            continue
        lines = [f"## {entry.domain.name}{_when(entry)}", "", *(f"- {rule}" for rule in rules)]
        part = "\n".join(lines)
        size += len(part)
        if size > MOST - 1000:
            parts.append(MORE)
            break
        parts.append(part)
    return "\n\n".join(parts)


def render_private(workspace: Workspace, now: float) -> str:
    """The user's wishes, oldest first, and the newest continuation."""
    from limpet.memory.index.reading import open_index
    from limpet.memory.model.entry import Query
    from limpet.memory.search.preferences import standing_wishes

    parts, index = [], open_index(workspace.shared)
    if index is not None:
        with closing(index):
            wishes = [wish.card.title for wish in standing_wishes(index, Query(owners=None, now=now)) if wish.is_own]
        if wishes:
            parts.append("\n".join(["## What the user wants", "", *(f"- {title}" for title in wishes)]))
    place = (read_text(workspace.kept("continuation", "latest.md"), LONGEST_PLACE * 4) or "").strip()
    if place:
        parts.append(f"## Where the work stood\n\n{place[:LONGEST_PLACE]}\n\nTo go on there: `/limpet resume`.")
    return "\n\n".join(parts) or "Nothing of the user's is kept yet."


def is_own(raw: bytes | None) -> bool:
    return holds_own_digest(raw, MADE_HERE)


def _plan(host: str, project: str, name: str, text: str) -> ChangePlan:
    path = _path(host, project, name)
    before = read_bytes(path)
    if leads_out(path, project) or (os.path.lexists(path) and not is_own(before)):
        note = f"{path} is yours, or was edited, and was kept"
        return ChangePlan(notes=(note,)) if text or before else ChangePlan()
    if not text:
        return _without_it(path)
    is_private = name == PLACES[host].private
    title, origin = (PRIVATE_TITLE, PRIVATE_FROM) if is_private else (SHARED_TITLE, SHARED_FROM)
    head, body = PLACES[host].head.format(title), f"\n{text}\n"
    raw = f"{head}{MADE_HERE}{own_digest(head + body)} {origin} -->\n{body}".encode()
    return ChangePlan((FileChange(path, title, before, raw, PRIVATE if is_private else PUBLIC),))


def _without_it(path: str) -> ChangePlan:
    before = read_bytes(path)
    if not is_own(before):
        return ChangePlan()
    return ChangePlan((FileChange(path, "the rules by Limpet", before, None, folders=parents(path)[:2]),))


def _path(host: str, project: str, name: str) -> str:
    return canonical(os.path.join(project, *RULE_FOLDERS[host].split("/"), name))


def _is_on(domain: Domain) -> bool:
    return domain.active and not (domain.at_work or domain.on_demand or domain.agent or domain.workflow)


def _when(entry: RuleDomain) -> str:
    files = (*entry.domain.paths, *entry.text.paths)
    about = [f"about {', '.join(entry.domain.recall)}" if entry.domain.recall else ""]
    about.append(f"with {', '.join(files)}" if files else "")
    said = " or ".join(filter(None, about))
    return f": for work {said}" if said and entry.kind not in ALWAYS else ""
