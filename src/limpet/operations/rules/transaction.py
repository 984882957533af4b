"""A transaction over several rule files: written whole or not at all, by one process at a time."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.durable import delete_file, make_shared_folders, write_durably, write_together
from limpet.ground.storage.files import is_draft, names_in, read_bytes
from limpet.ground.storage.scaffold import add_attributes
from limpet.ground.storage.text_file import COMMANDS_PATIENCE, fair_lock, read_strictly, refuse_link, sole_writer
from limpet.ground.text.escaping import clip
from limpet.ground.text.lookup import did_you_mean, resolve_name
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.operations.trust_record import own_changes
from limpet.roles.agent import AGENTS_FOLDER, own_files
from limpet.roles.roster import resolve_id
from limpet.rules.check.domain import Finding
from limpet.rules.check.project import check_rules
from limpet.rules.edit.difference import RuleFileChange, changed_lines
from limpet.rules.edit.suggest import Suggestion, suggest_keywords
from limpet.rules.layout import LIMPET
from limpet.rules.naming import domain_file_name, read_catalogue, spell
from limpet.rules.plan.compiler import IN_PLACE, INHERITED, Unit
from limpet.rules.plan.places import files_out, plain_rule_name, read_rule_files, squad_folders
from limpet.rules.plan.plan import squad_id
from limpet.rules.plan.sources import read_sources, shipped_constitution, shipped_units

# The byte order mark that some editors put first.
MARK = "\ufeff"
# Editors do not know the lock: a plan is made again so often where a file changed under it.
TRIES = 5
PUBLIC = 0o644
# Characters of a changed line that people are shown.
SHOWN = 160


class Edit(Value):
    """An edit that was made, or in a dry run would be; ``kept``: the folder with copies from before, from the project's
    root; ``findings``: mistakes that were not there before; ``note``: what that means, and the way back."""

    changes: tuple[RuleFileChange, ...]
    kept: str = ""
    findings: tuple[Finding, ...] = ()
    note: str = ""

    def lines(self) -> Iterator[str]:
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
    """``plan`` is called again where somebody else's edit came between. ``keep_at``: keep copies of the files under
    this timestamp (seconds since 1970). Raise LimpetError, with nothing written."""
    if dry_run:
        return Edit(_pending(plan()))
    with sole_writer(workspace.kept("locks", "rules.lock"), "the rules", COMMANDS_PATIENCE, fair_lock):
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
    timestamp = iso(now).replace("-", "").replace(":", "")
    first = folder = workspace.kept("removed", timestamp)
    number = 1
    while os.path.lexists(folder):
        number += 1
        folder = f"{first}-{number}"
    for change in changes:
        raw = _bytes(change, change.before)
        if raw is not None:
            write_durably(os.path.join(folder, change.path.rpartition("/")[2]), raw)
    return folder


def _write(workspace: Workspace, changes: tuple[RuleFileChange, ...]) -> None:
    """All or none: first the files, in order, then what goes is removed. Raises LimpetError where something cannot."""
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
        what, name = f"Cannot write the file ({error.strerror}); nothing was changed", str(error.filename or "")
        is_named = name and not is_draft(os.path.basename(name))
        raise LimpetError(what, os.path.relpath(name, workspace.root) if is_named else "the rules") from None


def _prepare(workspace: Workspace, path: str) -> str:
    full = os.path.join(workspace.root, path)
    refuse_link(full, path, workspace.root)
    if path.startswith(f"{LIMPET.folder}/") and not os.path.isdir(os.path.dirname(full)):
        add_attributes(workspace.root)
    make_shared_folders(os.path.dirname(full))
    return full


def _put_back(workspace: Workspace, change: RuleFileChange) -> None:
    full, before = os.path.join(workspace.root, change.path), _bytes(change, change.before)
    if read_bytes(full) != _bytes(change, change.after):
        return
    if before is None or change.source:
        delete_file(full)
    else:
        write_durably(full, before, PUBLIC)


class RulePlace(Value):
    """``name``: the domain's in its manifest. ``folder``, ``file``: from the project's root; ``file`` is "" without
    one. ``shipped``: the shipped domain that it is, or takes the place of; None for one of the project's own."""

    name: str
    folder: str
    file: str = ""
    shipped: Unit | None = None

    @property
    def manifest(self) -> str:
        return f"{self.folder}/{LIMPET.manifest}"

    @property
    def own_file(self) -> str:
        """Its file, or the path that a new one gets."""
        return self.file or f"{self.folder}/{domain_file_name(self.name)}"


def find_place(workspace: Workspace, typed: str) -> RulePlace:
    """The domain's name counts in any spelling. Raises LimpetError where there is none."""
    sources = read_sources(workspace)
    name = resolve_domain(typed, [unit.domain.name for unit in sources.units])
    for number, unit in enumerate(sources.units):
        if unit.domain.name == name and unit.origin == INHERITED:
            raise LimpetError(f"{name} comes from the project above", unit.path, "change it there")
        if unit.domain.name == name and unit.origin == IN_PLACE:
            kind = unit.path.split("/")[0].lstrip(".")
            move = f", or move its rules: limpet import --from {kind}" if kind else ""
            raise LimpetError(f"{name} is read in place", unit.path, f"Edit that file{move}")
        if unit.domain.name == name:
            squad = next((place for place, one in enumerate(sources.squads) if number in one.numbers), None)
            if squad is None:
                shipped = shipped_units(workspace.root).get(name)
                return RulePlace(name=unit.plain, folder=LIMPET.folder, file=unit.path, shipped=shipped)
            known = squad_folders(workspace).values()
            folders = [each for each in known if os.path.isfile(os.path.join(workspace.root, each, LIMPET.manifest))]
            return RulePlace(name=unit.plain, folder=folders[squad], file=unit.path)
    raise unknown_domain(name, ())


def new_place(workspace: Workspace, name: str, squad: str) -> RulePlace:
    """A file of its name that is there becomes its own. Raises LimpetError for an unknown squad."""
    folder = _find_squad(workspace, squad) if squad else LIMPET.folder
    path = os.path.join(workspace.root, folder)
    alike = (each for each in names_in(path) if plain_rule_name(each) == plain_rule_name(name))
    own = [each for each in alike if os.path.isfile(os.path.join(path, each))]
    return RulePlace(name=name, folder=folder, file=f"{folder}/{own[0]}" if own else "")


def resolve_domain(typed: str, known: Iterable[str]) -> str:
    """Return the domain's name for any spelling of it, or for a beginning that no other has."""
    names, name = tuple(known), spell(typed)
    return resolve_name(name, names, lambda: unknown_domain(name, names))


def unknown_domain(name: str, known: Iterable[str]) -> LimpetError:
    advice = did_you_mean(name, known) or "Run: limpet rules list"
    return LimpetError(f"No domain {name}", f"{LIMPET.folder}/{LIMPET.manifest}", advice)


def _find_squad(workspace: Workspace, typed: str) -> str:
    folders = {squad_id(os.path.basename(folder)): rules for folder, rules in squad_folders(workspace).items()}
    if squad_id(typed) in folders:
        return folders[squad_id(typed)]
    known = ", ".join(sorted(folders)) or "none"
    raise LimpetError(f"No squad {typed}", f"{LIMPET.squads}/", f"Create its folder first. Squads: {known}")


def suggest_words(workspace: Workspace, typed: str) -> tuple[Suggestion, ...]:
    """The best first."""
    entries = {entry.domain.name: entry for entry in read_catalogue(workspace)}
    name = spell(typed)
    if name not in entries:
        raise unknown_domain(name, list(entries))
    rules = {other: entry.text.rules for other, entry in entries.items()}
    domain = entries[name].domain
    return suggest_keywords(name, rules, (*domain.recall, *domain.exclude))


def check_files(workspace: Workspace) -> list[Finding]:
    secrets = read_secrets(workspace.root)
    files, outside = read_rule_files(workspace), files_out(workspace.root)
    shipped, packaged = shipped_constitution(), shipped_units(workspace.root)
    own = own_files(workspace.path(AGENTS_FOLDER))

    def is_agent(name: str) -> bool:
        return name in own or resolve_id(name) is not None

    return check_rules(files, shipped, is_agent, secrets=secrets, outside=outside, packaged=packaged)


def check_file(workspace: Workspace, path: str) -> tuple[Finding, ...]:
    """The path is from the project's root."""
    return tuple(finding for finding in check_files(workspace) if finding.file == path)
