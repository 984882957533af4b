"""``holdfast memory sessions``, and the answers of ``memory search --sessions`` and ``--notes``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from holdfast.cli.memory.options import caller_options, identify, tell
from holdfast.cli.memory.view import no_match
from holdfast.cli.output import emit
from holdfast.cli.screen import progress
from holdfast.cli.table import counted, table
from holdfast.ground.clock import iso
from holdfast.ground.workspace import Workspace
from holdfast.memory.model.card import Query
from holdfast.memory.notes.note import Note
from holdfast.memory.sessions.database import search_terms
from holdfast.memory.sessions.passage import Passage, excerpt
from holdfast.operations.caller import Caller
from holdfast.operations.memory.conversations import sessions as operations
from holdfast.operations.memory.conversations.notes import find_notes

SPEAKERS = {"user": "you", "assistant": "agent"}
INDEXING = "Indexing past conversations"
UNTOLD = "(not shown: it reads like an instruction)"


@click.command()
@click.option("--forget", "key", metavar="ID", help="Remove a conversation from the search for good.")
@caller_options
def sessions(key: str | None, as_person: bool, as_json: bool) -> None:
    """List past conversations indexed for searching.

    `holdfast memory search --sessions` searches them. Not for agents.

    \b
    Examples:
      holdfast memory sessions
      holdfast memory sessions --forget 3f2a9c1d
    """
    workspace, caller = identify(as_person)
    if key:
        name, gone = operations.forget_session(workspace, caller, key)
        line = (
            f"Conversation {name} is no longer searched ({counted(gone, 'passage')} removed). Its transcript is kept."
        )
        emit({"session": name, "removed": gone}, [line], as_json)
        return
    with progress(INDEXING):
        found, unread = operations.list_sessions(workspace, caller)
    rows = [(session, iso(last)[:16].replace("T", " "), number) for session, last, number in found]
    data = [{"session": session, "last": iso(last), "passages": number} for session, last, number in found]
    lines = table([("session", "last", "passages"), *rows], heading=True) if rows else ["No past conversations yet."]
    _tell_unread(unread)
    emit(data, lines, as_json)


def print_sessions(workspace: Workspace, caller: Caller, query: Query, as_json: bool) -> None:
    """Print the passages of past conversations that hold words of the query. Raises HoldfastError."""
    with progress(INDEXING):
        found, unread = operations.search_sessions(workspace, caller, query)
    _tell_unread(unread)
    emit([_describe(passage) for passage in found], _passage_lines(found, query.text), as_json)


def print_notes(workspace: Workspace, query: Query, as_json: bool) -> None:
    """Print the notes that share words with the query."""
    notes = find_notes(workspace, query.text, query.limit)
    data = [{"id": note.id, "at": iso(note.at), "session": note.session, "text": note.text} for note in notes]
    emit(data, _note_lines(notes, query.text), as_json)


def _describe(passage: Passage) -> dict[str, Any]:
    return {
        "session": passage.session,
        "at": iso(passage.at) if passage.at else "",
        "role": passage.role,
        "text": passage.text,
        "flagged": passage.flagged,
    }


def _passage_lines(passages: Sequence[Passage], text: str) -> Iterator[str]:
    asked = search_terms(text)
    for passage in passages:
        when = iso(passage.at)[:16].replace("T", " ") if passage.at else "-"
        yield f"{passage.session}  {when}  {SPEAKERS.get(passage.role, passage.role)}"
        yield f"> {excerpt(passage.text, asked) or UNTOLD}"
    if not passages:
        yield no_match(text).replace("memories", "past conversations")


def _note_lines(notes: Sequence[Note], text: str) -> Iterator[str]:
    for note in notes:
        yield f"{note.id}  {iso(note.at)[:16].replace('T', ' ')}  {note.session}"
        yield f"> {excerpt(note.text, search_terms(text))}"
    if not notes:
        yield no_match(text).replace("memories", "notes")


def _tell_unread(number: int) -> None:
    if number:
        tell(f"{counted(number, 'conversation')} not indexed yet: run the command again")
