"""What several projects learned is proposed for all of the organisation, by the arithmetic of knowledge."""

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
