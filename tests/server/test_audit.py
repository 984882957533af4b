"""Whatever is done to a store is noted with who did it and by which token, and nobody changes what was noted."""

import psycopg
import pytest

from limpet.server.database import set_reach, transaction
from limpet.server.run import make_first_token
from limpet.server.tokens import ServerCaller, issue_server_token

from .conftest import PROJECT, Machine, entry_text
from .test_organisation import told

FIRST = "mem-2026-11-29-abcdefgh"
ADMIN = ("read", "write", "admin")


def deeds(client, **asked):
    answer = client.get("/v1/audit", params=asked)
    assert answer.status_code == 200, answer.text
    return [(one["deed"], one["about"], one["person"]) for one in answer.json()["deeds"]]


def id_of(token):
    return token.split("_")[3]


def test_each_deed_is_noted_with_who_did_it_by_which_token(team):
    eve = team.person("eve", project="*", scopes=ADMIN)
    ann = Machine(team.person("ann"))
    made = ann.make(FIRST, entry_text(FIRST, "The launch is on zebraday"))
    ann.send(made)
    ann.send(ann.make(FIRST, state="erased", parents=[made.id]))
    wanted = {"project": PROJECT, "person": "bob", "scopes": ["read"]}
    token = id_of(eve.post("/v1/tokens", json=wanted).json()["token"])
    assert eve.post("/v1/tokens/revoke", json={"id": token}).status_code == 200
    rotated = id_of(ann.client.post("/v1/tokens/rotate").json()["token"])
    assert deeds(eve) == [
        ("rotated", rotated, "ann"),
        ("revoked", token, "eve"),
        ("issued", token, "eve"),
        ("erased", FIRST, "ann"),
        ("put", "2-2", "ann"),
        ("put", "1-1", "ann"),
    ]
    answer = eve.get("/v1/audit").json()
    assert {one["token"] for one in answer["deeds"]} == {id_of(ann.client.token), id_of(eve.token)}
    assert "zebraday" not in str(answer)


def test_the_first_token_is_the_operators_deed(team, database):
    token = make_first_token(database, "acme", "eve", ADMIN)
    eve = team.person("eve", project="*", scopes=ADMIN)
    assert deeds(eve) == [("issued", id_of(token), "")]


def test_what_the_organisation_decides_is_noted(team):
    eve = team.person("eve", project="*", scopes=ADMIN)
    told(team, (1, 2, 3))
    (proposal,) = eve.get("/v1/proposals").json()["proposals"]
    for approve in (True, False):
        eve.post("/v1/proposals", json={"sense": proposal["sense"], "approve": approve})
    assert deeds(eve, most=2) == [("rejected", proposal["sense"], "eve"), ("approved", proposal["sense"], "eve")]


def test_only_an_administrator_sees_it_and_of_a_project_that_alone(team):
    ann = Machine(team.person("ann"))
    ann.send(ann.make(FIRST, entry_text(FIRST, "Use pnpm")))
    assert ann.client.get("/v1/audit").status_code == 403
    assert deeds(team.person("own", scopes=ADMIN)) == [("put", "1-1", "ann")]
    assert deeds(team.person("other", project="example.com/acme/other", scopes=ADMIN)) == []
    assert deeds(team.person("eve", tenant="evil", project="*", scopes=ADMIN)) == []


def test_an_administrator_of_one_project_gives_and_ends_no_rights_beyond_it(team):
    own, ann = team.person("own", scopes=ADMIN), team.person("ann", project="*")
    for project in ("*", "example.com/acme/other"):
        wanted = {"project": project, "person": "own", "scopes": ["read"]}
        assert own.post("/v1/tokens", json=wanted).status_code == 404
    assert own.post("/v1/tokens/revoke", json={"id": id_of(ann.token)}).status_code == 404
    assert ann.get("/v1/me").status_code == 200
    assert own.get("/v1/proposals").status_code == 403
    assert own.post("/v1/proposals", json={"sense": "0" * 16, "approve": True}).status_code == 403


def test_no_agents_token_administers(team):
    eve = team.person("eve", project="*", scopes=ADMIN)
    wanted = {"project": PROJECT, "person": "ann", "agent": "dev", "scopes": ["admin"]}
    assert eve.post("/v1/tokens", json=wanted).status_code == 422


@pytest.mark.parametrize("statement", ("UPDATE audit SET person = 'bob'", "DELETE FROM audit"))
def test_who_asks_can_only_add(team, statement):
    ann = Machine(team.person("ann"))
    ann.send(ann.make(FIRST, entry_text(FIRST, "Use pnpm")))
    with pytest.raises(psycopg.errors.InsufficientPrivilege), transaction(team.pool) as connection:
        set_reach(connection, ServerCaller("acme", "*", "", ADMIN, "", "ann"))
        connection.execute(statement)


def test_the_database_itself_hands_out_the_callers_reach_alone(team):
    for name, tenant in (("ann", "acme"), ("eve", "evil")):
        machine = Machine(team.person(name, tenant=tenant))
        machine.send(machine.make(FIRST, entry_text(FIRST, "Use pnpm")))
    with transaction(team.pool) as connection:
        set_reach(connection, ServerCaller("acme", PROJECT, "", ADMIN, "", "ann"))
        assert connection.execute("SELECT person FROM audit").fetchall() == [("ann",)]


def test_an_administrator_whose_token_ends_gives_none_that_outlives_it(team, pool):
    with transaction(pool) as connection:
        token = issue_server_token(connection, "acme", "*", ADMIN, "eve", days=2)
    eve = team.person("eve", project="*", scopes=ADMIN)
    eve.headers["Authorization"] = f"Bearer {token}"
    for days in (0, 1, 9):
        wanted = {"project": PROJECT, "person": "bob", "scopes": ["admin"], "days": days}
        assert eve.post("/v1/tokens", json=wanted).status_code == 200
    with pool.connection() as connection:
        found = connection.execute(
            "SELECT count(*), max(expires) - now() < '49 hours' FROM token WHERE person = 'bob' AND expires IS NOT NULL"
        ).fetchone()
    assert found == (3, True)
