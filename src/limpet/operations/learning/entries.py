"""An entry of the knowledge, opened by its id as memories are, with what speaks for it and against it side by side."""

from __future__ import annotations

import re

from limpet.ground.event_log.record import record
from limpet.ground.safety.redaction import redact
from limpet.ground.text.escaping import clip
from limpet.learning.arithmetic import is_contested
from limpet.learning.model import ACTIVE, CONTRADICT, FILES, PREFIXES, WEAKEN, Entry
from limpet.memory.files.audit import ACCESSED
from limpet.memory.index.knowledge import as_memory
from limpet.memory.model.entry import EVIDENCE
from limpet.memory.model.layout import ARCHIVE, KNOWLEDGE, OF_ENTRY, SHARED, Place
from limpet.memory.model.results import Stored
from limpet.operations.learning.consolidate import Step, explain
from limpet.operations.project import Project

IDS = re.compile(rf"\b(?:{'|'.join(PREFIXES.values())})-\d{{3,}}\b")
LONGEST = 300


def open_entry(project: Project, key: str) -> tuple[Stored, Entry]:
    """Return the entry as a memory is opened, without secrets: the observations that bear on it, those against it last,
    are the words that it rests on. Raise LimpetError."""
    found = explain(project, key.upper())
    entry, shown = found.entry, as_memory(found.entry)
    record(project.workspace, project.actor, ACCESSED, {"ids": [entry.id]})
    about = f"Confidence {entry.confidence:g}; for {', '.join(entry.roles) or 'everybody'}"
    ordered = sorted(found.steps, key=lambda step: step.evidence.effect in (WEAKEN, CONTRADICT))
    rests = [f"\n## {EVIDENCE}\n", *map(_line, ordered)] if ordered else []
    body = redact("\n".join((*([shown.body, ""] if shown.body else []), about, *rests)), known=project.secrets)
    title = redact(shown.title, known=project.secrets)
    place = Place(owner=SHARED, storage=shown.storage, state=KNOWLEDGE if entry.status == ACTIVE else ARCHIVE)
    path = f"{KNOWLEDGE}/{FILES[entry.kind]}{OF_ENTRY}{entry.id}"
    return Stored(shown.replace(title=title, body=body, valid_until=""), path, place, (0, 0, 0)), entry


def entry_data(entry: Entry) -> dict[str, object]:
    """Return what an entry has beside the fields of a memory, for programs."""
    return {
        "guidance": list(entry.guidance),
        "roles": list(entry.roles),
        "status": entry.status,
        "contested": is_contested(entry.evidence),
        "from": list(dict.fromkeys(each.source for each in entry.evidence)) or [entry.source],
        "evidence": [dict(each.__dict__) for each in entry.evidence],
    }


def _line(step: Step) -> str:
    piece = step.evidence
    who = ", ".join(filter(None, (piece.agent, piece.phase, piece.at[:10])))
    said = f": {clip(' '.join(step.text.split()), LONGEST)}" if step.text else ""
    return f"> {piece.effect} {piece.source}/{piece.observation}{f' ({who})' if who else ''}{said}"
