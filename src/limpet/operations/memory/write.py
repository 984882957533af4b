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
    USER,
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
from limpet.memory.library import Library
from limpet.memory.model.entry import CAPTURED, EVIDENCE, PRIVATE_TYPES
from limpet.memory.model.layout import SHARED
from limpet.memory.model.results import CONTRADICTED, Gone, Stored
from limpet.operations.memory.candidates import (
    CONFLICT,
    candidate_evidence_of,
    list_open,
    may_see,
    open_candidates,
    writing,
)
from limpet.operations.memory.change import FLAGGED, remember_memory
from limpet.operations.memory.conversations.conversation import refuse_private
from limpet.operations.memory.gotchas import KIND as GOTCHA
from limpet.operations.memory.gotchas import note_gotcha
from limpet.operations.memory.library import open_library, update_index
from limpet.operations.memory.view import CUT, GOES_ON
from limpet.operations.project import Project, clean

MODEL = "model:"
LIST = "To list them, run: limpet memory write"
# In characters.
LONGEST_TITLE, LONGEST_BEFORE = 120, 300
# What a note becomes that a person said twice: what had to be said twice is what they want to hold.
SAID_TWICE = "user_correction"
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
        results = []
        for new, sentence in found:
            try:
                answers.append(read_finding(new.type, clean(project, sentence)).replace(id=new.id))
            except LimpetError as error:
                results.append(WrittenMemory(name=new.id, problem=str(error)))
        for answer in answers:
            candidate = known.get(answer.id) if answer.id else None
            try:
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
    if answer.does == DROP:
        return WrittenMemory(name=candidate.id, did=DROPPED)
    if answer.does == REPEATS:
        return _repeat(library, answer, candidate)
    if answer.does == ENDS:
        return _end(library, answer, candidate)
    refuse_copy(answer.sentence, candidate.quote)
    fields = _fields(library, candidate, answer)
    if answer.does == REPLACES:
        return _replace(library, answer, candidate, fields)
    return _told(candidate.id, WRITTEN, library.add(fields, _owner(candidate, answer), "written from a candidate"))


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
    quote = _quote(candidate)
    if quote not in stored.entry.body:
        with suppress(LimpetError):  # what a person wrote nobody else adds to
            stored = library.edit(stored.entry.id, {"body": _with_quote(stored.entry.body, quote)}, "said again")
    return _told(candidate.id, REPEATED, stored)


def _end(library: Library, answer: CandidateAnswer, candidate: Candidate) -> WrittenMemory:
    stored = library.edit(answer.memory, {"valid_until": iso(library.clock.now())}, "it no longer holds")
    against = (each.replace(how=CONTRADICTED) for each in candidate_evidence_of(candidate, library.clock.now()))
    library.strengthen(stored.entry.id, against, "it no longer holds")
    library.archive(stored.entry.id, "it no longer holds")
    return _told(candidate.id, ENDED, stored)


def _replace(library: Library, answer: CandidateAnswer, candidate: Candidate, fields: dict[str, Any]) -> WrittenMemory:
    """Beside the old, marked, where only a person may take that away."""
    try:
        new = library.supersede(answer.memory, fields, "written from a candidate that replaces it")
    except Gone:
        raise
    except LimpetError as error:
        old = library.show(answer.memory, count=False).entry
        body = f"{fields['body']}\n\nThe person's {old.id} contradicts this and takes precedence."
        beside = {**fields, "tags": (CONFLICT,), "body": body}
        new = library.add(beside, _owner(candidate, answer), "written beside what only a person changes")
        return _told(candidate.id, BESIDE, new).replace(about=old.id, notice=str(error))
    return _told(candidate.id, REPLACED, new).replace(about=new.entry.supersedes[-1])


def _told(name: str, did: str, stored: Stored) -> WrittenMemory:
    notice = FLAGGED if "instruction" in stored.entry.flags else ""
    return WrittenMemory(name=name, did=did, id=stored.entry.id, title=stored.entry.title, notice=notice)


def _fields(library: Library, candidate: Candidate, answer: CandidateAnswer) -> dict[str, Any]:
    title, rest = _split(answer.sentence)
    evidence = candidate_evidence_of(candidate, library.clock.now())
    by_model = library.writer if library.writer.startswith(MODEL) else ""
    certain = library.settings["confidence"]
    start = certain["told" if candidate.role == USER and not by_model else "inferred"]
    return {
        "type": _type(candidate, answer),
        "title": title,
        "body": _with_quote(rest, _quote(candidate)),
        "paths": paths_in(f"{answer.sentence}\n{candidate.quote}"),
        # As much as if it had been written when it was said first, and had been said again since.
        "confidence": min(1.0, round(start + certain["step"] * (len(evidence) - 1), 4)),
        "agent": candidate.agent,
        "source": by_model or f"{CAPTURED}{candidate.session}",
        "session": candidate.session,
        "evidence": evidence,
        "evidence_count": len(evidence),
        "storage": "daily",
        "created_at": iso(candidate.at),
    }


def _type(candidate: Candidate, answer: CandidateAnswer) -> str:
    return answer.type or candidate.type or SAID_TWICE


def _owner(candidate: Candidate, answer: CandidateAnswer) -> str:
    """What an agent concluded is its own until it is validated; stated things are everybody's (decision 22)."""
    return candidate.agent if candidate.agent and _type(candidate, answer) in PRIVATE_TYPES else SHARED


def _split(sentence: str) -> tuple[str, str]:
    if len(sentence) <= LONGEST_TITLE:
        return sentence, ""
    longest = LONGEST_TITLE - 4
    space = sentence.rfind(" ", longest // 2, longest)
    head = sentence[: space if space > 0 else longest]
    return f"{head}{CUT}", f"{GOES_ON}{sentence[len(head) :].strip()}"


def _quote(candidate: Candidate) -> str:
    others = "assistant" if candidate.role == USER else USER
    said = ((candidate.before[-LONGEST_BEFORE:], others), (candidate.quote, candidate.role))
    day = iso(candidate.at)[:10]
    return "\n>\n".join(f"> {' '.join(words.split())} ({speaker}, {day})" for words, speaker in said if words)


def _with_quote(body: str, quote: str) -> str:
    if f"## {EVIDENCE}" in body:
        return f"{body.rstrip()}\n>\n{quote}"
    return "\n".join(part for part in (body, f"\n## {EVIDENCE}\n" if body else f"## {EVIDENCE}\n", quote) if part)
