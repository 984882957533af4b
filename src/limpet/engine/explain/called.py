"""The rules that a prompt or a name calls, with their texts, and the block, for an agent that asks."""

from __future__ import annotations

from typing import Any

from limpet.engine.explain.explanation import explain_domains
from limpet.engine.explain.preview import Preview, preview
from limpet.ground.clock import Clock
from limpet.operations.memory.conversations.privacy import refuse_paused
from limpet.operations.project import Project
from limpet.operations.rules.view import called_by, note_read, show_domain
from limpet.rules.catalogue import Entry, read_catalogue

# Kinds of which a conversation gets only what fits its state.
OF_THE_BLOCK = ("constitution", "context", "commands")


def rules_for(project: Project, prompt: str) -> list[dict[str, Any]]:
    """Return the domains that the prompt brings, each with ``domain``, ``why`` and its ``rules``."""
    seen = _preview(project, prompt)
    fired = {one.name: one.why for one in explain_domains(seen) if one.fires and one.kind not in OF_THE_BLOCK}
    entries = read_catalogue(project.workspace, lambda domain: domain.name in fired)
    return [_described(entry, fired[entry.domain.name]) for entry in entries]


def rules_of(project: Project, name: str) -> dict[str, Any]:
    """Return the domain of this name, or the constitution; its rules count as sent to the caller's conversation.

    Raises LimpetError for an unknown one.
    """
    found = show_domain(project.workspace, name)
    if isinstance(found, Entry):
        note_read(project.workspace, found, project.caller.conversation)
        return _described(found, f"called by {called_by(found)}")
    duties = [f"{one['article']}. {one['title']}: {duty['text']}" for one in found for duty in one["duties"]]
    return {"domain": name.upper(), "why": "always on", "rules": duties}


def block_for(project: Project) -> str:
    """Return the block that a prompt of the caller gets now, whatever its words. Raises LimpetError in a conversation
    that is paused."""
    refuse_paused(project.caller)
    return _preview(project, "").result.block


def _preview(project: Project, prompt: str) -> Preview:
    """Return the prompt as the next of the caller's conversation, where the project knows it."""
    session = project.caller.conversation if project.caller.reader.own else ""
    return preview(project.workspace, prompt, session=session, clock=Clock())


def _described(entry: Entry, why: str) -> dict[str, Any]:
    return {"domain": entry.domain.name, "why": why, "rules": [rule for _, rule in entry.lines]}
