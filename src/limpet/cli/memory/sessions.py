"""``limpet memory sessions``, and the answer of ``memory search --sessions``."""

from __future__ import annotations

import click

from limpet.cli.memory.options import caller_options
from limpet.cli.memory.view import no_match
from limpet.cli.output import emit, tell
from limpet.cli.screen import progress
from limpet.cli.table import counted, minute, table
from limpet.ground.clock import iso
from limpet.memory.model.card import Query
from limpet.memory.sessions import excerpt, search_terms
from limpet.operations.memory.conversations import sessions as operations
from limpet.operations.project import Project

SPEAKERS = {"user": "you", "assistant": "agent"}
INDEXING = "Indexing past conversations"
UNTOLD = "(not shown: it reads like an instruction)"


@click.command()
@click.option("--forget", "key", metavar="ID", help="Remove a conversation from the search for good.")
@caller_options
def sessions(project: Project, key: str | None, as_json: bool) -> None:
    """List past conversations indexed for searching.

    `limpet memory search --sessions` searches them. Not for agents.

    \b
    Examples:
      limpet memory sessions
      limpet memory sessions --forget 3f2a9c1d
    """
    if key:
        name, gone = operations.forget_session(project, key)
        line = (
            f"Conversation {name} is no longer searched ({counted(gone, 'passage')} removed). Its transcript is kept."
        )
        emit({"session": name, "removed": gone}, [line], as_json)
        return
    with progress(INDEXING):
        found, unread = operations.list_sessions(project)
    data = [{"session": session, "last": iso(last), "passages": number} for session, last, number in found]
    rows = [(session, minute(iso(last)), number) for session, last, number in found]
    lines = table([("session", "last", "passages"), *rows], heading=True) if rows else ["No past conversations yet."]
    _tell_unread(unread)
    emit(data, lines, as_json)


def print_sessions(project: Project, query: Query, as_json: bool) -> None:
    """Print the passages of past conversations that hold words of the query. Raises LimpetError."""
    with progress(INDEXING):
        found, unread = operations.search_sessions(project, query)
    _tell_unread(unread)
    data = [{**passage.__dict__, "at": iso(passage.at) if passage.at else ""} for passage in found]
    asked, lines = search_terms(query.text), list[str]()
    for one in data:
        lines += [
            f"{one['session']}  {minute(one['at']) or '-'}  {SPEAKERS.get(one['role'], one['role'])}",
            f"> {excerpt(one['text'], asked) or UNTOLD}",
        ]
    emit(data, lines or [no_match(query.text).replace("memories", "past conversations")], as_json)


def _tell_unread(number: int) -> None:
    if number:
        tell(f"{counted(number, 'conversation')} not indexed yet: run the command again")
