"""Suggests keywords for a domain from its rules."""

from __future__ import annotations

from limpet.ground.workspace import Workspace
from limpet.operations.rules.places import unknown_domain
from limpet.rules.catalogue import read_catalogue
from limpet.rules.edit.suggest import Suggestion, suggest
from limpet.rules.naming import spell


def suggest_words(workspace: Workspace, typed: str) -> tuple[Suggestion, ...]:
    """Return new keywords for the domain with this name, the best first. Raise LimpetError for an unknown one."""
    entries = {entry.domain.name: entry for entry in read_catalogue(workspace)}
    name = spell(typed)
    if name not in entries:
        raise unknown_domain(name, list(entries))
    rules = {other: entry.text.rules for other, entry in entries.items()}
    domain = entries[name].domain
    return suggest(name, rules, (*domain.recall, *domain.exclude))
