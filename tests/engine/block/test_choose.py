"""Which rules an event needs: what always holds, who is active, the squad, and the prompt's words."""

import pytest

from limpet.engine.block.choose import choose, is_devmode
from limpet.engine.mistakes import draft_event
from limpet.ground.clock import Clock
from limpet.operations.mirror import refresh_mirror

from ...conversation import write, write_rules
from ...project_session import update_project

MANIFEST = """\
GLOBAL_ALWAYS_ON=true
API_RECALL=endpoint, route
DOCS_RECALL=handbook
DOCS_EXCLUDE=draft
AGENT_DEV_STATE=active
AGENT_DEV_AGENT_TRIGGER=dev
WORKFLOW_SHIP_STATE=active
WORKFLOW_SHIP_WORKFLOW_TRIGGER=ship
OLD_STATE=inactive
OLD_RECALL=endpoint
"""


@pytest.fixture
def project(workspace):
    write_rules(
        workspace,
        MANIFEST,
        **{"global": "GLOBAL_RULE_0=a\n"},
        api="API_RULE_0=b\n",
        docs="DOCS_RULE_0=c\n",
        agent_dev="DEV_RULE_0=d\n",
        workflow_ship="SHIP_RULE_0=e\n",
        old="OLD_RULE_0=f\n",
    )
    return workspace


def names(workspace, prompt="Go on.", **options):
    """The domains that the prompt needs, without the constitution."""
    chosen = choose(draft_event(workspace, prompt, clock=Clock(), **options))
    return {record["name"] for record in chosen.records.values()} - {"CONSTITUTION", "CONTEXT"}


def test_what_always_holds_is_chosen_whatever_was_typed(project):
    """And nothing else is."""
    assert names(project) == {"GLOBAL"}


def test_a_domain_is_called_by_a_word_of_the_prompt(project):
    """Inactive ones are not, whatever their words."""
    assert names(project, "a new endpoint") == {"GLOBAL", "API"}


def test_an_excluded_domain_stays_out(project):
    """One word calls it, another keeps it out."""
    assert names(project, "the handbook") == {"GLOBAL", "DOCS"}
    assert names(project, "a draft of the handbook") == {"GLOBAL"}


def test_the_active_agent_brings_its_domain_by_id_and_by_alias(project):
    """Decision 34: a trigger may be either."""
    assert names(project, agent="dev") == {"GLOBAL", "AGENT_DEV"}


def test_the_workflow_in_force_brings_its_domain(project):
    """The project's, where the conversation has none of its own."""
    update_project(project, {"workflow": "ship"})
    refresh_mirror(project)
    assert names(project) == {"GLOBAL", "WORKFLOW_SHIP"}


def test_an_override_of_the_conversation_beats_the_manifest(project):
    """Decision 17: ``*limpet on`` and ``off``."""
    context = draft_event(project, "the endpoint", clock=Clock()).with_session(overrides={"OLD": True, "API": False})
    chosen = choose(context)
    assert {record["name"] for record in chosen.records.values()} >= {"GLOBAL", "OLD"}
    assert "API" not in {record["name"] for record in chosen.records.values()}


def test_the_words_that_called_a_domain_are_told(project):
    """The explanation and the metrics name them."""
    chosen = choose(draft_event(project, "the endpoint's route", clock=Clock()))
    name_of = chosen.plan.matcher["names"]
    assert {name_of[number]: set(words) for number, words in chosen.matched.items()}["API"] == {"endpoint", "route"}


def test_an_edited_file_is_read_anew(project):
    """Though the plan was compiled a moment ago."""
    names(project, "the endpoint")
    write(project.path("rules", "api"), "API_RULE_0=Version every route.\n")
    chosen = choose(draft_event(project, "the endpoint", clock=Clock()))
    assert ["Version every route."] in [record["rules"] for record in chosen.records.values()]


@pytest.mark.parametrize("wanted", [True, False])
def test_the_conversations_own_word_on_the_debug_section_counts(project, wanted):
    """Before the manifest's and the configuration's."""
    context = draft_event(project, "x", clock=Clock()).with_session(overrides={"DEVMODE": wanted})
    assert is_devmode(context, choose(context)) is wanted
