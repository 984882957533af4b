"""``limpet agent show`` by its door."""

import json
import os

import pytest

from ...conversation import write, write_rules

OWN = """---
title: Marketing lead
mission: Plan and write campaigns
checklist: [Every claim has a source.]
authority: [NEVER publish - delegate to @devops]
---
"""


def test_a_packaged_agent_is_shown_with_the_rules_of_the_projects_domain(workspace, run):
    """Those are what holds; the packaged ones hold where the project has them."""
    write_rules(workspace, "AGENT_DEV_STATE=active\n", agent_dev="DEV_RULE_AUTH_0=NEVER push.\nDEV_RULE_0=Be brief.\n")
    lines = run("agent", "show", "@DEV").stdout.splitlines()
    assert lines[:2] == ["Dev dev", "Build what the story says, as the architecture says, with tests"]
    shown = [" ".join(line.split()) for line in lines]
    assert {"rules in .limpet/rules/agent-dev", "file framework/agents/dev.md", "model balanced"} <= set(shown)
    assert shown[shown.index("Authority") + 1 : shown.index("Authority") + 5] == [
        "NEVER push.",
        "",
        "Rules",
        "- Be brief.",
    ]
    assert "1. " in shown[shown.index("Steps") + 1]


def test_an_own_agent_is_shown_with_what_its_file_says(workspace, run):
    """And with the rules of its domain, each text once."""
    write(workspace.path("agents", "marketing-lead.md"), OWN)
    rules = "LEAD_RULE_AUTH_0=NEVER publish - delegate to @devops\nLEAD_RULE_0=One idea a page.\n"
    write_rules(workspace, "AGENT_MARKETING_LEAD_STATE=active\n", agent_marketing_lead=rules)
    found = json.loads(run("agent", "show", "marketing", "--json").stdout)
    assert (found["id"], found["title"], found["overrides"]) == ("marketing-lead", "Marketing lead", False)
    assert found["authority"] == ["NEVER publish - delegate to @devops"]
    assert (found["rules"], found["problems"]) == (["One idea a page."], [])


def test_an_agent_in_place_of_a_packaged_one_says_so(workspace, run):
    """With its file."""
    write(workspace.path("agents", "dev.md"), OWN)
    assert ".limpet/agents/dev.md (in place of the packaged one)" in run("agent", "show", "dev").stdout


def test_all_of_it_comes_as_data(run):
    """Commands and greetings too, and whether it is active."""
    run("agent", "activate", "qa")
    found = json.loads(run("agent", "show", "qa", "--json").stdout)
    assert (found["id"], found["active"], found["aliases"]) == ("qa-implementation", True, ["qa"])
    assert found["commands"][0]["name"].startswith("limpet ")
    assert set(found["persona"]["greetings"]) == {"minimal", "named", "archetypal"}


def test_an_agent_that_rules_alone_declare_is_shown(workspace, run):
    """It has a name and rules."""
    write_rules(workspace, "AGENT_BOSS_STATE=active\n", agent_boss="BOSS_RULE_0=Ask first.\n")
    shown = run("agent", "show", "boss").stdout
    assert shown.splitlines()[0] == "Boss boss" and "- Ask first." in shown


def test_an_unknown_one_is_answered_with_the_nearest(run):
    """As by `activate`."""
    done = run("agent", "show", "devv")
    assert (done.returncode, done.stderr) == (1, "limpet: Unknown agent: devv. Did you mean dev?\n")


def test_outside_a_project_the_packaged_ones_are_shown(run, tmp_path):
    """With their packaged rules."""
    done = run("agent", "show", "dev", cwd=tmp_path)
    assert done.returncode == 0
    assert "framework/rules/agent-dev" in done.stdout and "delegate to @devops" in done.stdout


@pytest.mark.parametrize(
    ("name", "said"),
    [("dev", "the packaged agent is used"), ("scribe", "so only its name is known")],
)
def test_a_broken_file_is_told_with_its_line(workspace, run, name, said):
    """What is used in its place is shown."""
    write(workspace.path("agents", f"{name}.md"), "---\nmission: Ours\nsteps: [\n---\n")
    done = run("agent", "show", name)
    assert done.returncode == 0
    assert done.stderr.startswith(f"limpet: .limpet/agents/{name}.md:4: Invalid YAML") and said in done.stderr
    assert ("Build what the story says" in done.stdout) == (name == "dev") and "Ours" not in done.stdout


def test_no_file_is_made_by_looking(workspace, run):
    """Showing changes nothing."""
    before = sorted(os.listdir(workspace.home))
    run("agent", "show", "dev")
    assert sorted(os.listdir(workspace.home)) == before
