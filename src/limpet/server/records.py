"""The records of a project in PostgreSQL: appended, read from a place in the feed on, and searched. Every statement runs
in a transaction that has its caller's reach (``database``), so none of them says whose records may be seen."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import Connection

from limpet.ground.values import Value

MOST = 500
"""Records that one request may bring or get."""
# As the local search weighs fields: of ts_rank's D, C, B and A.
_WEIGHTS = "{0.1, 0.3, 0.5, 1.0}"


class Record(Value):
    """One version of something shared. ``kind``: ``entry``, ``knowledge``, ``observation``, ``event`` or ``audit``.
    ``revision`` names it and its content; ``parents``: those that it replaces; ``writer``: the machine that made it;
    ``author``: the person; ``owner``: the agent whose it is, "" for everybody's; ``place``: in the project's feed, 0
    before it has one."""

    kind: str
    id: str
    revision: str
    parents: tuple[str, ...]
    writer: str
    author: str
    owner: str
    deleted: bool
    body: bytes
    place: int = 0


class Found(Value):
    """A head that a search found. ``score``: by its words, comparable within one search."""

    kind: str
    id: str
    revision: str
    title: str
    confidence: float
    score: float


def add_project(connection: Connection, tenant: str, project: str, name: str) -> None:
    connection.execute(
        "INSERT INTO project (tenant, project, name) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING",
        (tenant, project, name),
    )


def put_records(
    connection: Connection, tenant: str, project: str, records: Sequence[Record], heads: Sequence[Head]
) -> int:
    """Append those that are not there yet, and say how many; ``heads`` describes each of ``records`` for the search.
    Whatever was put once is put no second time, so a request may be sent again."""
