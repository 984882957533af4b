"""What was decided about proposals, as ``.limpet/knowledge/proposals.yml`` has it, in git.

Separate from ``proposals``, so that whoever opens a memory can name the rule that was made of it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from limpet.ground.config.defaults import STATE_BYTES
from limpet.ground.errors import LimpetError
from limpet.ground.formats.yaml_text import load_yaml
from limpet.ground.storage.files import read_text
from limpet.ground.values import Value
from limpet.ground.workspace import FOLDER, Workspace
from limpet.memory.model.ids import short_id

PATH, TOP = f"{FOLDER}/knowledge/proposals.yml", "decisions"
APPROVED, REJECTED, WITHDRAWN = "approved", "rejected", "withdrawn"
RULE, DURABLE = "rule", "durable"
# What git leaves around the sides that it cannot merge; each decision is a line of its own, so that both count.
_MARKS = ("<<<<<<< ", "||||||| ", "=======\n", "=======\r\n", ">>>>>>> ")


class ProposalDecision(Value):
    """What a person decided about a memory, or an entry of the knowledge; ``id`` is its id.

    ``domain``, ``rule``, ``text``: of an approved rule: where it stands, its key or number, and itself.
    ``made``: whether the domain's file was made for it.
    ``evidence_count``, ``evidence``: how much spoke for it, and where: conversation/message, source/observation.
    """

    id: str
    decided: str = ""
    at: str = ""
    by: str = ""
    kind: str = RULE
    domain: str = ""
    rule: str = ""
    text: str = ""
    made: bool = False
    evidence_count: int = 0
    evidence: tuple[str, ...] = ()

    def told(self) -> dict[str, object]:
        """Without what is empty."""
        fields = {**self.__dict__, "evidence": list(self.evidence)}
        return {name: value for name, value in fields.items() if value and name != "id"}


def read_decisions(workspace: Workspace) -> dict[str, ProposalDecision]:
    lines = (read_text(os.path.join(workspace.root, PATH), STATE_BYTES) or "").splitlines(keepends=True)
    found = load_yaml("".join(line for line in lines if not line.startswith(_MARKS)), PATH)
    decided = found.get(TOP) if isinstance(found, dict) else None
    if not isinstance(decided, dict):
        return {}
    decisions = {str(key): _decision(str(key), told if isinstance(told, dict) else {}) for key, told in decided.items()}
    return {key: decision for key, decision in decisions.items() if isinstance(decision.evidence_count, int)}


def rule_of(workspace: Workspace, key: str) -> str:
    """The rule that was made of a memory, "" for none and where the file cannot be read."""
    try:
        found = named(read_decisions(workspace), key)
    except LimpetError:
        return ""
    if not found or found.decided != APPROVED:
        return ""
    return f"{found.domain} {found.rule}" if found.rule.isdecimal() else found.rule


def named(known: Mapping[str, Any], key: str) -> Any:
    """Return what stands under this id, or one of which this is the part that commands take; None for nothing."""
    return next((one for name, one in known.items() if key.strip() in (name, short_id(name))), None)


def _decision(key: str, told: dict[str, Any]) -> ProposalDecision:
    fields = {name: value for name, value in told.items() if name in ProposalDecision.fields}
    for name, value in fields.items():
        if isinstance(ProposalDecision.defaults.get(name), str):
            fields[name] = str(value)
    refs = fields.get("evidence")
    fields["evidence"] = tuple(map(str, refs)) if isinstance(refs, list) else ()
    return ProposalDecision(**{**fields, "id": key})
