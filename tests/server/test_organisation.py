"""What several projects learned is proposed for all of the organisation, by the arithmetic of knowledge."""

from itertools import chain

import pytest

from limpet.ground.config.defaults import DEFAULTS
from limpet.learning.model import (
    ANTI_PATTERN,
    CONTRADICT,
    CREATE,
    PRINCIPLE,
    REINFORCE,
    WEAKEN,
    KnowledgeEntry,
    KnowledgeEvidence,
    confidence_of,
)
from limpet.server.database import transaction
from limpet.server.organisation import consolidate_organisation, list_proposals

from .conftest import Machine, entry_text

TITLE = "Run the database migrations before the tests"


def entry(number):
    return f"mem-2026-11-29-abcdefg{number}"


def told(team, numbers, title=TITLE):
    """Machines of a project each, which say the same."""
    machines = []
    for number in numbers:
        project = f"example.com/acme/p{number}"
        machine = Machine(team.person(f"person{number}", project=project), f"{number:016x}", project)
        machine.made = machine.make(entry(number + 2), entry_text(entry(number + 2), title))
        assert machine.send(machine.made).status_code == 200
        machines.append(machine)
    return machines


def proposals(team):
    with transaction(team.pool) as connection:
        consolidate_organisation(connection, "acme")
        return [(one.title, one.projects, one.confidence) for one in list_proposals(connection, "acme", "proposed")]


def test_what_three_projects_say_is_proposed(team):
    told(team, (1, 2))
    assert proposals(team) == []
    told(team, (3,))
    assert proposals(team) == [(TITLE, 3, 0.76)]
    told(team, (4,), "Before the tests, run the migrations of the database")
    assert proposals(team) == [(TITLE, 4, 0.84)]


def test_a_project_that_says_it_no_more_counts_against_it(team):
    *_, last = told(team, (1, 2, 3, 4))
    assert proposals(team) == [(TITLE, 4, 0.84)]
    last.send(last.make(last.made.entry, state="erased", parents=[last.made.id]))
    assert proposals(team) == [(TITLE, 3, 0.56)]


def test_what_nothing_came_to_is_not_looked_at_again(team):
    told(team, (1, 2, 3))
    proposals(team)
    with transaction(team.pool) as connection:
        assert consolidate_organisation(connection, "acme") == 0


def test_another_tenants_projects_prove_nothing(team):
    told(team, (1, 2))
    project = "example.com/evil/p"
    eve = Machine(team.person("eve", tenant="evil", project=project), "e" * 16, project)
    eve.send(eve.make(entry(5), entry_text(entry(5), TITLE)))
    assert proposals(team) == []


def learned(team, number, *effects, kind=PRINCIPLE, text=TITLE):
    """A project's machine, which learned it by these effects, each in a story of its own."""
    project = f"example.com/acme/p{number}"
    machine = Machine(team.person(f"person{number}", project=project), f"{number:016x}", project)
    machine.entry = known(kind, text, effects, number)
    machine.made = machine.make_learned(machine.entry)
    assert machine.send(machine.made).status_code == 200
    return machine


def known(kind, text, effects, number=0):
    evidence = []
    for place, effect in enumerate(effects, start=1):
        at = f"2026-11-{place:02}T0{number}:00:00Z"
        evidence.append(KnowledgeEvidence(f"P{number}-{place}", "OB-001", effect, "developer", at=at))
    return KnowledgeEntry(
        kind=kind, id="PR-001" if kind == PRINCIPLE else "AP-001", text=text, evidence=tuple(evidence)
    )


@pytest.mark.parametrize(
    "effects",
    (
        ((CREATE,), (CREATE,), (CREATE,)),
        ((CREATE, REINFORCE, REINFORCE), (CREATE, CONTRADICT), (CREATE, WEAKEN)),
        ((CREATE, CONTRADICT, CONTRADICT, CONTRADICT, CONTRADICT), (CREATE,), (CREATE, REINFORCE)),
    ),
)
def test_what_projects_learned_is_weighed_by_the_arithmetic_of_knowledge(team, effects):
    """All evidence of all projects as if one had it; that a second one made the entry too bears it out."""
    machines = [learned(team, number, *each) for number, each in enumerate(effects, start=1)]
    pieces = list(chain.from_iterable(machine.entry.evidence for machine in machines))
    first = min((piece for piece in pieces if piece.effect == CREATE), key=lambda piece: piece.at)
    later = [piece.replace(effect=REINFORCE, at="") for piece in pieces if piece.effect == CREATE and piece != first]
    rest = [piece for piece in pieces if piece.effect != CREATE]
    expected = float(confidence_of("0.6", (first, *later, *rest), DEFAULTS["learning"]))
    assert proposals(team) == [(TITLE, 3, expected)]


def test_a_memory_and_an_entry_of_the_knowledge_say_the_same(team):
    told(team, (1, 2))
    learned(team, 3, CREATE, REINFORCE)
    assert proposals(team) == [(TITLE, 3, 0.84)]


def test_what_failed_is_no_advice(team):
    told(team, (1, 2))
    learned(team, 3, CREATE, kind=ANTI_PATTERN)
    assert proposals(team) == []
    learned(team, 4, CREATE, kind=ANTI_PATTERN)
    learned(team, 5, CREATE, kind=ANTI_PATTERN)
    assert proposals(team) == [(f"Avoid: {TITLE}", 3, 0.76)]


def test_new_evidence_of_an_entry_counts_once(team):
    machine, *_ = [learned(team, number, CREATE) for number in (1, 2, 3)]
    assert proposals(team) == [(TITLE, 3, 0.76)]
    later = machine.make_learned(known(PRINCIPLE, TITLE, (CREATE, REINFORCE), 1), [machine.made.id])
    machine.send(later)
    assert proposals(team) == [(TITLE, 3, 0.84)]
    machine.send(machine.make(later.entry, state="erased", parents=[later.id]))
    assert proposals(team) == [(TITLE, 2, 0.48)]


@pytest.mark.parametrize("text", ("", "principles:\n", "no: entry\n", "- - -", "principles: [{id: PR-001}]"))
def test_what_is_no_entry_of_the_knowledge_is_refused(team, text):
    machine = Machine(team.person("ann"))
    name = "kn-" + "0" * 16
    answer = machine.send(machine.make(name, text or "x", folder="knowledge", file="principles.yml"))
    assert answer.status_code == 409


@pytest.mark.parametrize(
    ("says", "contrary"),
    (
        ("Use pnpm for all builds of the shop", "Never use pnpm for all builds of the shop"),
        ("Use pnpm for all builds of the shop", "Don\u2019t use pnpm for all builds of the shop"),
        ("Use pnpm for builds, never npm", "Use npm for builds, never pnpm"),
        ("Install packages with pnpm instead of npm", "Install packages with npm instead of pnpm"),
        (TITLE, "Run the tests before the database migrations"),
        ("Copy the records from staging to production", "Copy the records from production to staging"),
    ),
    ids=range(6),
)
def test_who_says_the_contrary_in_the_same_words_bears_nothing_out(team, says, contrary):
    told(team, (1, 2), says)
    told(team, (3,), contrary)
    assert proposals(team) == []


def test_words_that_every_project_erased_leave_what_is_proposed_too(team):
    machines = told(team, (1, 2, 3))
    assert proposals(team) == [(TITLE, 3, 0.76)]
    for machine in machines:
        machine.send(machine.make(machine.made.entry, state="erased", parents=[machine.made.id]))
    with transaction(team.pool) as connection:
        for table in ("head", "proof", "proposal"):
            assert {title for (title,) in connection.execute(f"SELECT title FROM {table}")} <= {""}, table
    assert proposals(team) == []
    told(team, (4, 5, 6))
    assert [(title, number) for title, number, _ in proposals(team)] == [(TITLE, 3)]
