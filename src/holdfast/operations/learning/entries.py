"""An entry of the knowledge, opened by its id as memories are, with what speaks for it and against it side by side."""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdfast.ground.errors import HoldfastError
from holdfast.ground.event_log.record import record
from holdfast.ground.safety.redaction import redact
from holdfast.ground.text.escaping import clip
from holdfast.learning.arithmetic import is_contested
from holdfast.learning.model import ACTIVE, CONTRADICT, KINDS, PREFIXES, WEAKEN, Entry, Evidence, Observation, Stores
from holdfast.learning.store import observations_of, read_stores
from holdfast.memory.files.audit import ACCESSED
from holdfast.memory.index.knowledge import PATHS, as_memory
from holdfast.memory.model.entry import EVIDENCE
from holdfast.memory.model.layout import ARCHIVE, KNOWLEDGE, OF_ENTRY, SHARED, Place
from holdfast.memory.model.results import Stored
from holdfast.operations.project import Project

IDS = re.compile(rf"\b(?:{'|'.join(PREFIXES.values())})-\d{{3,}}\b")
LONGEST = 300


def find_entry(stores: Stores, key: str) -> Entry | None:
    """Return the entry of this id, or that had it before branches were merged."""
    every = [entry for kind in KINDS for entry in stores.get(kind, ())]
    wanted = key.upper()
    named = (entry for entry in every if entry.id == wanted)
    return next(named, next((entry for entry in every if wanted in entry.aliases), None))


def get_entry(project: Project, key: str) -> Entry:
    """Return the same. Raise HoldfastError where there is none."""
    entry = find_entry(read_stores(project.workspace)[0], key)
    if entry is None:
        raise HoldfastError("No entry of the knowledge with this ID", key, "Run: holdfast memory search WORDS")
    return entry


def open_entry(project: Project, key: str) -> tuple[Stored, Entry]:
    """Return the entry as a memory is opened, without secrets; what bears on it, with its source, as the words that a
    memory rests on. Raise HoldfastError."""
    entry = get_entry(project, key)
    record(project.workspace, project.actor, ACCESSED, {"ids": [entry.id]})
    shown = as_memory(entry)
    about = "; ".join(
        filter(None, (f"Confidence {entry.confidence:g}", f"for {', '.join(entry.roles) or 'everybody'}"))
    )
    said = "\n\n".join(filter(None, (shown.body, about)))
    rests = "\n".join(f"> {line}" for line in _evidence_lines(project, entry))
    body = redact(f"{said}\n\n## {EVIDENCE}\n\n{rests}" if rests else said, known=project.secrets)
    state = KNOWLEDGE if entry.status == ACTIVE else ARCHIVE
    path = next(path for path, kind in PATHS.items() if kind == entry.kind)
    place = Place(owner=SHARED, storage=shown.storage, state=state)
    stored = shown.replace(body=body, title=redact(shown.title, known=project.secrets), valid_until="")
    return Stored(stored, f"{path}{OF_ENTRY}{entry.id}", place, (0, 0, 0)), entry


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


def _evidence_lines(project: Project, entry: Entry) -> Iterator[str]:
    """Yield a line for each observation that bears on the entry: first what speaks for it, then what speaks against it,
    with the words where they can be read."""
    ordered = sorted(entry.evidence, key=lambda each: each.effect in (WEAKEN, CONTRADICT))
    texts: dict[str, dict[str, Observation]] = {}
    for each in ordered:
        if each.source not in texts:
            texts[each.source] = {one.id: one for one in observations_of(project.workspace, each.source)[0]}
        yield _evidence_line(each, texts[each.source].get(each.observation))


def _evidence_line(each: Evidence, observed: Observation | None) -> str:
    who = ", ".join(filter(None, (each.agent, each.phase, each.at[:10])))
    said = f": {clip(' '.join(observed.text.split()), LONGEST)}" if observed else ""
    return f"{each.effect} {each.source}/{each.observation}{f' ({who})' if who else ''}{said}"
