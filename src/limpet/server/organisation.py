"""What several projects of a tenant learned, each by itself: found set by set in the database, of what came since the
last look; a person of the tenant decides. Separate from ``revisions``, which serves one project."""

from __future__ import annotations

from typing import Any

from psycopg import Connection

from limpet.ground.config.defaults import DEFAULTS
from limpet.ground.values import Value
from limpet.server.audit import note_deed
from limpet.server.tokens import EVERYWHERE, ServerCaller

PROJECTS = 3
"""So many projects say it before it is proposed for all."""
PROPOSED, APPROVED, REJECTED = "proposed", "approved", "rejected"

_NOTHING_NEW = 1 << 62
# Each statement takes the project's new part of the feed, between the last look and its end.
_PROVE = """
INSERT INTO proof (tenant, project, sense, source, effect, title, evidence)
SELECT tenant, '*', sense, project, 'reinforce', (array_agg(title ORDER BY place))[1],
    jsonb_path_query_array(jsonb_agg(evidence ORDER BY place), '$[*][*]')
FROM head WHERE tenant = %(tenant)s AND project = %(project)s AND owner = '' AND sense IN (SELECT sense FROM head
    WHERE tenant = %(tenant)s AND project = %(project)s AND place > %(since)s AND owner = '' AND sense <> '')
GROUP BY tenant, project, sense
ON CONFLICT (tenant, project, sense, source) DO UPDATE SET effect = 'reinforce', evidence = excluded.evidence,
    title = excluded.title,
    at = CASE WHEN proof.effect = 'reinforce' THEN proof.at ELSE now() END
WHERE proof.effect <> 'reinforce' OR proof.evidence <> excluded.evidence RETURNING sense
"""
_DISPROVE = """
UPDATE proof SET effect = 'contradict', at = now(), evidence = '[]', title = ''
WHERE tenant = %(tenant)s AND project = '*' AND source = %(project)s AND effect = 'reinforce'
AND NOT EXISTS (SELECT 1 FROM head WHERE head.tenant = proof.tenant AND head.project = proof.source
    AND head.sense = proof.sense AND head.owner = '')
RETURNING sense
"""
# A memory is a piece of evidence by itself; an entry of the knowledge has its own, those that created it first.
_PROPOSE = """
WITH piece AS (
    SELECT sense, source, '' AS told, '' AS agent, effect, to_char(at AT TIME ZONE 'UTC', %(iso)s) AS at FROM proof
    WHERE tenant = %(tenant)s AND project = '*' AND sense = ANY(%(senses)s) AND evidence = '[]'
    UNION SELECT sense, proof.source, one.source, agent, one.effect, one.at
    FROM proof, jsonb_to_recordset(evidence) AS one (source text, agent text, effect text, at text)
    WHERE tenant = %(tenant)s AND project = '*' AND sense = ANY(%(senses)s)
), weighed AS (
    SELECT sense, limpet_confidence(
        CASE effect WHEN 'create' THEN 'reinforce' ELSE effect END, %(step)s::numeric,
        CASE effect WHEN 'weaken' THEN %(weaken)s ELSE %(back)s END::numeric, %(start)s::numeric
        ORDER BY effect <> 'create', at, source, told, agent
    ) AS confidence FROM piece GROUP BY sense
)
INSERT INTO proposal (tenant, project, sense, title, projects, confidence)
SELECT tenant, '*', sense, coalesce((array_agg(title ORDER BY at) FILTER (WHERE title <> ''))[1], ''),
    count(*) FILTER (WHERE effect = 'reinforce'), min(confidence)
FROM proof JOIN weighed USING (sense) WHERE tenant = %(tenant)s AND project = '*'
GROUP BY tenant, sense
HAVING count(*) FILTER (WHERE effect = 'reinforce') >= %(projects)s
    OR EXISTS (SELECT 1 FROM proposal AS p WHERE p.tenant = proof.tenant AND p.project = '*' AND p.sense = proof.sense)
ON CONFLICT (tenant, project, sense) DO UPDATE SET projects = excluded.projects, confidence = excluded.confidence,
    title = CASE WHEN excluded.title = '' AND proposal.state <> 'approved' THEN ''
        WHEN proposal.title = '' THEN excluded.title ELSE proposal.title END
"""


class OrganisationProposal(Value):
    """Something that ``projects`` projects say. ``state``: ``proposed``, ``approved`` or ``rejected``."""

    sense: str
    title: str
    projects: int
    confidence: float
    state: str
    decided_by: str


def consolidate_organisation(connection: Connection[Any], tenant: str) -> int:
    """Look through what came to the tenant's projects since the last time, and return how many projects that were.
    May run in several processes at once: each takes projects that no other has."""
    waiting = connection.execute(
        "SELECT p.project, p.newest, coalesce(l.place, 0) FROM project AS p"
        " LEFT JOIN looked_through AS l USING (tenant, project)"
        " WHERE p.tenant = %s AND p.newest > coalesce(l.place, 0) ORDER BY p.project",
        (tenant,),
    ).fetchall()
    for project, newest, since in waiting:
        with connection.transaction():
            _look_through(connection, tenant, project, since)
            connection.execute(
                "INSERT INTO looked_through VALUES (%s, %s, %s)"
                " ON CONFLICT (tenant, project) DO UPDATE SET place = excluded.place",
                (tenant, project, newest),
            )
    return len(waiting)


def withdraw(connection: Connection[Any], tenant: str, project: str) -> None:
    """Take away what a project does not say any more, and words that no project says; what is new waits for the next
    look."""
    _look_through(connection, tenant, project, _NOTHING_NEW)


def list_proposals(connection: Connection[Any], tenant: str, state: str) -> list[OrganisationProposal]:
    rows = connection.execute(
        "SELECT sense, title, projects, confidence::float8, state, decided_by FROM proposal"
        " WHERE tenant = %s AND project = '*' AND state = %s AND title <> '' ORDER BY confidence DESC, sense LIMIT 500",
        (tenant, state),
    )
    return [OrganisationProposal(*row) for row in rows]


def decide_proposal(connection: Connection[Any], caller: ServerCaller, sense: str, state: str) -> bool:
    """Return False where no such proposal is open."""
    changed = connection.execute(
        "UPDATE proposal SET state = %s, decided_by = %s, decided = now()"
        " WHERE tenant = %s AND project = '*' AND sense = %s AND state <> %s",
        (state, caller.person, caller.tenant, sense, state),
    )
    if changed.rowcount:
        note_deed(connection, caller, EVERYWHERE, state, sense)
    return changed.rowcount > 0


def _look_through(connection: Connection[Any], tenant: str, project: str, since: int) -> None:
    learning = DEFAULTS["learning"]
    asked: dict[str, Any] = {"tenant": tenant, "project": project, "since": since, "projects": PROJECTS}
    asked["start"] = str(learning["confidence_start"])
    asked["step"], asked["back"] = str(learning["confidence_reinforce"]), str(learning["confidence_contradict"])
    asked["weaken"], asked["iso"] = str(learning["confidence_weaken"]), 'YYYY-MM-DD"T"HH24:MI:SS"Z"'
    senses = {sense for (sense,) in connection.execute(_PROVE, asked)}
    senses |= {sense for (sense,) in connection.execute(_DISPROVE, asked)}
    if senses:
        connection.execute(_PROPOSE, {**asked, "senses": sorted(senses)})
