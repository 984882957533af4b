"""What is put is listed, given out and found, once, by whoever may see it."""

import pytest

from limpet.server.database import set_reach
from limpet.server.revisions import search_entries
from limpet.server.tokens import ServerCaller
from limpet.sharing.revision import decode

from .conftest import PROJECT, Machine, entry_text

FIRST = "mem-2026-11-29-abcdefgh"


@pytest.fixture
def ann(team):
    return Machine(team.person("ann"))


def test_what_is_put_is_listed_given_out_and_found(ann):
    made = ann.make(FIRST, entry_text(FIRST, "Use pnpm, never npm"))
    assert ann.send(made).json() == {"newest": 1, "last": made.id}

    listed = ann.client.get("/v1/revisions", params={"project": PROJECT}).json()
    assert listed == {"newest": 1, "found": [[made.name, made.id, "ann"]], "more": False, "anew": False}
    given = ann.client.post("/v1/revisions/wanted", params={"project": PROJECT}, json={"names": [made.name]}).json()
    assert decode(given["contents"][made.name].encode()) == made
    assert [(one["entry"], one["person"]) for one in ann.search("which of pnpm and npm?")] == [(FIRST, "ann")]


def test_the_same_may_be_sent_again(ann):
    made = ann.make(FIRST, entry_text(FIRST, "Use pnpm, never npm"))
    assert ann.send(made).json() == {"newest": 1, "last": made.id}
    assert ann.send(made).json() == {"newest": 1, "last": made.id}


def test_what_an_entry_said_before_is_not_found(ann):
    made = ann.make(FIRST, entry_text(FIRST, "Use pnpm, never npm"))
    later = ann.make(FIRST, entry_text(FIRST, "Use yarn"), parents=[made.id])
    ann.send(made, later)
    assert ann.search("pnpm") == []
    assert [one["title"] for one in ann.search("yarn")] == ["Use yarn"]


def test_two_who_change_an_entry_at_once_are_both_found(team, ann):
    bea = Machine(team.person("bea"), "b" * 16)
    made = ann.make(FIRST, entry_text(FIRST, "Use pnpm"))
    ann.send(made)
    ann.send(ann.make(FIRST, entry_text(FIRST, "Use pnpm 9"), parents=[made.id]))
    bea.send(bea.make(FIRST, entry_text(FIRST, "Use pnpm 10"), parents=[made.id]))
    assert sorted(one["person"] for one in ann.search("pnpm")) == ["ann", "bea"]


def test_an_erased_entry_leaves_no_word_in_the_database(ann, pool):
    made = ann.make(FIRST, entry_text(FIRST, "The launch is on zebraday"))
    ann.send(made)
    ann.send(ann.make(FIRST, state="erased", parents=[made.id]))
    assert ann.search("zebraday") == []
    with pool.connection() as connection:
        bodies = connection.execute("SELECT string_agg(convert_from(body, 'UTF8'), ' ') FROM revision").fetchone()[0]
    assert "zebraday" not in bodies
    given = ann.client.post("/v1/revisions/wanted", params={"project": PROJECT}, json={"names": [made.name]}).json()
    assert decode(given["contents"][made.name].encode()).id == made.id


def test_what_another_person_writes_under_a_writers_name_is_told_as_theirs(team, ann):
    made = ann.make(FIRST, entry_text(FIRST, "Use pnpm"))
    ann.send(made)
    mallory = Machine(team.person("mallory"), ann.writer)
    mallory.number, mallory.last = ann.number, ann.last
    forged = mallory.make(FIRST, entry_text(FIRST, "Use curl | sh"), parents=[made.id])
    mallory.send(forged)
    mallory.send(made)
    assert [one["person"] for one in ann.search("pnpm curl")] == ["mallory"]
    listed = ann.client.get("/v1/revisions", params={"project": PROJECT}).json()["found"]
    assert listed == [[made.name, made.id, "ann"], [forged.name, forged.id, "mallory"]]


def test_a_chain_with_a_gap_is_refused_whole(ann):
    ann.make(FIRST, entry_text(FIRST, "lost"))
    answer = ann.send(ann.make(FIRST, entry_text(FIRST, "Use pnpm")))
    assert answer.status_code == 409
    assert ann.search("pnpm") == []


def test_what_another_tenant_or_project_has_is_not_there(team, ann):
    made = ann.make(FIRST, entry_text(FIRST, "Use pnpm"))
    ann.send(made)
    for other in (team.person("eve", tenant="evil"), team.person("eve", project="example.com/acme/other")):
        for project in (PROJECT, ""):
            assert other.get("/v1/search", params={"words": "pnpm", "project": project}).json().get("entries", []) == []
        assert other.get("/v1/revisions", params={"project": PROJECT}).json().get("found", []) == []
        wanted = other.post("/v1/revisions/wanted", params={"project": PROJECT}, json={"names": [made.name]})
        assert wanted.json().get("contents", {}) == {}


def test_what_builds_upon_an_older_end_is_sent_back(team, ann):
    bea = Machine(team.person("bea"), "b" * 16)
    ann.send(ann.make(FIRST, entry_text(FIRST, "Use pnpm")))
    second = FIRST[:-1] + "z"
    assert bea.send(bea.make(second, entry_text(second, "Use yarn")), upon=0).status_code == 412
    assert bea.search("yarn") == []


def test_the_search_of_all_projects_finds_only_what_the_token_is_for(team):
    wide = Machine(team.person("ann", project="*"))
    other = Machine(team.person("ann", project="*"), "b" * 16, "example.com/acme/other")
    second = FIRST[:-1] + "z"
    wide.send(wide.make(FIRST, entry_text(FIRST, "Use pnpm")))
    other.send(other.make(second, entry_text(second, "Never pnpm 8")))
    asked = {"words": "pnpm"}
    assert len(wide.client.get("/v1/search", params=asked).json()["entries"]) == 2
    narrow = team.person("bea", project=PROJECT)
    assert [one["entry"] for one in narrow.get("/v1/search", params=asked).json()["entries"]] == [FIRST]
    with team.pool.connection() as connection:
        set_reach(connection, ServerCaller("acme", PROJECT, "", (), "", "bea"))
        assert [one.entry for one in search_entries(connection, "*", "pnpm", 10)] == [FIRST]


def test_what_is_no_version_of_an_entry_is_refused(team):
    ann = Machine(team.person("ann"))
    for wrong in (
        {"state": "current"},
        {"state": "quagga"},
        {"state": "erased", "text": entry_text(FIRST, "Use pnpm")},
        {"entry": "m" * 5000, "state": "erased"},
        {"entry": "kn-quagga", "state": "erased"},
        {"entry": "\x1b[2J", "state": "forgotten"},
        {"state": "erased", "parents": ["x" * 5000]},
    ):
        answer = ann.send(Machine(None).make(**{"entry": FIRST} | wrong))
        assert answer.status_code == 409 and "Not a version" in answer.text, wrong
    assert ann.send(Machine(None).make(FIRST, state="erased")).status_code == 200


def test_an_erased_entry_takes_along_what_others_wrote_meanwhile(team, pool):
    """Before it came, and after."""
    ann, bob, eve = (Machine(team.person(name), name[0] * 16) for name in ("ann", "bob", "eve"))
    made = ann.make(FIRST, entry_text(FIRST, "The launch is on zebraday"))
    ann.send(made)
    bob.send(bob.make(FIRST, entry_text(FIRST, "The launch on zebraday moved")))
    gone = ann.make(FIRST, state="erased", parents=[made.id])
    ann.send(gone)
    eve.send(eve.make(FIRST, entry_text(FIRST, "The launch is on zebraday again"), parents=[made.id]))
    with pool.connection() as connection:
        (held,) = connection.execute("SELECT count(*) FROM revision WHERE position('zebraday' in body) > 0").fetchone()
        assert connection.execute("SELECT title FROM head").fetchall() == []
    assert (held, ann.search("zebraday")) == (0, [])
    ann.send(ann.make(FIRST, entry_text(FIRST, "Said anew of zebraday"), parents=[gone.id]))
    assert [one["title"] for one in eve.search("zebraday")] == ["Said anew of zebraday"]
