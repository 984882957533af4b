"""A transaction over several rule files: written whole or not at all, by one process at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.storage.drafts import is_draft
from limpet.ground.storage.durable import delete_file, make_shared_folders, write_durably, write_together
from limpet.ground.storage.files import read_bytes
from limpet.ground.storage.text_file import read_strictly, refuse_link, sole_writer
from limpet.ground.text.escaping import clip
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.rules.places import check_files
from limpet.operations.trust.record import own_changes
from limpet.rules.check.finding import Finding
from limpet.rules.edit.difference import RuleFileChange, changed_lines

# The byte order mark that some editors put first.
MARK = "\ufeff"
# Editors do not know the lock: a plan is made again so often where a file changed under it.
TRIES = 5
PUBLIC = 0o644
# Characters of a changed line that people are shown.
SHOWN = 160


class Edit(Value):
    """An edit that was made, or in a dry run would be.

    ``changes``: the changed files.
    ``kept``: the folder with copies from before, from the project's root, "" for none.
    ``findings``: mistakes that were not there before.
    ``note``: what that means, and the way back, "" for nothing to say.
    """

    changes: tuple[RuleFileChange, ...]
    kept: str = ""
    findings: tuple[Finding, ...] = ()
    note: str = ""

    def lines(self) -> Iterator[str]:
        """Yield the changes for people: file, line, text that came and text that went."""
        for change in self.changes:
            if change.after is None:
                yield f"{change.path}: removed"
                continue
            if change.source:
                yield f"{change.source} is now {change.path}"
            yield from (clip(str(line), SHOWN) for line in changed_lines(change))
        if self.kept:
            yield f"The previous version is in {self.kept} until you delete it"
        yield from self.note.splitlines() if self.changes else ()


def carry_out_edit(
    workspace: Workspace, plan: Callable[[], tuple[RuleFileChange, ...]], dry_run: bool, keep_at: float | None = None
) -> Edit:
    """Make the changes of ``plan``, which is called again where somebody else's edit came between.

    ``keep_at``: keep copies of the files under this timestamp (seconds since 1970). Raise LimpetError, with nothing
    written.
    """
    if dry_run:
        return Edit(_pending(plan()))
    with sole_writer(workspace.path("cache", "locks", "rules.lock"), "the rules"):
        known = _mistakes(workspace)
        for _ in range(TRIES):
            changes = _pending(plan())
            if all(_is_current(workspace, change) for change in changes):
                kept = _keep(workspace, changes, keep_at) if keep_at is not None else ""
                with own_changes(workspace):
                    _write(workspace, changes)
                news = [found for key, found in _mistakes(workspace).items() if key not in known]
                return Edit(changes, kept, tuple(news))
    raise LimpetError("Another process is writing the rules; nothing was changed", hint="Try again.")


def read_rule_file(workspace: Workspace, path: str) -> RuleFileChange:
    """Return a file as a change that changes nothing. Raise LimpetError where an edit would lose bytes."""
    full = os.path.join(workspace.root, path)
    refuse_link(full, path, workspace.root)
    text = read_strictly(full, path)
    mark = MARK if text.startswith(MARK) else ""
    before = text.removeprefix(MARK) if os.path.lexists(full) else None
    return RuleFileChange(path=path, before=before, after=before, mark=mark)


def _mistakes(workspace: Workspace) -> dict[tuple[str, str], Finding]:
    return {(finding.file, finding.what): finding for finding in check_files(workspace)}


def _pending(changes: tuple[RuleFileChange, ...]) -> tuple[RuleFileChange, ...]:
    return tuple(change for change in changes if change.before != change.after or change.source)


def _is_current(workspace: Workspace, change: RuleFileChange) -> bool:
    path = os.path.join(workspace.root, change.source or change.path)
    return read_bytes(path) == _bytes(change, change.before)


def _bytes(change: RuleFileChange, text: str | None) -> bytes | None:
    return None if text is None else (change.mark + text).encode("utf-8", "replace")


def _keep(workspace: Workspace, changes: tuple[RuleFileChange, ...], now: float) -> str:
    """Copy the files as they are before the changes; return the new folder with the copies."""
    timestamp = iso(now).replace("-", "").replace(":", "")
    first = folder = f".limpet/cache/removed/{timestamp}"
    number = 1
    while os.path.lexists(os.path.join(workspace.root, folder)):
        number += 1
        folder = f"{first}-{number}"
    for change in changes:
        raw = _bytes(change, change.before)
        if raw is not None:
            write_durably(_prepare(workspace, f"{folder}/{change.path.rpartition('/')[2]}"), raw, PUBLIC)
    return folder


def _write(workspace: Workspace, changes: tuple[RuleFileChange, ...]) -> None:
    """Write the files, in order and all or none, then remove those that go; where one cannot be removed, undo all.

    Raises LimpetError then.
    """
    written = [change for change in changes if change.after is not None]
    try:
        files = {_prepare(workspace, change.path): _bytes(change, change.after) or b"" for change in written}
        write_together(files, PUBLIC)
        for change in changes:
            if change.source or change.after is None:
                delete_file(os.path.join(workspace.root, change.source or change.path))
    except OSError as error:
        for change in reversed(written):
            with suppress(OSError):
                _put_back(workspace, change)
        what = f"Cannot write the file ({error.strerror}); nothing was changed"
        raise LimpetError(what, _place_of(error, workspace)) from None


def _place_of(error: OSError, workspace: Workspace) -> str:
    name = str(error.filename or "")
    return os.path.relpath(name, workspace.root) if name and not is_draft(os.path.basename(name)) else "the rules"


def _prepare(workspace: Workspace, path: str) -> str:
    full = os.path.join(workspace.root, path)
    refuse_link(full, path, workspace.root)
    make_shared_folders(os.path.dirname(full))
    return full


def _put_back(workspace: Workspace, change: RuleFileChange) -> None:
    """Undo what was written of a change, if anything was."""
    full, before = os.path.join(workspace.root, change.path), _bytes(change, change.before)
    if read_bytes(full) != _bytes(change, change.after):
        return
    if before is None or change.source:
        delete_file(full)
    else:
        write_durably(full, before, PUBLIC)
