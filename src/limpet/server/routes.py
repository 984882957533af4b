"""What can be asked of the server, one function each. They parse nothing but their values, and hold no rule."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import BaseModel, Field

from limpet.server import audit, organisation, revisions, tokens
from limpet.server.access import Asker, NoToken, NotThere, whoever_may
from limpet.server.revisions import MOST
from limpet.server.tokens import ADMIN, EVERYWHERE, READ, WRITE

_ONE_LINE = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
Name = Annotated[str, Field(min_length=1, max_length=200, pattern=_ONE_LINE)]
NameOrNone = Annotated[str, Field(max_length=200, pattern=_ONE_LINE)]
"""Empty for none."""
RevisionName = Annotated[str, Field(max_length=60, pattern=r"^[0-9a-z/]+$")]
Body = Annotated[str, Field(max_length=revisions.LARGEST)]
Project = Annotated[Name, Query(description="The project's name.")]
Reader = Annotated[Asker, Depends(whoever_may(READ))]
Writer = Annotated[Asker, Depends(whoever_may(WRITE))]
Administrator = Annotated[Asker, Depends(whoever_may(ADMIN))]
TenantAdministrator = Annotated[Asker, Depends(whoever_may(ADMIN, everywhere=True))]
Answer = dict[str, Any]

router = APIRouter(prefix="/v1")


class Wanted(BaseModel):
    names: Annotated[list[RevisionName], Field(max_length=MOST)]


class Contents(BaseModel):
    """Revisions by their names, each as its writer encoded it. ``upon``, ``last``: the end of the feed that the sender
    knows, and the id there."""

    contents: Annotated[dict[RevisionName, Body], Field(max_length=MOST)]
    upon: Annotated[int, Field(ge=0, lt=1 << 62)]
    last: Annotated[str, Field(max_length=64)]


class NewToken(BaseModel):
    """``project``: ``*`` for all of the tenant's; ``days``: how long it holds, 0 until it is revoked."""

    project: Name
    person: Name
    scopes: Annotated[list[str], Field(min_length=1, max_length=3)]
    agent: Annotated[NameOrNone, Field(max_length=60)] = ""
    days: Annotated[int, Field(ge=0, le=3650)] = 0


class Decision(BaseModel):
    """``approve``: for all projects of the tenant; else it is rejected."""

    sense: Annotated[str, Field(max_length=64)]
    approve: bool


class TokenId(BaseModel):
    id: Annotated[str, Field(max_length=40)]


@router.get("/me")
def say_who(asker: Reader) -> Answer:
    """Say whose token this is, and what it may do."""
    who = asker.caller
    return {"tenant": who.tenant, "project": who.project, "person": who.person, "scopes": who.scopes}


@router.post("/projects")
def join(project: Project, asker: Writer) -> Answer:
    """Make a project known, if it is not."""
    with asker.reach(project) as connection:
        revisions.add_project(connection, asker.caller.tenant, project)
    return {"project": project}


@router.get("/revisions")
def list_feed(
    project: Project,
    asker: Reader,
    since: Annotated[int, Query(ge=0, lt=1 << 62)] = 0,
    last: Annotated[str, Query(max_length=64)] = "",
) -> Answer:
    """List a project's revisions, by name, id and person, from a place in its feed on; ``last``: the id there."""
    with asker.reach(project) as connection:
        return revisions.list_revisions(connection, asker.caller.tenant, project, since, last).__dict__


@router.post("/revisions/wanted")
def get(project: Project, wanted: Wanted, asker: Reader) -> Answer:
    """Return revisions by their names; what is not there is left out."""
    with asker.reach(project) as connection:
        found = revisions.get_revisions(connection, asker.caller.tenant, project, wanted.names)
    return {"contents": {name: raw.decode() for name, raw in found.items()}}


@router.post("/revisions")
def put(project: Project, sent: Contents, asker: Writer) -> Answer:
    """Append revisions; the same ones may be sent again."""
    contents = {name: text.encode("utf-8", "replace") for name, text in sent.contents.items()}
    with asker.reach(project) as connection:
        known = revisions.FeedEnd(sent.upon, sent.last)
        end, is_taken = revisions.put_revisions(connection, asker.caller, project, contents, known)
    if is_taken:
        with asker.tenant() as connection:
            organisation.withdraw(connection, asker.caller.tenant, project)
    return {"newest": end.place, "last": end.last}


@router.get("/search")
def search(
    words: Annotated[str, Query(min_length=1, max_length=2000)],
    asker: Reader,
    project: Annotated[NameOrNone, Query()] = "",
    most: Annotated[int, Query(ge=1, le=50)] = 10,
) -> Answer:
    """Find entries by words, the best first, in one project or in all that the token is for."""
    where = project or asker.caller.project
    with asker.reach("" if where == EVERYWHERE else where) as connection:
        found = revisions.search_entries(connection, where, words, most)
    return {"entries": [one.__dict__ for one in found]}


@router.post("/tokens")
def make_token(wanted: NewToken, asker: Administrator) -> Answer:
    """Make a token of this tenant, or of the project that one's own is for; it is shown this once."""
    asker.refuse_beyond(wanted.project)
    with asker.tenant() as connection:
        latest = asker.caller.expires  # nobody gives what they have not
        made = tokens.issue_server_token(connection, asker.caller.tenant, **wanted.model_dump(), latest=latest)
        audit.note_deed(connection, asker.caller, wanted.project, audit.ISSUED, tokens.id_of_token(made))
    return {"token": made}


@router.post("/tokens/rotate")
def rotate(asker: Reader) -> Answer:
    """Give a new secret to the token that asks, under the same id; what was known of it ends."""
    who = asker.caller
    with asker.tenant() as connection:
        made = tokens.rotate_token(connection, who)
        if made is None:
            raise NoToken("This token was revoked meanwhile")
        audit.note_deed(connection, who, who.project, audit.ROTATED, who.token)
    return {"token": made}


@router.post("/tokens/revoke")
def revoke(which: TokenId, asker: Administrator) -> Answer:
    """End a token of this tenant, or of the project that one's own is for."""
    who = asker.caller
    with asker.tenant() as connection:
        if not tokens.revoke_token(connection, who.tenant, which.id, who.project):
            raise NotThere("Unknown token", which.id)
        audit.note_deed(connection, who, who.project, audit.REVOKED, which.id)
    return {"revoked": which.id}


@router.get("/proposals")
def list_proposals(asker: TenantAdministrator) -> Answer:
    """List what several projects say, after a look at what came to them since the last."""
    tenant = asker.caller.tenant
    with asker.tenant() as connection:
        organisation.consolidate_organisation(connection, tenant)
        found = organisation.list_proposals(connection, tenant, organisation.PROPOSED)
    return {"proposals": [one.__dict__ for one in found]}


@router.post("/proposals")
def decide(decision: Decision, asker: TenantAdministrator) -> Answer:
    """Approve a proposal for all projects, or reject it."""
    state = organisation.APPROVED if decision.approve else organisation.REJECTED
    with asker.tenant() as connection:
        if not organisation.decide_proposal(connection, asker.caller, decision.sense, state):
            raise NotThere("Unknown proposal", decision.sense)
    return {"sense": decision.sense, "state": state}


@router.get("/approved")
def list_approved(asker: Reader) -> Answer:
    """List what was approved for all projects of the tenant."""
    with asker.tenant() as connection:
        found = organisation.list_proposals(connection, asker.caller.tenant, organisation.APPROVED)
    return {"approved": [one.__dict__ for one in found]}


@router.get("/audit")
def list_audit(
    asker: Administrator,
    before: Annotated[int, Query(ge=0, lt=1 << 62)] = 0,
    most: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Answer:
    """List who did what, the newest first; ``before``: the place of the last one of the page before."""
    with asker.reach() as connection:
        found = audit.list_deeds(connection, asker.caller.tenant, before, most)
    return {"deeds": [one.__dict__ for one in found]}
