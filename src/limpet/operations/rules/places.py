"""Finds the files of a domain: its manifest and its rule file, in the project's rules folder or a squad's."""

from __future__ import annotations

import os
from collections.abc import Iterable

from limpet.ground.errors import LimpetError
from limpet.ground.safety.dotenv import read_secrets
from limpet.ground.storage.files import names_in
from limpet.ground.text.lookup import did_you_mean, resolve_name
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.roles.agent import AGENTS_FOLDER, own_files
from limpet.roles.roster import resolve_id
from limpet.rules.check.finding import Finding
from limpet.rules.check.project import check_rules
from limpet.rules.edit.suggest import Suggestion, suggest_keywords
from limpet.rules.layout import LIMPET
from limpet.rules.naming import domain_file_name, read_catalogue, spell
from limpet.rules.plan.compiler import INHERITED, Unit
from limpet.rules.plan.places import files_out, plain_rule_name, read_rule_files, squad_folders
from limpet.rules.plan.plan import squad_id
from limpet.rules.plan.sources import read_sources, shipped_constitution, shipped_units


class RulePlace(Value):
    """The place of a domain.

    ``name``: its name in its manifest.
    ``folder``: the rules folder, from the project's root.
    ``file``: its file, from the project's root, "" without one.
    ``shipped``: the shipped domain that it is, or takes the place of; None for one of the project's own.
    """

    name: str
    folder: str
    file: str = ""
    shipped: Unit | None = None

    @property
    def manifest(self) -> str:
        """Its manifest, from the project's root."""
        return f"{self.folder}/{LIMPET.manifest}"

    @property
    def own_file(self) -> str:
        """Its file, or the path that a new one gets."""
        return self.file or f"{self.folder}/{domain_file_name(self.name)}"


def find_place(workspace: Workspace, typed: str) -> RulePlace:
    """Return the place of the domain with this name, in any spelling. Raises LimpetError where there is none."""
    sources = read_sources(workspace)
    name = resolve_domain(typed, [unit.domain.name for unit in sources.units])
    for number, unit in enumerate(sources.units):
        if unit.domain.name == name and unit.origin == INHERITED:
            raise LimpetError(f"{name} comes from the project above", unit.path, "change it there")
        if unit.domain.name == name:
            squad = next((place for place, one in enumerate(sources.squads) if number in one.numbers), None)
            folder = LIMPET.folder if squad is None else _squad_rules(workspace)[squad]
            shipped = shipped_units(workspace.root).get(name) if squad is None else None
            return RulePlace(name=unit.plain, folder=folder, file=unit.path, shipped=shipped)
    raise unknown_domain(name, ())


def new_place(workspace: Workspace, name: str, squad: str) -> RulePlace:
    """Return the place of a new domain, in the project's rules or a squad's; a file of its name there becomes its own.

    Raises LimpetError for an unknown squad.
    """
    folder = _find_squad(workspace, squad) if squad else LIMPET.folder
    path = os.path.join(workspace.root, folder)
    alike = (each for each in names_in(path) if plain_rule_name(each) == plain_rule_name(name))
    own = [each for each in alike if os.path.isfile(os.path.join(path, each))]
    return RulePlace(name=name, folder=folder, file=f"{folder}/{own[0]}" if own else "")


def resolve_domain(typed: str, known: Iterable[str]) -> str:
    """Return the name of the domain that is typed, in any spelling, whole or as the beginning of this name alone.

    Raises LimpetError.
    """
    names, name = tuple(known), spell(typed)
    return resolve_name(name, names, lambda: unknown_domain(name, names))


def unknown_domain(name: str, known: Iterable[str]) -> LimpetError:
    advice = did_you_mean(name, known) or "Run: limpet rules list"
    return LimpetError(f"No domain {name}", f"{LIMPET.folder}/{LIMPET.manifest}", advice)


def _squad_rules(workspace: Workspace) -> list[str]:
    folders = squad_folders(workspace).values()
    return [each for each in folders if os.path.isfile(os.path.join(workspace.root, each, LIMPET.manifest))]


def _find_squad(workspace: Workspace, typed: str) -> str:
    folders = {squad_id(os.path.basename(folder)): rules for folder, rules in squad_folders(workspace).items()}
    if squad_id(typed) in folders:
        return folders[squad_id(typed)]
    known = ", ".join(sorted(folders)) or "none"
    raise LimpetError(f"No squad {typed}", f"{LIMPET.squads}/", f"Create its folder first. Squads: {known}")


def suggest_words(workspace: Workspace, typed: str) -> tuple[Suggestion, ...]:
    """Return new keywords for the domain with this name, the best first. Raise LimpetError for an unknown one."""
    entries = {entry.domain.name: entry for entry in read_catalogue(workspace)}
    name = spell(typed)
    if name not in entries:
        raise unknown_domain(name, list(entries))
    rules = {other: entry.text.rules for other, entry in entries.items()}
    domain = entries[name].domain
    return suggest_keywords(name, rules, (*domain.recall, *domain.exclude))


def check_files(workspace: Workspace) -> list[Finding]:
    """Return the findings in the order of file and line."""
    secrets = read_secrets(workspace.root)
    files, outside = read_rule_files(workspace), files_out(workspace.root)
    shipped, packaged = shipped_constitution(), shipped_units(workspace.root)
    own = own_files(workspace.path(AGENTS_FOLDER))

    def is_agent(name: str) -> bool:
        return name in own or resolve_id(name) is not None

    return check_rules(files, shipped, is_agent, secrets=secrets, outside=outside, packaged=packaged)


def check_file(workspace: Workspace, path: str) -> tuple[Finding, ...]:
    """Return the findings in one file, given by its path from the project's root."""
    return tuple(finding for finding in check_files(workspace) if finding.file == path)
