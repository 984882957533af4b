"""A team's server in the tests' process, and people who ask it."""

import pytest
from starlette.testclient import TestClient

from limpet.learning.model import KnowledgeEntry
from limpet.server.app import make_app
from limpet.server.database import open_pool, transaction
from limpet.server.tokens import issue_server_token
from limpet.sharing.knowledge import say_knowledge, say_observation
from limpet.sharing.revision import Revision, Said, encode

from ..memories import entry_text as entry_text
from ..team_servers import database, postgres, server  # noqa: F401

PROJECT = "example.com/acme/shop"


@pytest.fixture
def pool(database):  # noqa: F811
    found = open_pool(database, 4)
    yield found
    found.close()


class Team:
    """A server in this process, and people who ask it."""

    def __init__(self, pool):
        self.pool = pool
        self.app = make_app(pool, requests_a_minute=100_000)

    def person(self, name="ann", tenant="acme", project=PROJECT, scopes=("read", "write"), agent=""):
        with transaction(self.pool) as connection:
            token = issue_server_token(connection, tenant, project, scopes, name, agent)
        client = TestClient(self.app, headers={"Authorization": f"Bearer {token}"}, raise_server_exceptions=False)
        client.token = token
        return client


@pytest.fixture
def team(pool):
    return Team(pool)


class Machine:
    """Writes revisions of entries, each in its chain."""

    def __init__(self, client, writer="a" * 16, project=PROJECT):
        self.client, self.writer, self.project = client, writer, project
        self.number, self.last = 0, ""
        if client is not None:
            client.post("/v1/projects", params={"project": project})

    def make(self, entry, text="", parents=(), state="current", folder="team/durable", file=""):
        said = Said(state, folder if text else "", text)
        file = file or f"{entry}.md"
        found = Revision(self.project, entry, said, self.writer, self.number + 1, file, self.last, tuple(parents))
        self.number, self.last = found.number, found.id
        return found

    def make_learned(self, told, parents=()):
        """Of an entry of the knowledge, or an observation."""
        is_entry = isinstance(told, KnowledgeEntry)
        name, file, text = say_knowledge(told) if is_entry else say_observation(told)
        return self.make(name, text, parents, folder="knowledge" if is_entry else "observations", file=file)

    def send(self, *revisions, upon=None):
        contents = {one.name: encode(one).decode() for one in revisions}
        asked = {"project": self.project}
        feed = self.client.get("/v1/revisions", params=asked).json()
        last = feed["found"][-1][1] if feed.get("found") else ""
        upon = feed.get("newest", 0) if upon is None else upon
        return self.client.post("/v1/revisions", params=asked, json={"contents": contents, "upon": upon, "last": last})

    def search(self, words):
        found = self.client.get("/v1/search", params={"project": self.project, "words": words})
        assert found.status_code == 200, found.text
        return found.json()["entries"]


@pytest.fixture
def machine():
    return Machine
