"""A person's look at what was captured: what there is, and what they decide of each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.text.tokens import estimate_tokens
from limpet.memory.candidates import USER, Candidate, read_candidate_files, save
from limpet.memory.capture.statements import read_remark
from limpet.memory.files.codec import read_body, split_evidence
from limpet.memory.index.names import identifiers
from limpet.memory.index.reading import open_index
from limpet.memory.index.terms import is_stop, terms
from limpet.memory.looked_at import look_at
from limpet.memory.model.entry import DURABLE, PERSON, UNREVIEWED, WISH, MemoryEntry, Query
from limpet.memory.model.results import CONFIRMED, MemoryEvidence
from limpet.memory.search.preferences import holds_always, standing_wishes
from limpet.memory.search.prompt_words import is_usual
from limpet.operations.memory import change
from limpet.operations.memory.candidates import list_open, writing
from limpet.operations.memory.change import KeptMemory
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.memory.quoted import owner_of_quoted, quoting_fields
from limpet.operations.memory.view import Opened, goes_on, quotes_of
from limpet.operations.memory.waiting import waiting_ids
from limpet.operations.project import Project

# Words that are named of what brings a memory.
MOST_WORDS = 8
_WHY = "reviewed"


def list_waiting(project: Project) -> list[Opened]:
    """Return captured memories that nobody looked at, newest first."""
    workspace = project.workspace
    library = open_library(project)
    update_index(library)
    found = []
    with library.at_once(as_is=True):
        for name in waiting_ids(workspace):
            try:
                stored = library.show(name, count=False)
                found.append(Opened(workspace, stored, is_heard=library.is_heard(stored)))
            except LimpetError:  # another agent's, or gone meanwhile
                continue
    return found


def words_heard(entry: MemoryEntry) -> tuple[list[str], list[str]]:
    """Return what the person said, whole, and what that answered."""
    own, others = list[str](), list[str]()
    for line in quotes_of(entry):
        words, _, speaker = line.rpartition(" (")
        (own if speaker.startswith((USER, PERSON)) else others).append(words or line)
    return [*dict.fromkeys(own)] or [entry.title], others


def called_by_words(entry: MemoryEntry) -> Iterator[str]:
    said = split_evidence(entry.body)[0]
    is_wish = entry.type == WISH and not entry.flags and holds_always(entry.source, entry.storage, entry.title, said)
    if is_wish or (entry.type == WISH and UNREVIEWED in entry.tags):
        yield "the start of every conversation, while all of these fit"
    elif UNREVIEWED in entry.tags:
        yield "the start of every conversation until you look at it"
    yield from entry.paths
    if is_wish:
        return
    names = identifiers(f"{entry.title} {said}")
    for name in names:
        if not any(path.endswith(name) for path in entry.paths):
            yield name
    words = []
    for word in entry.title.split():
        bare = word.strip(".,;:!?()[]{}<>`'\"*")
        says_little = all(is_stop(term) or is_usual(term) for term in terms(bare))
        if bare not in names and not says_little:
            words.append(bare)
    if words:
        yield f"prompts about {' '.join(dict.fromkeys(words[:MOST_WORDS]))}"


def confirm(project: Project, opened: Opened) -> None:
    """What a person looked at and kept stays."""
    entry = opened.stored.entry
    library = open_library(project)
    said = MemoryEvidence(iso(project.caller.now), CONFIRMED, PERSON, project.caller.conversation)
    library.strengthen(entry.id, [said], _WHY)
    change.edit_memory(project, entry.id, {}, remove_tags=(UNREVIEWED,), why=_WHY)
    if entry.storage != DURABLE:
        change.move_memory(project, entry.id, storage=DURABLE, why=_WHY)


def wishes_beyond(project: Project) -> tuple[int, int]:
    """Return the number of standing wishes and their tokens, where those are more than a start has; else zeros."""
    workspace = project.workspace
    index = open_index(workspace.shared)
    if index is None:
        return 0, 0
    with closing(index):
        wishes = standing_wishes(index, Query(owners=None, now=project.caller.now))
    tokens = sum(estimate_tokens(wish.card.title) + 1 for wish in wishes)
    return (len(wishes), tokens) if tokens > project.settings["memory"]["wishes"]["FRESH"] else (0, 0)


def settle_unkept(project: Project, candidate: Candidate, is_kept: bool) -> str:
    """Make a memory of the words, or drop them; return the memory's title. Raises LimpetError."""
    library = open_library(project)
    title = ""
    with writing(library.shared):
        if is_kept:
            stated = candidate.replace(type=candidate.type or (read_remark(candidate.quote, False) or (WISH,))[0])
            fields = quoting_fields(library, stated, " ".join(candidate.quote.split()))
            entry = library.add({**fields, "storage": DURABLE}, owner_of_quoted(candidate), _WHY).entry
            look_at(project.workspace, [entry.id])
            title = entry.title
        save(library.shared, [candidate.answered()])
        list_open(library, read_candidate_files(library.shared))
    update_index(library)
    return title


def restate(project: Project, opened: Opened, text: str) -> KeptMemory:
    """What else the memory says and the words that it rests on stay."""
    entry = opened.stored.entry
    title, rest = read_body(text)
    kept = entry.body[len(split_evidence(entry.body)[0]) :].lstrip() if goes_on(entry) else entry.body
    changes = {"title": title, "body": "\n\n".join(filter(None, (rest, kept)))}
    return change.edit_memory(project, entry.id, changes, why=_WHY)
