"""Candidates of the project: kept as they are heard, found on request, and listed for whoever may be asked.

``write`` carries out what is answered to them.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError, Unwritten
from limpet.ground.safety.instructions import flags_of, withheld
from limpet.ground.storage.text_file import sole_writer
from limpet.ground.text.escaping import clip
from limpet.memory.candidates import (
    ASSISTANT,
    USER,
    Candidate,
    candidate_id_of,
    drop_days,
    ranked,
    read_candidate_files,
    read_open,
    same_words,
    save,
    search_candidates,
    write_open,
)
from limpet.memory.capture.heard import Heard
from limpet.memory.capture.statements import gives_work, weight_of
from limpet.memory.extraction import is_grounded
from limpet.memory.library import Library
from limpet.memory.model.entry import ANSWER, STATED_TYPES, UNREVIEWED, Card, Hit, MemoryEntry, Query
from limpet.memory.model.ids import short_id
from limpet.memory.model.layout import SHARED, TEAM, Reader
from limpet.operations.memory.quoted import candidate_evidence_of, owner_of_quoted, quoted_in, quoting_fields
from limpet.work.conversation import any_private, has_mark

CONFLICT = "conflict"
"""The tag of what was kept beside something that it contradicts."""
DAY = 86_400.0
RESOLUTION = "resolution"
# So many of what an agent found out are kept of one conversation: the rest are candidates.
MOST_CAUSES = 10
# How the source of what an agent wrote begins.
AGENT = "agent"
# Words that say something, below which a sentence does not stand alone.
LEAST_ALONE = 2
# Seconds to wait for another writer of candidates.
PATIENCE = 15.0
# Open candidates of all conversations that a block may ask for, and the entries shown beside each.
MOST_OPEN, MOST_NEAR = 24, 2
# In characters, of an open candidate.
SHOWN_QUOTE, SHOWN_BEFORE = 320, 160


def keep_heard(library: Library, heard: Sequence[Heard], asked: Collection[str]) -> dict[str, int]:
    """Keep what was heard, and list what is open; return how much is new, as entries (``said``) and as candidates
    (``noted``). The words hold no secrets any more. What the person typed as a decision, a correction or a wish is an
    entry at once, unreviewed; the rest are candidates. The same words again count for the candidate, or for the entry
    that holds them. ``asked``: ids that this conversation was asked for. Raises Unwritten."""
    with writing(library.shared):
        known = {each.id: each for each in read_candidate_files(library.shared)}
        changed = {id: one for id in asked if (one := _asked(known.get(id), library.session))}
        new = _keep(library, _tell_apart(library, heard, known, changed), known)
        current = {**known, **changed, **new}
        dropped = _private(current.values())
        for one in dropped:
            current.pop(one.id, None)
        if heard or current != known:
            changes = [one for id, one in current.items() if known.get(id) != one]
            save(library.shared, changes, [one for one in dropped if one.id in known])
            before = library.clock.now() - DAY * int(library.settings["candidates"]["days"])
            drop_days(library.shared, iso(before)[:10])
            list_open(library, current.values())
    entries = [bool(one.entry) for id, one in new.items() if id in current]
    return {"said": sum(entries), "noted": len(entries) - sum(entries)}


def candidate_of(library: Library, heard: Heard) -> Candidate:
    place = heard.message or f"{library.session}:{heard.offset}"
    return Candidate(
        id=candidate_id_of(f"{place} {same_words(heard.quote)}"),
        at=heard.at or library.clock.now(),
        session=library.session,
        message=heard.message,
        agent=library.reader.agent,
        role=heard.role,
        type=heard.type,
        quote=heard.quote,
        before="" if flags_of(heard.before) else heard.before,
    )


def find_candidates(shared: str, reader: Reader, text: str, limit: int) -> tuple[Candidate, ...]:
    """The best first."""
    seen = [each for each in read_candidate_files(shared) if each.quote and may_see(reader, each.owner)]
    found = search_candidates(seen, text, limit)
    return found if reader.person else tuple(withheld(each, "quote", "before", "session") for each in found)


def open_candidates(shared: str, reader: Reader, session: str) -> list[dict[str, Any]]:
    """As the list has them, those of the conversation first; only what the reader may see."""
    seen = (each for each in read_open(shared) if may_see(reader, str(each.get("agent") or "")))
    shown = (each for each in seen if reader.person or not flags_of("\n\n".join(map(str, each.values()))))
    found = [each for each in shown if not has_mark(str(each.get("session")))]
    return sorted(found, key=lambda each: each.get("session") != session)


def may_see(reader: Reader, owner: str) -> bool:
    return reader.person or owner in ("", reader.agent)


def list_open(library: Library, candidates: Iterable[Candidate]) -> None:
    """Those of the newest conversation first, each conversation's best first. Raise OSError."""
    by_session: dict[str, list[Candidate]] = {}
    for each in candidates:
        if each.is_open and (each.type or not gives_work(each.quote)) and not has_mark(each.session):
            by_session.setdefault(each.session, []).append(each)
    newest = sorted(by_session.values(), key=lambda found: max(each.at for each in found), reverse=True)
    found: list[Candidate] = []
    for own in newest:
        found += filter(None, (with_words(library, each) for each in ranked(own)))
    found = [each for each in found[:MOST_OPEN] if not flags_of(f"{each.quote}\n\n{each.before}")]
    near = _similar(library, found)
    write_open(library.shared, [_open_record(each, near[each.id]) for each in found])


def settle_entry(shared: str, id: str) -> None:
    """Ask no more what the words mean of which the entry is made: a person looked at it, or took it away. Raises
    Unwritten."""
    if any(each.get("entry") == id for each in read_open(shared)):
        with writing(shared):
            write_open(shared, [each for each in read_open(shared) if each.get("entry") != id])


def erase_words(library: Library, entry: MemoryEntry) -> None:
    """Keep none of the words of which the entry was made, nor the same said elsewhere. Raises Unwritten."""
    with writing(library.shared):
        known = read_candidate_files(library.shared)
        own = [each for each in known if each.entry == entry.id or same_words(each.quote) == same_words(entry.title)]
        save(library.shared, [each.answered() for each in own])
        list_open(library, [each for each in known if each not in own])


def with_words(library: Library, candidate: Candidate) -> Candidate | None:
    """With those of its entry, None where somebody looked at that, or took it away."""
    if not candidate.entry:
        return candidate
    try:
        entry = library.find(candidate.entry).entry
    except LimpetError:
        return None
    return quoted_in(entry, candidate) if UNREVIEWED in entry.tags else None


@contextmanager
def writing(shared: str) -> Iterator[None]:
    """Hold the lock of the candidates. Raise Unwritten where that, or a write, fails."""
    with sole_writer(os.path.join(shared, "locks", "candidates.lock"), "the candidates", PATIENCE):
        try:
            yield
        except OSError as error:
            raise Unwritten(f"Cannot write candidates ({error.strerror})") from error


def _asked(candidate: Candidate | None, session: str) -> Candidate | None:
    """None where that was known."""
    is_new = candidate is not None and session not in candidate.asked and (candidate.quote or candidate.entry)
    return candidate.replace(asked=(*candidate.asked, session)) if candidate and is_new else None


def _tell_apart(
    library: Library, heard: Iterable[Heard], known: Mapping[str, Candidate], changed: dict[str, Candidate]
) -> dict[str, tuple[Candidate, Heard]]:
    """Return what is new by its id, also what is kept now and was only noted before; what else was said before goes,
    with one more moment, to those that are ``changed``."""
    by_words = {(each.role, same_words(each.quote)): each.id for each in known.values() if each.quote}
    new: dict[str, tuple[Candidate, Heard]] = {}
    for each in heard:
        one = candidate_of(library, each)
        if one.id in known or (flags_of(one.quote) and not _is_kept(each)):
            continue
        same = by_words.setdefault((one.role, same_words(one.quote)), one.id)
        before = new[same][0] if same in new else changed.get(same) or known.get(same)
        if before is None:
            new[one.id] = one, each
        elif one.moments[0] not in before.moments:
            again = before.replace(again=(*before.again, *one.moments))
            if same in new:
                new[same] = again, new[same][1]
            elif before.quote and _is_kept(each):
                new[same] = again.replace(type=each.type), each
            else:
                changed[same] = again
    return new


def _keep(
    library: Library, new: Mapping[str, tuple[Candidate, Heard]], known: Mapping[str, Candidate]
) -> dict[str, Candidate]:
    """Make entries of the words that are kept as they are; leave out what bears an entry out."""
    own = (each for each in known.values() if each.session == library.session and each.role == ASSISTANT)
    causes = sum(bool(each.entry) for each in own)
    similar = _similar(library, [one for one, _ in new.values()])
    kept = {}
    for id, (one, heard) in new.items():
        if _bears_out(library, one, similar[id]):
            continue
        is_kept = _is_kept(heard) and (one.role == USER or causes < MOST_CAUSES)
        causes += is_kept and one.role == ASSISTANT
        kept[id] = _keep_words(library, one, heard, similar[id]) if is_kept else one
    return kept


def _is_kept(heard: Heard) -> bool:
    """Of an agent's words the cause or the mend that it found, which nobody tells again."""
    return heard.type == RESOLUTION if heard.role == ASSISTANT else heard.is_typed and heard.type in STATED_TYPES


def _keep_words(library: Library, candidate: Candidate, heard: Heard, similar: Sequence[Hit]) -> Candidate:
    """Make an entry of the words; return the candidate without them. The sentence that the agent wrote of them by
    itself is its title, and no entry of its own."""
    written = next((hit.card for hit in similar if _is_of_these_words(library, hit.card, candidate)), None)
    fields = quoting_fields(library, candidate, written.title if written else heard.line)
    tags = (UNREVIEWED, ANSWER) if heard.answers else (UNREVIEWED,)
    stored = library.add({**fields, "tags": tags}, owner_of_quoted(candidate), "kept as it was said")
    if written:
        library.archive(written.id, "it stands with the words that it was written of")
    return candidate.replace(quote="", before="", entry=stored.entry.id, alone=weight_of(heard.line) >= LEAST_ALONE)


def _is_of_these_words(library: Library, card: Card, candidate: Candidate) -> bool:
    is_since = card.session == library.session and card.created >= candidate.at
    said = f"{candidate.quote}\n{candidate.before}"
    return is_since and card.source.startswith(AGENT) and is_grounded(card.title, said)


def _bears_out(library: Library, candidate: Candidate, similar: Sequence[Hit]) -> bool:
    words = same_words(candidate.quote)
    for hit in similar:
        try:
            entry = library.show(hit.card.id, count=False).entry
            said = (line[2:].rpartition(" (")[0] for line in entry.body.splitlines() if line.startswith("> "))
            if same_words(entry.title) == words or words in map(same_words, said):
                library.strengthen(entry.id, candidate_evidence_of(candidate, library.clock.now()), "said again")
                is_of_person = candidate.role == USER
                if is_of_person and UNREVIEWED in entry.tags and candidate.session != entry.session:
                    tags = tuple(tag for tag in entry.tags if tag != UNREVIEWED)
                    library.edit(entry.id, {"tags": tags}, "said again in another conversation")
                return True
        except Unwritten:
            raise
        except LimpetError:  # it went away meanwhile, or belongs to the team: it is a candidate like any other
            continue
    return False


def _private(candidates: Iterable[Candidate]) -> list[Candidate]:
    if not any_private():
        return []
    sessions = {each.session for each in candidates}
    marked = {session for session in sessions if has_mark(session)}
    return [each for each in candidates if each.session in marked]


def _similar(library: Library, candidates: Iterable[Candidate]) -> dict[str, tuple[Hit, ...]]:
    """Only entries that everybody who may be asked for the candidate may see."""
    asked = {}
    for each in candidates:
        owners = (SHARED, TEAM, each.owner) if each.owner else (SHARED, TEAM)
        asked[each.id] = Query(text=each.quote, owners=owners, digests=False, limit=MOST_NEAR + 1)
    least = library.settings["least_relevance"]
    similar = {}
    for id, hits in zip(asked, library.search_each(asked.values()), strict=True):
        similar[id] = tuple(hit for hit in hits if hit.relevance >= least and not hit.card.flags)
    return similar


def _open_record(candidate: Candidate, near: Sequence[Hit]) -> dict[str, Any]:
    before = " ".join(candidate.before.split())
    others = [hit.card for hit in near if hit.card.id != candidate.entry]
    return {
        "id": candidate.id,
        "entry": candidate.entry,
        "session": candidate.session,
        "at": candidate.at,
        "agent": candidate.owner,
        "role": candidate.role,
        "quote": clip(" ".join(candidate.quote.split()), SHOWN_QUOTE),
        "before": before if len(before) <= SHOWN_BEFORE else f"...{before[3 - SHOWN_BEFORE :]}",
        "near": [[short_id(card.id), card.title] for card in others[:MOST_NEAR]],
    }
