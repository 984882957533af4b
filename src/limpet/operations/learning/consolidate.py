"""Observations consolidated into the stores of knowledge, what came of it explained, and a run taken back.

What a run is about to write is kept first, in the user's own state folder: one that was killed is completed by the
next, and the last one can be undone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from limpet.ground.digest import digest
from limpet.ground.errors import LimpetError, Unwritten
from limpet.ground.event_log import event_data, moment_of, read_events
from limpet.ground.formats.json_text import read_object
from limpet.ground.formats.markdown import one_line
from limpet.ground.recording import record
from limpet.ground.safety.instructions import flags_of
from limpet.ground.safety.redaction import redact
from limpet.ground.storage.durable import delete_file, write_durably
from limpet.ground.storage.files import read_text
from limpet.ground.text.escaping import clip
from limpet.ground.text.lookup import did_you_mean, resolve_name
from limpet.ground.values import Value
from limpet.ground.workspace import Workspace
from limpet.learning.consolidation import ConsolidationOutcome, EntryChange
from limpet.learning.consolidation import consolidate as learn
from limpet.learning.model import (
    ACTIVE,
    ANTI_PATTERN,
    CONTRADICT,
    FILES,
    PREFIXES,
    PROCEDURE,
    SPOKEN_OF_ENTRY,
    WEAKEN,
    KnowledgeEntry,
    KnowledgeEvidence,
    Observation,
    Stores,
    is_contested,
    trace,
)
from limpet.learning.store import (
    Observations,
    Texts,
    change_stores,
    edit_texts,
    observations_of,
    parse_texts,
    read_stores,
    read_texts,
    store_name,
    stores_lock,
    write_texts,
)
from limpet.memory.files.store import ACCESSED
from limpet.memory.index.indexing import as_memory
from limpet.memory.model.entry import EVIDENCE
from limpet.memory.model.layout import ARCHIVE, KNOWLEDGE, OF_ENTRY, SHARED, MemoryPlace
from limpet.memory.model.results import Stored
from limpet.operations.memory.conversations.conversation import refuse_paused, refuse_private
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.project import Project, clean, handed

CONSOLIDATED, UNDONE, REWORDED = "learning.consolidated", "learning.undone", "learning.reworded"
OBSERVED = "learning.observed"
# Characters of an observation's words.
LONGEST = 300
_OF_ONE_KIND = {"failure_mode": ANTI_PATTERN, "applies_to": PROCEDURE}


class Wording(Value):
    """Words that an entry had until somebody put others in their place: the words, when, and who did."""

    text: str
    until: str
    by: str


class HistoryStep(Value):
    """A piece of an entry's evidence; ``after``: the confidence after it, None where it does not count; ``text``: ""
    where it cannot be read any more."""

    evidence: KnowledgeEvidence
    after: float | None
    text: str


class Explained(Value):
    """An entry, where its confidence comes from, and the words that it had before."""

    entry: KnowledgeEntry
    is_contested: bool
    steps: tuple[HistoryStep, ...]
    wordings: tuple[Wording, ...]


class OwnKnowledge(Value):
    """What this machine's log says of the knowledge: the observations that were made here, and the words of an entry
    that was made or reworded here, by their digest."""

    observed: frozenset[tuple[str, str]]
    says: Mapping[str, str]

    def holds(self, entry: KnowledgeEntry, piece: KnowledgeEvidence) -> bool:
        return self.says.get(entry.id) == digest_of_entry(entry) and (piece.source, piece.observation) in self.observed


class _Run(Value):
    """A run as it is kept: the stores before and after it, by kind, what it did, and whether all of it is written."""

    before: Texts
    after: Texts
    changes: tuple[EntryChange, ...]
    done: bool = False


def consolidate_project(project: Project, dry_run: bool = False) -> ConsolidationOutcome:
    """A run that was killed is completed first. Raises LimpetError, with nothing changed."""
    workspace, caller = project.workspace, project.caller
    with stores_lock(workspace):
        earlier = () if dry_run else _complete(project)
        texts = read_texts(workspace)
        stores, mistakes = parse_texts(texts)
        observations = Observations(workspace)
        outcome = learn(stores, observations, project.settings["learning"], caller.now)
        edited = edit_texts(texts, outcome.stores)
        if edited and not dry_run:
            run = _Run({kind: texts[kind] for kind in edited}, edited, outcome.changes)
            _keep(workspace, run)
            _write(project, run, edited)
    if not dry_run and (earlier or edited):
        update_index(open_library(project))
    return outcome.replace(changes=(*earlier, *outcome.changes), mistakes=(*mistakes, *observations.mistakes))


def undo_run(project: Project) -> tuple[EntryChange, ...]:
    """Raises LimpetError where there is no run to undo, and where the files were changed since."""
    workspace = project.workspace
    with stores_lock(workspace):
        _complete(project)
        run, texts = _kept(workspace), read_texts(workspace)
        if run is None:
            raise LimpetError("No consolidation to undo")
        changed = [kind for kind, text in run.after.items() if texts[kind] not in (text, run.before[kind])]
        if changed:
            what = "Knowledge was changed since the last consolidation"
            raise LimpetError(what, store_name(changed[0]), "Take back what you want to with git.")
        write_texts(workspace, run.before)
        delete_file(_kept_path(workspace))
        record(workspace, project.actor, UNDONE, {"changes": rows_of(run.changes)})
    update_index(open_library(project))
    return run.changes


def explain_entry(project: Project, typed: str) -> Explained:
    entry = find_entry(project, typed)
    shown = handed(project, entry, *SPOKEN_OF_ENTRY)
    found: dict[str, tuple[Observation, ...]] = {}
    for source in {piece.source for piece in entry.evidence}:
        try:
            found[source] = observations_of(project.workspace, source)[0]
        except LimpetError:
            found[source] = ()
    traced = trace(entry.start, shown.evidence, project.settings["learning"])
    said = ((piece, after, _text(piece, found[piece.source])) for piece, after in traced)
    steps = tuple(
        handed(project, HistoryStep(piece, None if after is None else float(after), told), "text")
        for piece, after, told in said
    )
    wordings = []
    for event in read_events(project.workspace.shared, REWORDED):
        told = event_data(event)
        if told.get("entry") == entry.id and told.get("before") != told.get("after"):
            before = Wording(str(told.get("before")), str(event.get("time")), str(event.get("writer")))
            wordings.append(handed(project, before, "text"))
    return Explained(shown, is_contested(entry.evidence), steps, tuple(wordings))


def open_entry(project: Project, key: str) -> tuple[Stored, KnowledgeEntry]:
    """Without secrets; observations that bear on the entry, those against it last, are the words that it rests on."""
    found = explain_entry(project, key.upper())
    entry, shown = found.entry, as_memory(found.entry)
    record(project.workspace, project.actor, ACCESSED, {"ids": [entry.id]})
    about = f"Confidence {entry.confidence:g}; for {', '.join(entry.roles) or 'everybody'}"
    ordered = sorted(found.steps, key=lambda step: step.evidence.effect in (WEAKEN, CONTRADICT))
    rests = [f"\n## {EVIDENCE}\n", *map(_line, ordered)] if ordered else []
    body = redact("\n".join((*([shown.body, ""] if shown.body else []), about, *rests)), known=project.secrets)
    title = redact(shown.title, known=project.secrets)
    place = MemoryPlace(owner=SHARED, storage=shown.storage, state=KNOWLEDGE if entry.status == ACTIVE else ARCHIVE)
    path = f"{KNOWLEDGE}/{FILES[entry.kind]}{OF_ENTRY}{entry.id}"
    return Stored(shown.replace(title=title, body=body, valid_until=""), path, place, (0, 0, 0)), entry


def read_own_knowledge(shared: str) -> OwnKnowledge:
    observed: set[tuple[str, str]] = set()
    says: dict[str, str] = {}
    for event in sorted(read_events(shared, (OBSERVED, CONSOLIDATED, REWORDED)), key=moment_of):
        told = event_data(event)
        if event["kind"] == OBSERVED:
            observed.add((str(told.get("source")), str(told.get("observation"))))
        says |= told.get("says") or {}
    return OwnKnowledge(frozenset(observed), says)


def find_entry(project: Project, typed: str) -> KnowledgeEntry:
    """Return the entry of this id, or that had it before branches were merged. Raises LimpetError for none."""
    entries: dict[str, KnowledgeEntry] = {}
    names: dict[str, str] = {}
    stores, mistakes = read_stores(project.workspace)
    for kind in stores.values():
        for entry in kind:
            entries[entry.id] = entry
            names |= dict.fromkeys(entry.aliases, entry.id)
    names |= {id: id for id in entries}
    files = [FILES[kind] for kind, prefix in PREFIXES.items() if typed.upper().startswith(prefix)]
    broken = next((f"Not read: {one}" for one in mistakes if any(name in one for name in files)), "")
    unknown = LimpetError("No entry with this ID", typed, broken or did_you_mean(typed, names))
    return entries[names[resolve_name(typed, names, lambda: unknown)]]


def reword_entry(project: Project, typed: str, text: str = "", **also: Any) -> KnowledgeEntry:
    """What speaks for the entry stays; ``also``: further fields, of which those that are empty stay too. Raises
    LimpetError, for an agent in a private conversation too."""
    refuse_paused(project.caller)
    refuse_private(project.caller)
    given = {"text": one_line(text), **also}
    fields: dict[str, Any] = {name: _cleaned(project, value) for name, value in given.items() if value}
    if not fields:
        raise LimpetError("No sentence", "", "Say what the entry says, in one sentence.")
    before = find_entry(project, typed)
    for name, kind in _OF_ONE_KIND.items():
        if name in fields and before.kind != kind:
            raise LimpetError(f"Only an entry of another kind has {name}: {kind}", before.id)
    changed = change_entry(project, before.id, before.status, **fields)
    after = next(one for one in changed[before.kind] if one.id == before.id)
    told = {"entry": before.id, "before": before.text, "after": after.text, "says": {after.id: digest_of_entry(after)}}
    record(project.workspace, project.actor, REWORDED, told)
    return after


def change_entry(project: Project, id: str, having: str, **fields: object) -> Stores:
    """Of the entry that has this id, or had it, and the status ``having``."""

    def changed(one: KnowledgeEntry) -> KnowledgeEntry:
        return one.replace(**fields) if id in (one.id, *one.aliases) and one.status == having else one

    stores = change_stores(
        project.workspace, lambda known: {kind: tuple(map(changed, entries)) for kind, entries in known.items()}
    )
    update_index(open_library(project))
    return stores


def rows_of(changes: Iterable[EntryChange]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for each in changes:
        told = {"id": each.id, "from": each.before, "to": each.after, "what": each.what}
        rows.append({**told, "because": list(each.because), "unites": each.unites, "lacks": list(each.lacks)})
    return rows


def digest_of_entry(entry: KnowledgeEntry) -> str:
    return digest("\n".join((entry.text, *entry.guidance)))


def _cleaned(project: Project, value: str | Sequence[str]) -> str | tuple[str, ...]:
    lines = tuple(clean(project, one_line(line)) for line in ((value,) if isinstance(value, str) else value))
    if flags_of("\n".join(lines)):
        raise LimpetError("This reads like an instruction to a model", "", "Say what holds, and why.")
    return lines[0] if isinstance(value, str) else lines


def _digests_in(texts: Texts) -> dict[str, str]:
    return {entry.id: digest_of_entry(entry) for entry in chain.from_iterable(parse_texts(texts)[0].values())}


def _text(piece: KnowledgeEvidence, observations: tuple[Observation, ...]) -> str:
    same = (each for each in observations if each.id == piece.observation and each.at in ("", piece.at))
    return next((each.text for each in same), "")


def _complete(project: Project) -> tuple[EntryChange, ...]:
    run = _kept(project.workspace)
    if run is None or run.done:
        return ()
    texts = read_texts(project.workspace)
    _write(project, run, {kind: text for kind, text in run.after.items() if texts[kind] == run.before[kind]})
    return run.changes


def _write(project: Project, run: _Run, texts: Texts) -> None:
    write_texts(project.workspace, texts)
    known = _digests_in(run.before)
    says = {key: words for key, words in _digests_in(run.after).items() if known.get(key) != words}
    record(project.workspace, project.actor, CONSOLIDATED, {"changes": rows_of(run.changes), "says": says})
    _keep(project.workspace, run.replace(done=True))


def _keep(workspace: Workspace, run: _Run) -> None:
    data = {**run.__dict__, "changes": rows_of(run.changes)}
    try:
        write_durably(_kept_path(workspace), json.dumps(data), follow=False)
    except OSError as error:
        raise Unwritten(f"Cannot write the file ({error.strerror})", _kept_path(workspace)) from None


def _kept(workspace: Workspace) -> _Run | None:
    data = read_object(read_text(_kept_path(workspace)))
    if not data:
        return None
    changes = []
    for row in data["changes"]:
        because, unites, lacks = tuple(row["because"]), bool(row.get("unites")), tuple(row.get("lacks", ()))
        changes.append(EntryChange(row["id"], row["from"], row["to"], row["what"], because, unites, lacks))
    return _Run(**{**data, "changes": tuple(changes)})


def _kept_path(workspace: Workspace) -> str:
    return workspace.kept("consolidation.json")


def _line(step: HistoryStep) -> str:
    piece = step.evidence
    who = ", ".join(filter(None, (piece.agent, piece.phase, piece.at[:10])))
    said = f": {clip(' '.join(step.text.split()), LONGEST)}" if step.text else ""
    return f"> {piece.effect} {piece.source}/{piece.observation}{f' ({who})' if who else ''}{said}"
