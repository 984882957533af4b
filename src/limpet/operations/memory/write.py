"""Writes what was understood of a conversation: answers to candidates, and findings of one's own."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from limpet.ground.clock import iso
from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.memory.candidates import (
    DROP,
    ENDS,
    REPEATS,
    REPLACES,
    WRITE,
    Candidate,
    CandidateAnswer,
    read_candidate_answer,
    read_candidate_files,
    read_finding,
    refuse_another,
    refuse_copy,
    save,
)
from limpet.memory.capture.heard import paths_in
from limpet.memory.files.codec import with_quote
from limpet.memory.library import Library
from limpet.memory.model.entry import UNREVIEWED
from limpet.memory.model.results import CONTRADICTED, Gone, Stored
from limpet.operations.memory.candidates import (
    CONFLICT,
    list_open,
    may_see,
    open_candidates,
    with_words,
    writing,
)
from limpet.operations.memory.change import FLAGGED, remember_memory
from limpet.operations.memory.conversations.conversation import refuse_private
from limpet.operations.memory.gotchas import KIND as GOTCHA
from limpet.operations.memory.gotchas import note_gotcha
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.memory.quoted import (
    candidate_evidence_of,
    owner_of_quoted,
    quote_of,
    quoting_fields,
    split_sentence,
)
from limpet.operations.project import Project, clean

LIST = "To list them, run: limpet memory write"
# What became of an answer.
DROPPED, WRITTEN, REPEATED, REPLACED, BESIDE, ENDED = "dropped", "written", "repeated", "replaced", "beside", "ended"


class WrittenMemory(Value):
    """What became of an answer.

    ``name``: the candidate's id, or the type of an own finding.
    ``did``: one of the names above, "" where nothing was done, and ``problem`` says why.
    ``id``, ``title``: of the entry that was written or changed.
    ``about``: the entry that it replaces, or that stands against it.
    """

    name: str
    did: str = ""
    id: str = ""
    title: str = ""
    about: str = ""
    problem: str = ""
    notice: str = ""


def write_answers(
    project: Project, texts: Sequence[str], found: Sequence[tuple[Candidate, str]] = ()
) -> list[WrittenMemory]:
    """Where one has no form of an answer, none is carried out; see ``memory.candidates.answer``. ``found``: candidates
    that nobody heard yet, each with its sentence. Raises LimpetError where nothing can be written at all."""
    caller = project.caller
    refuse_private(caller)
    library = open_library(project)
    with writing(library.shared):
        stored = {each.id: each for each in read_candidate_files(library.shared)}
        answers, refused = _read_all([clean(project, text) for text in texts], stored)
        if refused:
            return refused
        known = {new.id: new for new, _ in found} | {each.id: each for each in stored.values()}
        kept = {each.message: each.id for each in stored.values() if each.entry and each.message}
        results = []
        for new, sentence in found:
            try:  # a sentence for a message whose words are an entry already is that entry's
                name = kept.get(new.message, new.id)
                answers.append(read_finding(new.type, clean(project, sentence)).replace(id=name))
            except LimpetError as error:
                results.append(WrittenMemory(name=new.id, problem=str(error)))
        for answer in answers:
            candidate = known.get(answer.id) if answer.id else None
            try:
                if candidate and candidate.entry:
                    candidate = with_words(library, candidate)
                if answer.id and not (candidate and candidate.quote and may_see(caller.reader, candidate.owner)):
                    raise LimpetError("No open candidate with this ID", answer.id, LIST)
                results.append(_carry_out(project, library, answer, candidate))
            except LimpetError as error:
                results.append(WrittenMemory(name=answer.id or answer.type, problem=str(error)))
            else:
                if candidate:
                    known[candidate.id] = candidate.answered()
        if done := [each for each in known.values() if not each.quote and stored.get(each.id) != each]:
            save(library.shared, done)
            list_open(library, [known[id] for id in stored])
    notice = update_index(library)
    return [*results[:-1], results[-1].replace(notice=results[-1].notice or notice)] if results else []


def _read_all(texts: Sequence[str], ids: Collection[str]) -> tuple[list[CandidateAnswer], list[WrittenMemory]]:
    answers: list[CandidateAnswer] = []
    results: list[WrittenMemory] = []
    for text in texts:
        name = text.partition(":")[0].strip()
        try:
            answer = read_candidate_answer(text)
            refuse_another(answer.sentence, ids)
            answers.append(answer)
            problem = "Not written: another answer was refused. Send all of them again"
            results.append(WrittenMemory(name=name, problem=problem))
        except LimpetError as error:
            results.append(WrittenMemory(name=name, problem=str(error)))
    return answers, results if len(answers) < len(texts) else []


def write_sentence(
    project: Project, kind: str, sentence: str, paths: Sequence[str] = (), tags: Sequence[str] = ()
) -> WrittenMemory:
    """Without ``paths`` it is about the files that it names."""
    answer = read_finding(kind, clean(project, sentence))
    refuse_another(answer.sentence, {each.id for each in read_candidate_files(project.workspace.shared) if each.quote})
    return _own(project, answer, {"paths": tuple(paths), "tags": tuple(tags)})


def left_open(project: Project, limit: int) -> list[dict[str, Any]]:
    caller = project.caller
    return open_candidates(project.workspace.shared, caller.reader, caller.conversation)[:limit]


def _carry_out(
    project: Project, library: Library, answer: CandidateAnswer, candidate: Candidate | None
) -> WrittenMemory:
    if candidate is None:
        return _own(project, answer, {})
    if answer.does == DROP:  # what a person typed stays, for them to look at
        return WrittenMemory(name=candidate.id, did=DROPPED)
    if answer.memory and library.find(answer.memory).entry.id == candidate.entry:
        raise LimpetError("This memory is made of those words", answer.memory, f"Write a sentence: {candidate.id}: ...")
    if answer.does == WRITE and candidate.entry:
        title, rest = split_sentence(answer.sentence)
        said: dict[str, Any] = {"title": title, "body": with_quote(rest, quote_of(candidate))}
        if library.reader.person:  # their sentence is a look
            tags = library.find(candidate.entry).entry.tags
            said["tags"] = tuple(tag for tag in tags if tag != UNREVIEWED)
        return _told(candidate.id, WRITTEN, library.edit(candidate.entry, said, "given a sentence"))
    done = _settle(library, answer, candidate)
    if candidate.entry:
        library.archive(candidate.entry, "an answer to it says it elsewhere")
    return done


def _settle(library: Library, answer: CandidateAnswer, candidate: Candidate) -> WrittenMemory:
    if answer.does == REPEATS:
        return _repeat(library, answer, candidate)
    if answer.does == ENDS:
        return _end(library, answer, candidate)
    refuse_copy(answer.sentence, candidate.quote)
    fields = quoting_fields(library, candidate, answer.sentence, answer.type)
    if candidate.entry and not library.reader.person:
        fields["tags"] = (UNREVIEWED,)
    owner = owner_of_quoted(candidate, answer.type)
    if answer.does == REPLACES:
        return _replace(library, answer, candidate, fields, owner)
    return _told(candidate.id, WRITTEN, library.add(fields, owner, "written from a candidate"))


def _own(project: Project, answer: CandidateAnswer, given: Mapping[str, tuple[str, ...]]) -> WrittenMemory:
    if answer.type == GOTCHA:
        kept = note_gotcha(project, answer.sentence, given)
    else:
        paths = given.get("paths") or paths_in(answer.sentence)
        kept = remember_memory(project, {**given, "type": answer.type, "paths": paths}, answer.sentence)
    return _told(answer.type, WRITTEN, kept.stored).replace(notice=" ".join(kept.notices))


def _repeat(library: Library, answer: CandidateAnswer, candidate: Candidate) -> WrittenMemory:
    named = library.find(answer.memory).entry
    in_force = named.superseded_by or named.id  # what took its place says it now
    stored = library.strengthen(in_force, candidate_evidence_of(candidate, library.clock.now()), "said again")
    quote = quote_of(candidate)
    if quote not in stored.entry.body:
        with suppress(LimpetError):  # what a person wrote nobody else adds to
            stored = library.edit(stored.entry.id, {"body": with_quote(stored.entry.body, quote)}, "said again")
    return _told(candidate.id, REPEATED, stored)


def _end(library: Library, answer: CandidateAnswer, candidate: Candidate) -> WrittenMemory:
    stored = library.edit(answer.memory, {"valid_until": iso(library.clock.now())}, "it no longer holds")
    against = (each.replace(how=CONTRADICTED) for each in candidate_evidence_of(candidate, library.clock.now()))
    library.strengthen(stored.entry.id, against, "it no longer holds")
    library.archive(stored.entry.id, "it no longer holds")
    return _told(candidate.id, ENDED, stored)


def _replace(
    library: Library, answer: CandidateAnswer, candidate: Candidate, fields: dict[str, Any], owner: str
) -> WrittenMemory:
    """Beside the old, marked, where only a person may take that away."""
    try:
        new = library.supersede(answer.memory, fields, "written from a candidate that replaces it")
    except Gone:
        raise
    except LimpetError as error:
        old = library.show(answer.memory, count=False).entry
        body = f"{fields['body']}\n\nThe person's {old.id} contradicts this and takes precedence."
        beside = {**fields, "tags": (*fields.get("tags", ()), CONFLICT), "body": body}
        new = library.add(beside, owner, "written beside what only a person changes")
        return _told(candidate.id, BESIDE, new).replace(about=old.id, notice=str(error))
    return _told(candidate.id, REPLACED, new).replace(about=new.entry.supersedes[-1])


def _told(name: str, did: str, stored: Stored) -> WrittenMemory:
    notice = FLAGGED if "instruction" in stored.entry.flags else ""
    return WrittenMemory(name=name, did=did, id=stored.entry.id, title=stored.entry.title, notice=notice)
