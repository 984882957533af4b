"""Changes to rule files: domains added, edited, switched, renamed and deleted, each as one transaction."""

from __future__ import annotations

from collections.abc import Collection

from limpet.ground.clock import Clock
from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.scaffold import shipped_rules
from limpet.ground.storage.user_folders import CONFIG
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.operations.rules.transaction import Edit, RulePlace, carry_out_edit, find_place, new_place, read_rule_file
from limpet.roles.roster import plain_id, resolve_id
from limpet.rules.edit.difference import RuleFileChange
from limpet.rules.edit.domain import (
    add_deeds,
    add_rule,
    change_list,
    declare,
    entries_of,
    find_domain,
    own,
    remove_domain,
    remove_rule_lines,
    rename_domain,
    rename_prefix,
    replace_list,
    replace_rule,
    set_value,
    switch,
)
from limpet.rules.format.domain import read_list
from limpet.rules.format.lines import RUN, newline_of, read_check, remove_line, value_of
from limpet.rules.format.manifest import SPECIAL, read_manifest
from limpet.rules.layout import LIMPET, fault_of
from limpet.rules.naming import (
    accept_keywords,
    accept_name,
    accept_rule,
    domain_file_name,
    read_catalogue,
    refuse_secret,
    spell,
)
from limpet.rules.plan.compiler import INHERITED
from limpet.rules.plan.plan import namespaced, squad_id
from limpet.rules.plan.sources import read_sources

CONSTITUTION = "CONSTITUTION"
# Where the commands of checks stand, and the path to them in it.
CONFIG_FILE, CHECKS = f"{FOLDER}/{CONFIG}", ("rules", "checks")


class DomainPatch(Value):
    """Changes to a domain; None and () leave a field as it is.

    ``recall``, ``exclude``: keyword lists that replace those that it has.
    ``paths``: globs of files, divided by commas, in place of those that the manifest has; "" for none.
    ``agent``, ``workflow``: its triggers, "" for none.
    ``rules``: (number or key, text) of rules to replace.
    ``deeds``: practices of work at whose beginning the added rules are said again.
    ``remove_rules``: numbers or keys.
    """

    recall: tuple[str, ...] | None = None
    exclude: tuple[str, ...] | None = None
    paths: str | None = None
    add_recall: tuple[str, ...] = ()
    remove_recall: tuple[str, ...] = ()
    add_exclude: tuple[str, ...] = ()
    remove_exclude: tuple[str, ...] = ()
    always_on: bool | None = None
    agent: str | None = None
    workflow: str | None = None
    rules: tuple[tuple[str, str], ...] = ()
    add_rules: tuple[str, ...] = ()
    deeds: tuple[str, ...] = ()
    remove_rules: tuple[str, ...] = ()


def add_domain(workspace: Workspace, typed: str, patch: DomainPatch, squad: str = "", dry_run: bool = False) -> Edit:
    secrets = read_secrets(workspace.root)
    name = accept_name(typed, secrets)

    def plan() -> tuple[RuleFileChange, ...]:
        place = new_place(workspace, name, squad)
        manifest = read_rule_file(workspace, place.manifest)
        _refuse_known(workspace, name, manifest.before or "", place)
        text = declare(manifest.before or "", name, {})
        file = read_rule_file(workspace, place.own_file)
        empty = f"# Rules of {name}, one per line: {name}_RULE_0=...{newline_of(text)}"
        rules = _with_rules(name, file.before or "", patch, secrets)
        return (
            file.replace(after=rules if rules or file.before is not None else empty),
            manifest.replace(after=_with_values(name, text, patch, secrets)),
        )

    key = namespaced(squad_id(squad), name, ()) if squad else name
    edit = carry_out_edit(workspace, plan, dry_run)
    on = "" if edit.findings else " It is on from the next prompt."
    return edit.replace(note=f"Added {name}.{on} To take it back:\n  limpet rules remove {key.lower()}")


def edit_domain(workspace: Workspace, typed: str, patch: DomainPatch, dry_run: bool = False) -> Edit:
    """Of a shipped domain what changes is copied into the project first."""
    secrets = read_secrets(workspace.root)
    copied: list[str] = []

    def plan() -> tuple[RuleFileChange, ...]:
        place = find_place(workspace, typed)
        manifest, file = read_rule_file(workspace, place.manifest), read_rule_file(workspace, place.own_file)
        copy = place.shipped.read() if place.shipped and file.before is None else None
        before = file.before or copy or ""
        text, known = _with_rules(place.name, before, patch, secrets), manifest.before or ""
        shipped = shipped_rules(workspace.root)[LIMPET.manifest].decode() if place.shipped else ""
        values = own(known, place.name, shipped) if shipped else known
        changed = _with_values(place.name, values, patch, secrets)
        new = [file] if place.shipped and text != before and file.before is None else []
        new += [manifest] if changed != values != known else []
        holds = "would hold" if dry_run else "now holds"
        copied[:] = [f"{change.path} {holds} in place of what Limpet ships" for change in new]
        return (
            file if text == before else file.replace(after=text, base=before),
            manifest if changed == values else manifest.replace(after=changed),
        )

    return carry_out_edit(workspace, plan, dry_run).replace(note="; ".join(copied))


def shipped_text(workspace: Workspace, typed: str) -> str:
    """The text of a shipped domain of which the project has no copy, "" for any other."""
    place = find_place(workspace, typed)
    return "" if place.file or place.shipped is None else place.shipped.read() or ""


def copy_domain(workspace: Workspace, typed: str, text: str) -> Edit:
    """Write a shipped domain's text, as the user changed it, into the project."""

    def plan() -> tuple[RuleFileChange, ...]:
        return (read_rule_file(workspace, find_place(workspace, typed).own_file).replace(after=text),)

    return carry_out_edit(workspace, plan, dry_run=False)


def switch_domain(workspace: Workspace, typed: str, on: bool, dry_run: bool = False) -> Edit:
    """Of a shipped domain the project's manifest gets one line."""
    if spell(typed) == CONSTITUTION and not on:
        what = "The constitution cannot be switched off"
        raise LimpetError(what, hint="To add articles, edit .limpet/constitution.md.")

    def plan() -> tuple[RuleFileChange, ...]:
        place = find_place(workspace, typed)
        manifest = read_rule_file(workspace, place.manifest)
        before = manifest.before or ""
        domain = place.shipped.domain if place.shipped and not find_domain(before, place.name) else None
        is_so = domain is not None and domain.active == on and not (domain.at_work or domain.on_demand)
        return (manifest if is_so else manifest.replace(after=switch(before, place.name, on)),)

    found = find_place(workspace, typed)
    is_new = not (found.file or find_domain(read_rule_file(workspace, found.manifest).before or "", found.name))
    name = typed.lower()
    back = f"remove {name}" if is_new else f"edit {name} --{'off' if on else 'on'}"
    state = f"{found.name} is {'on' if on else 'off'} for the whole project. To undo this:"
    return carry_out_edit(workspace, plan, dry_run).replace(note=f"{state}\n  limpet rules {back}")


def rename_domain_files(workspace: Workspace, typed: str, new: str, dry_run: bool = False) -> Edit:
    name = accept_name(new, read_secrets(workspace.root))
    for each in (spell(typed), name):
        if each in SPECIAL:
            raise LimpetError(f"{each} is a reserved domain and cannot be renamed", hint="Choose another domain.")

    def plan() -> tuple[RuleFileChange, ...]:
        place = find_place(workspace, typed)
        manifest = read_rule_file(workspace, place.manifest)
        known = find_domain(manifest.before or "", place.name)
        if place.shipped and not (place.file or known):
            what = f"{place.name} is shipped with Limpet and cannot be renamed"
            raise LimpetError(what, hint=f"To have another one: limpet rules add {name}")
        target = new_place(workspace, name, "").replace(folder=place.folder)
        _refuse_known(workspace, name, manifest.before or "", target)
        text = rename_domain(manifest.before or "", place.name, name)
        renamed = manifest.replace(after=text if known else declare(text, name, {}))
        return (*_moved(workspace, place, name), renamed)

    return carry_out_edit(workspace, plan, dry_run)


def delete_domain(workspace: Workspace, typed: str, clock: Clock, dry_run: bool = False) -> Edit:
    """Also the commands that only its checks run go from the configuration; copies of all are in the edit's folder
    ``kept``. In place of a shipped domain that is given back."""
    if spell(typed) == CONSTITUTION:
        raise LimpetError("The constitution cannot be removed", hint="To add articles, edit .limpet/constitution.md.")
    found = find_place(workspace, typed)

    def plan() -> tuple[RuleFileChange, ...]:
        place = find_place(workspace, typed)
        manifest = read_rule_file(workspace, place.manifest)
        gone = manifest.replace(after=manifest.before and (remove_domain(manifest.before, place.name) or None))
        if place.shipped and not place.file and gone.after == gone.before:
            what = f"{place.name} is shipped with Limpet, and this project has no copy to remove"
            raise LimpetError(what, hint=f"To turn it off: limpet rules edit {place.name.lower()} --off")
        files = (read_rule_file(workspace, place.file).replace(after=None),) if place.file else ()
        return (gone, *files, _without_checks(workspace, place.name))

    edit = carry_out_edit(workspace, plan, dry_run, keep_at=clock.now())
    return edit.replace(note=f"{found.name} is the shipped one again.") if found.shipped else edit


def _without_checks(workspace: Workspace, name: str) -> RuleFileChange:
    """Without the commands that this domain's checks alone name; no file where nothing else is in it."""
    from limpet.ground.formats.yaml_edit import remove_value  # which the hook's bare interpreter cannot import

    config = read_rule_file(workspace, CONFIG_FILE)
    named = {}
    for one in read_catalogue(workspace):
        named[one.domain.name] = {check[2] for check in one.text.checks}
    text = config.before or ""
    for said in named.pop(name, set()).difference(*named.values()):
        check = read_check(said)
        text = remove_value(text, (*CHECKS, check.what), CONFIG_FILE) if check and check.kind == RUN else text
    if not config.before:
        return config
    return config.replace(after=text if text.strip() else None)


def _refuse_known(workspace: Workspace, name: str, manifest: str, place: RulePlace) -> None:
    sources = read_sources(workspace)
    names = [unit.domain.name for unit in sources.units if unit.origin != INHERITED]
    if name in names or find_domain(manifest, name):
        raise LimpetError(f"Domain {name} already exists", place.manifest, f"Run: limpet rules show {name}")


def _with_rules(name: str, text: str, patch: DomainPatch, secrets: Collection[str]) -> str:
    for which, rule in patch.rules:
        text = replace_rule(name, text, which, accept_rule(rule, secrets))
    text = remove_rule_lines(name, text, patch.remove_rules)
    for rule in patch.add_rules:
        accepted = accept_rule(rule, secrets)
        text = add_rule(name, text, accepted)
        text = add_deeds(name, text, accepted, patch.deeds) if patch.deeds else text
    return text


def _with_values(name: str, text: str, patch: DomainPatch, secrets: Collection[str]) -> str:
    _refuse_pointless(name, patch)
    words = (*(patch.recall or ()), *(patch.exclude or ()), *patch.add_recall, *patch.add_exclude)
    triggers = (patch.agent or "", patch.workflow or "", patch.paths or "")
    refuse_secret("A keyword or trigger", " ".join((*words, *triggers)), secrets)
    if patch.always_on is not None and (patch.always_on or value_of(text, f"{name}_ALWAYS_ON")):
        text = set_value(text, name, "_ALWAYS_ON", str(patch.always_on).lower())
    for suffix, listed, added, removed in (
        ("_RECALL", patch.recall, patch.add_recall, patch.remove_recall),
        ("_EXCLUDE", patch.exclude, patch.add_exclude, patch.remove_exclude),
    ):
        text = text if listed is None else replace_list(text, name, suffix, accept_keywords(listed))
        text = _with_list(name, text, suffix, accept_keywords(added), accept_keywords(removed))
    if patch.paths is not None:
        text = _with_paths(name, text, patch.paths)
    if patch.agent is not None:
        declared = tuple(domain.declares for domain in read_manifest(text).domains if domain.declares)
        text = set_value(text, name, "_AGENT_TRIGGER", _known_agent(patch.agent, declared))
    return text if patch.workflow is None else set_value(text, name, "_WORKFLOW_TRIGGER", patch.workflow.strip())


def _with_paths(name: str, text: str, globs: str) -> str:
    listed = read_list(globs)
    for glob in listed:
        if fault := fault_of(glob):
            raise LimpetError(f"The glob {fault}", glob, "Write one such as src/api/** or *.sql.")
    if listed:
        return set_value(text, name, "_PATHS", ", ".join(listed))
    return remove_line(text, lambda key: key == f"{name}_PATHS")


def _with_list(name: str, text: str, suffix: str, added: tuple[str, ...], removed: tuple[str, ...]) -> str:
    known = {entry.lower() for entry in entries_of(text, name, suffix)}
    missing = [entry for entry in removed if entry.lower() not in known]
    if missing:
        raise LimpetError(f"{missing[0]!r} is not in {name}{suffix}", hint="Run: limpet rules list --json")
    return change_list(text, name, suffix, added, removed)


def _refuse_pointless(name: str, patch: DomainPatch) -> None:
    """GLOBAL takes exclusions: they are those of all domains."""
    if name not in SPECIAL:
        return
    words = (patch.recall, patch.add_recall, patch.remove_recall, patch.agent, patch.workflow, patch.paths)
    excluded = (patch.exclude, patch.add_exclude, patch.remove_exclude)
    if any(words) or (name != "GLOBAL" and any(excluded)):
        raise LimpetError(f"{name} always applies, so it takes no keywords or triggers", hint="Create another domain.")


def _known_agent(typed: str, own: tuple[str, ...]) -> str:
    if typed and resolve_id(typed) is None and plain_id(typed) not in own:
        from limpet.operations.agents.known import unknown_agent  # which the hook's bare interpreter cannot import

        raise unknown_agent(typed, own)
    return typed.strip().removeprefix("@").lower()


def _moved(workspace: Workspace, place: RulePlace, name: str) -> tuple[RuleFileChange, ...]:
    """The file keeps the spelling (``-`` or ``_``) and suffix of the old."""
    if not place.file:
        return ()
    file = read_rule_file(workspace, place.file)
    stem, dot, suffix = place.file.rpartition("/")[2].partition(".")
    new = domain_file_name(name).replace("-", "_") if "_" in stem and "-" not in stem else domain_file_name(name)
    path = f"{place.folder}/{new}{dot}{suffix}"
    if read_rule_file(workspace, path).before is not None:
        raise LimpetError("File already exists", path, "Move it out of the way first.")
    after = rename_prefix(file.before or "", place.name, name)
    return (file.replace(path=path, source=place.file, after=after),)
