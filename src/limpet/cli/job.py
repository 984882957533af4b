"""The screen of a job of ``init`` and ``uninstall``: its changes by group or one by one, and the question."""

from __future__ import annotations

import os
from collections.abc import Iterator

import click

from limpet.cli.output import home_as_tilde, require_terminal, table
from limpet.cli.screen import Line
from limpet.ground.storage.user_folders import state_folder
from limpet.hosts.file_changes import FileChange, show_difference
from limpet.hosts.installation import Job, shown_path
from limpet.hosts.records import NAME


def summary(job: Job) -> Iterator[Line]:
    """Of the state folder's files there is one line, and of a skill's."""
    found: dict[tuple[str, str], list[str]] = {}
    for change in job.changes:
        group, what = _group_of(change, shown_path(change.path, job.root))
        found.setdefault((verb_of(change), group), []).append(what)
    rows = [(verb, place, ", ".join(dict.fromkeys(what))) for (verb, place), what in found.items()]
    yield from table(rows, indent="  ")
    yield from notes(job)


def details(job: Job) -> Iterator[Line]:
    for change in job.changes:
        yield f"  {verb_of(change)} {shown_path(change.path, job.root)}: {change.what}"
        if change.before is not None and change.after is not None:
            yield "\n".join(f"      {line}" for line in show_difference(change))
    yield from notes(job)


def notes(job: Job) -> Iterator[Line]:
    yield from (f"Note: {note}" for note in job.notes)


def data_of(job: Job, applied: bool) -> dict[str, object]:
    items = [{"path": change.path, "do": verb_of(change), "what": change.what} for change in job.changes]
    items += [{"path": job.purged, "do": "delete", "what": "everything in it"}] if job.purged else []
    return {"root": job.root, "applied": applied, "changes": items, "notes": list(job.notes)}


def ask(question: str) -> bool:
    """Raise LimpetError where nobody can be asked."""
    require_terminal()
    return click.confirm(question, err=True)


def verb_of(change: FileChange) -> str:
    if change.before is None:
        return "create"
    return "delete" if change.after is None else "change"


def _group_of(change: FileChange, place: str) -> tuple[str, str]:
    if change.path.startswith(state_folder() + os.sep):
        what = "install record" if os.path.basename(change.path) == NAME else "hook launcher"
        inside = "in " if change.after is None else ""  # where there may be more
        return f"{inside}{home_as_tilde(state_folder())}{os.sep}", what
    folder = os.path.dirname(place)
    if folder.endswith(os.path.join("skills", "limpet")):
        return f"{home_as_tilde(folder)}{os.sep}", "the skill /limpet"
    return home_as_tilde(place), change.what
