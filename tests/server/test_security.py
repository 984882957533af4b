"""Nobody reaches what is another tenant's, by whatever route and words; and no secret lies in the database's files."""

import json
import os
import subprocess

import psycopg
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings

from limpet.server import app, mcp, routes, tokens
from limpet.server.database import transaction
from limpet.server.tokens import issue_server_token, revoke_token

from ..cli.test_team_server import Clone
from ..ground.safety.secret_examples import AFTER, EXAMPLES
from ..soak.scale import amount
from .conftest import PROJECT, Machine, entry_text

FIRST = "mem-2026-11-29-abcdefgh"
SECRET = "zebraday"
FILES = 4
OPEN = {"/healthz", "/readyz", "/metrics", "/openapi.json"}
INJECTED = (
    "'; DROP TABLE revision; --",
    "' OR '1'='1",
    "*' OR tenant <> '",
    "acme') UNION SELECT body FROM revision --",
    "\\'; SELECT pg_sleep(9); --",
    "$$; SELECT 1; $$",
    "%s %(tenant)s {0} {tenant}",
    "../../../../etc/passwd",
    "..\\..\\secrets",
    "%2e%2e%2f",
    "a & b | !c <-> d",
    "word:*",
    "((((((((",
    "\u0000",
    "\ud7ff\uffff\U0010ffff",
    "x" * 5000,
)


def every_request(team):
    """(Method, path, query, body) of each operation, from what the server says of itself."""
    described = team.app.openapi()
    for path, methods in described["paths"].items():
        for method in methods:
            yield method.upper(), path


BODIES = {
    "/v1/revisions/wanted": {"names": ["w/" + "a" * 16 + "/0/1"]},
    "/v1/revisions": {"contents": {}, "upon": 0, "last": ""},
    "/v1/tokens": {"project": PROJECT, "person": "eve", "scopes": ["read"]},
    "/v1/tokens/revoke": {"id": ""},
    "/v1/proposals": {"sense": "0" * 16, "approve": True},
    "/mcp": {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": "search", "arguments": {"words": SECRET}},
    },
}


def test_every_route_is_known_to_these_tests(team):
    known = {path for _, path in every_request(team)}
    assert {route.path for route in (*routes.router.routes, *mcp.router.routes)} == known
    assert {getattr(route, "path", "") for route in team.app.routes} - {""} == OPEN


def test_no_route_answers_without_a_token(team):
    stranger = team.person("eve")
    for headers in ({}, {"Authorization": "Bearer lmp_61_2a_1_x"}, {"Authorization": "Bearer "}):
        stranger.headers = headers
        for method, path in every_request(team):
            answer = stranger.request(
                method, path, params={"project": PROJECT, "words": "x"}, json=BODIES.get(path, {})
            )
            assert answer.status_code == 401, (method, path)


def test_another_tenants_token_reads_and_changes_nothing_by_any_route(team, pool):
    ann = Machine(team.person("ann"))
    made = ann.make(FIRST, entry_text(FIRST, f"The launch is on {SECRET}"))
    assert ann.send(made).status_code == 200
    tokens = [line[0] for line in rows(pool, "SELECT id FROM token")]
    before = rows(pool, "SELECT * FROM revision"), rows(pool, "SELECT id FROM token WHERE revoked IS NULL")
    scopes = ("read", "write", "admin")
    for eve in (
        team.person("eve", tenant="evil", scopes=scopes),
        team.person("eve", tenant="evil", project="*", scopes=scopes),
        team.person("eve", project="example.com/acme/other", scopes=("read", "write")),
    ):
        for method, path in every_request(team):
            if path == "/v1/tokens/rotate":
                continue  # of one's own
            for named in (*tokens, made.id):
                body = BODIES.get(path, {}) | ({"id": named} if path.endswith("revoke") else {})
                asked = {"project": PROJECT, "words": SECRET}
                answer = eve.request(method, path, params=asked, json=body)
                assert answer.status_code < 500, (method, path, answer.text)
                assert SECRET not in answer.text and made.id not in answer.text.replace(named, "")
    left = rows(pool, "SELECT id FROM token WHERE revoked IS NULL")
    assert rows(pool, "SELECT * FROM revision") == before[0]
    assert set(before[1]) <= set(left)


def test_a_person_without_the_scope_is_refused(team):
    reader, writer = team.person("rea", scopes=("read",)), team.person("wri", scopes=("write",))
    assert reader.post("/v1/projects", params={"project": PROJECT}).status_code == 403
    assert writer.get("/v1/search", params={"project": PROJECT, "words": "x"}).status_code == 403
    assert reader.post("/v1/tokens", json=BODIES["/v1/tokens"]).status_code == 403


def test_an_agents_token_sees_no_other_agents_entries(team):
    """By the database's own policy."""
    ann = Machine(team.person("ann"))
    ann.send(ann.make(FIRST, entry_text(FIRST, SECRET), folder="qa/durable"))
    dev, qa = team.person("dev", agent="dev"), team.person("qa", agent="qa")
    asked = {"project": PROJECT, "words": SECRET}
    assert dev.get("/v1/search", params=asked).json()["entries"] == []
    assert [one["entry"] for one in qa.get("/v1/search", params=asked).json()["entries"]] == [FIRST]


def test_a_revoked_token_ends_with_the_next_request(team, pool):
    ann = team.person("ann")
    assert ann.get("/v1/me").status_code == 200
    with transaction(pool) as connection:
        assert revoke_token(connection, "acme", ann.token.split("_")[3])
    assert ann.get("/v1/me").status_code == 401


def test_a_rotated_token_ends_and_the_new_one_opens_the_same(team):
    ann = team.person("ann")
    before = ann.get("/v1/me").json()
    made = ann.post("/v1/tokens/rotate").json()["token"]
    assert ann.get("/v1/me").status_code == 401
    ann.headers["Authorization"] = f"Bearer {made}"
    assert ann.get("/v1/me").json() == before


def test_whoever_asks_too_often_waits(pool, team):
    ann = team.person("ann")
    team.app.state.requests_a_minute = 3
    codes = [ann.get("/v1/me").status_code for _ in range(12)]
    assert codes.count(429) >= 6 and codes[0] == 200


@pytest.mark.parametrize("words", INJECTED, ids=range(len(INJECTED)))
def test_words_that_would_be_statements_are_words(team, pool, words):
    ann = Machine(team.person("ann"))
    made = ann.make(FIRST, entry_text(FIRST, SECRET))
    ann.send(made)
    eve = team.person("eve", tenant="evil", project="*", scopes=("read", "write", "admin"))
    for method, path in every_request(team):
        asked = {"project": words, "words": words}
        body = {"names": [words], "contents": {words: words}, "upon": 0, "last": words, "id": words, "sense": words}
        body |= {"approve": True, "project": words, "person": words, "scopes": ["read"], "agent": words}
        answer = eve.request(method, path, params=asked, content=json.dumps(body))
        assert answer.status_code < 500, (method, path, answer.text)
        assert SECRET not in answer.text
    assert len(rows(pool, "SELECT * FROM revision")) == 1


def test_no_secret_reaches_the_files_of_the_database(server, postgres, tmp_path):
    """Planted by a person's own hand into files of memories that are shared."""
    ann = Clone(tmp_path, "ann")
    ann.join(server, server.token("acme", "ann"))
    for number in range(FILES):
        key = ann.run("memory", "add", f"Harmless words, the {number}. time").stdout.strip()
        assert ann.run("memory", "share", key).returncode == 0
    folder = os.path.join(ann.root, ".limpet", "memories", "team", "durable")
    for number, name in enumerate(sorted(os.listdir(folder))):
        planted = [f"{before}{secret}{AFTER.get(kind, '')}" for kind, before, secret, _ in EXAMPLES[number::FILES]]
        with open(os.path.join(folder, name), "a") as file:
            file.write("\n\n".join(("", *planted, f"Marked{SECRET}", "")))
    assert ann.ask("sync")["team"]["sent"] == FILES
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute("CHECKPOINT")
    assert holds(postgres.pgdata, f"Marked{SECRET}"), "nothing arrived, so nothing was searched"
    for kind, _, secret, _ in EXAMPLES:
        assert not holds(postgres.pgdata, max(secret.split("\n"), key=len)), kind


def holds(folder, text):
    done = subprocess.run(["grep", "-r", "-q", "-a", "-F", "-e", text, str(folder)], capture_output=True)
    return done.returncode == 0


def rows(pool, statement):
    with pool.connection() as connection:
        return connection.execute(statement).fetchall()


def test_no_request_that_the_description_allows_breaks_the_server(team, pool):
    with transaction(pool) as connection:
        token = issue_server_token(connection, "acme", "*", ("read", "write", "admin"), "ann")
    team.app.state.requests_a_minute = 10**9
    described = schemathesis.openapi.from_asgi("/openapi.json", team.app)
    for operation in (found.ok() for found in described.get_all_operations()):
        if operation.path == "/v1/tokens/rotate":
            continue  # it would end the token

        @given(case=operation.as_strategy())
        @settings(max_examples=amount(15, 400), suppress_health_check=list(HealthCheck))
        def ask(case):
            answer = case.call(headers={"Authorization": f"Bearer {token}"})
            assert answer.status_code < 500, (case.method, case.path, case.body, answer.text)

        ask()


def test_a_rotated_token_lives_no_longer_and_keeps_its_id(team, pool):
    """So that what revokes it, and what counts its requests, goes on."""
    with transaction(pool) as connection:
        token = issue_server_token(connection, "acme", PROJECT, ("read",), "ann", days=1)
    ann = team.person("ann")
    ann.headers["Authorization"] = f"Bearer {token}"
    ends = "SELECT id, expires FROM token WHERE expires IS NOT NULL AND revoked IS NULL"
    before = rows(pool, ends)
    made = ann.post("/v1/tokens/rotate").json()["token"]
    assert made.split("_")[3] == token.split("_")[3] and made != token
    assert rows(pool, ends) == before and len(before) == 1
    ann.headers["Authorization"] = f"Bearer {made}"
    with transaction(pool) as connection:
        assert revoke_token(connection, "acme", token.split("_")[3])
    assert ann.get("/v1/me").status_code == 401
    assert ann.post("/v1/tokens/rotate").status_code == 401


def test_a_token_that_was_revoked_meanwhile_gives_no_new_one(team, pool):
    """Between the look at the token and the deed."""
    ann, rotate = team.person("ann"), tokens.rotate_token
    with transaction(pool) as connection:
        caller = tokens.find_caller(connection, ann.token)
        assert revoke_token(connection, "acme", caller.token)
        assert rotate(connection, caller) is None


@pytest.mark.parametrize(
    "body",
    (
        b'{"contents": {}, "upon": NaN, "last": ""}',
        b'{"contents": {}, "upon": Infinity, "last": ""}',
        b'{"contents": {}, "upon": 0, "last": "\\ud800"}',
        b'{"contents": {"\\ud800": "x"}, "upon": 0, "last": ""}',
        b'{"project": "p", "person": "x", "scopes": ["\\ud800"]}',
        b'{"sense": "\\ud800", "approve": true}',
        b'{"contents": {}, "upon": ' + b"9" * 6000 + b', "last": ""}',
        b"[" * 100_000,
        b'{"contents": {}, "upon": "' + b"x" * 100_000 + b'", "last": ""}',
    ),
    ids=range(9),
)
def test_values_that_no_json_can_hold_are_refused_and_not_handed_back(team, body):
    eve = team.person("eve", project="*", scopes=("read", "write", "admin"))
    for method, path in every_request(team):
        if method == "POST" and not path.endswith("/rotate"):
            answer = eve.post(path, params={"project": PROJECT}, content=body, headers={"Accept": "*/*"})
            assert answer.status_code < 500 and len(answer.text) < 3000, (path, answer.text[:300])


@pytest.mark.parametrize("path", ("/v1/revisions", "/mcp"))
@pytest.mark.parametrize("has_token", (True, False))
def test_a_body_of_unsaid_length_ends_at_the_limit(team, monkeypatch, path, has_token):
    monkeypatch.setattr(app, "LARGEST", 100_000)
    ann, sent = team.person("ann"), []

    def parts():
        for _ in range(50):
            sent.append(b" " * 10_000)
            yield sent[-1]

    headers = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    headers |= {} if has_token else {"Authorization": "Bearer x"}
    answer = ann.post(path, params={"project": PROJECT}, content=parts(), headers=headers)
    assert answer.status_code == (413 if has_token or path != "/mcp" else 401)
    assert ann.post(path, params={"project": PROJECT}, content=b" " * 100, headers=headers).status_code != 413


def test_a_name_is_one_line_and_no_project_is_named_as_all(team):
    eve = team.person("eve", project="*", scopes=("read", "write", "admin"))
    for name in ("a\nb", "a\u2028b", "a\u0085b", "a\x00b"):
        for path in ("/v1/projects", "/mcp"):
            assert eve.post(path, params={"project": name}, json={}).status_code == 422, (path, name)
        wanted = {"project": "p", "person": "x", "scopes": ["read"], "agent": name}
        assert eve.post("/v1/tokens", json=wanted).status_code == 422
    assert eve.post("/v1/projects", params={"project": "*"}).status_code == 404
