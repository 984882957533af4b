"""The roster: who the agents are and what they answer to."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import limpet.framework
from limpet.roles import roster
from limpet.roles.roster import AGENTS, ALIASES, BROWNFIELD_ALIASES, resolve_id

RULES = Path(limpet.framework.__file__).parent / "rules"
IDS = [
    "orchestrator", "greenfield-wu", "brownfield-wu", "brief", "detail", "architect", "ux",
    "phases", "tasks", "qa-planning", "dev", "qa-implementation", "devops",
]  # fmt: skip


def test_the_thirteen_agents_stand_in_pipeline_order():
    """The roster holds exactly the thirteen ids, in order."""
    assert list(AGENTS) == IDS


@pytest.mark.parametrize("alias", ["pm", "po", "sm", "qa", "analyst", "data-engineer", "ux-design-expert",
                                   "aiox-master", "squad-creator"])  # fmt: skip
def test_every_synapse_name_lands_on_an_agent(alias):
    """An alias resolves to an id of the roster and hides none."""
    assert resolve_id(alias) in AGENTS
    assert alias not in AGENTS


def test_no_alias_stands_apart_from_the_agents():
    """Both alias tables point at ids only."""
    assert {*ALIASES.values(), *BROWNFIELD_ALIASES.values()} <= set(AGENTS)


@pytest.mark.parametrize(("name", "expected"), [
    ("dev", "dev"), ("@dev", "dev"), (" QA_Implementation ", "qa-implementation"), ("@PM", "detail"), ("po", "brief"),
    ("sm", "tasks"), ("QA", "qa-implementation"), ("UX_Design_Expert", "ux"), ("analyst", "greenfield-wu"),
    ("nobody", None), ("", None),
])  # fmt: skip
def test_a_name_is_resolved_however_it_is_spelt(name, expected):
    """At sign, case, blanks and underscores do not matter; an unknown name is None."""
    assert resolve_id(name) == expected


def test_the_analyst_of_a_brownfield_project_is_brownfield_wu():
    """The brownfield table wins only when asked for."""
    assert resolve_id("@analyst", brownfield=True) == "brownfield-wu"
    assert resolve_id("@pm", brownfield=True) == "detail"


@pytest.mark.parametrize("path", sorted(RULES.iterdir()), ids=lambda path: path.name)
def test_rules_delegate_only_to_agents_that_exist(path):
    """Every @name in a shipped rule is an agent's id, so that no delegation leads nowhere."""
    named = re.findall(r"@([a-z][a-z-]*)", path.read_text(encoding="utf-8"))
    assert [name for name in named if resolve_id(name) is None] == []


def test_every_refusal_of_authority_says_what_to_do_instead():
    """A NEVER rule of authority names a delegate, a command, another way, or the user's confirmation."""
    text = "\n".join(path.read_text(encoding="utf-8") for path in RULES.iterdir())
    refusals = re.findall(r"_AUTH_\d+=(NEVER.*)", text)
    assert refusals
    assert [rule for rule in refusals if not rule.partition(" - ")[2] and "confirmation" not in rule] == []


def test_the_roster_imports_nothing():
    """The prompt hook reads this module, so it may not import anything at run time."""
    tree = ast.parse(inspect.getsource(roster))
    imported = [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))]
    assert [node.module for node in imported] == ["__future__"]
