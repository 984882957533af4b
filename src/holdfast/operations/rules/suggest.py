"""Suggests keywords for a domain from its rules."""

from __future__ import annotations

from holdfast.ground.workspace import Workspace
from holdfast.operations.rules.places import unknown_domain
from holdfast.rules.catalogue import read_catalogue
from holdfast.rules.edit.suggest import Suggestion, suggest
from holdfast.rules.naming import spell


def suggest_words(workspace: Workspace, typed: str) -> tuple[Suggestion, ...]:
    """Return new keywords for the domain with this name, the best first. Raise HoldfastError for an unknown one."""
    entries = {entry.domain.name: entry for entry in read_catalogue(workspace)}
    name = spell(typed)
    if name not in entries:
        raise unknown_domain(name, list(entries))
    rules = {other: entry.text.rules for other, entry in entries.items()}
    domain = entries[name].domain
    return suggest(name, rules, (*domain.recall, *domain.exclude))
