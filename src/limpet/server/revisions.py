"""The revisions of a project in PostgreSQL: appended, listed from a place in the feed on, given out, and searched.
Every statement runs in a transaction that has its caller's reach (``database``), so none decides what may be seen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from psycopg import Connection

from limpet.ground.errors import LimpetError
from limpet.ground.values import Value
from limpet.memory.model.ids import is_id
from limpet.memory.model.layout import ARCHIVE, CURRENT, FORGOTTEN
from limpet.server import audit
from limpet.server.head import Head, head_of, question
from limpet.server.tokens import ServerCaller
from limpet.sharing.knowledge import MEMORY, kind_of_name
from limpet.sharing.revision import (
    ERASED,
    Revision,
    UnknownShape,
    decode,
    encode,
    in_chain,
    name_of,
    read_name,
    without_text,
)
from limpet.sharing.transport import PUT, Moved

MOST = 500
"""Revisions that one request may bring or get."""
LARGEST = 1_100_000
"""Bytes of one."""
# As the local search weighs an entry's fields: of D, C, B and A.
_WEIGHTS = "{0.1, 0.3, 0.5, 1.0}"
_LISTED = 10_000
_LEARNED, _REVISION = re.compile(r"(?:kn|ob)-[0-9a-f]{32}"), re.compile(r"[0-9a-f]{32}")
_SPEAKING, _SILENT = (CURRENT, ARCHIVE), (FORGOTTEN, ERASED)


class Refused(LimpetError):
    """What was sent cannot be taken; sent again it would be refused again."""


class FeedPart(Value):
    """Part of a project's feed. ``newest``: the place up to which it reaches. ``found``: (name, id, person) of
    revisions, in the order of the feed. ``more``: whether it goes on. ``anew``: it begins at its start, for what the
    caller listed before is not what is here: an older state of the database was put back."""

    newest: int
    found: tuple[tuple[str, str, str], ...]
    more: bool
    anew: bool


class FeedEnd(Value):
    """``last``: the id of the revision at the last ``place``, "" for none."""

    place: int
    last: str


class FoundVersion(Value):
    """``score``: by its words, comparable within one search. ``person``: who wrote this version, by their token."""

    entry: str
    revision: str
    title: str
    person: str
    confidence: float
    score: float


class HeadVersion(Value):
    """What an entry says now, or one of what it says. ``person``: who wrote this version, by their token."""

    project: str
    person: str
    revision: Revision


class _Arrival(Value):
    revision: Revision
    raw: bytes
    head: Head | None


def add_project(connection: Connection[Any], tenant: str, project: str) -> None:
    connection.execute(
        "INSERT INTO project (tenant, project) VALUES (%s, %s) ON CONFLICT DO NOTHING", (tenant, project)
    )


def list_revisions(connection: Connection[Any], tenant: str, project: str, since: int, last: str = "") -> FeedPart:
    """``last``: the id of the revision at ``since``, as the caller knows it."""
    anew = bool(last) and last != _id_at(connection, tenant, project, since)
    since = 0 if anew else since
    rows = connection.execute(
        "SELECT place, writer, number, id, person FROM revision WHERE tenant = %s AND project = %s AND place > %s"
        " ORDER BY place LIMIT %s",
        (tenant, project, since, _LISTED + 1),
    ).fetchall()
    shown = rows[:_LISTED]
    newest = shown[-1][0] if shown else since
    found = tuple((name_of(writer, number), key, person) for _, writer, number, key, person in shown)
    return FeedPart(newest, found, len(rows) > _LISTED, anew)


def get_revisions(connection: Connection[Any], tenant: str, project: str, names: Iterable[str]) -> dict[str, bytes]:
    asked = [place for place in map(read_name, names) if place]
    rows = connection.execute(
        "SELECT writer, number, body FROM revision JOIN unnest(%s::text[], %s::bigint[]) AS asked (writer, number)"
        " USING (writer, number) WHERE tenant = %s AND project = %s",
        ([writer for writer, _ in asked], [number for _, number in asked], tenant, project),
    )
    return {name_of(writer, number): bytes(body) for writer, number, body in rows}


def put_revisions(
    connection: Connection[Any], caller: ServerCaller, project: str, contents: Mapping[str, bytes], end: FeedEnd
) -> tuple[FeedEnd, bool]:
    """Append what is not there yet and return the new end of the feed, and whether the words of an entry were taken
    away: the same may be sent again. A writer's revisions come in their order, each naming the one before it; whoever
    has them may bring them, and each is told as brought by them: what an older state of the database lost is sent again
    by any client. ``end``: the one that the caller knows. Raise Moved where it is not that any more, Refused where an
    order is broken."""
    arrivals = [_read(name, raw) for name, raw in contents.items()]
    held = hold_feed(connection, caller.tenant, project)
    is_stale = held != end
    try:
        new = _unknown(connection, caller.tenant, project, arrivals)
    except Refused:
        if is_stale:  # an older state of the database was put back, which the caller does not know
            raise Moved("Others wrote meanwhile", project) from None
        raise
    if new and is_stale:
        raise Moved("Others wrote meanwhile", project)
    is_taken = False
    if new:
        _append(connection, caller, project, new, held.place)
        _move_heads(connection, caller, project, new, held.place)
        is_taken = _take_texts(connection, caller, project, new)
    return FeedEnd(held.place + len(new), new[-1].revision.id if new else held.last), is_taken


def hold_feed(connection: Connection[Any], tenant: str, project: str) -> FeedEnd:
    """To the end of the transaction whoever else writes there waits, so that the feed has no hole that fills up behind
    a reader. Raise Refused for a project that is not known."""
    held = connection.execute(
        "SELECT newest FROM project WHERE tenant = %s AND project = %s FOR NO KEY UPDATE", (tenant, project)
    ).fetchone()
    if held is None:
        raise Refused("Unknown project", project)
    return FeedEnd(int(held[0]), _id_at(connection, tenant, project, held[0]))


def last_of(connection: Connection[Any], tenant: str, project: str, writer: str) -> tuple[int, str]:
    """The number and id of a writer's last revision, (0, "") for none."""
    return _last_known(connection, tenant, project, [writer]).get(writer, (0, ""))


def search_entries(connection: Connection[Any], project: str, text: str, most: int) -> list[FoundVersion]:
    """The best first. ``project``: ``*`` for all that the caller may see."""
    asked = question(text)
    if not asked:
        return []
    statement = "SELECT * FROM limpet_search(%s, CAST(%s AS tsquery), %s::real[], %s)"
    return [FoundVersion(*row) for row in connection.execute(statement, (project, asked, _WEIGHTS, most))]


def read_heads(connection: Connection[Any], tenant: str, project: str, entries: Sequence[str]) -> list[HeadVersion]:
    """What these entries say now. ``project``: ``*`` for all that the caller may see."""
    rows = connection.execute(
        "SELECT h.project, h.person, r.body FROM head AS h JOIN revision AS r USING (tenant, project, entry, id)"
        " WHERE h.tenant = %s AND %s IN ('*', h.project) AND h.entry = ANY(%s)"
        " ORDER BY h.entry, h.id",
        (tenant, project, list(entries)),
    )
    return [HeadVersion(where, person, decode(bytes(body))) for where, person, body in rows]


def _id_at(connection: Connection[Any], tenant: str, project: str, place: int) -> str:
    row = connection.execute(
        "SELECT id FROM revision WHERE tenant = %s AND project = %s AND place = %s", (tenant, project, place)
    ).fetchone()
    return str(row[0]) if row else ""


def _read(name: str, raw: bytes) -> _Arrival:
    try:
        revision = decode(raw)
    except UnknownShape:
        raise Refused("A newer Limpet wrote this", name, "Update the server first.") from None
    except ValueError:
        raise Refused("Not a revision", name) from None
    if read_name(name) != (revision.writer, revision.number) or len(raw) > LARGEST:
        raise Refused("Not the revision that its name says", name)
    if not _is_version(revision):
        raise Refused("Not a version of an entry", name)
    try:
        head = head_of(revision) if revision.said.text else None
    except LimpetError as error:
        raise Refused(str(error), name) from error
    return _Arrival(revision, raw, head)


def _is_version(revision: Revision) -> bool:
    said, entry = revision.said, revision.entry
    is_named = is_id(entry) if kind_of_name(entry) == MEMORY else _LEARNED.fullmatch(entry)
    is_said = bool(said.text or said.taken) if said.state in _SPEAKING else said.state in _SILENT and not said.text
    return bool(is_named and is_said and all(map(_REVISION.fullmatch, revision.parents)))


def _unknown(connection: Connection[Any], tenant: str, project: str, arrivals: Sequence[_Arrival]) -> list[_Arrival]:
    """Those that the project has not, in each writer's order."""
    by_writer = dict[str, list[_Arrival]]()
    for one in arrivals:
        by_writer.setdefault(one.revision.writer, []).append(one)
    known = _last_known(connection, tenant, project, by_writer)
    new = list[_Arrival]()
    for writer, sent in by_writer.items():
        end = known.get(writer, (0, ""))
        later = {one.revision.number: one for one in sent if one.revision.number > end[0]}
        good, apart = in_chain(end, [one.revision for one in later.values()])
        if apart:
            raise Refused("Revisions do not follow those that are here", writer, "Synchronize again.")
        new += [later[one.number] for one in good]
    return new


def _last_known(
    connection: Connection[Any], tenant: str, project: str, writers: Iterable[str]
) -> dict[str, tuple[int, str]]:
    rows = connection.execute(
        "SELECT DISTINCT ON (writer) writer, number, id FROM revision"
        " WHERE tenant = %s AND project = %s AND writer = ANY(%s) ORDER BY writer, number DESC",
        (tenant, project, list(writers)),
    )
    return {writer: (number, last) for writer, number, last in rows}


def _append(
    connection: Connection[Any], caller: ServerCaller, project: str, new: Sequence[_Arrival], newest: int
) -> None:
    rows = []
    for place, one in enumerate(new, start=newest + 1):
        said = one.revision
        owner, kind = one.head.owner if one.head else "", kind_of_name(said.entry)
        about = (said.writer, said.number, said.id, kind, said.entry, list(said.parents), place)
        rows.append((caller.tenant, project, *about, caller.person, owner, said.said.state, one.raw))
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO revision (tenant, project, writer, number, id, kind, entry, parents, place, person, owner,"
            " state, body) VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)",
            rows,
        )
    audit.note_deed(connection, caller, project, PUT, f"{newest + 1}-{newest + len(new)}")
    values = (newest + len(new), caller.tenant, project)
    connection.execute("UPDATE project SET newest = %s WHERE tenant = %s AND project = %s", values)


def _move_heads(
    connection: Connection[Any], caller: ServerCaller, project: str, new: Sequence[_Arrival], newest: int
) -> None:
    """What the new ones stand for is no head any more; what another one stands for already never is."""
    replaced = sorted(set(chain.from_iterable(one.revision.parents for one in new)))
    connection.execute(
        "DELETE FROM head WHERE tenant = %s AND project = %s AND entry = ANY(%s) AND id = ANY(%s)",
        (caller.tenant, project, sorted({one.revision.entry for one in new}), replaced),
    )
    rows = []
    for place, one in enumerate(new, start=newest + 1):
        said, head = one.revision, one.head
        if head is not None and said.said.state == CURRENT and said.id not in replaced:
            about = (head.kind, head.owner, caller.person, head.title, head.confidence, head.sense, head.words, place)
            evidence = json.dumps(head.evidence)
            stood_for = (caller.tenant, project, said.entry, said.id)
            rows.append((caller.tenant, project, said.entry, said.id, *about, evidence, *stood_for))
    with connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO head (tenant, project, entry, id, kind, owner, person, title, confidence, sense, words, place,"
            " evidence)"
            " SELECT %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, CAST(%s AS tsvector), %s, CAST(%s AS jsonb) WHERE NOT"
            " EXISTS (SELECT 1"
            " FROM revision WHERE tenant = %s AND project = %s AND entry = %s AND %s = ANY(parents))",
            rows,
        )


def _take_texts(connection: Connection[Any], caller: ServerCaller, project: str, new: Sequence[_Arrival]) -> bool:
    """The words of what was erased leave the database, also those that somebody wrote meanwhile and that come later;
    what tells that they were there stays, and what was said anew upon it."""
    for entry in sorted({one.revision.entry for one in new if one.revision.said.state == ERASED}):
        audit.note_deed(connection, caller, project, audit.ERASED, entry)
    rows = connection.execute(
        "SELECT entry, id, parents, state, writer, number, body FROM revision AS r WHERE tenant = %s AND project = %s"
        " AND entry = ANY(%s) AND EXISTS (SELECT 1 FROM revision AS e WHERE e.tenant = r.tenant"
        " AND e.project = r.project AND e.entry = r.entry AND e.state = %s) ORDER BY place",
        (caller.tenant, project, sorted({one.revision.entry for one in new}), ERASED),
    ).fetchall()
    ends, stubs, heads = set[str](), list[tuple[object, ...]](), list[tuple[str, ...]]()
    for entry, key, parents, state, *name, body in rows:
        if state == ERASED or not ends.isdisjoint(parents):
            ends.add(key)
            continue
        stubs.append((encode(without_text(decode(bytes(body)))), caller.tenant, project, *name))
        heads.append((caller.tenant, project, entry, key))
    with connection.cursor() as cursor:
        statement = "UPDATE revision SET body = %s WHERE tenant = %s AND project = %s AND writer = %s AND number = %s"
        cursor.executemany(statement, stubs)
        cursor.executemany("DELETE FROM head WHERE tenant = %s AND project = %s AND entry = %s AND id = %s", heads)
    return bool(heads)
